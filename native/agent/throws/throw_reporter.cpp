// SPDX-License-Identifier: Apache-2.0
#include "agent/throws/throw_reporter.h"

#include "agent/events/composer.h"
#include "agent/scope.h"
#include "agent/threads/parking.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::throws {

using events::Occurrence;
using threads::Tracked;

// A thread is not parked while frames of the VM are between the throw and the constructor, nor
// while it runs a method for the debugger.
bool ThrowReporter::report(const jvm::Jni& jni, const Occurrence& occurrence, bool may_park) {
  const Tracked self = threads_.enter(jni, occurrence.thread);
  if (!self) {
    return false;  // a thread of the agent
  }
  const jint frames = env_.get_frame_count(nullptr).value_or(0);
  const jint of_before = self->hidden_of.exchange(frames);
  const jint before = self->frames_to_hide.exchange(occurrence.depth);
  const bool parks = may_park && self->virtual_thread && !parking_.is_invoking(self);
  bool stays = false;
  const AtExit show([&] {
    if (!stays) {
      if (parks) {
        go_on(self);
      }
      self->hidden_of = of_before;
      self->frames_to_hide = before;
    }
  });
  if (parks) {
    self->shown_frames = frames - occurrence.depth;
    self->is_in_native_wait = true;
    self->waits_in_java = true;
  }
  composer_.take(jni, occurrence);
  stays = parks && parking_.stays(jni, self, false);
  return stays;
}

bool ThrowReporter::still_waits(const jvm::Jni& jni) {
  const Tracked self = threads_.current();
  if (!self || !self->waits_in_java) {
    return false;  // the agent for which it has stopped is gone
  }
  const jint frames = env_.get_frame_count(nullptr).value_or(0);
  self->hidden_of = frames;
  self->frames_to_hide = frames - self->shown_frames;
  self->is_in_native_wait = true;
  bool stays = false;
  const AtExit leave([&] {
    if (!stays) {
      go_on(self);
    }
  });
  stays = parking_.stays(jni, self, true);
  return stays;
}

void ThrowReporter::go_on(const Tracked& self) {
  parking_.leave(self);
  self->waits_in_java = false;
  self->shown_frames = 0;
  self->frames_to_hide = 0;
  self->hidden_of = 0;
}

}  // namespace jvmdebug::agent::throws
