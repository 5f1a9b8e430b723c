// SPDX-License-Identifier: Apache-2.0
#include "agent/throws/throw_checks.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "agent/jvm/result.h"
#include "classfile/assembler.h"
#include "classfile/code_flow.h"
#include "classfile/code_map.h"
#include "classfile/emitted_opcodes.h"
#include "classfile/opcodes.h"
#include "classfile/open_throws.h"

namespace jvmdebug::agent::throws {
namespace {

constexpr std::array kUnchecked = {
    std::string_view("java/lang/Jvmdebug"),  std::string_view("java/lang/invoke/"),
    std::string_view("jdk/internal/misc/"),  std::string_view("jdk/internal/reflect/"),
    std::string_view("java/lang/Throwable"),
};
constexpr std::string_view kOwnPrefix = "JvmdebugProbe";  // of checks, in the program's packages

// Returns the code that calls thrown() with the exception on top of the stack.
classfile::Rewritten<std::vector<std::uint8_t>> check_code(classfile::ConstantPool& pool) {
  classfile::Assembler code(pool);
  code.add({classfile::op::kDup});
  code.member(classfile::op::kInvokeStatic, {.kind = classfile::Constant::kMethod,
                                             .owner = kHookClass,
                                             .name = kThrown,
                                             .descriptor = kThrownDescriptor});
  return code.take();
}

// The size of methods that HotSpot no longer compiles. The calls must not make a method that large.
constexpr std::size_t kMostCompiled = 8'000;
constexpr std::size_t kCheckSize = 12;

bool stays_compiled(std::size_t size, std::size_t calls) {
  return size > kMostCompiled || size + calls * kCheckSize <= kMostCompiled;
}

// Leaves out throws of code that the agent has inserted: a check there would split it.
std::vector<std::size_t> of_program(std::vector<std::size_t> throws,
                                    std::span<const std::uint8_t> code) {
  if (const auto map = classfile::CodeMap::read(code)) {
    std::erase_if(throws,
                  [&](std::size_t at) { return map->is_in_probe(static_cast<std::int64_t>(at)); });
  }
  return throws;
}

std::vector<std::size_t> open_throws_in(const classfile::ConstantPool& pool,
                                        const classfile::Code& code) {
  auto found = classfile::open_throws(code.bytes, code.handlers, [&](std::size_t at) {
    constexpr std::size_t kByte = 256;
    const auto called = pool.member(code.bytes[at + 1] * kByte + code.bytes[at + 2]);
    return called && called->name == "<init>";
  });
  return of_program(std::move(found), code.bytes);
}

}  // namespace

bool may_check_throws(std::string_view name) {
  const auto begins = [&](std::string_view prefix) { return name.starts_with(prefix); };
  return std::ranges::none_of(kUnchecked, begins) &&
         !name.substr(name.rfind('/') + 1).starts_with(kOwnPrefix);
}

classfile::Rewritten<void> add_throw_checks(classfile::ClassFile& file,
                                            MethodInsertions& insertions) {
  std::vector<std::uint8_t> marked;
  for (const classfile::Method& each : file.methods()) {
    const auto code = file.code_of(each);
    const auto open = code ? open_throws_in(file.pool(), *code) : std::vector<std::size_t>{};
    if (open.empty() || !stays_compiled(code->bytes.size(), open.size())) {
      continue;
    }
    if (marked.empty()) {
      JVMDEBUG_ASSIGN(const auto call, check_code(file.pool()));
      JVMDEBUG_ASSIGN(marked, classfile::marked_probe(kThrowCheck, call));
    }
    for (const std::size_t index : open) {
      insertions[&each].push_back({.index = index, .code = marked, .stack = 1});
    }
  }
  return {};
}

std::optional<std::vector<std::uint8_t>> with_throw_checks(std::span<const std::uint8_t> original) {
  if (std::ranges::find(original, classfile::kAthrow) == original.end()) {
    return std::nullopt;
  }
  auto file = classfile::ClassFile::read(original);
  MethodInsertions insertions;
  // The VM would move the instructions of a class with this constant when the calls are taken out,
  // see ChangeLimits::check_possible().
  if (!file || !may_check_throws(file->name()) || file->pool().has_float_nan() ||
      !add_throw_checks(*file, insertions) || insertions.empty()) {
    return std::nullopt;
  }
  for (const auto& [method, all] : insertions) {
    if (!file->insert(*method, all)) {
      return std::nullopt;
    }
  }
  return file->write();
}

// Counts a throw as one that needs a check in case of doubt, because the code alone does not show
// what a handler covers.
ThrowChecks throw_checks_in(std::span<const std::uint8_t> code) {
  if (std::ranges::find(code, classfile::kAthrow) == code.end()) {
    return ThrowChecks::kNoNeed;
  }
  if (const auto map = classfile::CodeMap::read(code); map && map->has(kThrowCheck)) {
    return ThrowChecks::kThere;
  }
  std::vector<classfile::ExceptionHandler> handlers;
  for (const std::size_t block : classfile::exception_blocks(code)) {
    const auto index = static_cast<std::uint16_t>(block);
    handlers.push_back({.start = 0, .end = 1, .handler = index, .catch_type = 0});
  }
  const auto open = of_program(
      classfile::open_throws(code, handlers, [](std::size_t /*at*/) { return true; }), code);
  const bool may_have = !open.empty() && stays_compiled(code.size(), open.size());
  return may_have ? ThrowChecks::kLacking : ThrowChecks::kNoNeed;
}

}  // namespace jvmdebug::agent::throws
