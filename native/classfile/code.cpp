// SPDX-License-Identifier: Apache-2.0
#include "classfile/code.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "classfile/code_attributes.h"
#include "classfile/instructions.h"
#include "classfile/moved_code.h"
#include "classfile/stack_map.h"
#include "codec/reader.h"
#include "codec/result.h"
#include "codec/writer.h"

namespace jvmdebug::classfile {
namespace {

constexpr std::size_t kLongestCode = std::numeric_limits<std::uint16_t>::max();
constexpr std::size_t kDeepestStack = std::numeric_limits<std::uint16_t>::max();

Rewritten<void> check(const Code& code, std::span<const Insertion> insertions,
                      const Relocation& relocation) {
  const auto begins = instructions(code.bytes);
  if (begins.empty()) {
    return std::unexpected(RewriteError::kMalformed);
  }
  for (const Insertion& insertion : insertions) {
    if (!std::ranges::binary_search(begins, insertion.index)) {
      return std::unexpected(RewriteError::kNoInstruction);
    }
    if (std::size_t{code.max_stack} + insertion.stack > kDeepestStack) {
      return std::unexpected(RewriteError::kStackTooDeep);
    }
  }
  if (relocation.new_size() > kLongestCode) {
    return std::unexpected(RewriteError::kCodeTooLong);
  }
  return {};
}

// Returns the variables that one of the insertions adds, or null.
const AddedVariables* variables_of(std::span<const Insertion> insertions) {
  const auto found = std::ranges::find_if(
      insertions, [](const Insertion& each) { return each.variables != nullptr; });
  return found == insertions.end() ? nullptr : found->variables.get();
}

void write_added_handlers(const AddedVariables& added, const Relocation& relocation,
                          codec::Writer& writer) {
  const std::size_t behind = relocation.moved_size();
  for (const std::size_t index :
       {relocation.target(added.covered_from), behind, behind, std::size_t{0},
        behind + added.guarded, behind + added.guarded_end, behind + added.guard, std::size_t{0}}) {
    writer.write_unsigned_short(static_cast<std::uint16_t>(index));
  }
}

Rewritten<void> write_handlers(const Code& code, const AddedVariables* added,
                               const Relocation& relocation, codec::Writer& writer) {
  constexpr std::size_t kMost = std::numeric_limits<std::uint16_t>::max();
  const bool has_added = added != nullptr && !added->handler.empty();
  const std::size_t count = code.handlers.size() + (has_added ? 2U : 0U);
  if (count > kMost) {
    return std::unexpected(RewriteError::kCodeTooLong);
  }
  writer.write_unsigned_short(static_cast<std::uint16_t>(count));
  for (const ExceptionHandler& handler : code.handlers) {
    if (handler.end > code.bytes.size() || handler.handler >= code.bytes.size()) {
      return std::unexpected(RewriteError::kMalformed);
    }
    for (const std::size_t index : {handler.start, handler.end, handler.handler}) {
      writer.write_unsigned_short(static_cast<std::uint16_t>(relocation.target(index)));
    }
    writer.write_unsigned_short(handler.catch_type);
  }
  if (has_added) {
    write_added_handlers(*added, relocation, writer);
  }
  return {};
}

// Returns the frames that the jump of an insertion needs, by their indices in the new code.
std::map<std::size_t, KnownLocals> frames_of(const InsertedJump& jump, std::size_t length,
                                             const Relocation& relocation) {
  return {{relocation.target(0) + Relocation::padded(length), jump.at_start},
          {relocation.instruction(jump.target), jump.at_target}};
}

// Adds to the stack map of the moved code what inserted code needs: that of a jump, and that of
// variables.
Rewritten<std::vector<std::uint8_t>> complete_stack_map(std::vector<std::uint8_t> content,
                                                        std::span<const Insertion> insertions,
                                                        const Relocation& relocation) {
  const auto jumping =
      std::ranges::find_if(insertions, [](const Insertion& each) { return each.jump != nullptr; });
  if (jumping != insertions.end()) {
    const auto& jump = *jumping->jump;
    JVMDEBUG_ASSIGN(content, add_frames(content, jump.at_start,
                                        frames_of(jump, jumping->code.size(), relocation)));
  }
  if (const auto* const added = variables_of(insertions)) {
    JVMDEBUG_ASSIGN(content, add_variables(content, *added, relocation.moved_size()));
  }
  return content;
}

// Returns the index of the constant "StackMapTable" if the insertions need such an attribute, or 0.
std::uint16_t needed_stack_map(std::span<const Insertion> insertions) {
  for (const Insertion& each : insertions) {
    if (each.jump || each.variables) {
      return each.jump ? each.jump->stack_map : each.variables->stack_map;
    }
  }
  return 0;
}

// Writes the attributes of the code.
Rewritten<void> write_attributes(const ConstantPool& pool, const Code& code,
                                 std::span<const Insertion> insertions,
                                 const Relocation& relocation, codec::Writer& writer) {
  constexpr std::string_view kStackMap = "StackMapTable";
  const std::uint16_t needed = needed_stack_map(insertions);
  bool has_stack_map = false;
  codec::Writer written;
  for (const Attribute& attribute : code.attributes) {
    const auto name = pool.utf8(attribute.name).value_or("");
    JVMDEBUG_ASSIGN(auto content, move_attribute(name, attribute.content, relocation));
    if (needed != 0 && name == kStackMap) {
      JVMDEBUG_ASSIGN(content, complete_stack_map(std::move(content), insertions, relocation));
      has_stack_map = true;
    }
    written.write_unsigned_short(attribute.name);
    written.write_bytes(content);
  }
  const bool adds = needed != 0 && !has_stack_map;
  if (adds) {
    JVMDEBUG_ASSIGN(const auto content, complete_stack_map({0, 0}, insertions, relocation));
    written.write_unsigned_short(needed);
    written.write_bytes(content);
  }
  writer.write_unsigned_short(
      static_cast<std::uint16_t>(code.attributes.size() + (adds ? 1U : 0U)));
  writer.write_span(written.take());
  return {};
}

// Whether other inserted code uses the slots of the variables.
bool are_taken(const AddedVariables& added, std::span<const Insertion> insertions) {
  return std::ranges::any_of(insertions, [&](const Insertion& each) {
    return !each.uses_variables && each.locals > added.first;
  });
}

}  // namespace

Rewritten<std::vector<Attribute>> read_attributes(codec::Reader& reader) {
  const std::size_t count = reader.read_unsigned_short();
  std::vector<Attribute> attributes;
  for (std::size_t number = 0; number < count && !reader.failed(); ++number) {
    const std::uint16_t name = reader.read_unsigned_short();
    const auto length = static_cast<std::size_t>(reader.read_unsigned(4));
    attributes.push_back({.name = name, .content = reader.read_span(length)});
  }
  if (reader.failed()) {
    return std::unexpected(RewriteError::kMalformed);
  }
  return attributes;
}

Rewritten<Code> read_code(std::span<const std::uint8_t> content) {
  codec::Reader reader(content);
  Code code;
  code.max_stack = reader.read_unsigned_short();
  code.max_locals = reader.read_unsigned_short();
  code.bytes = reader.read_span(static_cast<std::size_t>(reader.read_unsigned(4)));
  const std::size_t handlers = reader.read_unsigned_short();
  for (std::size_t number = 0; number < handlers && !reader.failed(); ++number) {
    ExceptionHandler handler;
    handler.start = reader.read_unsigned_short();
    handler.end = reader.read_unsigned_short();
    handler.handler = reader.read_unsigned_short();
    handler.catch_type = reader.read_unsigned_short();
    code.handlers.push_back(handler);
  }
  JVMDEBUG_ASSIGN(code.attributes, read_attributes(reader));
  if (code.bytes.empty() || code.bytes.size() > kLongestCode || reader.remaining() != 0) {
    return std::unexpected(RewriteError::kMalformed);
  }
  return code;
}

Rewritten<std::vector<std::uint8_t>> insert_code(const ConstantPool& pool, const Code& code,
                                                 std::span<const Insertion> insertions) {
  const Relocation relocation(code.bytes.size(), insertions);
  JVMDEBUG_CHECK(check(code, insertions, relocation));
  const auto* const added = variables_of(insertions);
  if (added != nullptr && are_taken(*added, insertions)) {
    return std::unexpected(RewriteError::kVariablesTaken);
  }
  std::uint16_t stack = 0;
  std::uint16_t locals = code.max_locals;
  for (const Insertion& insertion : insertions) {
    stack = std::max(stack, insertion.stack);
    locals = std::max(locals, insertion.locals);
  }
  JVMDEBUG_ASSIGN(auto moved, move_code(code.bytes, insertions, relocation));
  if (added != nullptr) {
    moved.insert(moved.end(), added->handler.begin(), added->handler.end());
    moved.resize(relocation.new_size());
  }
  codec::Writer writer;
  writer.write_unsigned_short(static_cast<std::uint16_t>(code.max_stack + stack));
  writer.write_unsigned_short(locals);
  writer.write_bytes(moved);
  JVMDEBUG_CHECK(write_handlers(code, added, relocation, writer));
  JVMDEBUG_CHECK(write_attributes(pool, code, insertions, relocation, writer));
  return writer.take();
}

}  // namespace jvmdebug::classfile
