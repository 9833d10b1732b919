"""The program of lesson 19: its numbers, compared with another computation; its messages, pictures and call of sacct."""

import collections
import contextlib
import datetime
import gzip
import importlib.util
import io
import os
import re
import sys
import tempfile
import unittest
import xml.dom.minidom
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
LESSON = os.path.join(HERE, "../../lessons/19-queue-time")
SAMPLE, PRACTICE = (os.path.join(LESSON, name) for name in ("sample.txt.gz", "practice.txt.gz"))
HEADER = "JobID|Partition|State|Submit|Eligible|Start|End|ReqCPUS|AllocCPUS|Timelimit|ReqMem\n"
SMALL = HEADER + """\
1|gpu|COMPLETED|2026-10-01T08:00:00|2026-10-01T08:00:00|2026-10-01T08:00:10|2026-10-01T09:00:00|1|1|01:00:00|8G
2|gpu|FAILED|2026-10-01T08:00:00|2026-10-01T10:00:00|2026-10-01T10:00:20|2026-10-01T11:00:00|1|1|01:00:00|8G
3_1|gpu|RUNNING|2026-10-01T08:00:00|2026-10-01T08:00:00|2026-10-01T08:00:30|Unknown|1|1|01:00:00|8G
4|gpu|CANCELLED by 1000|2026-10-01T08:00:00|2026-10-01T08:00:00|Unknown|2026-10-02T08:00:00|1|0|01:00:00|8G
5|gpu|PENDING|2026-10-02T08:00:00|2026-10-02T08:00:00|Unknown|Unknown|1|0|01:00:00|8G
6|gpu|REQUEUED|2026-10-01T08:00:00|2026-10-01T08:00:00|2026-10-01T09:00:00|2026-10-01T09:10:00|4|4|01:00:00|8G
6|gpu|COMPLETED|2026-10-01T09:10:00|2026-10-01T09:12:00|2026-10-01T11:12:00|2026-10-01T12:00:00|4|4|01:00:00|8G
7|gpu|FAILED|2026-10-01T08:00:00|2026-10-01T08:00:00|2026-10-01T08:00:00|2026-10-01T08:00:00|1|0|01:00:00|8G
8|gpu|COMPLETED|2026-10-01T08:00:00|2026-10-01T08:00:00|yesterday|2026-10-01T09:00:00|1|1|01:00:00|8G
1.batch|gpu|COMPLETED|2026-10-01T08:00:00|2026-10-01T08:00:00|2026-10-01T08:00:10|2026-10-01T09:00:00|1|1|01:00:00|8G
"""
# Each line is malformed in one field.
WRONG = """\
1|a|COMPLETED|1|1|2|3|1|1|60
1|a|COMPLETED|1|1|2|3|1|1|60|8G|x
1|a|COMPLETED|1|9|2|3|1|1|60|8G
1||COMPLETED|1|1|2|3|1|1|60|8G
1|a|COMPLETED|1|1|2|3|many|1|60|8G
1|a|COMPLETED|2026-02-29|1|2|3|1|1|60|8G
1|a|COMPLETED|1|2026-10-01T24:00:00|2|3|1|1|60|8G
1|a|COMPLETED|1|1|4102444800|3|1|1|60|8G
1|a|COMPLETED|1|1|2|3|1|1|10:00|8G
1|a|COMPLETED|1|1|2|3|1|1|1:2:3:4|8G
1|a|COMPLETED|1|1|2|3|1|1|60|4000Mx
1|a|COMPLETED|1|1|2|3|1|1|1000000000|8G
1|a|COMPLETED|1|1|2|3|1|1|60|-1G
"""
# The tasks of an array that have not started share a record.
ARRAYS = {"7_[5]": 1, "7_[5-9]": 5, "7_[5-9%2]": 2, "7_[1,3,7-11]": 7, "7_[0-40:4]": 11, "7_[0-40:4%3]": 3,
          "7_[1,3,7-11,...%5]": 5, "7_[1,3,7-1...]": 2, "7_[": 1, "7_[x]": 1, "7_[9-5]": 1, "7_[1-5:0]": 1, "7_[%2]": 1,
           "7+1": 1, "7_3": 1}


specification = importlib.util.spec_from_file_location("queue_time", os.path.join(LESSON, "queue-time.py"))
program = importlib.util.module_from_spec(specification)
specification.loader.exec_module(program)


def queue_time(*arguments, code=0, text=""):
    """Run the program in this process; return what it prints, its messages last. `text` is its standard input."""
    printed, messages, stdin = io.StringIO(), io.StringIO(), io.TextIOWrapper(io.BufferedReader(io.BytesIO(text.encode())))
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(messages), \
            mock.patch.multiple(sys, argv=["queue-time.py", *arguments], stdin=stdin):
        try:
            program.main()
        except SystemExit as end:
            came = end.code
            if isinstance(came, str):
                messages.write(came)
                came = 1
    said = printed.getvalue() + messages.getvalue()
    assert came == code, f"{arguments}: exit code {came}, not {code}:\n{said}"
    return said


def row(printed, name):
    return re.split(r" {2,}", re.search(f"^{name} .*", printed, re.MULTILINE)[0])[1:]


def by_definition(waits, share):
    """Kaplan and Meier's percentile, from the product over the different waits."""
    longer, in_queue = 1, len(waits)
    left, started = collections.Counter(wait for wait, _ in waits), collections.Counter(wait for wait, start in waits if start)
    for wait in sorted(left):
        longer *= 1 - started[wait] / in_queue
        in_queue -= left[wait]
        if longer <= 1 - share + 1e-9:
            return False, wait
    return True, max(left)


class QueueTime(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def save(self, name, text):
        with open(name, "w", encoding="utf-8", newline="") as file:
            file.write(text)

    def test_table_of_the_sample_is_that_of_the_definition(self):
        seconds = lambda text: datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S")
        with gzip.open(SAMPLE, "rt") as file:
            records = [line.rstrip("\n").split("|") for line in file][1:]
        now = max(seconds(record[i]) for record in records for i in (3, 5, 6) if record[i] != "Unknown")
        waits = collections.defaultdict(list)
        for _, partition, _, _, eligible, start, end, cpus, _, limit, _ in records:
            days, clock = limit.split("-") if "-" in limit else (0, limit)
            hours = 24 * int(days) + sum(int(part) / 60**power for power, part in enumerate(clock.split(":")))
            size = sum(int(cpus) * hours >= bound for bound in (4, 16, 64))
            left = seconds(start) if start != "Unknown" else seconds(end) if end != "Unknown" else None
            wait = (left or now + datetime.timedelta(seconds=1)) - seconds(eligible)
            if seconds(eligible) <= now:
                waits[partition, size].append((wait.total_seconds(), start != "Unknown"))
        printed = queue_time(SAMPLE)
        for partition in "fat", "gpu", "int", "medium":
            for size, cell in enumerate(row(printed, partition)):
                known = waits[partition, size]
                if cell == "NA":
                    self.assertEqual(known, [])
                    continue
                median, high, jobs = re.fullmatch(r"(.*), (.*) \((\d+)\)", cell).groups()
                self.assertEqual(int(jobs), len(known))
                for share, text in (0.5, median), (0.9, high):
                    bound, number, unit = re.fullmatch(r"(> )?([\d.]+) ([smhd])", text).groups()
                    or_longer, wanted = by_definition(known, share)
                    self.assertEqual(bool(bound), or_longer)
                    unit = {"s": 1, "m": 60, "h": 3600, "d": 86400}[unit]
                    self.assertLessEqual(abs(float(number) * unit - wanted), 0.0501 * unit)
        # The forecast, the back-test and the stop-loss limits of the C++ programs that this program replaces.
        self.assertRegex(printed, r"\ngpu +> 34.0 h +18.4 h +> 41.7 h +> 35.9 h\n")
        self.assertRegex(printed, r"back-test on the last 19 of 59 days, 2521 jobs.*\n  8.36 .*\n  6.46 ")

    def test_stop_loss_by_hand(self):
        # In gpu, jobs start after 10 s and 1000 s; the run takes 100 s there. In cpu, jobs start after 20 s; it takes 300 s.
        line = "1|{}|COMPLETED|0|0|{}|2000|1|1|60|8G\n"
        self.save("runs.txt", HEADER + line.format("gpu", 10) + line.format("gpu", 1000) + line.format("cpu", 20))
        # Leave at once: 320 s. After 10 s: (10 + 100) / 2 + (10 + 320) / 2 = 220 s. Never: 110 / 2 + 1100 / 2 = 605 s.
        printed = queue_time("--stop-loss", "gpu=100,cpu=300", "runs.txt")
        self.assertRegex(printed, r"leaves gpu for cpu:\n.*\ngpu +3.7 m after 10.0 s +NA +NA +NA\n")

    def test_one_text_in_many_forms(self):
        self.save("a.txt", SMALL)
        wanted = queue_time("a.txt").replace("a.txt", "")
        lines = SMALL.splitlines(keepends=True)
        self.save("dos.txt", "\ufeff" + SMALL.replace("\n", "\r\n"))
        self.save("twice.txt", "".join(lines[:5]) + "\n" + "".join(lines[:1] + lines[5:]))
        self.save("first.txt", "".join(lines[:5]))
        self.save("second.txt", "".join(lines[:1] + lines[5:]))
        with gzip.open("it's a name", "wb") as file:
            file.write(SMALL.encode())
        for files in ["dos.txt"], ["twice.txt"], ["first.txt", "second.txt"], ["it's a name"], ["-"]:
            printed = queue_time(*files, text=SMALL)
            self.assertEqual(re.sub(r".*:\d+: .*\n", "", printed), re.sub(r":\d+: .*\n", "", wanted))

    def test_fates_of_jobs(self):
        self.save("small.txt", SMALL)
        printed = queue_time("small.txt")
        self.assertIn('small.txt:10: "yesterday" is not a time such as 2026-10-01', printed)
        self.assertTrue(printed.startswith("10 records: 5 jobs started; 1 still wait; 1 were cancelled while they waited\n"
                                           "not in the table: 1 steps, 1 malformed lines, 1 jobs outside"), printed)
        self.assertEqual(row(printed, "gpu"), ["20.0 s, > 24.0 h (5)", "1.0 h, 2.0 h (2)", "NA", "NA"])
        self.assertIn("\n\nPASS\n", printed)
        self.assertNotIn("back-test", printed)  # of one day
        self.assertIn("malformed lines, 7 jobs outside", queue_time("-S", "2026-10-02", "small.txt"))
        self.assertIn("malformed lines, 2 jobs outside", queue_time("-E", "2026-10-02T08:00:00", "small.txt"))

    def test_malformed_lines_are_counted(self):
        self.save("wrong.txt", HEADER + WRONG)
        printed = queue_time("wrong.txt", code=1)
        self.assertIn("no job could be read: 13 lines are malformed", printed)
        self.assertEqual(re.findall(r"^wrong.txt:(\d+): ", printed, re.MULTILINE), ["2", "3", "4", "5", "6"])
        self.save("small.txt", SMALL)
        self.assertIn(", 14 malformed lines, ", queue_time("wrong.txt", "small.txt"))

    def test_sizes(self):
        # Whole cores (2 of 1) do not count, whole nodes (28) do. Memory: of the whole job, or of ReqTRES; 0 is the whole node.
        line = "{}|a|COMPLETED|1|1|2|3|{}|{}|{}|{}\n"
        self.save("sizes.txt", HEADER + "".join(line.format(*job) for job in [
            (1, 4, 4, "00:59:59", "1.5T"), (2, 4, 4, 60, 4096), (3, 1, 2, "3:59:00", "4193280K"), (4, 1, 28, "01:00:00", "16G"),
            (5, 1, 1, "2-16:00:00", 0), (6, 1, 1, "UNLIMITED", "16G")]))
        self.assertEqual([cell[-3:] for cell in row(queue_time("sizes.txt"), "a")], ["(2)", "(1)", "(1)", "(2)"])
        self.assertEqual([cell[-3:] for cell in row(queue_time("-m", "sizes.txt"), "a")], ["NA", "(2)", "(1)", "(2)"])
        self.save("before-21.08.txt", HEADER + line.format(1, 4, 4, 60, "4Gc") + line.format(2, 4, 4, 60, "15Gn"))
        self.assertEqual([cell[-3:] for cell in row(queue_time("-m", "before-21.08.txt"), "a")], ["NA", "(1)", "(1)", "NA"])
        self.assertIn(" < 1 GBh  ", queue_time("-m", "-it", "1,11", "sizes.txt"))
        self.assertIn(" 11 - 121 GBh  ", queue_time("-m", "-it", "1,11", "sizes.txt"))
        tool = ("JobIDRaw|Partition|State|Submit|Eligible|Start|Timelimit|ReqTRES\n"
                "4980157|batch|CANCELLED by 19032|1|1|None|12:00:00|billing=14336,cpu=14336,mem=125T,node=256\n"
                "4980158|batch|PENDING|1|1|None|12:00:00|billing=14336,cpu=14336,mem=125T,node=256\n")
        self.save("tool.txt", tool)
        for options in ["-it", "172000,1.1"], ["-m", "-it", "1535999,1.1"]:  # 172 032 CPU hours, 1 536 000 GB hours
            self.assertEqual(row(queue_time("tool.txt", *options), "batch"), ["NA", "> 1.0 s, > 1.0 s (1)", "NA", "NA"])

    def test_array_tasks(self):
        self.save("arrays.txt", HEADER + "".join(f"{job}|a|PENDING|1|1|Unknown|Unknown|1|0|1|8G\n" for job in ARRAYS))
        self.assertIn(f"({sum(ARRAYS.values())})", row(queue_time("arrays.txt"), "a")[0])

    def test_versions_of_slurm(self):
        # The same jobs, recorded with Slurm 22.05 and 26.05. Waits differ by a second.
        for version in "22.05", "26.05":
            printed = queue_time(os.path.join(HERE, f"slurm-{version}.txt"))
            self.assertIn("27 records: 20 jobs started; 4 still wait; 3 were cancelled while they waited\n", printed)
            for wanted in (r"fat +> 2.1 m, > 2.1 m \(21\) +[01].0 s, [01].0 s \(1\) +NA +NA",
                           r"gpu +[01].0 s, > 2.1 m \(2\) +NA +NA +NA",
                           r"int +[01].0 s, [34].0 s \(3\) +NA +NA +NA",
                           r"medium +[01].0 s, [23].0 s \(13\) +NA +[01].0 s, [01].0 s \(1\) +[01].0 s, [01].0 s \(1\)"):
                self.assertRegex(printed, "(?m)^" + wanted + "$")
        # Typed from the source of Slurm 25.05: more columns, in another order; a list of tasks that is cut off; two partitions.
        printed = queue_time(os.path.join(HERE, "slurm-25.05.txt"))
        self.assertIn("11 records: 8 jobs started; 2 still wait; 1 were cancelled while they waited\n", printed)
        self.assertEqual(row(printed, "fat"), ["NA", "NA", "NA", "> 3.0 h, > 3.0 h (1)"])
        self.assertEqual(row(printed, "gpu"), ["NA", "1.0 h, > 7.0 h (4)", "NA", "15.0 m, 15.0 m (1)"])
        self.assertEqual(row(printed, "medium"), ["1.0 h, 1.0 h (1)", "8.0 m, > 4.0 h (4)", "NA", "3.0 h, > 3.0 h (2)"])
        printed = queue_time(PRACTICE, "-p", "medium,gpu", "-p", "int")
        self.assertIn("812 records: 723 jobs started; 69 still wait; 20 were cancelled while they waited\n", printed)
        self.assertRegex(printed, r"CPUh\nmedium +1.0 s, 1.1 m \(188\) .*\ngpu .*\nint .* NA +NA\n\n")

    def test_refusals(self):
        self.save("small.txt", SMALL)
        self.save("empty.txt", "")
        with open(SAMPLE, "rb") as sample, open("cut.gz", "wb") as cut:
            cut.write(sample.read(1000))
        for code, wanted, *arguments in [
                (1, "no job was in a partition 'none'; there are: gpu", "-p", "none", "small.txt"),
                (1, "no job was in a partition ''", "-p", "gpu,", "small.txt"),
                (1, "no job was in a partition 'cpu'", "--stop-loss", "gpu=1,cpu=2", "small.txt"),
                (1, "none.txt cannot be read: No such file", "none.txt"), (1, "cannot be read: Is a directory", "."),
                (1, "cut.gz cannot be read: ", "cut.gz"),
                (1, "empty.txt:1: the header has no column JobID; save with: sacct --parsable2 --format=JobID,", "empty.txt"),
                (1, "no picture: small.txt/x.svg cannot be written", "small.txt", "--plot", "small.txt/x.svg"),
                (2, "usage: ", "--often"), (2, "unrecognized arguments: --often", "--often"),
                (2, "expected one argument", "-p"),
                (2, "give the first bound, above 0, ", "-it", "4"), (2, "give the first bound, ", "-it", "4,1"),
                (2, "give the first bound, ", "-it", "nan,4"), (2, "give the seconds of your run ", "--stop-loss", "gpu=600"),
                (2, "give the seconds of your run ", "--stop-loss", "gpu=1,gpu=2"),
                (2, "give the seconds ", "--stop-loss", "gpu=0,cpu=1"),
                (2, '"today" is not a time', "-S", "today"),
                (2, "only one FILE can be -", "-", "-"),
                (2, "--plot takes NAME.svg or NAME.png", "small.txt", "--plot", "waits.pdf"),
                (2, "-S must be before -E", "-S", "2026-10-02", "-E", "2026-10-01")]:
            self.assertIn(wanted, queue_time(*arguments, code=code))

    def test_pictures(self):
        arguments = [PRACTICE, "--stop-loss", "gpu=60,medium=600", "--plot"]
        self.assertIn("\npicture: waits.svg\nPASS\n", queue_time(*arguments, "waits.svg"))
        texts = [text.firstChild.data for text in xml.dom.minidom.parse("waits.svg").getElementsByTagName("text")]
        for name in "gpu", "int", "medium":
            self.assertIn(f"{name}: jobs that started, by wait", texts)
        self.assertIn("medium, < 4 CPUh: forecast, and the median of each day", texts)
        self.assertIn("time to the result, if the job leaves gpu after ...", texts)
        with open("waits.svg", encoding="utf-8") as file:
            self.assertNotRegex(file.read(), "nan|inf")
        self.save("tomorrow.txt", HEADER + "1|gpu|PENDING|1|90000|Unknown|Unknown|1|0|1|8G\n")
        self.assertIn("\npicture: tomorrow.svg\nPASS\n", queue_time("tomorrow.txt", "--plot", "tomorrow.svg"))
        if not importlib.util.find_spec("matplotlib"):
            self.assertIn("no picture: a .png needs matplotlib", queue_time(*arguments, "waits.png", code=1))
        else:
            self.assertIn("\npicture: waits.png\nPASS\n", queue_time(*arguments, "waits.png"))
            with open("waits.png", "rb") as file:
                self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

    def test_call_of_sacct(self):
        for name in "sacct", "squeue", "sinfo", "scontrol":  # the last three query the controller
            self.save(name, f'#!/bin/sh\necho "{name} TZ=$TZ $*" >>calls\ncat live.txt\n')
            os.chmod(name, 0o755)
        path = mock.patch.dict(os.environ, PATH=os.getcwd() + os.pathsep + os.environ["PATH"])
        self.addCleanup(path.stop)
        path.start()
        self.save("live.txt", SMALL)
        self.assertIn("malformed lines, 8 jobs outside", queue_time())  # they are older than 30 days
        queue_time("-S", "2026-09-01", "-E", "2026-11-01T12:30:00")
        queue_time("-E", "2026-11-01")
        with open("calls") as file:
            calls = file.read().splitlines()
        for call, begin, end in zip(calls, (r"[\d-]+T[\d:]+", "2026-09-01T00:00:00", "2026-10-02T00:00:00"),
                                    ("now", "2026-11-01T12:30:00", "2026-11-01T00:00:00")):
            self.assertRegex(call, f"^sacct TZ=UTC --allusers --allocations --duplicates --parsable2 --starttime={begin} "
                                   f"--endtime={end} --format=JobID,[A-Za-z,]+$")
        self.assertEqual(len(calls), 3)
        self.save("live.txt", "")
        self.assertIn("sacct: this command failed, or printed nothing: TZ=UTC sacct --", queue_time(code=1))
        self.save("live.txt", HEADER + 200000 * "x")
        self.assertIn("sacct: field larger than field limit", queue_time(code=1))
        os.environ["PATH"] = "/nowhere"
        self.assertIn("sacct: No such file", queue_time(code=1))


unittest.main(warnings="ignore")  # files that are closed when the program ends
