// SPDX-License-Identifier: Apache-2.0
//
// JVM TI of the fake VM: threads, thread groups, suspending, monitors.
#include <algorithm>
#include <chrono>

#include "tests/fake_vm/vm.h"

namespace jvmdebug::fake {
namespace {

// Finds the live thread of the argument, or returns the error.
jvmtiError thread_of(const Entry& entry, jthread reference, Thread*& found) {
  found = entry.vm.thread(reference, entry.function);
  if (found == nullptr) {
    return JVMTI_ERROR_INVALID_THREAD;
  }
  return found->life == Life::kAlive ? JVMTI_ERROR_NONE : JVMTI_ERROR_THREAD_NOT_ALIVE;
}

Object* object_named(const Entry& entry, std::string_view signature) {
  for (const auto& object : entry.vm.objects()) {
    if (object->type->signature == signature) {
      return object.get();
    }
  }
  return nullptr;
}

jvmtiError JNICALL get_thread_state(jvmtiEnv* env, jthread reference, jint* state) {
  const Entry entry(env, "GetThreadState");
  Thread* thread = nullptr;
  *state = 0;
  switch (thread_of(entry, reference, thread)) {
    case JVMTI_ERROR_NONE:
      *state = JVMTI_THREAD_STATE_ALIVE | JVMTI_THREAD_STATE_RUNNABLE |
               (thread->suspended ? JVMTI_THREAD_STATE_SUSPENDED : 0);
      return JVMTI_ERROR_NONE;
    case JVMTI_ERROR_THREAD_NOT_ALIVE:
      *state = thread->life == Life::kTerminated ? JVMTI_THREAD_STATE_TERMINATED : 0;
      return JVMTI_ERROR_NONE;
    default:
      return JVMTI_ERROR_INVALID_THREAD;
  }
}

jvmtiError JNICALL get_current_thread(jvmtiEnv* env, jthread* thread) {
  const Entry entry(env, "GetCurrentThread");
  *thread = entry.vm.local(Vm::current()->object);
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_all_threads(jvmtiEnv* env, jint* count, jthread** threads) {
  const Entry entry(env, "GetAllThreads");
  std::vector<Object*> alive;
  for (const auto& thread : entry.vm.threads()) {
    if (thread->life == Life::kAlive && !thread->virtual_thread) {
      alive.push_back(thread->object);
    }
  }
  entry.vm.list(alive, count, threads);
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_thread_info(jvmtiEnv* env, jthread reference, jvmtiThreadInfo* record) {
  const Entry entry(env, "GetThreadInfo");
  Thread* thread = nullptr;
  if (thread_of(entry, reference, thread) == JVMTI_ERROR_INVALID_THREAD) {
    return JVMTI_ERROR_INVALID_THREAD;
  }
  const bool alive = thread->life == Life::kAlive;
  *record = {};
  record->name = entry.vm.text(thread->name);
  record->priority = JVMTI_THREAD_NORM_PRIORITY;
  record->thread_group =
      alive ? entry.vm.local(object_named(entry, "Ljava/lang/ThreadGroup;")) : nullptr;
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL suspend_thread(jvmtiEnv* env, jthread reference) {
  const Entry entry(env, "SuspendThread");
  Thread* thread = nullptr;
  const jvmtiError error = thread_of(entry, reference, thread);
  return error != JVMTI_ERROR_NONE ? error : entry.vm.suspend(*thread);
}

jvmtiError JNICALL resume_thread(jvmtiEnv* env, jthread reference) {
  const Entry entry(env, "ResumeThread");
  Thread* thread = nullptr;
  const jvmtiError error = thread_of(entry, reference, thread);
  return error != JVMTI_ERROR_NONE ? error : entry.vm.resume(*thread);
}

jvmtiError JNICALL suspend_list(jvmtiEnv* env, jint count, const jthread* references,
                                jvmtiError* errors) {
  const Entry entry(env, "SuspendThreadList");
  for (jint index = 0; index < count; ++index) {
    Thread* thread = nullptr;
    const jvmtiError error = thread_of(entry, references[index], thread);
    errors[index] = error != JVMTI_ERROR_NONE ? error : entry.vm.suspend(*thread);
  }
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL resume_list(jvmtiEnv* env, jint count, const jthread* references,
                               jvmtiError* errors) {
  const Entry entry(env, "ResumeThreadList");
  for (jint index = 0; index < count; ++index) {
    Thread* thread = nullptr;
    const jvmtiError error = thread_of(entry, references[index], thread);
    errors[index] = error != JVMTI_ERROR_NONE ? error : entry.vm.resume(*thread);
  }
  return JVMTI_ERROR_NONE;
}

// Applies `act` to all live virtual threads except the given ones.
template <class Act>
jvmtiError on_virtual_threads(const Entry& entry, jint count, const jthread* except, Act act) {
  std::vector<const Thread*> left_out;
  for (jint index = 0; index < count; ++index) {
    Thread* thread = nullptr;
    const jvmtiError error = thread_of(entry, except[index], thread);
    if (error != JVMTI_ERROR_NONE) {
      return error;
    }
    left_out.push_back(thread);
  }
  for (const auto& thread : entry.vm.threads()) {
    if (thread->virtual_thread && thread->life == Life::kAlive &&
        std::ranges::find(left_out, thread.get()) == left_out.end()) {
      (void)act(*thread);
    }
  }
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL suspend_all_virtual(jvmtiEnv* env, jint count, const jthread* except) {
  const Entry entry(env, "SuspendAllVirtualThreads");
  return on_virtual_threads(entry, count, except,
                            [&](Thread& thread) { return entry.vm.suspend(thread); });
}

jvmtiError JNICALL resume_all_virtual(jvmtiEnv* env, jint count, const jthread* except) {
  const Entry entry(env, "ResumeAllVirtualThreads");
  return on_virtual_threads(entry, count, except,
                            [&](Thread& thread) { return entry.vm.resume(thread); });
}

jvmtiError JNICALL stop_thread(jvmtiEnv* env, jthread reference, jobject exception) {
  const Entry entry(env, "StopThread");
  Thread* thread = nullptr;
  if (const jvmtiError error = thread_of(entry, reference, thread); error != JVMTI_ERROR_NONE) {
    return error;
  }
  return entry.object(exception) == nullptr ? JVMTI_ERROR_INVALID_OBJECT : JVMTI_ERROR_NONE;
}

jvmtiError JNICALL interrupt_thread(jvmtiEnv* env, jthread reference) {
  const Entry entry(env, "InterruptThread");
  Thread* thread = nullptr;
  const jvmtiError error = thread_of(entry, reference, thread);
  if (error == JVMTI_ERROR_NONE) {
    thread->interrupted = true;
  }
  return error;
}

jvmtiError JNICALL run_agent_thread(jvmtiEnv* env, jthread reference, jvmtiStartFunction procedure,
                                    const void* argument, jint /*priority*/) {
  const Entry entry(env, "RunAgentThread");
  Thread* const thread = entry.vm.thread(reference, entry.function);
  if (thread == nullptr || thread->life != Life::kNew) {
    return JVMTI_ERROR_INVALID_THREAD;
  }
  entry.vm.start_agent_thread(*thread, [env, thread, procedure, argument] {
    procedure(env, &thread->jni, const_cast<void*>(argument));
  });
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL set_storage(jvmtiEnv* env, jthread reference, const void* storage) {
  const Entry entry(env, "SetThreadLocalStorage");
  Thread* thread = nullptr;
  const jvmtiError error = thread_of(entry, reference, thread);
  if (error == JVMTI_ERROR_NONE) {
    thread->storage[static_cast<Environment*>(env)] = storage;
  }
  return error;
}

jvmtiError JNICALL get_storage(jvmtiEnv* env, jthread reference, void** storage) {
  const Entry entry(env, "GetThreadLocalStorage");
  Thread* thread = nullptr;
  const jvmtiError error = thread_of(entry, reference, thread);
  if (error == JVMTI_ERROR_NONE) {
    *storage = const_cast<void*>(thread->storage[static_cast<Environment*>(env)]);
  }
  return error;
}

// Threads always run.
jvmtiError JNICALL get_cpu_time(jvmtiEnv* env, jthread reference, jlong* nanoseconds) {
  const Entry entry(env, "GetThreadCpuTime");
  Thread* thread = nullptr;
  const jvmtiError error = thread_of(entry, reference, thread);
  if (error == JVMTI_ERROR_NONE) {
    *nanoseconds = std::chrono::steady_clock::now().time_since_epoch().count();
  }
  return error;
}

// --- monitors ----------------------------------------------------------------------------------

jvmtiError JNICALL get_owned(jvmtiEnv* env, jthread reference, jint* count, jobject** monitors) {
  const Entry entry(env, "GetOwnedMonitorInfo");
  Thread* thread = nullptr;
  if (const jvmtiError error = thread_of(entry, reference, thread); error != JVMTI_ERROR_NONE) {
    return error;
  }
  std::vector<Object*> owned;
  owned.reserve(thread->monitors.size());
  for (const auto& [monitor, depth] : thread->monitors) {
    owned.push_back(monitor);
  }
  entry.vm.list(owned, count, monitors);
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_owned_with_depth(jvmtiEnv* env, jthread reference, jint* count,
                                        jvmtiMonitorStackDepthInfo** monitors) {
  const Entry entry(env, "GetOwnedMonitorStackDepthInfo");
  Thread* thread = nullptr;
  if (const jvmtiError error = thread_of(entry, reference, thread); error != JVMTI_ERROR_NONE) {
    return error;
  }
  auto* memory = reinterpret_cast<jvmtiMonitorStackDepthInfo*>(
      entry.vm.allocate((thread->monitors.size() + 1) * sizeof(jvmtiMonitorStackDepthInfo)));
  for (std::size_t index = 0; const auto& [monitor, depth] : thread->monitors) {
    memory[index++] = {.monitor = entry.vm.local(monitor), .stack_depth = depth};
  }
  *count = static_cast<jint>(thread->monitors.size());
  *monitors = memory;
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_contended(jvmtiEnv* env, jthread reference, jobject* monitor) {
  const Entry entry(env, "GetCurrentContendedMonitor");
  Thread* thread = nullptr;
  const jvmtiError error = thread_of(entry, reference, thread);
  if (error == JVMTI_ERROR_NONE) {
    *monitor = entry.vm.local(thread->contended);
  }
  return error;
}

jvmtiError JNICALL get_monitor_usage(jvmtiEnv* env, jobject reference, jvmtiMonitorUsage* usage) {
  const Entry entry(env, "GetObjectMonitorUsage");
  Object* const object = entry.object(reference);
  if (object == nullptr) {
    return JVMTI_ERROR_INVALID_OBJECT;
  }
  Thread* const owner = object->monitor_owner;
  std::vector<Object*> waiters;
  for (const auto& thread : entry.vm.threads()) {
    if (thread->contended == object) {
      waiters.push_back(thread->object);
    }
  }
  *usage = {};
  usage->owner = entry.vm.local(owner == nullptr ? nullptr : owner->object);
  usage->entry_count = owner == nullptr ? 0 : 1;
  entry.vm.list(waiters, &usage->waiter_count, &usage->waiters);
  return JVMTI_ERROR_NONE;
}

// --- thread groups: there is one ---------------------------------------------------------------

jvmtiError JNICALL get_top_groups(jvmtiEnv* env, jint* count, jthreadGroup** groups) {
  const Entry entry(env, "GetTopThreadGroups");
  const std::vector<Object*> top = {object_named(entry, "Ljava/lang/ThreadGroup;")};
  entry.vm.list(top, count, groups);
  return JVMTI_ERROR_NONE;
}

bool is_group(const Entry& entry, jthreadGroup reference) {
  return entry.vm.is_a(entry.object(reference), "Ljava/lang/ThreadGroup;");
}

jvmtiError JNICALL get_group_info(jvmtiEnv* env, jthreadGroup reference,
                                  jvmtiThreadGroupInfo* record) {
  const Entry entry(env, "GetThreadGroupInfo");
  if (!is_group(entry, reference)) {
    return JVMTI_ERROR_INVALID_THREAD_GROUP;
  }
  *record = {};
  record->name = entry.vm.text(entry.object(reference)->group);
  record->max_priority = JVMTI_THREAD_MAX_PRIORITY;
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_group_children(jvmtiEnv* env, jthreadGroup reference, jint* thread_count,
                                      jthread** threads, jint* group_count, jthreadGroup** groups) {
  const Entry entry(env, "GetThreadGroupChildren");
  if (!is_group(entry, reference)) {
    return JVMTI_ERROR_INVALID_THREAD_GROUP;
  }
  entry.vm.list(std::vector<Object*>(), group_count, groups);
  return get_all_threads(env, thread_count, threads);
}

}  // namespace

void add_thread_functions(jvmtiInterface_1_& table) {
  table.GetThreadState = get_thread_state;
  table.GetCurrentThread = get_current_thread;
  table.GetAllThreads = get_all_threads;
  table.GetThreadInfo = get_thread_info;
  table.SuspendThread = suspend_thread;
  table.ResumeThread = resume_thread;
  table.SuspendThreadList = suspend_list;
  table.ResumeThreadList = resume_list;
  table.StopThread = stop_thread;
  table.InterruptThread = interrupt_thread;
  table.RunAgentThread = run_agent_thread;
  table.SetThreadLocalStorage = set_storage;
  table.GetThreadLocalStorage = get_storage;
  table.GetThreadCpuTime = get_cpu_time;
  table.GetOwnedMonitorInfo = get_owned;
  table.GetOwnedMonitorStackDepthInfo = get_owned_with_depth;
  table.GetCurrentContendedMonitor = get_contended;
  table.GetObjectMonitorUsage = get_monitor_usage;
  table.GetTopThreadGroups = get_top_groups;
  table.GetThreadGroupInfo = get_group_info;
  table.GetThreadGroupChildren = get_group_children;
}

void add_virtual_thread_functions(JvmtiSlots& slots) {
  // Positions count from 1.
  slots.at(118 - 1) = reinterpret_cast<TableSlot>(suspend_all_virtual);
  slots.at(119 - 1) = reinterpret_cast<TableSlot>(resume_all_virtual);
}

}  // namespace jvmdebug::fake
