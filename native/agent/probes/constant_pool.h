// SPDX-License-Identifier: Apache-2.0
//
// The constant pool of a class file: read, looked up in and added to. What is there keeps its index
// and its bytes. Every index is checked: one that is wrong finds nothing. Texts are in modified
// UTF-8, as in the file; they are copies, because adding moves the pool. Knows no JVM TI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/probes/rewrite_error.h"
#include "codec/reader.h"
#include "codec/writer.h"

namespace jvmdebug::agent::probes {

enum class Constant : std::uint8_t {
  kNone = 0,  // no entry: index 0, and after a long or double
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

// A field, a method, or what an invokedynamic calls (then without an owner).
struct MemberReference {
  Constant kind = Constant::kNone;
  std::string owner;  // a/b/C
  std::string name;
  std::string descriptor;
};

class ConstantPool {
 public:
  ConstantPool() : offsets_{0} {}

  // From the count on.
  static Rewritten<ConstantPool> read(codec::Reader& reader);
  // From the bytes of JVM TI's GetConstantPool, which gives the count apart.
  static Rewritten<ConstantPool> read(codec::Reader& reader, std::size_t count);

  // With index 0, which is no entry.
  [[nodiscard]] std::size_t size() const { return offsets_.size(); }

  [[nodiscard]] Constant kind(std::size_t index) const;
  // Whether there is a float that is not a number.
  [[nodiscard]] bool has_float_nan() const;
  [[nodiscard]] std::optional<std::string> utf8(std::size_t index) const;
  [[nodiscard]] bool is_utf8(std::size_t index, std::string_view text) const;
  // a/b/C, or [La/b/C; for an array.
  [[nodiscard]] std::optional<std::string> class_name(std::size_t index) const;
  [[nodiscard]] std::optional<MemberReference> member(std::size_t index) const;

  // Of a dynamic constant or call: the number of its bootstrap method.
  [[nodiscard]] std::optional<std::uint16_t> bootstrap_of(std::size_t index) const;

  // Whether they are the same number, text, class, type of a method or method handle.
  [[nodiscard]] bool is_same_value(std::size_t index, const ConstantPool& other,
                                   std::size_t other_index) const;

  // The index of the constant, added if there is none yet. Texts of more than 65,535 bytes are
  // refused.
  [[nodiscard]] Rewritten<std::uint16_t> add_utf8(std::string_view text);
  [[nodiscard]] Rewritten<std::uint16_t> add_class(std::string_view name);
  [[nodiscard]] Rewritten<std::uint16_t> add_string(std::string_view text);
  [[nodiscard]] Rewritten<std::uint16_t> add_name_and_type(std::string_view name,
                                                           std::string_view descriptor);
  // A field, a method or a method of an interface.
  [[nodiscard]] Rewritten<std::uint16_t> add_member(const MemberReference& member);

  void write(codec::Writer& writer) const;

 private:
  [[nodiscard]] Rewritten<void> read_entries(codec::Reader& reader, std::size_t count);
  [[nodiscard]] std::span<const std::uint8_t> entry(std::size_t index) const;
  [[nodiscard]] std::optional<std::string_view> text(std::size_t index) const;
  [[nodiscard]] std::size_t index_in(std::size_t index, std::size_t at) const;
  [[nodiscard]] Rewritten<std::uint16_t> add(std::span<const std::uint8_t> bytes);
  [[nodiscard]] std::span<const std::uint8_t> whole(std::size_t index) const;
  void know_all();
  // Where in known_ the index of such an entry is, or is to be.
  [[nodiscard]] std::size_t place_of(std::span<const std::uint8_t> bytes) const;

  std::vector<std::uint8_t> bytes_;     // the entries one after the other, each with its tag
  std::vector<std::uint32_t> offsets_;  // by index: where in bytes_ plus 1; 0: no entry
  // What add() looks up: indices, each at or behind the place that the hash of its entry gives; 0
  // is a free place. Filled when something is added first.
  std::vector<std::uint16_t> known_;
};

}  // namespace jvmdebug::agent::probes
