// SPDX-License-Identifier: Apache-2.0
#include "classfile/constant_pool.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <utility>

#include "codec/result.h"

namespace jvmdebug::classfile {
namespace {

constexpr std::size_t kMostEntries = std::numeric_limits<std::uint16_t>::max();
constexpr std::size_t kLongestText = std::numeric_limits<std::uint16_t>::max();

// Returns the number of bytes after the tag; 0 for an unknown tag, and for a text.
std::size_t size_of(Constant kind) {
  switch (kind) {
    case Constant::kClass:
    case Constant::kString:
    case Constant::kMethodType:
    case Constant::kModule:
    case Constant::kPackage:
      return 2;
    case Constant::kMethodHandle:
      return 3;
    case Constant::kInteger:
    case Constant::kFloat:
    case Constant::kField:
    case Constant::kMethod:
    case Constant::kInterfaceMethod:
    case Constant::kNameAndType:
    case Constant::kDynamic:
    case Constant::kInvokeDynamic:
      return 4;
    case Constant::kLong:
    case Constant::kDouble:
      return 8;
    default:
      return 0;
  }
}

bool takes_two(Constant kind) {
  return kind == Constant::kLong || kind == Constant::kDouble;
}

void put(std::vector<std::uint8_t>& bytes, std::size_t number) {
  bytes.push_back(static_cast<std::uint8_t>(number >> 8U));
  bytes.push_back(static_cast<std::uint8_t>(number));
}

std::vector<std::uint8_t> entry_of(Constant kind, std::size_t first) {
  std::vector<std::uint8_t> bytes{static_cast<std::uint8_t>(kind)};
  put(bytes, first);
  return bytes;
}

std::vector<std::uint8_t> entry_of(Constant kind, std::size_t first, std::size_t second) {
  auto bytes = entry_of(kind, first);
  put(bytes, second);
  return bytes;
}

}  // namespace

Rewritten<ConstantPool> ConstantPool::read(codec::Reader& reader) {
  return read(reader, reader.read_unsigned_short());
}

Rewritten<ConstantPool> ConstantPool::read(codec::Reader& reader, std::size_t count) {
  ConstantPool pool;
  JVMDEBUG_CHECK(pool.read_entries(reader, count));
  return pool;
}

Rewritten<void> ConstantPool::read_entries(codec::Reader& reader, std::size_t count) {
  const std::span<const std::uint8_t> all = reader.rest();
  offsets_.reserve(count);
  while (offsets_.size() < count) {
    const std::size_t at = all.size() - reader.remaining();
    const auto kind = static_cast<Constant>(reader.read_unsigned(1));
    const std::size_t size = kind == Constant::kUtf8 ? reader.read_unsigned_short() : size_of(kind);
    (void)reader.read_span(size);
    if (reader.failed() || (size == 0 && kind != Constant::kUtf8)) {
      return std::unexpected(RewriteError::kMalformed);
    }
    offsets_.push_back(static_cast<std::uint32_t>(at + 1));
    if (takes_two(kind)) {
      offsets_.push_back(0);
    }
  }
  // A long or double takes two indices, and the last entry may have only one left.
  if (offsets_.size() != count || count > kMostEntries) {
    return std::unexpected(RewriteError::kMalformed);
  }
  const auto read = all.first(all.size() - reader.remaining());
  bytes_.assign(read.begin(), read.end());
  return {};
}

Constant ConstantPool::kind(std::size_t index) const {
  const auto bytes = entry(index);
  return bytes.empty() ? Constant::kNone : static_cast<Constant>(bytes[0]);
}

bool ConstantPool::has_float_nan() const {
  constexpr std::uint32_t kWithoutSign = 0x7F'FF'FF'FFU;
  constexpr std::uint32_t kInfinity = 0x7F'80'00'00U;
  for (std::size_t index = 1; index < size(); ++index) {
    const auto bytes = entry(index);
    if (kind(index) != Constant::kFloat) {
      continue;
    }
    std::uint32_t bits = 0;
    for (const std::uint8_t byte : bytes.subspan(1, sizeof(bits))) {
      bits = (bits << 8U) | byte;
    }
    if ((bits & kWithoutSign) > kInfinity) {
      return true;
    }
  }
  return false;
}

// Returns the bytes from the entry's tag to the end of the pool.
std::span<const std::uint8_t> ConstantPool::entry(std::size_t index) const {
  if (index >= offsets_.size() || offsets_[index] == 0) {
    return {};
  }
  return std::span(bytes_).subspan(offsets_[index] - 1);
}

// Reads the index that an entry holds `at` bytes after its tag.
std::size_t ConstantPool::index_in(std::size_t index, std::size_t at) const {
  const auto bytes = entry(index);
  return bytes[1 + at] * 256U + bytes[2 + at];
}

std::optional<std::string_view> ConstantPool::text(std::size_t index) const {
  if (kind(index) != Constant::kUtf8) {
    return std::nullopt;
  }
  const auto chars = entry(index).subspan(3, index_in(index, 0));
  return std::string_view(reinterpret_cast<const char*>(chars.data()), chars.size());
}

std::optional<std::string> ConstantPool::utf8(std::size_t index) const {
  const auto found = text(index);
  return found ? std::optional(std::string(*found)) : std::nullopt;
}

bool ConstantPool::is_utf8(std::size_t index, std::string_view wanted) const {
  return text(index) == wanted;
}

std::optional<std::string> ConstantPool::class_name(std::size_t index) const {
  return kind(index) == Constant::kClass ? utf8(index_in(index, 0)) : std::nullopt;
}

std::optional<MemberReference> ConstantPool::member(std::size_t index) const {
  const Constant found = kind(index);
  const bool is_dynamic = found == Constant::kDynamic || found == Constant::kInvokeDynamic;
  if (!is_dynamic && found != Constant::kField && found != Constant::kMethod &&
      found != Constant::kInterfaceMethod) {
    return std::nullopt;
  }
  const std::size_t type = index_in(index, 2);
  if (kind(type) != Constant::kNameAndType) {
    return std::nullopt;
  }
  auto owner = is_dynamic ? std::optional<std::string>("") : class_name(index_in(index, 0));
  auto name = utf8(index_in(type, 0));
  auto descriptor = utf8(index_in(type, 2));
  if (!owner || !name || !descriptor) {
    return std::nullopt;
  }
  return MemberReference{.kind = found,
                         .owner = *std::move(owner),
                         .name = *std::move(name),
                         .descriptor = *std::move(descriptor)};
}

// Returns exactly the bytes of an entry, including its tag; empty if there is none.
std::span<const std::uint8_t> ConstantPool::whole(std::size_t index) const {
  const auto bytes = entry(index);
  if (bytes.empty()) {
    return {};
  }
  const auto found = static_cast<Constant>(bytes[0]);
  return bytes.first(found == Constant::kUtf8 ? 3 + index_in(index, 0) : 1 + size_of(found));
}

std::size_t ConstantPool::place_of(std::span<const std::uint8_t> bytes) const {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::size_t mask = known_.size() - 1;
  std::size_t place = std::hash<std::string_view>{}(text)&mask;
  while (known_[place] != 0 && !std::ranges::equal(whole(known_[place]), bytes)) {
    place = (place + 1) & mask;
  }
  return place;
}

void ConstantPool::know_all() {
  constexpr std::size_t kPlacesForEach = 4;
  known_.assign(std::bit_ceil(kPlacesForEach * offsets_.size()), 0);
  for (std::size_t index = 1; index < offsets_.size(); ++index) {
    const auto bytes = whole(index);
    if (bytes.empty()) {
      continue;
    }
    if (auto& first = known_[place_of(bytes)]; first == 0) {
      first = static_cast<std::uint16_t>(index);
    }
  }
}

Rewritten<std::uint16_t> ConstantPool::add(std::span<const std::uint8_t> bytes) {
  if (known_.size() < 2 * offsets_.size()) {
    know_all();
  }
  auto& known = known_[place_of(bytes)];
  if (known != 0) {
    return known;
  }
  if (offsets_.size() >= kMostEntries) {
    return std::unexpected(RewriteError::kTooManyConstants);
  }
  known = static_cast<std::uint16_t>(offsets_.size());
  offsets_.push_back(static_cast<std::uint32_t>(bytes_.size() + 1));
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  return known;
}

Rewritten<std::uint16_t> ConstantPool::add_utf8(std::string_view text) {
  if (text.size() > kLongestText) {
    return std::unexpected(RewriteError::kTooManyConstants);
  }
  auto bytes = entry_of(Constant::kUtf8, text.size());
  bytes.insert(bytes.end(), text.begin(), text.end());
  return add(bytes);
}

Rewritten<std::uint16_t> ConstantPool::add_class(std::string_view name) {
  JVMDEBUG_ASSIGN(const std::uint16_t text, add_utf8(name));
  return add(entry_of(Constant::kClass, text));
}

Rewritten<std::uint16_t> ConstantPool::add_string(std::string_view text) {
  JVMDEBUG_ASSIGN(const std::uint16_t index, add_utf8(text));
  return add(entry_of(Constant::kString, index));
}

Rewritten<std::uint16_t> ConstantPool::add_name_and_type(std::string_view name,
                                                         std::string_view descriptor) {
  JVMDEBUG_ASSIGN(const std::uint16_t first, add_utf8(name));
  JVMDEBUG_ASSIGN(const std::uint16_t second, add_utf8(descriptor));
  return add(entry_of(Constant::kNameAndType, first, second));
}

Rewritten<std::uint16_t> ConstantPool::add_member(const MemberReference& member) {
  JVMDEBUG_ASSIGN(const std::uint16_t owner, add_class(member.owner));
  JVMDEBUG_ASSIGN(const std::uint16_t type, add_name_and_type(member.name, member.descriptor));
  return add(entry_of(member.kind, owner, type));
}

void ConstantPool::write(codec::Writer& writer) const {
  writer.write_unsigned_short(static_cast<std::uint16_t>(offsets_.size()));
  writer.write_span(bytes_);
}

}  // namespace jvmdebug::classfile
