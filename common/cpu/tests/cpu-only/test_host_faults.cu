// Messages when host code dies of a signal.
#include "cuda_test.hpp"

#include <csignal>
#include <fcntl.h>
#include <functional>
#include <sys/resource.h>
#include <sys/wait.h>

__global__ void nothing() {}

__attribute__((noinline)) static int large_array(int i) {
  volatile double values[4 << 20];
  values[i] = 1;
  return static_cast<int>(values[i]);
}

// The function's output to stderr in a process of its own, which a signal has to end.
static std::string last_words(int signal, const std::function<void()> &function) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    const rlimit no_core = {0, 0}, stack = {8 << 20, 8 << 20};
    setrlimit(RLIMIT_CORE, &no_core);
    setrlimit(RLIMIT_STACK, &stack);
    for (const int fault : {SIGSEGV, SIGFPE}) // without Catch2's handlers
      std::signal(fault, SIG_DFL);
    dup2(ends[1], STDERR_FILENO);
    nothing<<<1, 1>>>(); // the backend sets its own again
    cudaDeviceSynchronize();
    function();
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char buffer[1024];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, n);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == signal);
  return text;
}

static bool holds(const std::string &text, const char *part) {
  return text.find(part) != text.npos;
}

TEST_CASE("host code: a null pointer") {
  int *volatile pointer = nullptr;
  const std::string words = last_words(SIGSEGV, [&] { pointer[3] = 1; });
  INFO(words);
  CHECK(holds(words, "segmentation fault in host code: an access to address 0xc"));
  CHECK(holds(words, "null pointer"));
  CHECK(!holds(words, ", in ")); // this program's own code
}

TEST_CASE("host code: a null pointer that a library follows") {
  const char *volatile text = nullptr;
  const std::string words = last_words(SIGSEGV, [&] { std::fputs(text, stdout); });
  INFO(words);
  CHECK(holds(words, "null pointer, in libc.so."));
}

TEST_CASE("host code: an index far out of range") {
  std::vector<int> values(4);
  volatile std::size_t index = std::size_t{1} << 40;
  const std::string words =
      last_words(SIGSEGV, [&] { *const_cast<volatile int *>(values.data() + index) = 1; });
  INFO(words);
  CHECK(holds(words, "not memory of this program"));
}

TEST_CASE("host code: an array that the stack does not hold") {
  volatile int index = 0;
  const std::string words = last_words(SIGSEGV, [&] { index = large_array(index); });
  INFO(words);
  CHECK(holds(words, "stack overflow"));
}

__attribute__((noinline)) static void past_local_array() {
  volatile int local[4] = {};
  for (volatile int *next = local;; ++next)
    *next = 1;
}

TEST_CASE("host code: an index past a local array") {
  const std::string words = last_words(SIGSEGV, past_local_array);
  INFO(words);
  CHECK(holds(words, "past the end of the stack"));
  CHECK(!holds(words, "overflow"));
}

#ifdef __x86_64__ // elsewhere the quotient is 0
TEST_CASE("host code: an integer divided by zero") {
  volatile int zero = 0;
  const std::string words = last_words(SIGFPE, [&] { zero = 100 / zero; });
  INFO(words);
  CHECK(holds(words, "SIGFPE in host code: an integer is divided by zero"));
}
#endif

TEST_CASE("host code: a signal that is sent ends the program, and is no fault") {
  const std::string words = last_words(SIGSEGV, [] { std::raise(SIGSEGV); });
  CHECK(words.empty());
}
