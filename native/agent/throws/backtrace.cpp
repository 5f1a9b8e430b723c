// SPDX-License-Identifier: Apache-2.0
#include "agent/throws/backtrace.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "agent/throws/throw_hook.h"

namespace jvmdebug::agent::throws {
namespace {

constexpr const char* kObjects = "[Ljava/lang/Object;";
constexpr jsize kIndices = 1;
constexpr jsize kClasses = 2;
constexpr jsize kNext = 4;
constexpr unsigned kIndexShift = 16;  // the bits below are the version of the method

jfieldID field(const jvm::Jni& jni) {
  const auto throwable = jni.find_class("java/lang/Throwable");
  auto* const found = jni->GetFieldID(throwable, kBacktraceField, kBacktraceDescriptor);
  (void)jni.clear_exception();
  return found;
}

jvm::LocalRef<jobject> element(const jvm::Jni& jni, jobject array, jsize index) {
  return jni.adopt(jni->GetObjectArrayElement(static_cast<jobjectArray>(array), index));
}

bool is_array(const jvm::Jni& jni, jobject object, const char* type) {
  const auto wanted = jni.find_class(type);
  return object != nullptr && wanted && jni.instance_of(object, wanted);
}

bool is_of(const jvm::Env& env, const jvm::Jni& jni, const jvmtiFrameInfo& frame, jobject type) {
  const auto declaring = env.get_method_declaring_class(frame.method);
  return declaring && jni.same(jni.adopt(*declaring), type);
}

// Returns how many of the frames, from the first one on, are equal to those of one part of the
// list.
std::size_t count_same(const jvm::Env& env, const jvm::Jni& jni, jobject part,
                       std::span<const jvmtiFrameInfo> frames) {
  if (!is_array(jni, part, kObjects) ||
      jni->GetArrayLength(static_cast<jobjectArray>(part)) <= kNext) {
    return 0;
  }
  const auto indices = element(jni, part, kIndices);
  const auto classes = element(jni, part, kClasses);
  if (!is_array(jni, indices, "[I") || !is_array(jni, classes, kObjects)) {
    return 0;
  }
  auto* const numbers = static_cast<jintArray>(indices.get());
  const auto length = std::min(jni->GetArrayLength(numbers),
                               jni->GetArrayLength(static_cast<jobjectArray>(classes.get())));
  std::vector<jint> packed(static_cast<std::size_t>(length));
  jni->GetIntArrayRegion(numbers, 0, length, packed.data());
  std::size_t same = 0;
  for (; same < std::min(packed.size(), frames.size()); ++same) {
    const jvmtiFrameInfo& frame = frames[same];
    const auto index =
        static_cast<jlocation>(static_cast<std::uint32_t>(packed[same]) >> kIndexShift);
    const auto type = element(jni, classes, static_cast<jsize>(same));
    if (!type || index != std::max(frame.location, jlocation{0}) || !is_of(env, jni, frame, type)) {
      break;
    }
  }
  return same;
}

}  // namespace

bool has_backtrace(const jvm::Jni& jni) {
  return field(jni) != nullptr;
}

bool begins_with(const jvm::Env& env, const jvm::Jni& jni, jthrowable exception,
                 std::span<const jvmtiFrameInfo> frames) {
  auto* const backtrace = field(jni);
  if (backtrace == nullptr || frames.empty()) {
    return false;
  }
  auto part = jni.adopt(jni->GetObjectField(exception, backtrace));
  while (!frames.empty()) {
    const std::size_t same = count_same(env, jni, part, frames);
    if (same == 0) {
      return false;
    }
    frames = frames.subspan(same);
    if (!frames.empty()) {
      part = element(jni, part, kNext);
    }
  }
  return true;
}

}  // namespace jvmdebug::agent::throws
