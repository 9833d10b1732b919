// Reads the size of the sections of __constant__ variables.
#include "constants.hpp"

#include "words.hpp"

#include <fstream>
#include <iostream>
#include <iterator>

#include <elf.h>

namespace fs = std::filesystem;

namespace course_cpu::nvcc {
namespace {

// The size of the sections of an object file whose names begin so; 0: it has none, or is no such
// file (-fsyntax-only).
std::size_t section_bytes(const fs::path &object, const std::string &prefix) {
  std::ifstream file(object, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  if (!starts_with(bytes, ELFMAG) || bytes.size() < sizeof(Elf64_Ehdr))
    return 0;
  const auto *header = reinterpret_cast<const Elf64_Ehdr *>(bytes.data());
  if (header->e_shnum == 0 || // too many for its field
      header->e_shoff + header->e_shnum * sizeof(Elf64_Shdr) > bytes.size())
    return 0;
  const auto *sections = reinterpret_cast<const Elf64_Shdr *>(bytes.data() + header->e_shoff);
  const char *names = bytes.data() + sections[header->e_shstrndx].sh_offset;
  std::size_t all = 0;
  for (int i = 0; i < header->e_shnum; ++i)
    if (starts_with(names + sections[i].sh_name, prefix))
      all += sections[i].sh_size;
  return all;
}

} // namespace

bool constants_fit(const fs::path &source, const fs::path &object) {
  constexpr std::size_t limit = 64 << 10;
  const std::size_t bytes = section_bytes(object, "course_cpu_const");
  if (bytes > limit)
    std::cerr << source.string() << ": error: uses too much global constant data (" << bytes
              << " bytes, " << limit << " max): __constant__ variables share 64 KiB\n";
  return bytes <= limit;
}

} // namespace course_cpu::nvcc
