// SPDX-License-Identifier: Apache-2.0
//
// Puts code in front of instructions of all class files below a folder. `rewrite_classes FROM TO
// CLASS METHOD` calls the static method CLASS.METHOD() at the beginning of every line;
// `rewrite_classes FROM TO` pushes and pops a number at every instruction, and `rewrite_classes
// FROM TO recording` puts everything there that a recording needs. Prints their number. For
// rewrite_jdk.cmake, which lets a VM verify and run the result.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/instructions.h"
#include "classfile/recording_sites.h"
#include "codec/reader.h"
#include "codec/result.h"

namespace {

using namespace jvmdebug;  // NOLINT(google-build-using-namespace): one small program
namespace fs = std::filesystem;

using Bytes = std::vector<std::uint8_t>;

Bytes read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const Bytes& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

// Returns the beginnings of lines.
std::vector<std::size_t> lines(const classfile::ClassFile& file, const classfile::Code& code) {
  std::vector<std::size_t> found;
  for (const auto& attribute : code.attributes) {
    if (file.pool().is_utf8(attribute.name, "LineNumberTable")) {
      jvmdebug::codec::Reader reader(attribute.content);
      for (std::size_t left = reader.read_unsigned_short(); left > 0; --left) {
        found.push_back(reader.read_unsigned_short());
        (void)reader.read_unsigned_short();
      }
    }
  }
  return found;
}

struct Wanted {
  std::string type;  // empty: no call
  std::string method;
  bool is_recording = false;
};

struct Count {
  std::size_t classes = 0;
  std::size_t probes = 0;
  std::size_t refused = 0;
};

classfile::Rewritten<std::vector<std::uint8_t>> inserted(classfile::ClassFile& file,
                                                         const Wanted& wanted) {
  constexpr std::uint8_t kIconst0 = 3;
  constexpr std::uint8_t kPop = 87;
  constexpr std::uint8_t kInvokeStatic = 184;
  if (wanted.type.empty()) {
    return std::vector<std::uint8_t>{kIconst0, kPop};
  }
  JVMDEBUG_ASSIGN(const std::uint16_t method,
                  file.pool().add_member({.kind = classfile::Constant::kMethod,
                                          .owner = wanted.type,
                                          .name = wanted.method,
                                          .descriptor = "()V"}));
  return std::vector<std::uint8_t>{kInvokeStatic, static_cast<std::uint8_t>(method >> 8U),
                                   static_cast<std::uint8_t>(method)};
}

std::vector<classfile::Insertion> insertions_at(classfile::ClassFile& file,
                                                const classfile::Method& method,
                                                const classfile::Code& code, const Wanted& wanted,
                                                const Bytes& code_inserted) {
  constexpr std::uint32_t kFirstSite = 0x12FFF0;
  std::vector<classfile::Insertion> insertions;
  if (wanted.is_recording) {
    const classfile::RecordingScope scope{
        .is_recorded = [](std::string_view name) { return name.starts_with("java/util/"); },
        .is_root = [](std::string_view name) { return name == "run()V"; },
        .is_volatile = [](std::string_view, std::string_view field) { return field.size() > 4; }};
    if (auto made = classfile::recorded_code(file, method, classfile::RecordingLevel::kAll, scope,
                                             kFirstSite)) {
      insertions = std::move(made->insertions);
    }
    return insertions;
  }
  for (const std::size_t index :
       wanted.type.empty() ? classfile::instructions(code.bytes) : lines(file, code)) {
    insertions.push_back({.index = index, .code = code_inserted, .stack = 1});
  }
  return insertions;
}

bool rewrite(const Bytes& original, const fs::path& to, const Wanted& wanted, Count& count) {
  auto file = classfile::ClassFile::read(original);
  if (!file || file->write() != original) {
    return false;  // without changes the output must be the same
  }
  const auto code_inserted = inserted(*file, wanted);
  if (!code_inserted) {
    return false;
  }
  for (const auto& each : file->methods()) {
    const auto code = file->code_of(each);
    if (!code) {
      continue;
    }
    auto insertions = insertions_at(*file, each, *code, wanted, *code_inserted);
    if (file->insert(each, insertions)) {
      count.probes += insertions.size();
    } else {
      ++count.refused;
    }
  }
  write(to, file->write());
  ++count.classes;
  return true;
}

int run(std::span<char*> arguments) {
  if (arguments.size() < 3 || arguments.size() > 5) {
    std::fputs("usage: rewrite_classes FROM TO [CLASS METHOD | recording]\n", stderr);
    return 2;
  }
  const fs::path from = arguments[1];
  Wanted wanted;
  wanted.is_recording = arguments.size() == 4;
  if (arguments.size() == 5) {
    wanted = {.type = arguments[3], .method = arguments[4]};
  }
  Count count;
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    const fs::path& path = entry.path();
    if (path.extension() == ".class" &&
        !rewrite(read(path), arguments[2] / fs::relative(path, from), wanted, count)) {
      std::fprintf(stderr, "%s cannot be rewritten\n", path.c_str());
      return 1;
    }
  }
  std::printf("%zu classes, %zu probes, %zu methods refused\n", count.classes, count.probes,
              count.refused);
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run({arguments, static_cast<std::size_t>(count)});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rewrite_classes: %s\n", error.what());
    return 1;
  }
}
