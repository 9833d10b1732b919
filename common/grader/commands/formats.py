"""Verdicts for course platforms: formats.py FORMAT EXERCISE... reads the output of `check --format json` from standard input.
Each format has its own way to report that this machine could not grade an exercise: never 0 points."""
import csv
import io
import json
import os
import sys
import time
import xml.etree.ElementTree as xml
from fractions import Fraction
from pathlib import Path

ROOT = str(Path(__file__).resolve().parents[3]) + "/"


def printable(text):
    """The text with \\x1b and the like for what moves the cursor, is not seen or is not UTF-8, and the course's files named
    from its root."""
    return "".join(c if c.isprintable() or c in "\n\t\xa0" else c.encode("unicode_escape").decode()
                   for c in text.replace(ROOT, ""))


def csv_text(rows):
    """A CSV file in which no spreadsheet takes a cell for a formula."""
    out = io.StringIO()
    cells = [[printable(str(cell)) for cell in row] for row in rows]
    csv.writer(out, lineterminator="\n").writerows(
        [["'" + cell if cell.startswith(tuple("=+-@\t")) else cell for cell in row] for row in cells])
    return out.getvalue()


def decimal(value, mark="."):
    """The number with at most five decimals, as many as Moodle keeps."""
    return ("%.5f" % value).rstrip("0").rstrip(".").replace(".", mark)


def read_verdicts(text, exercises):
    """A verdict for each exercise: an error if `check` ended before it printed one."""
    found = {}
    for line in text.split("\n"):
        try:
            verdict = json.loads(line)
            found[verdict["exercise"]] = verdict
        except ValueError:
            pass  # the end of the output, or the line at which `check` was ended
    missing = {"file": "", "state": "error", "points": None, "max_points": "", "seconds": 0,
               "report": "this machine could not check the file, which may be right"}
    return [found.get(name) or dict(missing, exercise=name) for name in exercises]


def has_error(verdicts):
    return any(verdict["state"] == "error" for verdict in verdicts)


def total(verdicts, field):
    return sum(verdict[field] for verdict in verdicts)


def gradescope(verdicts):
    """results.json. Gradescope requires a score or tests: without both, it can record no points."""
    result = {"execution_time": round(total(verdicts, "seconds")), "output_format": "text"}
    if has_error(verdicts):
        result["output"] = "".join("%s: %s\n" % (printable(v["exercise"]), v["report"]) for v in verdicts)
    else:
        result["tests"] = [{"name": printable(v["exercise"]), "score": v["points"], "max_score": v["max_points"],
                            "output": v["report"]} for v in verdicts]
    return json.dumps(result, indent=2, ensure_ascii=False) + "\n"


def classroom50(verdicts):
    """result.json. The runner sets the variables, and reports an error if there is no result."""
    if has_error(verdicts):
        return ""
    names = {"classroom": "CLASSROOM", "assignment": "ASSIGNMENT", "submission": "SUBMISSION_TAG", "commit": "COMMIT_URL",
             "release": "RELEASE_URL"}
    result = {"schema": "classroom50/result/v1"}
    for field, variable in names.items():
        if not os.environ.get(variable):
            sys.exit("formats: the format classroom50 needs the variable %s, which the runner of Classroom 50 sets" % variable)
        result[field] = printable(os.environ[variable])
    result["review"] = printable(os.environ.get("REVIEW_URL") or result["commit"])
    result["datetime"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    result["score"], result["max-score"] = total(verdicts, "points"), total(verdicts, "max_points")
    result["tests"] = [{"test-name": printable(v["exercise"]), "score": v["points"], "max-score": v["max_points"],
                        "message": v["report"], "passed": v["points"] == v["max_points"]} for v in verdicts]
    return json.dumps(result, indent=2, ensure_ascii=False) + "\n"


def vpl(verdicts):
    """The output of a VPL evaluation. In a comment, a line that begins with - is a title, and VPL shows a line that begins
    with > as it is: no line of a message can end the comment or be a grade."""
    text = ""
    for verdict in verdicts:
        lines = ["-%s: %s" % (printable(verdict["exercise"]).split("\n")[0], verdict["state"])]
        lines += [">" + line for line in verdict["report"].split("\n")]
        text += "<|--\n" + "\n".join(lines) + "\n--|>\n"
    if has_error(verdicts):
        return text
    most = total(verdicts, "max_points")
    least, most = Fraction(os.environ.get("VPL_GRADEMIN") or 0), Fraction(os.environ.get("VPL_GRADEMAX") or most)
    share = Fraction(total(verdicts, "points"), total(verdicts, "max_points"))
    return text + "Grade :=>>%s\n" % decimal(least + share * (most - least))


def csv_table(verdicts):
    """A row per exercise; the points of an error are empty."""
    fields = ["exercise", "file", "state", "points", "max_points", "seconds"]
    rows = [["" if v[field] is None else v[field] for field in fields] + [v["report"]] for v in verdicts]
    return csv_text([fields + ["message"]] + rows)


def junit(verdicts):
    """JUnit XML, as GitLab reads it. A suite is an exercise; one without cases has one with the name of the exercise."""
    suites = xml.Element("testsuites", time=str(total(verdicts, "seconds")))
    for verdict in verdicts:
        exercise, report = printable(verdict["exercise"]), verdict["report"]
        cases = [] if verdict["state"] == "error" else verdict["tests"]
        cases = cases or [dict(verdict, name=exercise)]
        states = [case["state"] for case in cases]
        counts = {"tests": len(cases), "failures": states.count("failed"), "errors": states.count("error")}
        counts["skipped"] = len(cases) - counts["failures"] - counts["errors"] - states.count("passed")
        suite = xml.SubElement(suites, "testsuite", {name: str(count) for name, count in counts.items()},
                               name=exercise, time=str(verdict["seconds"]))
        if "isolation" in verdict:
            xml.SubElement(xml.SubElement(suite, "properties"), "property", name="isolation", value=verdict["isolation"])
        for i, case in enumerate(cases):
            test = xml.SubElement(suite, "testcase", classname=exercise, name=printable(case["name"]), time=str(case["seconds"]))
            if case["state"] == "failed" and "failed" in states[:i]:
                xml.SubElement(test, "failure", message="also wrong")
            elif case["state"] == "failed":
                xml.SubElement(test, "failure", type=verdict["kind"], message=report.split("\n")[0]).text = report
            elif case["state"] == "error":
                xml.SubElement(test, "error", message=report.split("\n")[0]).text = report
            elif case["state"] != "passed":
                xml.SubElement(test, "skipped", message="not tested" if case["state"] == "skipped" else report)
    return xml.tostring(suites, encoding="unicode") + "\n"


FORMATS = {"gradescope": gradescope, "classroom50": classroom50, "vpl": vpl, "csv": csv_table, "junit": junit}

if __name__ == "__main__":
    verdicts = read_verdicts(sys.stdin.buffer.read().decode("utf-8", "replace"), sys.argv[2:])
    sys.stdout.buffer.write(FORMATS[sys.argv[1]](verdicts).encode("utf-8"))
