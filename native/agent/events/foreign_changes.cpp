// SPDX-License-Identifier: Apache-2.0
#include "agent/events/foreign_changes.h"

#include <algorithm>
#include <cstddef>
#include <link.h>
#include <string_view>
#include <utility>

#include "agent/events/breakpoints.h"
#include "agent/jvm/redefinitions.h"

namespace jvmdebug::agent::events {
namespace {

constexpr std::chrono::milliseconds kOften{5};
constexpr std::chrono::milliseconds kSeldom{250};

// Whether the library that agents in Java need is in the process.
bool is_instrument_loaded() {
  const auto is_it = [](dl_phdr_info* info, std::size_t /*size*/, void* /*context*/) {
    const std::string_view name = info->dlpi_name == nullptr ? "" : info->dlpi_name;
    return name.ends_with("/libinstrument.so") ? 1 : 0;
  };
  return dl_iterate_phdr(is_it, nullptr) != 0;
}

}  // namespace

std::optional<std::chrono::milliseconds> ForeignChanges::look() {
  if (life_.vm_is_dead() || breakpoints_.is_empty()) {
    known_.clear();
    generation_ = 0;
    return std::nullopt;
  }
  if (breakpoints_.generation() != generation_) {
    find_classes();
  }
  const jvm::Jni jni = env_.jni();
  for (Known& each : known_) {
    const auto type = each.type.lock(jni);
    const auto times =
        type ? jvm::redefinitions_of(jni, static_cast<jclass>(type.get())) : each.times;
    if (times != each.times) {
      each.times = times;
      breakpoints_.set_again(static_cast<jclass>(type.get()));
    }
  }
  has_instrument_ = has_instrument_ || is_instrument_loaded();
  return has_instrument_ ? kOften : kSeldom;
}

// Classes that were not known get their breakpoints once more: they may have changed already.
void ForeignChanges::find_classes() {
  generation_ = breakpoints_.generation();
  const jvm::Jni jni = env_.jni();
  std::vector<Known> found;
  for (jmethodID const method : breakpoints_.methods()) {
    const auto raw = env_.get_method_declaring_class(method);
    const auto type = jni.adopt(raw.value_or(nullptr));
    const auto is_it = [&](const Known& each) { return jni.same(each.type.lock(jni), type.get()); };
    if (!type || std::ranges::any_of(found, is_it)) {
      continue;
    }
    const auto before = std::ranges::find_if(known_, is_it);
    found.push_back({.type = jni.weak(type.get()),
                     .times = before == known_.end() ? std::nullopt : before->times});
  }
  known_ = std::move(found);
}

}  // namespace jvmdebug::agent::events
