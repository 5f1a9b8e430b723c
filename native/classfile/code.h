// SPDX-License-Identifier: Apache-2.0
//
// The Code attribute of a method, read, and written again with inserted code. All of its attributes
// are kept; those that hold indices of instructions are adjusted: exception handlers, line numbers,
// variables, stack map frames, type annotations, the compiler's character ranges. Refuses what does
// not fit into the class file format. Independent of JVM TI.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classfile/constant_pool.h"
#include "classfile/relocation.h"
#include "classfile/rewrite_error.h"

namespace jvmdebug::classfile {

// An entry of the exception table: from `start` up to, not including, `end`.
struct ExceptionHandler {
  std::uint16_t start = 0;
  std::uint16_t end = 0;
  std::uint16_t handler = 0;
  std::uint16_t catch_type = 0;  // a class in the constant pool; 0: everything
};

struct Attribute {
  std::uint16_t name = 0;
  std::span<const std::uint8_t> content;
};

struct Code {
  std::uint16_t max_stack = 0;
  std::uint16_t max_locals = 0;
  std::span<const std::uint8_t> bytes{};
  std::vector<ExceptionHandler> handlers{};
  std::vector<Attribute> attributes{};
};

// Reads the content of a Code attribute; the result refers to it.
[[nodiscard]] Rewritten<Code> read_code(std::span<const std::uint8_t> content);

[[nodiscard]] Rewritten<std::vector<Attribute>> read_attributes(codec::Reader& reader);

// Returns the content of the Code attribute with the insertions. Several at one index run in their
// order.
[[nodiscard]] Rewritten<std::vector<std::uint8_t>> insert_code(
    const ConstantPool& pool, const Code& code, std::span<const Insertion> insertions);

}  // namespace jvmdebug::classfile
