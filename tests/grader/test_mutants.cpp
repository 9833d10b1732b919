// The mutants of a text.
#include "common/grader/mutants.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>

namespace {

// The mutants of a line in a hole.
std::vector<std::string> mutants(const std::string &line) {
  std::vector<std::string> changed;
  for (const course::Mutant &mutant :
       course::mutants_of("int before(int a) { return a < 1; }\n// TODO 1: the line\n" + line +
                          "\n// TODO end\nint after(int a) { return a < 1; }\n")) {
    CHECK(mutant.line == 3);
    CHECK(mutant.text.find("before(int a) { return a < 1; }") != std::string::npos);
    CHECK(mutant.text.find("after(int a) { return a < 1; }") != std::string::npos);
    changed.push_back(mutant.diff.substr(mutant.diff.rfind("\n+") + 2));
    changed.back().pop_back();
  }
  std::sort(changed.begin(), changed.end());
  CHECK(std::unique(changed.begin(), changed.end()) == changed.end());
  return changed;
}

void check_has(const std::string &line, const std::vector<std::string> &some) {
  const std::vector<std::string> all = mutants(line);
  for (const std::string &one : some) {
    INFO(line << "  should become  " << one);
    CHECK(std::count(all.begin(), all.end(), one) == 1);
  }
}

} // namespace

TEST_CASE("a line has these mutants and no others") {
  CHECK(mutants("  if (i < n) f(i);") ==
        std::vector<std::string>{"  if (!(i < n)) return; else f(i);", "  if (false) f(i);",
                                 "  if (i < n - 1) f(i);", "  if (i < n) ;",
                                 "  if (i < n) for (int twice = 0; twice < 2; ++twice) f(i);",
                                 "  if (i <= n) f(i);", "  if (i > 0 && i < n) f(i);",
                                 "  if (i >= n) f(i);", "  if (true) f(i);"});
  CHECK(mutants("int n = 4;") == std::vector<std::string>{"int n = 0;", "int n = 1;", "int n = 3;",
                                                          "int n = 5;", "int n = 8;"});
  CHECK(mutants("// a < b in a comment").empty());
}

TEST_CASE("each kind of mistake has its mutants") {
  check_has(
      "i = blockIdx.x * blockDim.x + threadIdx.x;",
      {"i = blockIdx.y * blockDim.x + threadIdx.x;", "i = threadIdx.x * blockDim.x + threadIdx.x;",
       "i = blockIdx.x * gridDim.x + threadIdx.x;", "i = blockIdx.x * blockDim.x - threadIdx.x;"});
  check_has("a[y][x] = b[i];",
            {"a[x][y] = b[i];", "a[y + 1][x] = b[i];", "a[y][x] = b[i - 1];", ";"});
  check_has("if (p && q || !r) f();", {"if (q || !r) f();", "if (p || !r) f();",
                                       "if (p || q || !r) f();", "if (p && q || r) f();"});
  check_has("x = c ? a : b;", {"x = (a);", "x = (b);"});
  check_has("kernel<<<grid, block>>>(n, x);",
            {"kernel<<<block, grid>>>(n, x);", "kernel<<<grid, block>>>(x, n);", ";",
             "for (int twice = 0; twice < 2; ++twice) kernel<<<grid, block>>>(n, x);"});
  check_has("double s; long long t; std::size_t u;",
            {"float s; long long t; std::size_t u;", "double s; int t; std::size_t u;",
             "double s; long long t; std::int u;"});
  check_has("for (int i = a; i < b; ++i) f(i);",
            {"for (int i = a + 1; i < b; ++i) f(i);", "for (int i = a - 1; i < b; ++i) f(i);",
             "for (int i = a; i < b - 1; ++i) f(i);", "for (int i = a; i <= b; ++i) f(i);"});
  check_has("x = a * .5f;", {"x = a * (2 * .5f);"});
  check_has("x = a * TILE + 2.5f;", {"x = a * (TILE + 1) + 2.5f;", "x = a * TILE + (2 * 2.5f);"});
  check_has("f(); __syncthreads(); g();",
            {"__syncthreads(); f(); g();", "f(); g(); __syncthreads();", "f(); ; g();",
             "f(); __syncwarp(); g();", "f(); return; __syncthreads(); g();"});
  check_has("atomicAdd(&sum, x);",
            {"[&] { const auto at = &sum; const auto other = x; const auto old = *at; *at = old + "
             "other; return old; }();"});
}

TEST_CASE("lines after a mutant keep their numbers") {
  for (const course::Mutant &mutant : course::mutants_of("// TODO 1: here\n"
                                                         "f(a,\n  b);\nMPI_Barrier();\n"
                                                         "// TODO end\n"))
    CHECK(std::count(mutant.text.begin(), mutant.text.end(), '\n') == 5);
}
