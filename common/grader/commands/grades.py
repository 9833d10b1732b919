"""The grades of a class: from the files check-*.result of a job array (jobs/README.md) to a table, and to a column of the
grade export that the teacher has downloaded. `./course grades --help` describes the options and the exit codes."""
import argparse
import csv
import html
import io
import json
import os
import re
import sys
from collections import defaultdict, namedtuple
from fractions import Fraction
from pathlib import Path, PurePosixPath

from formats import ROOT, csv_text, decimal, printable

Result = namedtuple("Result", "learner id exercise state points max_points source")  # id: from a bulk download's file name
Cell = namedtuple("Cell", "begin end text")  # its characters in the file, with quotes; its content
Learner = namedtuple("Learner", "line row most names ids")  # most: the maximum grade
CANVAS_IDENTIFIERS = ["sis login id", "sis user id", "id"]
MOODLE_IDENTIFIERS = ["email address", "username", "id number", "identifier"]
KEPT = {"ex": "excused", "n/a": "not assigned"}  # grades that are not numbers, of Canvas
NO_GRADE = ["", "-"]  # of Canvas, of Moodle


class Refused(Exception):
    """The export is not understood: it cannot be read further."""


def read_exercises():
    """The points of every exercise."""
    entries = json.loads(Path(ROOT, "common/cmake/registry.json").read_text(encoding="utf-8"))
    return {entry["exercise"]: entry.get("points", 1) for entry in entries if "exercise" in entry}


def exercise_named(word, exercises):
    """The full name of the exercise that ./course takes the word for: axpby, add-list/axpby, 3/axpby."""
    lesson, _, name = word.rpartition("/")
    for exercise in exercises:
        folder, its_name = exercise.split("/")
        if name == its_name and lesson in ["", folder, folder[3:], folder[:2], str(int(folder[:2]))]:
            return exercise
    raise ValueError("there is no exercise " + word)


def read_result(file, exercises):
    """The result in a file, which is a line: state, exercise and file of the answer."""
    line = file.read_bytes().decode("utf-8", "surrogateescape")
    match = re.match(r"(right|wrong|not-started|error) (\S+) (.+)\n?\Z", line)
    if not match:
        raise ValueError("not a line with a state, an exercise and a file")
    state, exercise, answer = match.group(1), exercise_named(match.group(2), exercises), PurePosixPath(match.group(3))
    name, folder = answer.stem, answer.parent.name
    canvas, moodle = r"(.+?)(?:_LATE)?_([0-9]+)_[0-9]+_", r"(.+)_([0-9]+)_assignsubmission_"
    bulk = re.match(canvas, name) or re.match(moodle, folder) or re.match(moodle, name)
    learner = " ".join(bulk.groups()) if bulk else folder if name == exercise.split("/")[1] else name
    points = exercises[exercise]
    return Result(learner, bulk and bulk.group(2), exercise, state, points if state == "right" else 0, points, str(file))


def read_results(folders, exercises, problems):
    files = sorted({file.resolve() for folder in folders for file in Path(folder).glob("check-*.result")})
    if not files:
        problems.append("there is no file check-*.result")
    for file in files:
        try:
            yield read_result(file, exercises)
        except (OSError, ValueError) as error:
            problems.append("%s: %s" % (file, error))


def add_result(results, result, problems):
    other = results.setdefault(result.exercise, result)
    if other is not result:
        problems.append("two results of {0.learner} for {0.exercise}: {0.state} in {0.source}, {1.state} in {1.source}. "
                        "Delete the file that does not count".format(other, result))


def table_of(results, problems):
    """A row per learner, after the header."""
    learners = defaultdict(dict)
    for result in results:
        add_result(learners[result.learner], result, problems)
    exercises = sorted({result.exercise for result in results})
    table = [["learner"] + exercises + ["points", "state"]]
    for learner, its in sorted(learners.items()):
        states = [its[exercise].state if exercise in its else "missing" for exercise in exercises]
        worst = next(state for state in ["error", "wrong", "not-started", "missing", "right"] if state in states)
        table.append([learner] + states + ["" if worst == "error" else sum(result.points for result in its.values()), worst])
    return table


def show(table, form):
    if form == "csv":
        return csv_text(table)
    table = [[printable(str(cell)) for cell in row] for row in table]
    if form == "text":
        widths = [max(map(len, column)) + 2 for column in zip(*table)]
        return "".join("".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() + "\n" for row in table)
    rows = ["<tr><td>" + "</td><td>".join(map(html.escape, row)) + "</td></tr>\n" for row in table]
    rows[0] = rows[0].replace("td>", "th>")  # in escaped text there is no >
    return ('<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>Grades</title>\n<table border="1">\n'
            + "".join(rows) + "</table></html>\n")


def plain(text):
    return text.strip().lower()


def quoted(names):
    return ", ".join('"%s"' % name for name in names)


def rows_of(text, separator):
    """Yields the line and the cells of each row of a CSV file."""
    cell = re.compile(r'("[^"]*(?:""[^"]*)*"|[^"\r\n%s]*)(%s|\r?\n|\Z)' % (separator, separator))
    at, line, row = int(text.startswith("\ufeff")), 1, []
    while at < len(text) or row:
        match = cell.match(text, at)
        if not match:
            raise Refused("line %d: a quote is not closed, or a quote or a line end is inside a cell without quotes" % line)
        content = match.group(1)
        row.append(Cell(match.start(1), match.end(1), content[1:-1].replace('""', '"') if content[:1] == '"' else content))
        at = match.end()
        if match.group(2) != separator:
            if len(row) > 1 or content:
                yield line, row
            line += text.count("\n", row[0].begin, at)
            row = []


def header_of(text, separator):
    try:
        return [cell.text for cell in next(rows_of(text, separator), (1, []))[1]]
    except Refused:
        return []


def number(text, is_maximum):
    """A number as Canvas and Moodle write it: 10, 10.00 or 10,00. They do not group digits, but a spreadsheet may."""
    if not re.match(r"-?[0-9]+([.,][0-9]+)?\Z", text.strip()):
        raise ValueError("not a number")
    if re.match(r"-?[1-9][0-9]{0,2}[.,][0-9]{3}\Z", text.strip()):
        raise ValueError("a fraction or thousands? Export it with two decimals")
    value = Fraction(text.strip().replace(",", "."))
    if is_maximum and value <= 0:
        raise ValueError("not above 0")
    return value


class Export:
    """A grade export whose every row is understood. Canvas writes it in lib/gradebook_exporter.rb of instructure/canvas-lms,
    Moodle in mod/assign/gradingtable.php (a worksheet) and grade/export of moodle/moodle, with translated column names."""

    def __init__(self, data, is_canvas, column, identifier, maximum, problems):
        if b"\0" in data:
            raise Refused("not a CSV file in UTF-8 but in UTF-16, or a spreadsheet: save it as CSV in UTF-8")
        try:
            self.encoding, self.text = "utf-8", data.decode("utf-8")
        except UnicodeDecodeError:
            self.encoding, self.text = "latin-1", data.decode("latin-1")
        self.is_canvas, self.id_name = is_canvas, "id" if is_canvas else plain(identifier or "identifier")
        names = [plain(identifier)] if identifier else CANVAS_IDENTIFIERS if is_canvas else MOODLE_IDENTIFIERS
        headers = {separator: header_of(self.text, separator) for separator in ",;\t"}
        separators = [separator for separator in headers if any(plain(name) in names for name in headers[separator])]
        if not separators:
            raise Refused("line 1: no column identifies a learner (%s). The columns are %s" % (
                quoted(names), quoted(max(headers.values(), key=len))))
        if len(separators) > 1:
            raise Refused("line 1: the separator is ambiguous: %s" % " or ".join(map(repr, separators)))
        self.separator, self.header = separators[0], headers[separators[0]]
        self.identifiers = [i for i, name in enumerate(self.header) if plain(name) in names]
        self.place = self.column_of(column, "--column names the column that gets the grades")
        self.most = self.maximum = None  # the maximum grade of all; or the Moodle column with each learner's
        if not is_canvas:
            try:
                self.most = number(maximum, True)
            except ValueError:
                self.maximum = self.column_of(maximum, "--maximum is the maximum grade, or names the column with it")
        self.marks = {}  # the decimal marks of the numbers, and where they are
        self.learners = {}  # by the number of the row
        for i, (line, row) in enumerate(rows_of(self.text, self.separator)):
            try:
                if i > 0:
                    self.read_row(i, line, row, [cell.text for cell in row])
            except ValueError as error:
                problems.append("line %d: %s" % (line, error))
                if is_canvas and self.most is None:
                    raise Refused("the maximum grade is not known")  # so other rows add nothing
        if len(self.marks) > 1:
            problems.append("two decimal marks: %s" % ", ".join(sorted(self.marks.values())))

    def column_of(self, wanted, cure):
        """The column of this name, which Canvas follows by the number of the assignment."""
        found = [i for i, name in enumerate(self.header)
                 if plain(wanted) in (plain(name), self.is_canvas and plain(re.sub(r" \([0-9]+\)\Z", "", name)))]
        if len(found) != 1:
            raise Refused('line 1: %s "%s". %s. The columns are %s' % (
                "several columns" if found else "no column", wanted, cure, quoted(self.header)))
        return found[0]

    def read_number(self, line, what, text):
        try:
            value = number(text, what == "maximum grade")
        except ValueError as error:
            raise ValueError('the %s for "%s" is "%s": %s' % (what, self.header[self.place], text, error))
        self.marks.update({mark: 'line %d has "%s"' % (line, text) for mark in ",." if mark in text})
        return value

    def read_row(self, i, line, row, cells):
        """Takes in a learner, or a row of Canvas: the posting policies, the points possible. Raises ValueError for others."""
        if all(re.match(r"\s*(Muted|Manual Posting.*)?\s*\Z", text, re.I) for text in cells):
            return  # the posting policies may have more cells than the header
        if len(row) != len(self.header):
            raise ValueError("%d cells, but the header has %d" % (len(row), len(self.header)))
        if not any(cells[j].strip() for j in self.identifiers):
            if not self.is_canvas or self.most is not None or plain(cells[0]) != "points possible":
                raise ValueError('"%s" is neither a learner nor another known row' % cells[0])
            self.most = self.read_number(line, "maximum grade", cells[self.place])
            return
        most = self.most if self.maximum is None else self.read_number(line, "maximum grade", cells[self.maximum])
        if most is None:
            raise ValueError("a learner above the row Points Possible")
        if plain(cells[self.place]) not in NO_GRADE and plain(cells[self.place]) not in KEPT:
            self.read_number(line, "grade", cells[self.place])
        keys = {plain(cells[j]) for j in self.identifiers}
        # A bulk download of Canvas has the ID, one of Moodle the number of "Participant 123", in any language.
        ids = [re.search(r"\A[0-9]+\Z" if self.is_canvas else r"(?<=\s)[0-9]+\Z", plain(cells[j]))
               for j in self.identifiers if plain(self.header[j]) == self.id_name]
        ids = {match.group() for match in ids if match}
        self.learners[i] = Learner(line, row, most, keys | {key.split("@")[0] for key in keys} | ids, ids)

    def find(self, results, problems):
        """The results of each learner: by the number of the row, then by exercise."""
        found = defaultdict(dict)
        for result in results:
            name = result.id or plain(result.learner)
            rows = [i for i, learner in self.learners.items() if name and name in (learner.ids if result.id else learner.names)]
            if len(rows) != 1:
                problems.append("%s (%s) is %s of the export. Correct the file's name in this result, or delete it" % (
                    result.learner, result.source, "several learners" if rows else "no learner"))
            else:
                add_result(found[rows[0]], result, problems)
        return found

    def fill(self, found, notes):
        """The text with the grades, and the results in each row that gets one."""
        exercises = {exercise for its in found.values() for exercise in its}
        mark, graded, pieces, at = "".join(self.marks) or ".", {}, [], 0
        for i, (line, row, most, _, _) in self.learners.items():
            its, cell = list(found.get(i, {}).values()), row[self.place]
            old, who = plain(cell.text), "line %d, %s" % (line, row[0].text)
            why = KEPT.get(old) or ("a result is an error" if any(result.state == "error" for result in its) else
                                    "a result is missing" if len(its) < len(exercises) else None)
            if why:
                notes.append('%s: keeps "%s" (%s)' % (who, cell.text, why))
                continue
            graded[i] = its
            grade = decimal(share(its) * most, mark)
            if old not in NO_GRADE and cell.text != grade:
                notes.append("%s: %s -> %s" % (who, cell.text, grade))
            quote = '"' if self.text[cell.begin:cell.end].startswith('"') or self.separator in grade else ""
            pieces += [self.text[at:cell.begin], quote, grade, quote]
            at = cell.end
        return "".join(pieces) + self.text[at:], graded

    def verify(self, after, graded):
        """Reads the filled text with Python's csv, which did not find the cells, and compares each learner and grade with the
        results. Raises Refused if one of them is wrong, or if anything else has changed."""
        csv.field_size_limit(len(after) + 1)
        old, new = (list(filter(None, csv.reader(io.StringIO(text.lstrip("\ufeff"), newline=""), delimiter=self.separator,
                                                 strict=True))) for text in (self.text, after))
        possible = [read_back(row[self.place]) for row in new if self.is_canvas and plain(row[0]) == "points possible"]
        for i, its in graded.items():
            row = new[i]
            most = self.most if not self.is_canvas else possible[0]
            if self.maximum is not None:
                most = read_back(row[self.maximum])
            is_right = abs(read_back(row[self.place]) - share(its) * most) < Fraction(1, 100000)
            is_theirs = all(any((result.id or plain(result.learner)) in plain(cell) for cell in row) for result in its)
            if not is_right or not is_theirs:
                raise Refused('"%s" for %s is not the result. Please report this error' % (row[self.place], row[0]))
            old[i][self.place] = row[self.place]
        if old != new:
            raise Refused("more than the grades would change. Please report this error")


def share(results):
    """The part of all points."""
    return Fraction(sum(result.points for result in results), sum(result.max_points for result in results))


def read_back(text):
    """A number of a written file, read in another way than by number."""
    whole, _, part = text.strip().replace(",", ".").partition(".")
    return Fraction(int(whole + part), 10 ** len(part))


def write_verified(path, export, text, graded):
    """Writes the file under another name, verifies it there, and only then gives it its name."""
    part = Path(str(path) + ".part")
    try:
        part.write_bytes(text.encode(export.encoding))
        export.verify(part.read_bytes().decode(export.encoding), graded)
        part.rename(path)
    finally:
        if part.exists():
            part.unlink()


def say(text):
    print("grades: " + printable(text), file=sys.stderr)


def read_options(words):
    # The bytes of the command line are UTF-8 in every locale, as the files are.
    words = [os.fsencode(word).decode("utf-8", "surrogateescape") for word in words]
    parser = argparse.ArgumentParser(prog="grades", allow_abbrev=False)
    parser.add_argument("folders", metavar="FOLDER", nargs="+")
    parser.add_argument("--format", choices=["text", "csv", "html"], default="text")
    parser.add_argument("--exercise")
    platform = parser.add_mutually_exclusive_group()
    platform.add_argument("--canvas", metavar="FILE")
    platform.add_argument("--moodle", metavar="FILE")
    parser.add_argument("--column", default="Grade")
    parser.add_argument("--identifier")
    parser.add_argument("--maximum")
    options = parser.parse_args(words)
    options.exercises = read_exercises()
    for folder in options.folders:
        if not Path(folder).is_dir():
            parser.error("there is no folder " + folder)
    if not options.moodle and (options.identifier or options.maximum):
        parser.error("--identifier and --maximum need --moodle")
    if options.exercise:
        try:
            options.exercise = exercise_named(options.exercise, options.exercises)
        except ValueError as error:
            parser.error(str(error))
    return options


def main(words):
    options, problems, notes = read_options(words), [], []
    results = [result for result in read_results(options.folders, options.exercises, problems)
               if options.exercise in (None, result.exercise)]
    if not results and not problems:
        problems.append("there is no result of " + options.exercise)
    table = table_of(results, problems)
    path = options.canvas or options.moodle
    filled = path and Path(path).with_suffix(".graded.csv")
    try:
        if path:
            export = Export(Path(path).read_bytes(), bool(options.canvas), options.column, options.identifier,
                            options.maximum or "Maximum grade", problems)
            found = export.find(results, problems)
            if os.path.lexists(str(filled)):
                problems.append("%s exists: rename or delete it" % filled)
            if not problems:
                write_verified(filled, export, *export.fill(found, notes))
    except (Refused, csv.Error, OSError, ValueError) as error:
        problems.append("%s: %s" % (path, error))
    for text in dict.fromkeys(problems) or notes + (["%s is written" % filled] if path else []):
        say(text)
    if problems:
        say("nothing is written" if path else "no table")
        return 1
    sys.stdout.buffer.write(show(table, options.format).encode("utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
