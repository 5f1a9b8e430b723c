// SPDX-License-Identifier: Apache-2.0
//
// Vm: its threads, what they do, and how events reach the agent.
#include <algorithm>
#include <chrono>

#include "tests/fake_vm/vm.h"

namespace jvmdebug::fake {
namespace {

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): as in any VM
thread_local Thread* current_thread = nullptr;

}  // namespace

Thread* Vm::current() {
  return current_thread;
}

Thread& Vm::add_thread(Object& object, std::string name) {
  const std::scoped_lock lock(mutex_);
  auto& added = *threads_.emplace_back(std::make_unique<Thread>());
  added.object = &object;
  added.name = std::move(name);
  added.jni.vm = this;
  added.jni.thread = &added;
  added.jni.functions = jni_table();
  added.locals.emplace_back();
  object.thread = &added;
  return added;
}

Thread* Vm::thread(jthread reference, const char* function) {
  Object* const found = object(reference, function);
  return reference == nullptr ? current() : found == nullptr ? nullptr : found->thread;
}

// --- suspending --------------------------------------------------------------------------------

void Vm::pass_safepoint(std::unique_lock<std::recursive_mutex>& lock) {
  Thread* const self = current();
  if (self != nullptr) {
    changed_.wait(lock, [&] { return !self->suspended; });
  }
}

jvmtiError Vm::suspend(Thread& thread) {
  if (thread.life != Life::kAlive || thread.exiting) {
    return JVMTI_ERROR_THREAD_NOT_ALIVE;
  }
  if (thread.suspended) {
    return JVMTI_ERROR_THREAD_SUSPENDED;
  }
  if (&thread == current()) {
    refuse("SuspendThread", "the agent suspends its own thread");
  }
  thread.suspended = true;
  changed_.notify_all();
  return JVMTI_ERROR_NONE;
}

jvmtiError Vm::resume(Thread& thread) {
  if (thread.life != Life::kAlive) {
    return JVMTI_ERROR_THREAD_NOT_ALIVE;
  }
  if (!thread.suspended) {
    return JVMTI_ERROR_THREAD_NOT_SUSPENDED;
  }
  thread.suspended = false;
  changed_.notify_all();
  return JVMTI_ERROR_NONE;
}

// --- threads of the agent ----------------------------------------------------------------------

void Vm::start_agent_thread(Thread& thread, std::function<void()> body) {
  if (settings_.runs_agent_thread && !settings_.runs_agent_thread(thread.name)) {
    thread.life = Life::kTerminated;
    return;
  }
  thread.life = Life::kAlive;
  thread.runner = std::thread([&thread, body = std::move(body)] {
    current_thread = &thread;
    body();
  });
  // An agent thread may run until the end of the process.
  thread.runner.detach();
}

// --- threads of the program --------------------------------------------------------------------

void Vm::post(Thread& thread, std::function<void()> task) {
  const std::scoped_lock lock(mutex_);
  thread.tasks.push_back(std::move(task));
  if (!thread.runner.joinable()) {
    thread.runner = std::thread([this, &thread] { run_actor(thread); });
  }
  changed_.notify_all();
}

void Vm::run_actor(Thread& thread) {
  current_thread = &thread;
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] {
      return !thread.suspended &&
             (thread.pop_wanted || thread.return_wanted || !thread.tasks.empty());
    });
    thread.busy = true;
    std::function<void()> task;
    if (thread.pop_wanted || thread.return_wanted) {
      task = [&] { finish_frame(thread); };
    } else {
      task = std::move(thread.tasks.front());
      thread.tasks.pop_front();
    }
    lock.unlock();
    task();
    lock.lock();
    thread.busy = false;
    changed_.notify_all();
  }
}

// Does what PopFrame and ForceEarlyReturn have requested, when the thread runs again; its next
// instruction follows at once.
void Vm::finish_frame(Thread& thread) {
  Method* method = nullptr;
  jlocation index = 0;
  {
    const std::scoped_lock lock(mutex_);
    thread.pop_wanted = thread.return_wanted = false;
    if (thread.frames.size() > 1) {
      thread.frames.erase(thread.frames.begin());
    }
    method = thread.frames.front().method;
    index = thread.frames.front().index;
  }
  (void)send_event(JVMTI_EVENT_SINGLE_STEP, [&](Environment& environment, void* callback) {
    reinterpret_cast<jvmtiEventSingleStep>(callback)(&environment, &thread.jni,
                                                     local(thread.object),
                                                     reinterpret_cast<jmethodID>(method), index);
  });
}

bool Vm::wait_until_idle(Thread& thread, int timeout_ms) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::milliseconds(timeout_ms), [&] {
    return (!thread.busy && thread.tasks.empty()) || thread.suspended;
  });
}

void Vm::call_back(const std::function<void()>& callback) const {
  if (around_callbacks) {
    around_callbacks(callback);
  } else {
    callback();
  }
}

bool Vm::send_event(jvmtiEvent event, const std::function<void(Environment&, void*)>& run) {
  Thread& self = *current();
  std::vector<std::pair<Environment*, void*>> wanted;
  {
    std::unique_lock lock(mutex_);
    pass_safepoint(lock);
    for (const auto& each : environments_) {
      void* const callback =
          each->callbacks.at(static_cast<std::size_t>(event) - JVMTI_MIN_EVENT_TYPE_VAL);
      if (callback != nullptr &&
          (each->events.contains(event) || each->by_thread.contains({event, &self}))) {
        wanted.emplace_back(each.get(), callback);
      }
    }
  }
  for (const auto& [environment, callback] : wanted) {
    push_locals();
    const std::size_t depth = self.locals.size();
    const Object* const pending = self.exception;
    call_back([&] { run(*environment, callback); });
    if (self.locals.size() != depth) {
      refuse("event callback", "it left a local frame behind");
    }
    if (self.exception != pending) {
      refuse("event callback", "another exception is pending than before");
    }
    pop_locals();
  }
  std::unique_lock lock(mutex_);
  pass_safepoint(lock);
  return !self.pop_wanted && !self.return_wanted;
}

}  // namespace jvmdebug::fake
