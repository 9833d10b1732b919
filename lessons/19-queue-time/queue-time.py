# Lesson 19: how long jobs wait in a Slurm queue, by partition and size of the request; a forecast, which is tested on
# days that are over; and a stop-loss limit. Python 3.6 or newer, no packages.
#
# Run: ./course run queue-time [OPTION]... FILE..., or at a centre: ./course queue [OPTION]...

import argparse
import bisect
import collections
import csv
import datetime
import functools
import gzip
import html
import io
import math
import os
import re
import statistics
import subprocess
import sys
import time
import zlib

HOUR, DAY, LONGEST = 3600, 86400, 2**22 - 1  # seconds; the pictures end at 48 days
EPOCH = datetime.datetime(1970, 1, 1)
FORMAT = "JobID,Partition,State,Submit,Eligible,Start,End,ReqCPUS,AllocCPUS,Timelimit,ReqMem"
COLOURS = "#3182ce", "#dd6b20", "#38a169", "#9f7aea"  # of the four sizes

# The wait ends when the job starts or is cancelled; until then, `left` is infinite. Array tasks can share a record.
Wait = collections.namedtuple("Wait", "eligible left started jobs")


class Malformed(argparse.ArgumentTypeError):
    """A field or an argument that cannot be read."""


def whole_number(text):
    return int(text) if re.fullmatch("[0-9]{1,15}", text) else None


def show_time(seconds):
    return (EPOCH + datetime.timedelta(seconds=seconds)).isoformat()


@functools.lru_cache(maxsize=100000)
def parse_time(text):
    """Return the seconds since 1970 of 2026-10-01 or 2026-10-01T08:30:00 (in UTC), or of such seconds."""
    seconds = whole_number(text)
    if re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2})?", text):
        try:
            seconds = (datetime.datetime(*map(int, re.split("[-T:]", text))) - EPOCH) // datetime.timedelta(seconds=1)
        except ValueError:  # February 30
            pass
    if seconds is None or not 0 <= seconds < 4102444800:
        raise Malformed(f'"{text}" is not a time such as 2026-10-01 or 2026-10-01T08:30:00')
    return seconds


def parse_limit(text):
    """Return the hours of a time limit: minutes, or [days-]hours:minutes:seconds."""
    if text in ("UNLIMITED", "Partition_Limit"):
        return math.inf
    parts = re.fullmatch("(?:([0-9]{1,9})-)?([0-9]{1,9}):([0-9]{1,9}):([0-9]{1,9})|([0-9]{1,9})", text)
    if not parts:
        raise Malformed(f'"{text}" is not a time limit')
    days, hours, minutes, seconds, only_minutes = (int(part or 0) for part in parts.groups())
    return (days * DAY + hours * HOUR + (minutes + only_minutes) * 60 + seconds) / HOUR


def parse_memory(text, cpus):
    """Return the gigabytes of 512M, 96G or 1.5T; None if it is not given, or 0, all memory of the node. Slurm before 21.08
    records 4Gc for 4 GB per CPU, and 4Gn for 4 GB per node, which counts as one node."""
    parts = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([KMGTP]?)([cn]?)", text or "0")
    if not parts:
        raise Malformed(f'"{text}" is not a size of memory')
    size = float(parts[1]) * 1024.0 ** ("KMGTP".index(parts[2] or "M") - 2)
    return (size * cpus if parts[3] == "c" else size) or None


def array_tasks(job):
    """Return the number of array tasks in a record such as 4711_[1,5-9:2], or at least these in 4711_[1,3,...]. With
    %2, at most two may start: the others wait for these, and not for the queue."""
    tasks, at_once = 0, re.search("%([0-9]{1,9})", job)
    for item in job.partition("[")[2].partition("%")[0].split(","):
        parts = re.match("([0-9]{1,9})(?:-([0-9]{1,9})(?::([0-9]{1,9}))?)?", item)
        if parts and int(parts[3] or 1) > 0:
            tasks += len(range(int(parts[1]), int(parts[2] or parts[1]) + 1, int(parts[3] or 1)))
    return max(1, min(tasks, int(at_once[1]) if at_once else tasks))


def resource(text, name):
    """Return the field; of a list, such as cpu=8,mem=64G,node=1, only one part."""
    return dict(part.partition("=")[::2] for part in text.split(",")).get(name, "") if "=" in text else text


class Records:
    """The waits of all jobs, by partition and size. Every record is counted once."""

    def __init__(self, options):
        self.options, self.partitions, self.counts = options, {}, collections.Counter()
        self.first, self.now = math.inf, 0  # the times of the first Eligible and of the last event
        for name in options.files:
            try:
                with sys.stdin.buffer if name == "-" else open(name, "rb") as file:
                    self.read(gzip.open(file) if file.peek(2)[:2] == b"\x1f\x8b" else file, name)
            except (OSError, EOFError, zlib.error, csv.Error) as error:
                sys.exit(f"{name} cannot be read: {getattr(error, 'strerror', None) or error}")
        if not options.files:
            self.call_sacct()
        if 0 < self.counts["malformed"] == sum(self.counts.values()) - self.counts["step"]:
            sys.exit(f"no job could be read: {self.counts['malformed']} lines are malformed")

    def call_sacct(self):
        """Read what sacct prints. It queries the accounting database, not the controller, which schedules jobs. With
        TZ=UTC, no wait is an hour wrong at the end of summer time. --duplicates: all records of a requeued job."""
        self.now, begin = int(time.time()), show_time(self.options.begin)
        end = "now" if self.options.end == math.inf else show_time(self.options.end)
        command = ["sacct", "--allusers", "--allocations", "--duplicates", "--parsable2", "--starttime=" + begin,
                   "--endtime=" + end, "--format=" + FORMAT]
        environment = dict(os.environ, TZ="UTC", SLURM_TIME_FORMAT="standard")
        try:
            with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as sacct:
                printed = sacct.stdout.peek(1)
                if printed:
                    self.read(sacct.stdout, "sacct")
        except (OSError, csv.Error) as error:
            sys.exit(f"sacct: {getattr(error, 'strerror', None) or error}. "
                     "Use records from a file, such as lessons/19-queue-time/sample.txt.gz")
        if sacct.returncode != 0 or not printed:
            sys.exit("sacct: this command failed, or printed nothing: TZ=UTC " + " ".join(command))

    def read(self, file, name):
        """Read the text of sacct --parsable2. The header names the columns, so any order is accepted."""
        text = io.TextIOWrapper(file, "utf-8-sig", "replace", "\n")
        reader = csv.DictReader(text, delimiter="|", quoting=csv.QUOTE_NONE)
        header = reader.fieldnames or []
        other = {"JobID": "JobIDRaw", "ReqCPUS": "ReqTRES"}  # in records that other tools save
        for column in "JobID", "Partition", "State", "Submit", "Eligible", "Start", "Timelimit", "ReqCPUS":
            if column not in header and other.get(column) not in header:
                sys.exit(f"{name}:1: the header has no column {column}; save with: sacct --parsable2 --format={FORMAT}")
        for record in reader:
            if list(record.values()) == header:  # of a second file, appended to the first
                continue
            try:
                if None in record or None in record.values():
                    raise Malformed(f"there are not {len(header)} fields, as in the header")
                self.counts[self.add(record)] += 1
            except Malformed as error:
                self.counts["malformed"] += 1
                if self.counts["malformed"] <= 5:
                    print(f"{name}:{reader.line_num}: {error}", file=sys.stderr)

    def add(self, record):
        """Add a wait. Return what became of the job, or why the record does not count."""
        job, state = record.get("JobID") or record["JobIDRaw"], record["State"].partition(" ")[0]  # CANCELLED by 1000
        if "." in job.partition("[")[0]:  # 4711.batch
            return "step"
        if not (state and record["Partition"]):
            raise Malformed("the state or the partition is empty")
        submit = parse_time(record["Submit"])
        eligible, start, end = (None if record.get(name) in (None, "", "Unknown", "None", "N/A")
                                else parse_time(record[name]) for name in ("Eligible", "Start", "End"))

        # A job that never started has no Start, or its end as Start, or no CPU.
        waiting, cancelled = state == "PENDING", state in ("CANCELLED", "DEADLINE", "REVOKED")
        started = not (start is None or record.get("AllocCPUS") == "0" or waiting or cancelled and start == end)
        if started and (eligible is None or start < eligible):
            raise Malformed("the job starts before it is eligible")

        # Twice the requested CPUs may be whole cores, not threads. More are whole nodes, and the job waited for these.
        requested = record.get("ReqTRES", "")
        cpus = whole_number(resource(record.get("ReqCPUS", requested), "cpu"))
        given = whole_number(record.get("AllocCPUS", "")) or 0
        if cpus is None:
            raise Malformed("the number of CPUs is not a number")
        if started and given > 2 * cpus > 0:
            cpus = given
        memory = parse_memory(resource(record.get("ReqMem", requested), "mem"), cpus)
        hours = parse_limit(record["Timelimit"])
        amount = memory if self.options.by_memory else cpus

        self.now = max(self.now, submit, start or 0, end or 0)
        when = submit if eligible is None else eligible
        never = not (started or waiting or cancelled)  # no node could serve it
        if not self.options.begin <= when < self.options.end or amount is None or never:
            return "skipped"
        self.first = min(self.first, when)
        left = start if started else math.inf if waiting else end
        if eligible is not None and left is not None and left >= eligible:
            size = bisect.bisect(self.options.bounds, amount and amount * hours)
            for name in record["Partition"].split(","):  # medium,fat: it may start in both
                sizes = self.partitions.setdefault(name, [[], [], [], []])
                sizes[size].append(Wait(eligible, left, started, array_tasks(job)))
        return "started" if started else "waiting" if waiting else "cancelled"


def as_of(waits, first, last, now):
    """Return the jobs that became eligible from `first` on and before `last`, as they were known at `now`."""
    return [Wait(w.eligible, min(w.left, now), w.started and w.left < now, w.jobs)
            for w in waits if first <= w.eligible < last]


def started_in(waits, first, last):
    return [w for w in waits if w.started and first <= w.left < last]


# [kaplan-meier]
def each_wait(waits):
    """Yield each wait in ascending order, with the share of the jobs that wait no longer."""
    in_queue, still_waiting = sum(w.jobs for w in waits), 1
    for w in sorted(waits, key=lambda w: (w.left - w.eligible, not w.started)):
        if w.started:
            still_waiting *= 1 - w.jobs / in_queue
        in_queue -= w.jobs
        yield w.left - w.eligible, 1 - still_waiting
# [end]


def percentile(waits, share):
    """Return the wait that `share` of the jobs do not exceed, and whether only this lower bound is known."""
    seconds = None
    for seconds, started in each_wait(waits):
        if started >= share - 1e-12:
            return seconds, False
    return seconds, True


def forecast(waits, today):
    """Return the median wait of the jobs that became eligible in the last two days. Jobs that still wait when `today`
    begins, and cancelled ones, count as lower bounds."""
    return percentile(as_of(waits, today - 2 * DAY, today, today), 0.5)


def back_test(partitions, first, last):
    """Return the mean factors by which `today like yesterday` and the forecast are wrong, on days that are over. A
    minute is added to all times, because 1 s instead of 10 s is a small error."""
    naive_errors, errors = [], []
    for _, sizes in partitions:
        for waits in sizes:
            for today in range(first, last, DAY):
                naive = percentile(started_in(waits, today - DAY, today), 0.5)[0]
                median = forecast(waits, today)[0]
                for w in as_of(waits, today, today + DAY, last):
                    if w.started and naive is not None and median is not None:
                        naive_errors.append(abs(math.log((w.left - w.eligible + 60) / (naive + 60))))
                        errors.append(abs(math.log((w.left - w.eligible + 60) / (median + 60))))
    jobs = len(errors)
    return jobs, math.exp(sum(naive_errors) / max(jobs, 1)), math.exp(sum(errors) / max(jobs, 1))


def times_to_result(waits, run, otherwise):
    """Return the mean time to the result for each limit. A job that has waited for `limit` seconds leaves this queue,
    and takes `otherwise` seconds from then on, in another partition."""
    times, done, before = [(otherwise, 0)], 0, 0
    for limit, started in each_wait(waits):
        done += (started - before) * (limit + run)
        times.append((done + (1 - started) * (limit + otherwise), limit))
        before = started
    return times


def stop_loss(waits, other, run, other_run, now):
    """Return the times to the result of one size; none if one of the partitions has no job of this size."""
    waits, other = as_of(waits, 0, now, now), as_of(other, 0, now, now)
    otherwise, _ = times_to_result(other, other_run, other_run)[-1]
    return times_to_result(waits, run, otherwise) if waits and other else []


def verify(waits):
    """Compare the median of the jobs that started with the standard library's."""
    waits = started_in(waits, 0, math.inf)
    seconds, median = [w.left - w.eligible for w in waits], percentile(waits, 0.5)[0]
    return not seconds or statistics.median_low(seconds) <= median <= statistics.median_high(seconds)


class Axis:
    def __init__(self, low, high, ticks, scale=float):
        self.low, self.high, self.ticks, self.scale = low, high, ticks, scale

    def share(self, value):
        return (self.scale(value) - self.scale(self.low)) / (self.scale(self.high) - self.scale(self.low))


TIMES = Axis(1, LONGEST, [(1, "1 s"), (60, "1 min"), (HOUR, "1 h"), (DAY, "1 day"), (10 * DAY, "10 days")], math.log)


def drawn(seconds):
    return min(max(seconds, 1), LONGEST)


class Picture:
    """Charts, two in each row. They are made of lines, areas and texts, in pixels."""

    def __init__(self):
        self.charts, self.shapes = 0, []

    def chart(self, title, legend, x, y):
        """Draw the axes of a chart. Return a function that draws a shape, at values on these axes."""
        left, bottom = 60 + 500 * (self.charts % 2), 240 + 270 * (self.charts // 2)
        self.charts += 1

        def draw(kind, points, colour="gray", words="", dx=0, dy=0):
            corners = [(left + 400 * x.share(a) + dx, bottom - 190 * y.share(b) + dy) for a, b in points]
            self.shapes.append((kind, corners, colour, words))

        draw("start", [(x.low, y.high)], words=title, dy=-24)
        for size, words in enumerate(legend):
            draw("start", [(x.low, y.high)], COLOURS[size], words, dx=105 * size, dy=-7)
        for value, words in x.ticks:
            draw("line", [(value, y.low), (value, y.high)])
            draw("middle", [(value, y.low)], words=words, dy=16)
        for value, words in y.ticks:
            draw("line", [(x.low, value), (x.high, value)])
            draw("end", [(x.low, value)], words=words, dx=-6, dy=4)
        return draw

    def add_histogram(self, name, sizes, legend):
        bins = [collections.Counter(drawn(w.left - w.eligible).bit_length() - 1 for w in waits if w.started)
                for waits in sizes]  # from 1, 2, 4, ... seconds on
        top = max(sum(bins, collections.Counter()).values(), default=1)
        jobs_axis, low = Axis(0, top, [(0, "0"), (top, str(top))]), collections.Counter()
        draw = self.chart(f"{name}: jobs that started, by wait", legend, TIMES, jobs_axis)
        for jobs, colour in zip(bins, COLOURS):
            for k in jobs:
                left, right, high = 2**k, drawn(2**(k + 1)), low[k] + jobs[k]
                draw("area", [(left, low[k]), (left, high), (right, high), (right, low[k])], colour)
                low[k] = high

    def add_forecast(self, name, waits, colour, records):
        """A line through the forecasts of all days, and a dot for the median wait of the jobs of each day."""
        first, last = min(records.first, records.now) // DAY, records.now // DAY + 1
        days = Axis(first, last, [(today, show_time(today * DAY)[:10]) for today in (first, last)])
        draw = self.chart(f"{name}: forecast, and the median of each day", [], days, TIMES)
        line = []
        for today in range(first, last):
            expected, _ = forecast(waits, today * DAY)
            median, _ = percentile(as_of(waits, today * DAY, (today + 1) * DAY, records.now + 1), 0.5)
            if expected is not None:
                line.append((today + 0.5, drawn(expected)))
            if median is not None:
                draw("middle", [(today + 0.5, drawn(median))], words="\u25cf", dy=4)
        draw("line", line, colour)

    def add_stop_loss(self, name, sizes, legend):
        """A curve for each size, and a dot at its best limit."""
        top = max([total for times in sizes for total, _ in times], default=1)
        totals = Axis(0, top, [(share * top, show_duration(share * top)) for share in (0, 0.5, 1)])
        draw = self.chart(f"time to the result, if the job leaves {name} after ...", legend, TIMES, totals)
        for times, colour in zip(sizes, COLOURS):
            draw("line", [(drawn(limit), total) for total, limit in times], colour)
            draw("middle", [(drawn(limit), total) for total, limit in sorted(times)[:1]], colour, "\u25cf", dy=4)

    def write(self, path):
        draw = draw_png if path.endswith(".png") else draw_svg
        try:
            draw([shape for shape in self.shapes if shape[1]], 270 * ((self.charts + 1) // 2), path)
        except ImportError:
            sys.exit("no picture: a .png needs matplotlib, which is not installed; a .svg needs no package")
        except OSError as error:
            sys.exit(f"no picture: {path} cannot be written: {error.strerror}")
        print("picture: " + path)


def draw_svg(shapes, height, path):
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1020 {height}" font-family="sans-serif">']
    for kind, corners, colour, words in shapes:
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
        if kind == "line":
            width = 0.4 if colour == "gray" else 2
            svg.append(f'<polyline fill="none" stroke="{colour}" stroke-width="{width}" points="{points}"/>')
        elif kind == "area":
            svg.append(f'<polygon fill="{colour}" points="{points}"/>')
        else:
            x, y = corners[0]
            svg.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="12" text-anchor="{kind}" fill="{colour}">'
                       f"{html.escape(words)}</text>")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(svg + ["</svg>", ""]))


def draw_png(shapes, height, path):
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.2, height / 100), dpi=150)
    axes = figure.add_axes([0, 0, 1, 1], xlim=(0, 1020), ylim=(height, 0))
    axes.axis("off")
    for kind, corners, colour, words in shapes:
        x, y = zip(*corners)
        if kind == "line":
            axes.plot(x, y, color=colour, linewidth=0.3 if colour == "gray" else 1.5)
        elif kind == "area":
            axes.fill(x, y, color=colour)
        else:
            side = {"start": "left", "middle": "center", "end": "right"}[kind]
            axes.text(x[0], y[0], words, color=colour, fontsize=8.5, horizontalalignment=side)
    figure.savefig(path)


def show_duration(seconds):
    for longest, unit, name in (60, 1, "s"), (HOUR, 60, "m"), (2 * DAY, HOUR, "h"), (math.inf, DAY, "d"):
        if seconds < longest:
            return f"{seconds / unit:.1f} {name}"


def show_wait(seconds, or_longer):
    return "NA" if seconds is None else ("> " if or_longer else "") + show_duration(seconds)


def print_table(title, options, rows):
    print(f"{title}:\n{'Partition':16}" + "".join(f" {name:>24}" for name in options.size_names))
    for name, cells in rows:
        print(f"{name:16}" + "".join(f" {cell:>24}" for cell in cells))
    print()


def parse_sizes(text):
    parts = re.fullmatch("([0-9]{1,9}[.]?[0-9]{0,9}),([0-9]{1,9}[.]?[0-9]{0,9})", text)
    if not parts or float(parts[1]) <= 0 or float(parts[2]) <= 1:
        raise Malformed("give the first bound, above 0, and the factor to the next, above 1: -it 4,4")
    return [float(parts[1]) * float(parts[2])**size for size in range(3)]


def parse_runs(text):
    parts = re.fullmatch("([^=,]+)=([1-9][0-9]{0,8}),([^=,]+)=([1-9][0-9]{0,8})", text)
    if not parts or parts[1] == parts[3]:
        raise Malformed("give the seconds of your run in two partitions: --stop-loss gpu=1800,medium=36000")
    return [(parts[1], int(parts[2])), (parts[3], int(parts[4]))]


def read_options():
    parser = argparse.ArgumentParser(allow_abbrev=False, description="Show how long jobs wait in a Slurm queue.")
    add = parser.add_argument
    add("-p", dest="partitions", metavar="PARTITION,...", action="append", default=[],
        help="only these partitions (default: all)")
    add("-it", dest="bounds", metavar="FIRST,FACTOR", type=parse_sizes, default="4,4",
        help="sizes: the bound of the first, and the factor to the next bound (default: 4,4)")
    add("-m", dest="by_memory", action="store_true", help="sizes in GB hours instead of CPU hours")
    add("-S", dest="begin", metavar="FROM", type=parse_time, default=0,
        help="jobs that became eligible from this time on, such as 2026-10-01 or 2026-10-01T08:30:00, in UTC")
    add("-E", dest="end", metavar="TO", type=parse_time, default=math.inf,
        help="and before this time (default without FILE: the last 30 days)")
    add("--stop-loss", dest="runs", metavar="PARTITION=SECONDS,PARTITION=SECONDS", type=parse_runs, default=[],
        help="when to leave the queue of the first partition for the second; your run takes these seconds")
    add("--plot", metavar="FILE", help="draw the results: NAME.svg, or with matplotlib NAME.png")
    add("files", metavar="FILE", nargs="*",
        help="text that sacct has printed, also compressed; -: standard input (default: call sacct)")
    options = parser.parse_args()
    if not options.files and not options.begin:
        options.begin = max(int(min(time.time(), options.end)) - 30 * DAY, 0)
    if options.begin >= options.end:
        parser.error("-S must be before -E")
    if options.files.count("-") > 1:
        parser.error("only one FILE can be -")
    if options.plot and not options.plot.endswith((".svg", ".png")):
        parser.error("--plot takes NAME.svg or NAME.png")
    low, middle, high = (f"{bound:g}" for bound in options.bounds)
    options.size_names = [size + (" GBh" if options.by_memory else " CPUh")
                          for size in (f"< {low}", f"{low} - {middle}", f"{middle} - {high}", f">= {high}")]
    return options


def main():
    options = read_options()
    records = Records(options)
    counts, partitions, now = records.counts, records.partitions, records.now + 1
    print(f"{sum(counts.values())} records: {counts['started']} jobs started; {counts['waiting']} still wait; "
          f"{counts['cancelled']} were cancelled while they waited\nnot in the table: {counts['step']} steps, "
          f"{counts['malformed']} malformed lines, {counts['skipped']} jobs outside the time range, without a memory "
          "request, or that never had a CPU\n")
    names = ",".join(options.partitions).split(",") if options.partitions else sorted(partitions)
    for name in names + [name for name, _ in options.runs]:
        if name not in partitions:
            sys.exit(f"no job was in a partition '{name}'; there are: {', '.join(sorted(partitions))}")
    shown = [(name, partitions[name]) for name in names]

    def cell(waits):
        known = as_of(waits, 0, now, now)  # all that are eligible by now
        wait = show_wait(*percentile(known, 0.5)) + ", " + show_wait(*percentile(known, 0.9))
        return f"{wait} ({sum(w.jobs for w in known)})" if known else "NA"

    print_table("median wait, 90 % wait no longer than, (jobs)", options,
                [(name, map(cell, sizes)) for name, sizes in shown])
    print_table("forecast of the median wait, for a job that becomes eligible now", options,
                [(name, [show_wait(*forecast(waits, now)) for waits in sizes]) for name, sizes in shown])
    days = (now - min(records.first, now)) // DAY
    jobs, naive, error = back_test(shown, now - days // 3 * DAY, now)
    if jobs:
        print(f"back-test on the last {days // 3} of {days} days, {jobs} jobs: on average wrong by a factor of\n"
              f"  {naive:.2f}  today like yesterday\n  {error:.2f}  this forecast\n")

    if options.runs:
        (name, run), (other, other_run) = options.runs
        totals = [stop_loss(*waits, run, other_run, now) for waits in zip(partitions[name], partitions[other])]
        best = [" after ".join(map(show_duration, min(times))) if times else "NA" for times in totals]
        title = f"stop-loss: mean time to the result, if the job leaves {name} for {other}"
        print_table(title, options, [(name, best)])
    if options.plot:
        picture = Picture()
        for name, sizes in shown:
            picture.add_histogram(name, sizes, options.size_names)
            most = max(range(4), key=lambda size: len(sizes[size]))
            picture.add_forecast(f"{name}, {options.size_names[most]}", sizes[most], COLOURS[most], records)
        if options.runs:
            picture.add_stop_loss(options.runs[0][0], totals, options.size_names)
        picture.write(options.plot)

    correct = all(verify(waits) for sizes in partitions.values() for waits in sizes)
    print("PASS" if correct else "FAIL")
    sys.exit(not correct)


if __name__ == "__main__":
    main()
