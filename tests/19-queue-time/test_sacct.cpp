// The reader of sacct's text: times, limits, memory, any order of columns, what became of a job,
// and malformed lines.
#include "lessons/19-queue-time/sacct.hpp"
#include "lessons/19-queue-time/waits.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cstdio>
#include <ctime>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

using Catch::Matchers::WithinRel;
using Fate = Job::Fate;

namespace {

struct Close {
  void operator()(std::FILE *file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

File file_of(const std::string &text) {
  File file(std::tmpfile());
  std::fwrite(text.data(), 1, text.size(), file.get());
  std::rewind(file.get());
  return file;
}

const std::string header = "JobID|Partition|State|Submit|Eligible|Start|End|ReqCPUS|AllocCPUS|"
                           "Timelimit|ReqMem\n";

// The only job of a file with this one line.
Job job_of(const std::string &line) {
  const File file = file_of(header + line + "\n");
  SacctReader reader(file.get(), "a.txt");
  Job job;
  REQUIRE(reader.next(job));
  CHECK(reader.malformed == 0);
  return job;
}

} // namespace

TEST_CASE("times are those of the C library, there and back") {
  for (long long time = 0; time < 4'100'000'000; time += 86'399 * 37) {
    const std::time_t seconds = time;
    char text[40];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", std::gmtime(&seconds));
    REQUIRE(show_time(time) == text);
    REQUIRE(parse_time("", text) == time);
  }
  CHECK(parse_time("", "2026-10-01") == 1790812800);
  CHECK(parse_time("", "1790812800") == 1790812800);
  CHECK(parse_time("", "2028-03-01") == parse_time("", "2028-02-29") + day);
  const std::string wrong =
      GENERATE("", "today", "2026-10-1", "2026-13-01", "2026-10-00", "2026-10-01T24:00:00",
               "2026-02-29", "2026-11-31", "2026-10-01 08:00:00", "2026-10-01T08:00:00Z", "-5",
               "1969-12-31", "20x6-10-01", "2100-01-01", "4102444800", "Ystday 20:13");
  CHECK_THROWS_AS(parse_time("", wrong), Malformed);
}

TEST_CASE("time limits") {
  CHECK(parse_limit("00:30:00") == 0.5);
  CHECK(parse_limit("48:00:00") == 48);
  CHECK(parse_limit("2-12:00:36") == 60.01);
  CHECK(parse_limit("90") == 1.5); // TimelimitRaw has minutes
  CHECK(parse_limit("UNLIMITED") == unlimited);
  CHECK(parse_limit("Partition_Limit") == unlimited);
  const std::string wrong =
      GENERATE("", "1-", "-1:00:00", "10:00", "1:2:3:4", "a:00:00", "x-1:0:0");
  CHECK_THROWS_AS(parse_limit(wrong), Malformed);
}

TEST_CASE("memory") {
  CHECK(parse_memory("96G") == 96);
  CHECK(parse_memory("512M") == 0.5);
  CHECK(parse_memory("1.5T") == 1536);
  CHECK_THAT(parse_memory("1048576K"), WithinRel(1.0, 1e-12));
  CHECK(parse_memory("2048") == 2); // megabytes
  CHECK(std::isnan(parse_memory("")));
  CHECK(std::isnan(parse_memory("0"))); // all of the node
  const std::string wrong = GENERATE("4000Mc", "G", "-1G", "4X", "lots");
  CHECK_THROWS_AS(parse_memory(wrong), Malformed);
}

TEST_CASE("the header names the columns, in any order") {
  const File file =
      file_of("Timelimit|ReqMem|Start|Eligible|Submit|State|Partition|Cluster|JobID|ReqCPUS\n"
              "02:00:00|4G|1000|400|300|COMPLETED|gpu|x|7|8\n");
  SacctReader reader(file.get(), "a.txt");
  Job job;
  REQUIRE(reader.next(job));
  CHECK(job.partition == "gpu");
  CHECK(job.fate == Fate::started);
  CHECK(job.submit == 300);
  CHECK(job.eligible == 400);
  CHECK(job.start == 1000);
  CHECK(job.cpu_hours == 16);
  CHECK(job.gb_hours == 8);
  CHECK(!reader.next(job));
  CHECK(reader.lines == 1);
}

TEST_CASE("a file that is none of sacct's is refused, with what to do") {
  const File empty = file_of("");
  CHECK_THROWS_WITH(SacctReader(empty.get(), "a.txt"),
                    Catch::Matchers::StartsWith("a.txt:1: the header has no column JobID; "));
  const File other = file_of("JobID|Partition|State|Submit|Start|Timelimit|ReqCPUS\n");
  CHECK_THROWS_WITH(SacctReader(other.get(), "a.txt"),
                    Catch::Matchers::StartsWith("a.txt:1: the header has no column Eligible; save "
                                                "with: sacct --parsable2 --format=JobID,"));
}

TEST_CASE("what became of a job") {
  struct Case {
    std::string line;
    Fate fate;
  };
  const std::string times = "|1000|1000|1600|2000|4|4|01:00:00|8G";
  const Case known = GENERATE_COPY(values<Case>({
      {"1|a|COMPLETED" + times, Fate::started},
      {"1|a|FAILED" + times, Fate::started},
      {"1|a|TIMEOUT" + times, Fate::started},
      {"1|a|OUT_OF_MEMORY" + times, Fate::started},
      {"1|a|CANCELLED by 1000" + times, Fate::started},
      {"1|a|REQUEUED" + times, Fate::started},
      {"1|a|RUNNING|1000|1000|1600|Unknown|4|4|01:00:00|8G", Fate::started},
      {"1|a|PENDING|1000|1000|Unknown|Unknown|4|0|01:00:00|8G", Fate::waiting},
      {"1|a|PENDING|1000|Unknown|Unknown|Unknown|4|0|01:00:00|8G", Fate::waiting}, // held
      {"1|a|CANCELLED by 1000|1000|1000|None|2000|4|0|01:00:00|8G", Fate::cancelled},
      {"1|a|CANCELLED|1000|1000|2000|2000|4|4|01:00:00|8G", Fate::cancelled}, // Start is the end
      {"1|a|CANCELLED|1000|Unknown|Unknown|2000|4|0|01:00:00|8G", Fate::cancelled},
      {"1|a|CANCELLED by 7|1000|1000|None|2000|4|4|01:00:00|8G", Fate::cancelled}, // Slurm 22.05
      {"1|a|DEADLINE|1000|1000|None|2000|4|0|01:00:00|8G", Fate::cancelled},       // of --deadline
      {"1|a|REVOKED|1000|1000|None|2000|4|0|01:00:00|8G", Fate::cancelled}, // started elsewhere
      {"1|a|PREEMPTED" + times, Fate::started},
      {"1|a|NODE_FAIL" + times, Fate::started},
      {"1|a|FAILED|1000|1000|1000|1000|4|0|01:00:00|8G", Fate::refused},
  }));
  CAPTURE(known.line);
  CHECK(job_of(known.line).fate == known.fate);
}

TEST_CASE("tasks of an array that share a line") {
  CHECK(array_tasks("4711") == 1);
  CHECK(array_tasks("4711_3") == 1);
  CHECK(array_tasks("4711+1") == 1);
  CHECK(array_tasks("4711_[5]") == 1);
  CHECK(array_tasks("4711_[5-9]") == 5);
  CHECK(array_tasks("4711_[5-9%2]") == 2);
  CHECK(array_tasks("4711_[1,3,7-11]") == 7);
  CHECK(array_tasks("4711_[0-40:4]") == 11);
  CHECK(array_tasks("4711_[0-40:4%3]") == 3);
  CHECK(array_tasks("4711_[5%3]") == 1);
  CHECK(array_tasks("4711_[1,3,7-11,...]") == 7); // cut off: at least these
  CHECK(array_tasks("4711_[1,3,7-11,...%5]") == 5);
  CHECK(array_tasks("4711_[1,3,7-1...]") == 2);
  const std::string wrong =
      GENERATE("4711_[", "4711_[]", "4711_[x]", "4711_[9-5]", "4711_[1-5:0]",
               "4711_[0-99999999999999]", "4711_[,,,]", "4711_[-]", "4711_[%2]");
  CHECK(array_tasks(wrong) == 1);
}

TEST_CASE("a list of tasks that is cut off is no step") {
  CHECK(job_of("7_[1,3,5,...%2]|a|PENDING|1|1|Unknown|Unknown|1|0|1|8G").tasks == 2);
  CHECK(job_of("7+1|a|COMPLETED|1|1|2|3|1|1|1|8G").tasks == 1);
}

TEST_CASE("whole nodes are the size of the job that they were given to") {
  CHECK(job_of("1|a|COMPLETED|1|1|2|3|1|28|01:00:00|4G").cpu_hours == 28);
  CHECK(job_of("2|a|COMPLETED|1|1|2|3|1|2|01:00:00|4G").cpu_hours == 1); // whole cores
  CHECK(job_of("4|a|CANCELLED|1|1|None|3|1|28|01:00:00|4G").cpu_hours == 1);
}

TEST_CASE("malformed lines and steps are counted and passed over") {
  const File file = file_of(header +
                            "1|a|COMPLETED|1|1|2|3|1|1|60|8G\r\n"
                            "1.batch|a|COMPLETED|1|1|2|3|1|1|60|8G\n"
                            "\n"
                            "2|a|COMPLETED|1|1|2|3|1|1|60\n"         // a field is missing
                            "3|a|COMPLETED|1|1|2|3|1|1|60|8G|x\n"    // one too many
                            "4|a|COMPLETED|1|1|soon|3|1|1|60|8G\n"   // no time
                            "5|a|COMPLETED|1|9|2|3|1|1|60|8G\n"      // before Eligible
                            "6||COMPLETED|1|1|2|3|1|1|60|8G\n"       // no partition
                            "7|a|COMPLETED|1|1|2|3|many|1|60|8G\n" + // no number
                            header +
                            "8|a|COMPLETED|1|1|2|3|1|1|60|8G"); // a second file, cut off
  SacctReader reader(file.get(), "a.txt");
  Job job;
  int jobs = 0;
  while (reader.next(job))
    ++jobs;
  CHECK(jobs == 2);
  CHECK(reader.steps == 1);
  CHECK(reader.malformed == 6);
  CHECK(reader.lines == 9);
}

TEST_CASE("any text is read to its end, and each line counted once") {
  std::mt19937 bits(19);
  const auto below = [&](std::size_t n) { return bits() % n; };
  const std::string good =
      "7_[1,3,5-9:2,...%2]|ann|a,b|PENDING|2026-10-01T08:00:00|Unknown|Unknown|Unknown|1|0|"
      "Partition_Limit|8G|\n"
      "8+1|ann|a|CANCELLED by "
      "7|2026-10-01T08:00:00|2026-10-01T08:00:00|None|2026-10-02T08:00:00|4|0|"
      "1-02:00:00|1.5T|\n"
      "9|ann|fat|COMPLETED|2026-10-01T08:00:00|2026-10-01T09:00:00|2026-10-01T10:00:00|"
      "2026-10-02T08:00:00|4|64|UNLIMITED|0|cpu=64,mem=1T,node=2\n"
      "9.batch|||COMPLETED|||||||||\n";
  const std::string pieces[] = {
      "|",   "\n",  ".",          "-",    ",",    "[", "]", "%",   "\r", "9", "9999999",
      "nan", "e99", "4294967295", "\xff", "mem=", "",  " ", "inf", "+",  ":", "_"};
  Options options;
  REQUIRE(std::freopen("/dev/null", "w", stderr)); // malformed lines are printed
  for (int turn = 0; turn < 3000; ++turn) {
    std::string text = good;
    for (std::size_t change = 0; change <= below(6); ++change) {
      const std::size_t at = below(text.size()), length = below(below(2) ? 3 : 20);
      text.replace(at, length, below(8) ? pieces[below(std::size(pieces))] : std::string(1, '\0'));
    }
    const File file =
        file_of("JobID|User|" + header.substr(6, header.size() - 7) + "|AllocTRES\n" + text);
    SacctReader reader(file.get(), "fuzz");
    Records records;
    for (Job job; reader.next(job);)
      add(records, job, options);
    CAPTURE(text);
    REQUIRE(reader.lines > 0);
    REQUIRE(reader.lines == reader.malformed + reader.steps + records.skipped + records.started +
                                records.waiting + records.cancelled);
    for (const auto &[name, partition] : records.partitions)
      for (const Waits &waits : partition)
        REQUIRE(std::isnan(percentile(waits, 0.5).seconds) == waits.empty());
  }
}
