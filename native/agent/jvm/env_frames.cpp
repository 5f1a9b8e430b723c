// SPDX-License-Identifier: Apache-2.0
// The part of jvm::Env for frames, local variables, breakpoints and watches.
#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

#include "agent/jvm/env.h"
#include "classfile/bytecode.h"

namespace jvmdebug::agent::jvm {
namespace {

// The highest slot of any frame (JVM specification, 4.11). The VM adds 1 to the slot of a long or a
// double without checking for overflow, and crashes if it overflows.
constexpr jint kLastSlot = 0xFFFF;

}  // namespace

// --- frames and early return
// ----------------------------------------------------------------------

Result<jint> Env::get_frame_count(jthread thread) const {
  return get<jint>(&jvmtiEnv::GetFrameCount, thread);
}

Result<void> Env::pop_frame(jthread thread) const {
  return call(&jvmtiEnv::PopFrame, thread);
}

Result<void> Env::notify_frame_pop(jthread thread, jint depth) const {
  return call(&jvmtiEnv::NotifyFramePop, thread, depth);
}

Result<void> Env::force_early_return_object(jthread thread, jobject value) const {
  return call(&jvmtiEnv::ForceEarlyReturnObject, thread, value);
}

Result<void> Env::force_early_return_int(jthread thread, jint value) const {
  return call(&jvmtiEnv::ForceEarlyReturnInt, thread, value);
}

Result<void> Env::force_early_return_long(jthread thread, jlong value) const {
  return call(&jvmtiEnv::ForceEarlyReturnLong, thread, value);
}

Result<void> Env::force_early_return_float(jthread thread, jfloat value) const {
  return call(&jvmtiEnv::ForceEarlyReturnFloat, thread, value);
}

Result<void> Env::force_early_return_double(jthread thread, jdouble value) const {
  return call(&jvmtiEnv::ForceEarlyReturnDouble, thread, value);
}

Result<void> Env::force_early_return_void(jthread thread) const {
  return call(&jvmtiEnv::ForceEarlyReturnVoid, thread);
}

jint Env::count_hidden_frames(jthread thread) const {
  return code_view_ == nullptr || !code_view_->is_on() ? 0 : frames_down_to_check(thread);
}

// Counts the frames down to the check, including those of code that it has called.
jint Env::frames_down_to_check(jthread thread) const {
  constexpr std::size_t kMost = 64;
  std::array<jvmtiFrameInfo, kMost> frames{};
  const auto count = get_actual_stack_trace(thread, 0, frames).value_or(0);
  jint hidden = 0;
  for (jint depth = 0; depth < count && code_view_ != nullptr; ++depth) {
    if (code_view_->method(frames.at(static_cast<std::size_t>(depth)).method)->is_hidden) {
      hidden = depth + 1;
    }
  }
  return hidden;
}

jint Env::count_frames_of_check(jthread thread) const {
  await_parked(thread);
  return frames_down_to_check(thread);
}

jint Env::count_frames_above(jthread thread, jint others) const {
  await_parked(thread);
  return std::max<jint>(get_frame_count(thread).value_or(0) - others, 0);
}

void Env::await_parked(jthread thread) const {
  constexpr auto kPatience = std::chrono::milliseconds{200};
  constexpr auto kPause = std::chrono::microseconds{200};
  constexpr jint kStays = JVMTI_THREAD_STATE_PARKED | JVMTI_THREAD_STATE_SUSPENDED;
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while ((get_thread_state(thread).value_or(kStays) & kStays) == 0 &&
         std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(kPause);
  }
}

Result<jint> Env::get_actual_stack_trace(jthread thread, jint start,
                                         std::span<jvmtiFrameInfo> frames) const {
  jint count = 0;
  if (const jvmtiError code = env_->GetStackTrace(thread, start, static_cast<jint>(frames.size()),
                                                  frames.data(), &count);
      code != JVMTI_ERROR_NONE) {
    return std::unexpected(Error{code});
  }
  return count;
}

Result<Buffer<jvmtiStackInfo>> Env::get_all_stack_traces(jint most_frames) const {
  jvmtiStackInfo* stacks = nullptr;
  jint count = 0;
  if (const jvmtiError code = env_->GetAllStackTraces(most_frames, &stacks, &count);
      code != JVMTI_ERROR_NONE) {
    return std::unexpected(Error{code});
  }
  return Buffer<jvmtiStackInfo>(env_, stacks, static_cast<std::size_t>(count));
}

Result<Buffer<jvmtiStackInfo>> Env::get_thread_list_stack_traces(std::span<const jthread> threads,
                                                                 jint most_frames) const {
  jvmtiStackInfo* stacks = nullptr;
  if (const jvmtiError code = env_->GetThreadListStackTraces(static_cast<jint>(threads.size()),
                                                             threads.data(), most_frames, &stacks);
      code != JVMTI_ERROR_NONE) {
    return std::unexpected(Error{code});
  }
  return Buffer<jvmtiStackInfo>(env_, stacks, threads.size());
}

Result<jint> Env::get_stack_trace(jthread thread, jint start,
                                  std::span<jvmtiFrameInfo> frames) const {
  JVMDEBUG_ASSIGN(const jint count, get_actual_stack_trace(thread, start, frames));
  for (jvmtiFrameInfo& frame : frames.first(static_cast<std::size_t>(count))) {
    if (const auto view = code_view(frame.method)) {
      frame = {.method = view->shown, .location = view->shown_index(frame.location)};
    }
  }
  return count;
}

Result<FrameLocation> Env::get_frame_location(jthread thread, jint depth) const {
  FrameLocation location;
  if (const jvmtiError code =
          env_->GetFrameLocation(thread, depth, &location.method, &location.index);
      code != JVMTI_ERROR_NONE) {
    return std::unexpected(Error{code});
  }
  if (const auto view = code_view(location.method)) {
    location = {.method = view->shown, .index = view->shown_index(location.index)};
  }
  return location;
}

// --- local variables
// ------------------------------------------------------------------------------

Result<jobject> Env::get_local_object(jthread thread, jint depth, jint slot) const {
  return get<jobject>(&jvmtiEnv::GetLocalObject, thread, depth, slot);
}

Result<jobject> Env::get_local_instance(jthread thread, jint depth) const {
  return get<jobject>(&jvmtiEnv::GetLocalInstance, thread, depth);
}

Result<jint> Env::get_local_int(jthread thread, jint depth, jint slot) const {
  return get<jint>(&jvmtiEnv::GetLocalInt, thread, depth, slot);
}

Result<jlong> Env::get_local_long(jthread thread, jint depth, jint slot) const {
  if (slot > kLastSlot) {
    return std::unexpected(Error{JVMTI_ERROR_INVALID_SLOT});
  }
  return get<jlong>(&jvmtiEnv::GetLocalLong, thread, depth, slot);
}

Result<jfloat> Env::get_local_float(jthread thread, jint depth, jint slot) const {
  return get<jfloat>(&jvmtiEnv::GetLocalFloat, thread, depth, slot);
}

Result<jdouble> Env::get_local_double(jthread thread, jint depth, jint slot) const {
  if (slot > kLastSlot) {
    return std::unexpected(Error{JVMTI_ERROR_INVALID_SLOT});
  }
  return get<jdouble>(&jvmtiEnv::GetLocalDouble, thread, depth, slot);
}

Result<void> Env::set_local_object(jthread thread, jint depth, jint slot, jobject value) const {
  return call(&jvmtiEnv::SetLocalObject, thread, depth, slot, value);
}

Result<void> Env::set_local_int(jthread thread, jint depth, jint slot, jint value) const {
  return call(&jvmtiEnv::SetLocalInt, thread, depth, slot, value);
}

Result<void> Env::set_local_long(jthread thread, jint depth, jint slot, jlong value) const {
  if (slot > kLastSlot) {
    return std::unexpected(Error{JVMTI_ERROR_INVALID_SLOT});
  }
  return call(&jvmtiEnv::SetLocalLong, thread, depth, slot, value);
}

Result<void> Env::set_local_float(jthread thread, jint depth, jint slot, jfloat value) const {
  return call(&jvmtiEnv::SetLocalFloat, thread, depth, slot, value);
}

Result<void> Env::set_local_double(jthread thread, jint depth, jint slot, jdouble value) const {
  if (slot > kLastSlot) {
    return std::unexpected(Error{JVMTI_ERROR_INVALID_SLOT});
  }
  return call(&jvmtiEnv::SetLocalDouble, thread, depth, slot, value);
}

// --- breakpoints and watches
// ----------------------------------------------------------------------

// Sets breakpoints only in the version of the method that the VM runs for new frames: the VM frees
// older versions when no frame runs them any more, and a breakpoint that is left in one crashes the
// VM at the next redefinition of any class. And sets them only at the beginning of an instruction:
// the VM accepts any index, overwrites an operand with its opcode, and crashes when it next reads
// that, even in GetBytecodes. An index may become wrong when the class is changed: for the constant
// Float.NaN the VM itself makes an ldc longer.
Result<void> Env::set_breakpoint(jmethodID method, jlocation index) const {
  if (code_view_ != nullptr && !code_view_->begin_setting()) {
    return std::unexpected(Error{JVMTI_ERROR_WRONG_PHASE});
  }
  const auto view = code_view(method);
  const jlocation actual = view ? view->actual_index(index) : index;
  const auto code = get_actual_bytecodes(method);
  auto set = code && !classfile::begins_instruction(code->span(), actual)
                 ? Result<void>(std::unexpected(Error{JVMTI_ERROR_INVALID_LOCATION}))
                 : call(&jvmtiEnv::SetBreakpoint, method, actual);
  if (code_view_ != nullptr) {
    code_view_->end_setting();
  }
  return set;
}

Result<void> Env::clear_breakpoint(jmethodID method, jlocation index) const {
  const auto view = code_view(method);
  return call(&jvmtiEnv::ClearBreakpoint, method, view ? view->actual_index(index) : index);
}

Result<void> Env::set_field_access_watch(jclass type, jfieldID field) const {
  return call(&jvmtiEnv::SetFieldAccessWatch, type, field);
}

Result<void> Env::clear_field_access_watch(jclass type, jfieldID field) const {
  return call(&jvmtiEnv::ClearFieldAccessWatch, type, field);
}

Result<void> Env::set_field_modification_watch(jclass type, jfieldID field) const {
  return call(&jvmtiEnv::SetFieldModificationWatch, type, field);
}

Result<void> Env::clear_field_modification_watch(jclass type, jfieldID field) const {
  return call(&jvmtiEnv::ClearFieldModificationWatch, type, field);
}

}  // namespace jvmdebug::agent::jvm
