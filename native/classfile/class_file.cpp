// SPDX-License-Identifier: Apache-2.0
#include "classfile/class_file.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "classfile/emitted_opcodes.h"
#include "codec/reader.h"
#include "codec/result.h"
#include "codec/writer.h"

namespace jvmdebug::classfile {
namespace {

constexpr std::uint64_t kMagic = 0xCAFEBABE;
constexpr std::size_t kHead = 8;

std::span<const std::uint8_t> read_until(std::span<const std::uint8_t> from,
                                         const codec::Reader& reader) {
  return from.first(from.size() - reader.remaining());
}

void write_attribute(codec::Writer& writer, std::uint16_t name,
                     std::span<const std::uint8_t> content) {
  writer.write_unsigned_short(name);
  writer.write_bytes(content);
}

}  // namespace

Rewritten<ClassFile> ClassFile::read(std::span<const std::uint8_t> bytes) {
  codec::Reader reader(bytes);
  ClassFile file;
  file.head_ = bytes.first(std::min(kHead, bytes.size()));
  const bool is_class_file = reader.read_unsigned(4) == kMagic;
  (void)reader.read_unsigned_short();
  file.major_ = reader.read_unsigned_short();
  if (!is_class_file || reader.failed()) {
    return std::unexpected(RewriteError::kMalformed);
  }
  JVMDEBUG_ASSIGN(file.pool_, ConstantPool::read(reader));
  const auto middle = reader.rest();
  (void)reader.read_unsigned_short();  // access flags
  file.this_class_ = reader.read_unsigned_short();
  file.superclass_ = reader.read_unsigned_short();
  (void)reader.read_span(2 * std::size_t{reader.read_unsigned_short()});
  JVMDEBUG_CHECK(file.read_fields(reader));
  file.middle_ = read_until(middle, reader);
  JVMDEBUG_CHECK(file.read_methods(reader));
  file.tail_ = reader.rest();
  JVMDEBUG_CHECK(read_attributes(reader));
  if (reader.remaining() != 0) {
    return std::unexpected(RewriteError::kMalformed);
  }
  return file;
}

Rewritten<void> ClassFile::read_fields(codec::Reader& reader) {
  const std::size_t count = reader.read_unsigned_short();
  for (std::size_t number = 0; number < count && !reader.failed(); ++number) {
    Field field;
    field.access = reader.read_unsigned_short();
    field.name = reader.read_unsigned_short();
    (void)reader.read_unsigned_short();  // the descriptor
    JVMDEBUG_CHECK(read_attributes(reader));
    fields_.push_back(field);
  }
  return reader.failed() ? std::unexpected(RewriteError::kMalformed) : Rewritten<void>{};
}

Rewritten<void> ClassFile::read_methods(codec::Reader& reader) {
  const std::size_t count = reader.read_unsigned_short();
  for (std::size_t number = 0; number < count && !reader.failed(); ++number) {
    Method method;
    method.access = reader.read_unsigned_short();
    method.name = reader.read_unsigned_short();
    method.descriptor = reader.read_unsigned_short();
    JVMDEBUG_ASSIGN(method.attributes, read_attributes(reader));
    methods_.push_back(std::move(method));
  }
  return reader.failed() ? std::unexpected(RewriteError::kMalformed) : Rewritten<void>{};
}

std::vector<Attribute> ClassFile::class_attributes() const {
  codec::Reader reader(tail_);
  return read_attributes(reader).value_or(std::vector<Attribute>{});
}

const Attribute* ClassFile::attribute(const Method& method, std::string_view name) const {
  const auto found = std::ranges::find_if(method.attributes, [&](const Attribute& attribute) {
    return pool_.is_utf8(attribute.name, name);
  });
  return found == method.attributes.end() ? nullptr : &*found;
}

const Attribute* ClassFile::code_attribute(const Method& method) const {
  return attribute(method, "Code");
}

bool ClassFile::has_attribute(const Method& method, std::string_view name) const {
  return attribute(method, name) != nullptr;
}

std::size_t ClassFile::number_of(const Method& method) const {
  return static_cast<std::size_t>(&method - methods_.data());
}

Rewritten<void> ClassFile::add_attribute(const Method& method, std::string_view name,
                                         std::vector<std::uint8_t> content) {
  JVMDEBUG_ASSIGN(const std::uint16_t index, pool_.add_utf8(name));
  added_[number_of(method)].push_back({.name = index, .content = std::move(content)});
  return {};
}

Rewritten<Code> ClassFile::code_of(const Method& method) const {
  const Attribute* const attribute = code_attribute(method);
  if (attribute == nullptr) {
    return std::unexpected(RewriteError::kNoCode);
  }
  return read_code(attribute->content);
}

Rewritten<void> ClassFile::insert(const Method& method, std::span<const Insertion> insertions) {
  JVMDEBUG_ASSIGN(const Code code, code_of(method));
  JVMDEBUG_ASSIGN(auto changed, insert_code(pool_, code, insertions));
  codes_.insert_or_assign(number_of(method), std::move(changed));
  return {};
}

Rewritten<void> ClassFile::empty(const Method& method) {
  JVMDEBUG_ASSIGN(const Code code, code_of(method));
  codec::Writer writer;
  writer.write_unsigned_short(0);  // stack
  writer.write_unsigned_short(code.max_locals);
  writer.write_unsigned(1, 4);
  writer.write_unsigned(op::kReturn, 1);
  writer.write_unsigned_short(0);  // no handlers
  writer.write_unsigned_short(0);  // no attributes
  codes_.insert_or_assign(number_of(method), writer.take());
  return {};
}

void ClassFile::deepen_stack(const Method& method, std::uint16_t words) {
  constexpr std::uint32_t kDeepest = std::numeric_limits<std::uint16_t>::max();
  const Attribute* const attribute = code_attribute(method);
  if (attribute == nullptr || attribute->content.size() < sizeof(std::uint16_t)) {
    return;
  }
  auto& code =
      codes_.try_emplace(number_of(method), attribute->content.begin(), attribute->content.end())
          .first->second;
  // The attribute begins with the depth of the operand stack.
  const std::uint32_t depth = std::min(code[0] * 256U + code[1] + words, kDeepest);
  code[0] = static_cast<std::uint8_t>(depth >> 8U);
  code[1] = static_cast<std::uint8_t>(depth);
}

std::vector<std::uint8_t> ClassFile::write() const {
  codec::Writer writer;
  writer.write_span(head_);
  pool_.write(writer);
  writer.write_span(middle_);
  writer.write_unsigned_short(static_cast<std::uint16_t>(methods_.size()));
  for (std::size_t number = 0; number < methods_.size(); ++number) {
    const Method& method = methods_[number];
    const auto changed = codes_.find(number);
    const Attribute* const code = changed == codes_.end() ? nullptr : code_attribute(method);
    for (const std::uint16_t part : {method.access, method.name, method.descriptor}) {
      writer.write_unsigned_short(part);
    }
    const auto added = added_.find(number);
    const std::size_t more = added == added_.end() ? 0 : added->second.size();
    writer.write_unsigned_short(static_cast<std::uint16_t>(method.attributes.size() + more));
    for (const Attribute& attribute : method.attributes) {
      const bool is_changed = &attribute == code;
      write_attribute(
          writer, attribute.name,
          is_changed ? std::span<const std::uint8_t>(changed->second) : attribute.content);
    }
    for (std::size_t at = 0; at < more; ++at) {
      write_attribute(writer, added->second[at].name, added->second[at].content);
    }
  }
  writer.write_span(tail_);
  return writer.take();
}

}  // namespace jvmdebug::classfile
