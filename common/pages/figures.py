#!/usr/bin/env python3
"""The results of ./course bench: files in the format of lessons/figures, and tables for terminals and pages.

figures.py BENCH.json BACKEND DEVICE REVISION RESULTS.jsonl...: print the results and write them to BENCH.json. Programs write
RESULTS.jsonl (common/figures.hpp); its name ends with the number of ranks, as in jacobi-mpi-versions-2.jsonl.

It needs Python 3.6 and its standard library.
"""

import json
import re
import sys
import time
from pathlib import Path

RANKS = re.compile(r"-(\d+)\.jsonl$")


def measured(path):
    """The results in a file that a program wrote."""
    ranks = int(RANKS.search(path)[1])
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        try:
            figure = json.loads(line, parse_int=float)
        except ValueError:
            sys.exit(f"{path}: not a result: {line}")
        if ranks > 1:
            figure["what"] += f", {ranks} ranks"
        yield figure


def print_table(figures):
    program = None
    for its in figures:
        if its["program"] != program:
            program = its["program"]
            print("\n" + program)
        line = "   %-40s %10.4g %-8s" % (its["what"], its["value"], its["unit"])
        if "seconds" in its:
            line += " %8.4g ms" % (1e3 * its["seconds"])
        if "limit" in its:
            line += " %6.1f %% of %s (%.4g)" % (100 * its["value"] / its["limit"], its["limit_is"], its["limit"])
        print(line.rstrip())


def write_json(path, head, figures):
    """Writes one result per line."""
    lines = ",\n".join(json.dumps(figure, separators=(",", ":")) for figure in figures)
    text = json.dumps(head, indent=1)[:-len("\n}")] + ',\n "figures": [\n' + lines + "\n]}\n"
    Path(path).write_text(text, encoding="utf-8")


def cell(figure):
    """A value with three digits, its unit, and its share of the limit."""
    value = figure["value"]
    digits = "%.0f" if value >= 99.95 else "%.1f" if value >= 9.995 else "%.3g"
    share = " (%.0f %%)" % (100 * value / figure["limit"]) if "limit" in figure else ""
    return digits % value + " " + figure["unit"] + share


def with_limit_of_row(column, labelled):
    """The results of a column. If a row of the table is the limit itself, all shares are of this row."""
    values = {label: column[what]["value"] for label, what in labelled if what in column}
    return {what: dict(its, limit=values[its["limit_is"]]) if its.get("limit_is") in values else its for what, its in column.items()}


def page_table(folder, program, rows):
    """A Markdown table with a column per file. `rows` is "LABEL = WHAT | WHAT ...". ValueError: it cannot be made."""
    files = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    columns = [{figure["what"]: figure for figure in its["figures"] if figure["program"] == program} for its in files]
    limits, body = set(), ""
    labelled = [(label, what or label) for label, _, what in (row.partition(" = ") for row in rows.split(" | "))]
    columns = [with_limit_of_row(column, labelled) for column in columns]
    for label, what in labelled:
        figures = [column.get(what) for column in columns]
        if not any(figures):
            raise ValueError(f"lessons/figures has no result '{what}' of {program}")
        limits |= {"% of " + figure["limit_is"] for figure in figures if figure and "limit" in figure}
        body += "| " + " | ".join([label] + [cell(figure) if figure else "not measured" for figure in figures]) + " |\n"
    if len(limits) > 1:
        raise ValueError(f"the rows of a table of {program} have different limits: {sorted(limits)}")
    devices = "".join(" " + its["device"].partition(",")[0] + " |" for its in files)
    return "| " + "".join(limits) + " |" + devices + "\n|---|" + "---|" * len(files) + "\n" + body


def main():
    if len(sys.argv) < 5 or not all(RANKS.search(results) for results in sys.argv[5:]):
        sys.exit(__doc__)
    path, backend, device, revision = sys.argv[1:5]
    figures = [figure for results in sys.argv[5:] for figure in measured(results)]
    print_table(figures)
    date = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    write_json(path, {"date": date, "revision": revision, "backend": backend, "device": device}, figures)


if __name__ == "__main__":
    main()
