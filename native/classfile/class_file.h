// SPDX-License-Identifier: Apache-2.0
//
// A class file that is read, changed and written again. Everything that is not changed is kept byte
// by byte; the constant pool only grows. Refers to the bytes that it was read from. Independent of
// JVM TI. Trusts no input: malformed bytes give an error and nothing worse. Used to put probes into
// classes, and to read the exception handlers of methods.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/code.h"
#include "classfile/constant_pool.h"
#include "classfile/relocation.h"
#include "classfile/rewrite_error.h"

namespace jvmdebug::classfile {

struct Method {
  std::uint16_t access = 0;
  std::uint16_t name = 0;
  std::uint16_t descriptor = 0;
  std::vector<Attribute> attributes;
};

struct Field {
  std::uint16_t access = 0;
  std::uint16_t name = 0;
};

class ClassFile {
 public:
  static Rewritten<ClassFile> read(std::span<const std::uint8_t> bytes);

  [[nodiscard]] std::uint16_t major_version() const { return major_; }

  // The internal name, a/b/C.
  [[nodiscard]] std::string name() const { return pool_.class_name(this_class_).value_or(""); }

  // The internal name of the superclass; empty for java/lang/Object.
  [[nodiscard]] std::string superclass() const {
    return pool_.class_name(superclass_).value_or("");
  }

  [[nodiscard]] ConstantPool& pool() { return pool_; }

  [[nodiscard]] const ConstantPool& pool() const { return pool_; }

  [[nodiscard]] std::span<const Method> methods() const { return methods_; }

  [[nodiscard]] std::span<const Field> fields() const { return fields_; }

  [[nodiscard]] std::vector<Attribute> class_attributes() const;

  // Returns the code as it was read. kNoCode for an abstract or native method.
  [[nodiscard]] Rewritten<Code> code_of(const Method& method) const;

  // Inserts code into one of methods(). A second call for the same method replaces the first.
  [[nodiscard]] Rewritten<void> insert(const Method& method, std::span<const Insertion> insertions);

  // Empties a void method, so that it is small enough to be inlined everywhere.
  [[nodiscard]] Rewritten<void> empty(const Method& method);

  // Gives a method a deeper operand stack, up to the limit; called after insert(). Does nothing to
  // a method without code.
  void deepen_stack(const Method& method, std::uint16_t words);

  [[nodiscard]] bool has_attribute(const Method& method, std::string_view name) const;

  // Adds an attribute to a method.
  [[nodiscard]] Rewritten<void> add_attribute(const Method& method, std::string_view name,
                                              std::vector<std::uint8_t> content);

  [[nodiscard]] std::vector<std::uint8_t> write() const;

 private:
  struct AddedAttribute {
    std::uint16_t name = 0;
    std::vector<std::uint8_t> content;
  };

  ClassFile() = default;
  [[nodiscard]] const Attribute* attribute(const Method& method, std::string_view name) const;
  [[nodiscard]] const Attribute* code_attribute(const Method& method) const;
  [[nodiscard]] std::size_t number_of(const Method& method) const;
  [[nodiscard]] Rewritten<void> read_fields(codec::Reader& reader);
  [[nodiscard]] Rewritten<void> read_methods(codec::Reader& reader);

  std::span<const std::uint8_t> head_;  // magic number and versions
  std::uint16_t major_ = 0;
  ConstantPool pool_;
  std::uint16_t this_class_ = 0;
  std::uint16_t superclass_ = 0;
  std::span<const std::uint8_t> middle_;  // from the access flags to the last field
  std::vector<Field> fields_;
  std::vector<Method> methods_;
  std::span<const std::uint8_t> tail_;                      // the attributes of the class
  std::map<std::size_t, std::vector<std::uint8_t>> codes_;  // changed ones, by number of the method
  std::map<std::size_t, std::vector<AddedAttribute>> added_;  // by number of the method
};

// The insertions into the methods of one class file.
using MethodInsertions = std::map<const Method*, std::vector<Insertion>>;

}  // namespace jvmdebug::classfile
