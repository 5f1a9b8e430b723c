// SPDX-License-Identifier: Apache-2.0
#include "classfile/record_counts.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "classfile/class_file.h"

namespace jvmdebug::classfile {
namespace {

constexpr std::string_view kSignature = "Signature";

// The attributes of a component that the VM writes, in this order.
constexpr std::array<std::string_view, 3> kWritten{kSignature, "RuntimeVisibleAnnotations",
                                                   "RuntimeVisibleTypeAnnotations"};

// A place in the content of the attribute Record.
class Components {
 public:
  Components(const ConstantPool& pool, std::span<const std::uint8_t> content)
      : pool_(pool), content_(content) {}

  [[nodiscard]] bool has(std::size_t size) const { return content_.size() - at_ >= size; }

  [[nodiscard]] bool is_at_end() const { return at_ == content_.size(); }

  [[nodiscard]] std::size_t at() const { return at_; }

  [[nodiscard]] std::size_t number(std::size_t behind = 0) const {
    return content_[at_ + behind] * 256U + content_[at_ + behind + 1];
  }

  void skip(std::size_t size) { at_ += size; }

  // Skips and counts the attributes that a component really has.
  std::size_t skip_attributes(std::size_t most) {
    constexpr std::size_t kHead = 6;  // name and length
    std::size_t count = 0;
    for (const std::string_view name : kWritten) {
      if (count == most || !has(kHead) || !pool_.is_utf8(number(), name)) {
        continue;
      }
      const std::size_t length = number(2) << 16U | number(4);
      // Otherwise it is a component of that name: so small a number is a length, and not a
      // descriptor and a count.
      if (has(kHead + length) && (name != kSignature || length == 2)) {
        skip(kHead + length);
        ++count;
      }
    }
    return count;
  }

 private:
  const ConstantPool& pool_;
  std::span<const std::uint8_t> content_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::vector<std::uint8_t>> with_record_counts(
    std::span<const std::uint8_t> class_file) {
  constexpr std::size_t kComponent = 6;  // name, descriptor, how many attributes
  constexpr std::string_view kName = "Record";
  if (std::ranges::search(class_file, kName).empty()) {  // most classes, soon
    return std::nullopt;
  }
  const auto file = ClassFile::read(class_file);
  const auto attributes = file ? file->class_attributes() : std::vector<Attribute>{};
  const auto record = std::ranges::find_if(
      attributes, [&](const Attribute& each) { return file->pool().is_utf8(each.name, kName); });
  if (record == attributes.end() || record->content.size() < 2) {
    return std::nullopt;
  }
  std::vector<std::uint8_t> right(class_file.begin(), class_file.end());
  const auto begin = static_cast<std::size_t>(record->content.data() - class_file.data());
  Components components(file->pool(), record->content);
  std::size_t left = components.number();
  bool is_changed = false;
  for (components.skip(2); left > 0 && components.has(kComponent); --left) {
    const std::size_t declared = components.number(4);
    const std::size_t place = begin + components.at() + 4;
    components.skip(kComponent);
    const std::size_t found = components.skip_attributes(declared);
    right[place] = 0;
    right[place + 1] = static_cast<std::uint8_t>(found);
    is_changed |= found != declared;
  }
  const bool is_understood = left == 0 && components.is_at_end();
  return is_understood && is_changed ? std::optional(std::move(right)) : std::nullopt;
}

}  // namespace jvmdebug::classfile
