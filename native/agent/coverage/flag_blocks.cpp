// SPDX-License-Identifier: Apache-2.0
#include "agent/coverage/flag_blocks.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <string_view>

#include "agent/java/generated/agent_classes.h"
#include "agent/probes/left_class.h"

namespace jvmdebug::agent::coverage {
namespace {

constexpr std::string_view kTemplate = "java/lang/JvmdebugCoverageFlags0000";
constexpr std::size_t kDigits = 4;

}  // namespace

std::string FlagBlocks::class_name(std::size_t block) {
  constexpr std::size_t kTen = 10;
  std::string name(kTemplate);
  for (std::size_t digit = 1; digit <= kDigits; ++digit, block /= kTen) {
    name[name.size() - digit] = static_cast<char>('0' + block % kTen);
  }
  return name;
}

bool FlagBlocks::define(const jvm::Jni& jni) {
  if (arrays_.size() == kMost) {
    return false;
  }
  const std::string name = class_name(arrays_.size());
  const auto bytes = java::coverage_flags_class();
  std::vector<std::uint8_t> made(bytes.begin(), bytes.end());
  const auto at = std::ranges::search(made, kTemplate).begin();
  if (at == made.end()) {
    return false;
  }
  std::ranges::copy(name, at);
  // An agent that was in the VM before may have left the class.
  const auto type = probes::left_or_defined(env_, jni, name.c_str(), made);
  if (!type) {
    return false;
  }
  const jfieldID field = jni->GetStaticFieldID(*type, kField, "[B");
  if (jni.clear_exception() || field == nullptr) {
    return false;
  }
  auto array = jni.adopt(jni->GetStaticObjectField(*type, field));
  if (!array) {
    return false;
  }
  arrays_.push_back(jni.global(static_cast<jbyteArray>(array.get())));
  clear(jni, arrays_.size() - 1);
  const std::scoped_lock lock(mutex_);
  ++defined_;
  return true;
}

bool FlagBlocks::provide(const jvm::Jni& jni, std::size_t flags) {
  while (free() < flags) {
    if (!define(jni)) {
      return false;
    }
  }
  return true;
}

std::size_t FlagBlocks::free() const {
  const std::scoped_lock lock(mutex_);
  return (defined_ - block_) * kSize - used_;
}

std::optional<FlagRange> FlagBlocks::take(std::size_t count) {
  const std::scoped_lock lock(mutex_);
  if (count > kSize) {
    return std::nullopt;
  }
  const bool fits = used_ + count <= kSize;
  if (block_ + (fits ? 0 : 1) >= defined_) {
    return std::nullopt;
  }
  if (!fits) {
    ++block_;
    used_ = 0;
  }
  const FlagRange range{.block = block_, .first = used_, .count = count};
  used_ += count;
  return range;
}

std::vector<std::int8_t> FlagBlocks::read(const jvm::Jni& jni, std::size_t block) const {
  std::vector<std::int8_t> flags(kSize);
  jni->GetByteArrayRegion(arrays_[block].get(), 0, static_cast<jsize>(kSize), flags.data());
  return flags;
}

void FlagBlocks::clear(const jvm::Jni& jni, std::size_t block) const {
  static constexpr std::array<jbyte, kSize> kUnset{};
  jni->SetByteArrayRegion(arrays_[block].get(), 0, static_cast<jsize>(kSize), kUnset.data());
}

}  // namespace jvmdebug::agent::coverage
