// SPDX-License-Identifier: Apache-2.0
//
// JVM TI of the fake VM: stacks, local variables, early return, breakpoints and watches.
#include <algorithm>

#include "tests/fake_vm/vm.h"

namespace jvmdebug::fake {
namespace {

jvmtiError find(const Entry& entry, jthread reference, Thread*& found) {
  found = entry.vm.thread(reference, entry.function);
  if (found == nullptr) {
    return JVMTI_ERROR_INVALID_THREAD;
  }
  return found->life == Life::kAlive ? JVMTI_ERROR_NONE : JVMTI_ERROR_THREAD_NOT_ALIVE;
}

jvmtiError find_frame(const Entry& entry, jthread reference, jint depth, Thread*& thread,
                      Frame*& frame) {
  if (const jvmtiError error = find(entry, reference, thread); error != JVMTI_ERROR_NONE) {
    return error;
  }
  if (depth < 0) {
    return JVMTI_ERROR_ILLEGAL_ARGUMENT;
  }
  if (static_cast<std::size_t>(depth) >= thread->frames.size()) {
    return JVMTI_ERROR_NO_MORE_FRAMES;
  }
  frame = &thread->frames[static_cast<std::size_t>(depth)];
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_frame_count(jvmtiEnv* env, jthread reference, jint* count) {
  const Entry entry(env, "GetFrameCount");
  Thread* thread = nullptr;
  const jvmtiError error = find(entry, reference, thread);
  *count = error == JVMTI_ERROR_NONE ? static_cast<jint>(thread->frames.size()) : 0;
  if (error == JVMTI_ERROR_NONE && thread->goes_on) {
    std::exchange(thread->goes_on, nullptr)();
  }
  return error;
}

jvmtiError JNICALL get_stack_trace(jvmtiEnv* env, jthread reference, jint start, jint most,
                                   jvmtiFrameInfo* frames, jint* count) {
  const Entry entry(env, "GetStackTrace");
  Thread* thread = nullptr;
  if (const jvmtiError error = find(entry, reference, thread); error != JVMTI_ERROR_NONE) {
    return error;
  }
  const jint size = static_cast<jint>(thread->frames.size());
  if (most < 0 || start > size || start < -size) {
    return JVMTI_ERROR_ILLEGAL_ARGUMENT;
  }
  const jint first = start < 0 ? size + start : start;
  *count = std::min(most, size - first);
  for (jint index = 0; index < *count; ++index) {
    const Frame& frame =
        thread->frames[static_cast<std::size_t>(first) + static_cast<std::size_t>(index)];
    frames[index] = {.method = reinterpret_cast<jmethodID>(frame.method),
                     .location = frame.method->is_native() ? -1 : frame.index};
  }
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_frame_location(jvmtiEnv* env, jthread reference, jint depth,
                                      jmethodID* method, jlocation* location) {
  const Entry entry(env, "GetFrameLocation");
  Thread* thread = nullptr;
  Frame* frame = nullptr;
  const jvmtiError error = find_frame(entry, reference, depth, thread, frame);
  if (error == JVMTI_ERROR_NONE) {
    *method = reinterpret_cast<jmethodID>(frame->method);
    *location = frame->method->is_native() ? -1 : frame->index;
  }
  return error;
}

// --- local variables ---------------------------------------------------------------------------

std::string_view letters_of(char letter) {
  switch (letter) {
    case 'I':
      return "IZBCS";
    case 'J':
      return "J";
    case 'F':
      return "F";
    case 'D':
      return "D";
    default:
      return "L[";
  }
}

jvmtiError find_slot(const Entry& entry, jthread reference, jint depth, jint slot, char letter,
                     Cell*& cell) {
  Thread* thread = nullptr;
  Frame* frame = nullptr;
  if (const jvmtiError error = find_frame(entry, reference, depth, thread, frame);
      error != JVMTI_ERROR_NONE) {
    return error;
  }
  if (frame->method->is_native()) {
    return JVMTI_ERROR_OPAQUE_FRAME;
  }
  if (thread != Vm::current() && !thread->suspended) {
    return JVMTI_ERROR_THREAD_NOT_SUSPENDED;
  }
  if (slot < 0 || slot >= frame->method->max_locals) {
    return JVMTI_ERROR_INVALID_SLOT;
  }
  cell = &frame->slots.at(static_cast<std::size_t>(slot));
  const auto& locals = frame->method->locals;
  if (!locals) {
    return JVMTI_ERROR_NONE;
  }
  for (const Local& local : *locals) {
    if (local.slot == slot) {
      return letters_of(letter).contains(local.signature.front()) ? JVMTI_ERROR_NONE
                                                                  : JVMTI_ERROR_TYPE_MISMATCH;
    }
  }
  return JVMTI_ERROR_INVALID_SLOT;
}

template <class T, char Letter, T jvalue::* Member>
jvmtiError JNICALL get_local(jvmtiEnv* env, jthread reference, jint depth, jint slot, T* value) {
  const Entry entry(env, "GetLocal...");
  Cell* cell = nullptr;
  const jvmtiError error = find_slot(entry, reference, depth, slot, Letter, cell);
  if (error == JVMTI_ERROR_NONE) {
    *value = cell->bits.*Member;
  }
  return error;
}

template <class T, char Letter, T jvalue::* Member>
jvmtiError JNICALL set_local(jvmtiEnv* env, jthread reference, jint depth, jint slot, T value) {
  const Entry entry(env, "SetLocal...");
  Cell* cell = nullptr;
  const jvmtiError error = find_slot(entry, reference, depth, slot, Letter, cell);
  if (error == JVMTI_ERROR_NONE) {
    cell->bits.*Member = value;
  }
  return error;
}

jvmtiError JNICALL get_local_object(jvmtiEnv* env, jthread reference, jint depth, jint slot,
                                    jobject* value) {
  const Entry entry(env, "GetLocalObject");
  Cell* cell = nullptr;
  const jvmtiError error = find_slot(entry, reference, depth, slot, 'L', cell);
  if (error == JVMTI_ERROR_NONE) {
    *value = entry.vm.local(cell->object);
  }
  return error;
}

jvmtiError JNICALL set_local_object(jvmtiEnv* env, jthread reference, jint depth, jint slot,
                                    jobject value) {
  const Entry entry(env, "SetLocalObject");
  Object* const object = entry.object(value);
  Cell* cell = nullptr;
  const jvmtiError error = find_slot(entry, reference, depth, slot, 'L', cell);
  if (error == JVMTI_ERROR_NONE) {
    cell->object = object;
  }
  return error;
}

jvmtiError JNICALL get_local_instance(jvmtiEnv* env, jthread reference, jint depth,
                                      jobject* value) {
  const Entry entry(env, "GetLocalInstance");
  Thread* thread = nullptr;
  Frame* frame = nullptr;
  if (const jvmtiError error = find_frame(entry, reference, depth, thread, frame);
      error != JVMTI_ERROR_NONE) {
    return error;
  }
  if (frame->method->is_static()) {
    return JVMTI_ERROR_INVALID_SLOT;
  }
  *value = entry.vm.local(frame->self);
  return JVMTI_ERROR_NONE;
}

// --- frames that go ----------------------------------------------------------------------------

jvmtiError may_leave(const Entry& entry, jthread reference, Thread*& thread) {
  Frame* frame = nullptr;
  if (const jvmtiError error = find_frame(entry, reference, 0, thread, frame);
      error != JVMTI_ERROR_NONE) {
    return error;
  }
  if (!thread->suspended && thread != Vm::current()) {
    return JVMTI_ERROR_THREAD_NOT_SUSPENDED;
  }
  return frame->method->is_native() ? JVMTI_ERROR_OPAQUE_FRAME : JVMTI_ERROR_NONE;
}

jvmtiError JNICALL pop_frame(jvmtiEnv* env, jthread reference) {
  const Entry entry(env, "PopFrame");
  Thread* thread = nullptr;
  if (const jvmtiError error = may_leave(entry, reference, thread); error != JVMTI_ERROR_NONE) {
    return error;
  }
  if (thread->frames.size() < 2) {
    return JVMTI_ERROR_NO_MORE_FRAMES;
  }
  if (thread->frames.at(1).method->is_native()) {
    return JVMTI_ERROR_OPAQUE_FRAME;
  }
  thread->pop_wanted = true;
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL notify_frame_pop(jvmtiEnv* env, jthread reference, jint depth) {
  const Entry entry(env, "NotifyFramePop");
  Thread* thread = nullptr;
  Frame* frame = nullptr;
  if (const jvmtiError error = find_frame(entry, reference, depth, thread, frame);
      error != JVMTI_ERROR_NONE) {
    return error;
  }
  if (frame->method->is_native()) {
    return JVMTI_ERROR_OPAQUE_FRAME;
  }
  frame->watched = true;
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL clear_frame_pops(jvmtiEnv* env, jthread reference) {
  const Entry entry(env, "ClearAllFramePops");
  Thread* thread = nullptr;
  const jvmtiError error = find(entry, reference, thread);
  if (error == JVMTI_ERROR_NONE) {
    for (Frame& frame : thread->frames) {
      frame.watched = false;
    }
  }
  return error;
}

template <char Letter>
jvmtiError force_return(const Entry& entry, jthread reference) {
  Thread* thread = nullptr;
  if (const jvmtiError error = may_leave(entry, reference, thread); error != JVMTI_ERROR_NONE) {
    return error;
  }
  const std::string result = thread->frames.front().method->result();
  if (Letter == 'V' ? result != "V" : !letters_of(Letter).contains(result.front())) {
    return JVMTI_ERROR_TYPE_MISMATCH;
  }
  thread->return_wanted = true;
  return JVMTI_ERROR_NONE;
}

template <class T, char Letter>
jvmtiError JNICALL force_return_of(jvmtiEnv* env, jthread reference, T /*value*/) {
  const Entry entry(env, "ForceEarlyReturn...");
  return force_return<Letter>(entry, reference);
}

jvmtiError JNICALL force_return_object(jvmtiEnv* env, jthread reference, jobject value) {
  const Entry entry(env, "ForceEarlyReturnObject");
  (void)entry.object(value);
  return force_return<'L'>(entry, reference);
}

jvmtiError JNICALL force_return_void(jvmtiEnv* env, jthread reference) {
  const Entry entry(env, "ForceEarlyReturnVoid");
  return force_return<'V'>(entry, reference);
}

// --- breakpoints and watches -------------------------------------------------------------------

jvmtiError JNICALL set_breakpoint(jvmtiEnv* env, jmethodID id, jlocation location) {
  const Entry entry(env, "SetBreakpoint");
  const Method* const method = entry.vm.method(id, entry.function);
  if (location < 0 || location > method->last) {
    return JVMTI_ERROR_INVALID_LOCATION;
  }
  return entry.vm.breakpoints.emplace(method, location).second ? JVMTI_ERROR_NONE
                                                               : JVMTI_ERROR_DUPLICATE;
}

jvmtiError JNICALL clear_breakpoint(jvmtiEnv* env, jmethodID id, jlocation location) {
  const Entry entry(env, "ClearBreakpoint");
  const Method* const method = entry.vm.method(id, entry.function);
  return entry.vm.breakpoints.erase({method, location}) != 0 ? JVMTI_ERROR_NONE
                                                             : JVMTI_ERROR_NOT_FOUND;
}

template <bool Modification, bool On>
jvmtiError JNICALL change_watch(jvmtiEnv* env, jclass type, jfieldID id) {
  const Entry entry(env, "...Watch");
  const Class* const declaring = entry.class_or_null(type);
  if (declaring == nullptr) {
    return JVMTI_ERROR_INVALID_CLASS;
  }
  const auto found = std::ranges::find(declaring->fields, id, &Field::id);
  if (found == declaring->fields.end()) {
    refuse(entry.function, "a field id that the class does not have");
  }
  auto& watches = entry.vm.watches;
  if constexpr (On) {
    return watches.emplace(*found, Modification).second ? JVMTI_ERROR_NONE : JVMTI_ERROR_DUPLICATE;
  } else {
    return watches.erase({*found, Modification}) != 0 ? JVMTI_ERROR_NONE : JVMTI_ERROR_NOT_FOUND;
  }
}

}  // namespace

void add_frame_functions(jvmtiInterface_1_& table) {
  table.GetFrameCount = get_frame_count;
  table.GetStackTrace = get_stack_trace;
  table.GetFrameLocation = get_frame_location;
  table.GetLocalObject = get_local_object;
  table.GetLocalInstance = get_local_instance;
  table.GetLocalInt = get_local<jint, 'I', &jvalue::i>;
  table.GetLocalLong = get_local<jlong, 'J', &jvalue::j>;
  table.GetLocalFloat = get_local<jfloat, 'F', &jvalue::f>;
  table.GetLocalDouble = get_local<jdouble, 'D', &jvalue::d>;
  table.SetLocalObject = set_local_object;
  table.SetLocalInt = set_local<jint, 'I', &jvalue::i>;
  table.SetLocalLong = set_local<jlong, 'J', &jvalue::j>;
  table.SetLocalFloat = set_local<jfloat, 'F', &jvalue::f>;
  table.SetLocalDouble = set_local<jdouble, 'D', &jvalue::d>;
  table.PopFrame = pop_frame;
  table.NotifyFramePop = notify_frame_pop;
  table.ForceEarlyReturnObject = force_return_object;
  table.ForceEarlyReturnInt = force_return_of<jint, 'I'>;
  table.ForceEarlyReturnLong = force_return_of<jlong, 'J'>;
  table.ForceEarlyReturnFloat = force_return_of<jfloat, 'F'>;
  table.ForceEarlyReturnDouble = force_return_of<jdouble, 'D'>;
  table.ForceEarlyReturnVoid = force_return_void;
  table.SetBreakpoint = set_breakpoint;
  table.ClearBreakpoint = clear_breakpoint;
  table.SetFieldAccessWatch = change_watch<false, true>;
  table.ClearFieldAccessWatch = change_watch<false, false>;
  table.SetFieldModificationWatch = change_watch<true, true>;
  table.ClearFieldModificationWatch = change_watch<true, false>;
}

// Adds the functions of JDK 25.
void add_newer_frame_functions(JvmtiSlots& slots) {
  slots.at(67 - 1) = reinterpret_cast<TableSlot>(clear_frame_pops);
}

}  // namespace jvmdebug::fake
