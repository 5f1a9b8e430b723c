// SPDX-License-Identifier: Apache-2.0
#include "agent/events/forced_exits.h"

#include <mutex>
#include <optional>
#include <utility>

#include "agent/events/composer.h"
#include "agent/events/event_set.h"
#include "agent/scope.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::events {

using protocol::EventKind;

void ForcedExits::add(const threads::Tracked& thread, const threads::TopFrame& top,
                      const jvm::JavaValue& value) {
  Forced forced{.top = top, .value = value, .object = {}};
  if (value.is_reference() && value.value.l != nullptr) {
    forced.object = env_.jni().global(value.value.l);
  }
  const std::scoped_lock lock(mutex_);
  std::swap(by_thread_[thread->key], forced);  // an older one is released without the lock
  count_ = static_cast<int>(by_thread_.size());
}

bool ForcedExits::contains(const threads::Tracked& self) const {
  if (count_ == 0 || !self) {
    return false;
  }
  const std::scoped_lock lock(mutex_);
  return by_thread_.contains(self->key);
}

void ForcedExits::event_left(const jvm::Jni& jni) {
  if (count_ == 0) {
    return;
  }
  const auto self = registry_.current();
  std::optional<Forced> forced;
  if (self) {
    const std::scoped_lock lock(mutex_);
    if (auto found = by_thread_.extract(self->key)) {
      forced = std::move(found.mapped());
    }
    count_ = static_cast<int>(by_thread_.size());
  }
  if (forced) {
    report(jni, self, *forced);
  }
}

void ForcedExits::report(const jvm::Jni& jni, const threads::Tracked& self, const Forced& forced) {
  const jint frames = env_.get_frame_count(nullptr).value_or(0);
  if (frames != forced.top.frames ||
      composer_.may_skip_exit(jni, self->thread, forced.top.method)) {
    return;
  }
  // Until the thread has left this event too, the topmost frame can do nothing else but return.
  const auto mark = [&](std::optional<threads::TopFrame> returns_from) {
    const auto held = registry_.lock();
    self->returns_from = returns_from;
  };
  mark(forced.top);
  const AtExit unmark([&] { mark(std::nullopt); });
  const auto object = jni.local(static_cast<jobject>(forced.object));
  Occurrence exit{.kind = EventKind::kMethodExit,
                  .thread = self->thread,
                  .method = forced.top.method,
                  .index = forced.top.index};
  exit.value = forced.value;
  if (forced.value.is_reference()) {
    exit.value.value.l = object.get();
  }
  composer_.take(jni, exit);
}

}  // namespace jvmdebug::agent::events
