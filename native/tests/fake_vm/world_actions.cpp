// SPDX-License-Identifier: Apache-2.0
//
// The actions of the fake VM's threads: the events of each action, in the order of a real VM. An
// action ends early when a frame was popped meanwhile.
#include <algorithm>

#include "tests/fake_vm/world.h"

namespace jvmdebug::fake {
namespace {

jmethodID id_of(Method* method) {
  return reinterpret_cast<jmethodID>(method);
}

constexpr auto kVirtualThreadStart = static_cast<jvmtiEvent>(87);
constexpr auto kVirtualThreadEndEvent = static_cast<jvmtiEvent>(88);

}  // namespace

void World::advance(Thread& self) const {
  Method* method = nullptr;
  jlocation index = 0;
  bool stops = false;
  {
    const std::scoped_lock lock(vm_.mutex());
    if (self.frames.empty() || self.frames.front().method->is_native()) {
      return;
    }
    Frame& frame = self.frames.front();
    method = frame.method;
    frame.index = index = frame.index >= method->last ? 0 : frame.index + 1;
    stops = vm_.breakpoints.contains({method, index});
  }
  const bool goes_on =
      vm_.send_event(JVMTI_EVENT_SINGLE_STEP, [&](Environment& env, void* callback) {
        reinterpret_cast<jvmtiEventSingleStep>(callback)(&env, &self.jni, local(self.object),
                                                         id_of(method), index);
      });
  if (goes_on && stops) {
    (void)vm_.send_event(JVMTI_EVENT_BREAKPOINT, [&](Environment& env, void* callback) {
      reinterpret_cast<jvmtiEventBreakpoint>(callback)(&env, &self.jni, local(self.object),
                                                       id_of(method), index);
    });
  }
}

void World::call(Thread& self, Method& method) const {
  {
    const std::scoped_lock lock(vm_.mutex());
    constexpr std::size_t kDeepest = 30;
    if (self.frames.size() >= kDeepest) {
      return;
    }
    // One before the first instruction, which advance() reaches.
    self.frames.insert(self.frames.begin(), frame(method, -1));
    self.frames.front().index = 0;
  }
  const bool goes_on =
      vm_.send_event(JVMTI_EVENT_METHOD_ENTRY, [&](Environment& env, void* callback) {
        reinterpret_cast<jvmtiEventMethodEntry>(callback)(&env, &self.jni, local(self.object),
                                                          id_of(&method));
      });
  if (goes_on && !method.is_native()) {
    {
      const std::scoped_lock lock(vm_.mutex());
      self.frames.front().index = -1;
    }
    advance(self);
  }
}

void World::leave(Thread& self) const {
  Method* method = nullptr;
  bool watched = false;
  {
    const std::scoped_lock lock(vm_.mutex());
    if (self.frames.size() < 2) {
      return;
    }
    method = self.frames.front().method;
    watched = self.frames.front().watched;
  }
  bool goes_on = vm_.send_event(JVMTI_EVENT_METHOD_EXIT, [&](Environment& env, void* callback) {
    jvalue value{};
    if (method->result().front() == 'L') {
      value.l = local(item_);
    }
    reinterpret_cast<jvmtiEventMethodExit>(callback)(&env, &self.jni, local(self.object),
                                                     id_of(method), JNI_FALSE, value);
  });
  if (goes_on && watched) {
    goes_on = vm_.send_event(JVMTI_EVENT_FRAME_POP, [&](Environment& env, void* callback) {
      reinterpret_cast<jvmtiEventFramePop>(callback)(&env, &self.jni, local(self.object),
                                                     id_of(method), JNI_FALSE);
    });
  }
  if (!goes_on) {
    return;
  }
  {
    const std::scoped_lock lock(vm_.mutex());
    self.frames.erase(self.frames.begin());
  }
  advance(self);
}

void World::raise(Thread& self) const {
  vm_.push_locals();
  raise_in_frame(self);
  vm_.pop_locals();
}

void World::raise_in_frame(Thread& self) const {
  Method* method = nullptr;
  Method* catcher = nullptr;
  jlocation index = 0;
  Object* thrown = nullptr;
  {
    const std::scoped_lock lock(vm_.mutex());
    if (self.frames.empty()) {
      return;
    }
    method = self.frames.front().method;
    index = method->is_native() ? -1 : self.frames.front().index;
    catcher = self.frames.size() < 2 ? nullptr : self.frames.at(1).method;
    thrown = &vm_.add_object(type("Lshop/Failure;"), false);
    (void)local(thrown);  // else it may be collected before anything refers to it
  }
  bool goes_on = vm_.send_event(JVMTI_EVENT_EXCEPTION, [&](Environment& env, void* callback) {
    reinterpret_cast<jvmtiEventException>(callback)(&env, &self.jni, local(self.object),
                                                    id_of(method), index, local(thrown),
                                                    id_of(catcher), catcher == nullptr ? 0 : 1);
  });
  if (!goes_on || catcher == nullptr) {
    return;
  }
  {
    const std::scoped_lock lock(vm_.mutex());
    self.frames.erase(self.frames.begin());
  }
  (void)vm_.send_event(JVMTI_EVENT_EXCEPTION_CATCH, [&](Environment& env, void* callback) {
    reinterpret_cast<jvmtiEventExceptionCatch>(callback)(&env, &self.jni, local(self.object),
                                                         id_of(catcher), 1, local(thrown));
  });
}

void World::prepare(Thread& self, Class& prepared) const {
  (void)vm_.send_event(JVMTI_EVENT_CLASS_PREPARE, [&](Environment& env, void* callback) {
    reinterpret_cast<jvmtiEventClassPrepare>(callback)(&env, &self.jni, local(self.object),
                                                       static_cast<jclass>(local(prepared.mirror)));
  });
}

void World::touch(Thread& self, Field& field, bool write) const {
  Method* method = nullptr;
  jlocation index = 0;
  {
    const std::scoped_lock lock(vm_.mutex());
    if (self.frames.empty() || !vm_.watches.contains({&field, write})) {
      return;
    }
    method = self.frames.front().method;
    index = method->is_native() ? -1 : self.frames.front().index;
  }
  const auto type_of = [&] { return static_cast<jclass>(local(field.declaring->mirror)); };
  const auto owner = [&] { return local(field.is_static() ? nullptr : item_); };
  if (!write) {
    (void)vm_.send_event(JVMTI_EVENT_FIELD_ACCESS, [&](Environment& env, void* callback) {
      reinterpret_cast<jvmtiEventFieldAccess>(callback)(
          &env, &self.jni, local(self.object), id_of(method), index, type_of(), owner(), field.id);
    });
    return;
  }
  (void)vm_.send_event(JVMTI_EVENT_FIELD_MODIFICATION, [&](Environment& env, void* callback) {
    jvalue value{};
    if (field.signature.front() == 'L') {
      value.l = local(field.signature == "Lshop/Item;" ? item_ : nullptr);
    }
    reinterpret_cast<jvmtiEventFieldModification>(callback)(
        &env, &self.jni, local(self.object), id_of(method), index, type_of(), owner(), field.id,
        field.signature.front(), value);
  });
}

void World::meet_monitor(Thread& self, bool wait) const {
  if (wait) {
    const bool goes_on =
        vm_.send_event(JVMTI_EVENT_MONITOR_WAIT, [&](Environment& env, void* callback) {
          reinterpret_cast<jvmtiEventMonitorWait>(callback)(&env, &self.jni, local(self.object),
                                                            local(lock_), 10);
        });
    if (!goes_on) {
      return;
    }
    (void)vm_.send_event(JVMTI_EVENT_MONITOR_WAITED, [&](Environment& env, void* callback) {
      reinterpret_cast<jvmtiEventMonitorWaited>(callback)(&env, &self.jni, local(self.object),
                                                          local(lock_), JNI_TRUE);
    });
    return;
  }
  for (const jvmtiEvent event :
       {JVMTI_EVENT_MONITOR_CONTENDED_ENTER, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED}) {
    if (!vm_.send_event(event, [&](Environment& env, void* callback) {
          reinterpret_cast<jvmtiEventMonitorContendedEnter>(callback)(
              &env, &self.jni, local(self.object), local(lock_));
        })) {
      return;
    }
  }
}

void World::begin(Thread& thread) const {
  {
    const std::scoped_lock lock(vm_.mutex());
    if (!thread.frames.empty()) {
      return;
    }
    thread.life = Life::kAlive;
    thread.frames = {frame(method("Ljava/lang/Thread;", "run"), 0)};
  }
  (void)vm_.send_event(thread.virtual_thread ? kVirtualThreadStart : JVMTI_EVENT_THREAD_START,
                       [&](Environment& env, void* callback) {
                         reinterpret_cast<jvmtiEventThreadStart>(callback)(&env, &thread.jni,
                                                                           local(thread.object));
                       });
}

void World::end(Thread& thread, bool meets_monitor) const {
  if (&thread == &main()) {
    return;  // it outlives them all
  }
  (void)vm_.send_event(thread.virtual_thread ? kVirtualThreadEndEvent : JVMTI_EVENT_THREAD_END,
                       [&](Environment& env, void* callback) {
                         reinterpret_cast<jvmtiEventThreadEnd>(callback)(&env, &thread.jni,
                                                                         local(thread.object));
                       });
  std::unique_lock lock(vm_.mutex());
  vm_.pass_safepoint(lock);
  thread.exiting = true;
  if (meets_monitor) {
    lock.unlock();
    (void)vm_.send_event(JVMTI_EVENT_MONITOR_CONTENDED_ENTER,
                         [&](Environment& env, void* callback) {
                           reinterpret_cast<jvmtiEventMonitorContendedEnter>(callback)(
                               &env, &thread.jni, local(thread.object), local(thread.object));
                         });
    lock.lock();
  }
  thread.exiting = false;
  thread.life = Life::kTerminated;
  thread.frames.clear();
  thread.storage.clear();
  for (const auto& env : vm_.environments()) {
    std::erase_if(env->by_thread, [&](const auto& wish) { return wish.second == &thread; });
  }
}

}  // namespace jvmdebug::fake
