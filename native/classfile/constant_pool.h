// SPDX-License-Identifier: Apache-2.0
//
// The constant pool of a class file: reads, finds and adds constants. Existing constants keep their
// index and their bytes. Every index is checked; a wrong one finds nothing. Texts are in modified
// UTF-8, as in the file; they are copies, because adding moves the pool. Independent of JVM TI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/rewrite_error.h"
#include "codec/reader.h"
#include "codec/writer.h"

namespace jvmdebug::classfile {

enum class Constant : std::uint8_t {
  kNone = 0,  // not an entry: index 0, and the index after a long or double
  kUtf8 = 1,
  kInteger = 3,
  kFloat = 4,
  kLong = 5,
  kDouble = 6,
  kClass = 7,
  kString = 8,
  kField = 9,
  kMethod = 10,
  kInterfaceMethod = 11,
  kNameAndType = 12,
  kMethodHandle = 15,
  kMethodType = 16,
  kDynamic = 17,
  kInvokeDynamic = 18,
  kModule = 19,
  kPackage = 20,
};

// A field, a method, or the target of an invokedynamic (then without an owner).
struct MemberReference {
  Constant kind = Constant::kNone;
  std::string owner;  // a/b/C
  std::string name;
  std::string descriptor;
};

class ConstantPool {
 public:
  ConstantPool() : offsets_{0} {}

  // Reads a pool that begins with its count.
  static Rewritten<ConstantPool> read(codec::Reader& reader);
  // Reads the bytes of JVM TI's GetConstantPool, which gives the count separately.
  static Rewritten<ConstantPool> read(codec::Reader& reader, std::size_t count);

  // The number of indices, including 0, which is not an entry.
  [[nodiscard]] std::size_t size() const { return offsets_.size(); }

  [[nodiscard]] Constant kind(std::size_t index) const;
  // Whether a float constant is NaN.
  [[nodiscard]] bool has_float_nan() const;
  // Returns the bytes of an entry with its tag; empty if there is none.
  [[nodiscard]] std::span<const std::uint8_t> whole(std::size_t index) const;
  [[nodiscard]] std::optional<std::string> utf8(std::size_t index) const;
  [[nodiscard]] bool is_utf8(std::size_t index, std::string_view text) const;
  // Returns a/b/C, or [La/b/C; for an array.
  [[nodiscard]] std::optional<std::string> class_name(std::size_t index) const;
  [[nodiscard]] std::optional<MemberReference> member(std::size_t index) const;

  // Returns the index of the constant, which is added if it is missing. Texts of more than 65,535
  // bytes are refused.
  [[nodiscard]] Rewritten<std::uint16_t> add_utf8(std::string_view text);
  [[nodiscard]] Rewritten<std::uint16_t> add_class(std::string_view name);
  [[nodiscard]] Rewritten<std::uint16_t> add_string(std::string_view text);
  [[nodiscard]] Rewritten<std::uint16_t> add_name_and_type(std::string_view name,
                                                           std::string_view descriptor);
  // Adds a field, a method or a method of an interface.
  [[nodiscard]] Rewritten<std::uint16_t> add_member(const MemberReference& member);

  void write(codec::Writer& writer) const;

 private:
  [[nodiscard]] Rewritten<void> read_entries(codec::Reader& reader, std::size_t count);
  [[nodiscard]] std::span<const std::uint8_t> entry(std::size_t index) const;
  [[nodiscard]] std::optional<std::string_view> text(std::size_t index) const;
  [[nodiscard]] std::size_t index_in(std::size_t index, std::size_t at) const;
  [[nodiscard]] Rewritten<std::uint16_t> add(std::span<const std::uint8_t> bytes);
  void know_all();
  // Finds the place in known_ of the index of such an entry, or the place where to put it.
  [[nodiscard]] std::size_t place_of(std::span<const std::uint8_t> bytes) const;

  std::vector<std::uint8_t> bytes_;     // the entries one after the other, each with its tag
  std::vector<std::uint32_t> offsets_;  // by index: the position in bytes_ plus 1; 0: no entry
  // The hash table of add(): indices, each at or behind the place that the hash of its entry gives;
  // 0 is a free place. Filled on the first add().
  std::vector<std::uint16_t> known_;
};

}  // namespace jvmdebug::classfile
