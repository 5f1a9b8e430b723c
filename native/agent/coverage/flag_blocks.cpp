// SPDX-License-Identifier: Apache-2.0
#include "agent/coverage/flag_blocks.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <string_view>
#include <utility>

#include "agent/java/generated/agent_classes.h"
#include "agent/probes/left_class.h"
#include "agent/scope.h"

namespace jvmdebug::agent::coverage {
namespace {

constexpr std::string_view kTemplate = "java/lang/JvmdebugCoverageFlags0000";
constexpr std::size_t kDigits = 4;

void unset(const jvm::Jni& jni, jbyteArray flags, std::ptrdiff_t first, std::ptrdiff_t count) {
  static constexpr std::array<jbyte, FlagBlocks::kSize> kUnset{};
  jni->SetByteArrayRegion(flags, static_cast<jsize>(first), static_cast<jsize>(count),
                          kUnset.data());
}

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
  const std::size_t number = count();
  if (number == kMost) {
    return false;
  }
  const std::string name = class_name(number);
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
  auto lasting = jni.global(static_cast<jbyteArray>(array.get()));
  unset(jni, lasting.get(), 0, kSize);
  const std::scoped_lock lock(mutex_);
  arrays_.push_back(std::move(lasting));
  return true;
}

bool FlagBlocks::provide(const jvm::Jni& jni, std::size_t flags) {
  while (is_providing_.exchange(true)) {
    is_providing_.wait(true);
  }
  const AtExit done([this] {
    is_providing_ = false;
    is_providing_.notify_one();
  });
  while (free() < flags) {
    if (!define(jni)) {
      return false;
    }
  }
  return true;
}

std::size_t FlagBlocks::free() const {
  const std::scoped_lock lock(mutex_);
  return (arrays_.size() - block_) * kSize - used_;
}

std::optional<FlagRange> FlagBlocks::take(std::size_t count) {
  const std::scoped_lock lock(mutex_);
  if (count > kSize) {
    return std::nullopt;
  }
  const bool fits = used_ + count <= kSize;
  if (block_ + (fits ? 0 : 1) >= arrays_.size()) {
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

std::size_t FlagBlocks::count() const {
  const std::scoped_lock lock(mutex_);
  return arrays_.size();
}

jbyteArray FlagBlocks::array(std::size_t block) const {
  const std::scoped_lock lock(mutex_);
  return arrays_[block].get();
}

std::vector<std::int8_t> FlagBlocks::read(const jvm::Jni& jni, std::size_t block,
                                          bool reset) const {
  auto* const flags = array(block);
  std::vector<std::int8_t> found(kSize);
  jni->GetByteArrayRegion(flags, 0, static_cast<jsize>(kSize), found.data());
  for (auto at = found.begin(); reset && at != found.end();) {
    const auto first = std::find_if(at, found.end(), [](std::int8_t flag) { return flag != 0; });
    at = std::find(first, found.end(), 0);
    unset(jni, flags, first - found.begin(), at - first);
  }
  return found;
}

void FlagBlocks::clear(const jvm::Jni& jni, std::size_t block) const {
  unset(jni, array(block), 0, kSize);
}

}  // namespace jvmdebug::agent::coverage
