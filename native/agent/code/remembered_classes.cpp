// SPDX-License-Identifier: Apache-2.0
#include "agent/code/remembered_classes.h"

#include <mutex>
#include <utility>

namespace jvmdebug::agent::code {

bool RememberedClasses::vm_forgets() const {
  constexpr jint kRemembers = 20;
  return env_.feature_version() < kRemembers;
}

void RememberedClasses::note(const jvm::Jni& jni, jclass type,
                             std::span<const std::uint8_t> bytes) {
  if (!vm_forgets()) {
    return;
  }
  auto seen = std::make_shared<const Redefined>(
      Redefined{.type = jni.weak(type), .class_file = {bytes.begin(), bytes.end()}});
  const std::scoped_lock lock(mutex_);
  seen_.push_back(std::move(seen));
}

void RememberedClasses::keep(const jvm::Jni& jni, jclass redefined,
                             std::span<const std::uint8_t> bytes) {
  if (!vm_forgets()) {
    return;
  }
  std::vector<std::shared_ptr<const Redefined>> seen;
  {
    const std::scoped_lock lock(mutex_);
    seen = seen_;
  }
  for (const auto& each : seen) {  // the last one counts, after several steps
    if (jni.same(each->type.lock(jni), redefined)) {
      bytes = each->class_file;
    }
  }
  auto kept = std::make_shared<const Redefined>(
      Redefined{.type = jni.weak(redefined), .class_file = {bytes.begin(), bytes.end()}});
  // Safe without the lock: only agent threads, one at a time, change the list.
  auto all = redefined_;
  std::erase_if(all, [&](const auto& each) {
    const auto type = each->type.lock(jni);
    return !type || jni.same(type, redefined);
  });
  all.push_back(std::move(kept));
  const std::scoped_lock lock(mutex_);
  redefined_.swap(all);
}

void RememberedClasses::end() {
  std::vector<std::shared_ptr<const Redefined>> ended;  // released after the lock
  const std::scoped_lock lock(mutex_);
  ended.swap(seen_);
}

std::optional<std::vector<std::uint8_t>> RememberedClasses::of(const jvm::Jni& jni,
                                                               jclass type) const {
  std::vector<std::shared_ptr<const Redefined>> all;
  {
    const std::scoped_lock lock(mutex_);
    all = redefined_;
  }
  for (const auto& each : all) {
    if (jni.same(each->type.lock(jni), type)) {
      return each->class_file;
    }
  }
  return std::nullopt;
}

bool RememberedClasses::is_empty() const {
  const std::scoped_lock lock(mutex_);
  return redefined_.empty();
}

}  // namespace jvmdebug::agent::code
