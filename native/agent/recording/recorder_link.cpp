// SPDX-License-Identifier: Apache-2.0
#include "agent/recording/recorder_link.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "agent/code/trace_frames.h"
#include "agent/java/generated/agent_classes.h"
#include "agent/probes/left_class.h"
#include "classfile/recording_sites.h"

namespace jvmdebug::agent::recording {
namespace {

constexpr std::uint8_t kThrowable = 7;

// The numbers of an element of take().
enum Info : std::uint8_t {
  kFrom,
  kCount,
  kObjects,
  kStart,
  kEnd,
  kThread,
  kIsNew,
  kIsVirtual,
  kSize,
};

constexpr const char* kChunksClass = "java/lang/JvmdebugRecordedChunks";
constexpr const char* kObjectsClass = "java/lang/JvmdebugRecordedObjects";

template <class T>
jvm::LocalRef<T> element(const jvm::Jni& jni, jobjectArray of, jsize index) {
  return jni.adopt(static_cast<T>(jni->GetObjectArrayElement(of, index)));
}

std::string text_of(const jvm::Jni& jni, const jvm::LocalRef<jstring>& text) {
  return text ? jni.text(text) : std::string();
}

// Splits records, which are packed as JvmdebugRecorder says.
void unpack(std::span<const jlong> packed, Taken& taken) {
  constexpr std::uint64_t kWide = std::uint64_t{1} << 63U;
  constexpr unsigned kSiteShift = 32;
  constexpr std::uint32_t kSite = (std::uint32_t{1} << 30U) - 1;
  taken.sites.reserve(packed.size());
  taken.values.reserve(packed.size());
  for (std::size_t at = 0; at < packed.size(); ++at) {
    const auto record = static_cast<std::uint64_t>(packed[at]);
    const bool is_wide = (record & kWide) != 0 && at + 1 < packed.size();
    taken.sites.push_back(static_cast<std::uint32_t>(record >> kSiteShift) & kSite);
    taken.values.push_back(is_wide ? packed[++at] : static_cast<std::int32_t>(record));
  }
}

}  // namespace

bool RecorderLink::open() {
  const jvm::Jni jni = env_.jni();
  const auto type =
      probes::left_or_defined(env_, jni, classfile::kRecorderClass, java::recorder_class());
  // Each of them refers to others, which the VM looks for when it initializes the first one.
  const auto objects =
      probes::left_or_defined(env_, jni, kObjectsClass, java::recorded_objects_class());
  const auto chunks =
      probes::left_or_defined(env_, jni, kChunksClass, java::recorded_chunks_class());
  const auto throwable = jni.find_class("java/lang/Throwable");
  if (!type || !objects || !chunks || !throwable) {
    return false;
  }
  const auto method = [&](jclass of, const char* name, const char* descriptor) {
    jmethodID found = jni->GetStaticMethodID(of, name, descriptor);
    return jni.clear_exception() ? nullptr : found;
  };
  start_ = method(*chunks, "start", "(JI)V");
  stop_ = method(*chunks, "stop", "()V");
  look_ = method(*chunks, "look", "()V");
  take_ = method(*chunks, "take", "(Z)[Ljava/lang/Object;");
  done_ = method(*chunks, "done", "()V");
  prepare_ = method(*chunks, "prepare", "(Z)V");
  is_over_ = method(*chunks, "isOver", "()Z");
  describe_ = method(*objects, "describe", "(Ljava/lang/Object;)[Ljava/lang/Object;");
  forget_ = method(*chunks, "forget", "()V");
  // Called by recorded code alone, but a class without it is of another version.
  jmethodID leaf = method(*type, "leaf", "(I)Ljava/lang/JvmdebugRecorder;");
  message_ = jni->GetFieldID(throwable, "detailMessage", "Ljava/lang/String;");
  (void)jni.clear_exception();
  const std::array needed{start_,   stop_,     look_,   take_, done_,
                          is_over_, describe_, forget_, leaf,  prepare_};
  if (std::ranges::find(needed, nullptr) != needed.end()) {
    return false;  // an agent of another version has left its class
  }
  objects_ = jni.global(objects->get());
  chunks_ = jni.global(chunks->get());
  return true;
}

void RecorderLink::start(std::int64_t most, std::int32_t roots, bool waits) const {
  const jvm::Jni jni = env_.jni();
  jni->CallStaticVoidMethod(chunks_, prepare_, static_cast<jboolean>(waits ? 1 : 0));
  jni->CallStaticVoidMethod(chunks_, start_, static_cast<jlong>(most), static_cast<jint>(roots));
  (void)jni.clear_exception();
}

void RecorderLink::stop() const {
  const jvm::Jni jni = env_.jni();
  jni->CallStaticVoidMethod(chunks_, stop_);
  (void)jni.clear_exception();
}

void RecorderLink::forget() const {
  const jvm::Jni jni = env_.jni();
  jni->CallStaticVoidMethod(chunks_, forget_);
  (void)jni.clear_exception();
}

void RecorderLink::look() const {
  const jvm::Jni jni = env_.jni();
  jni->CallStaticVoidMethod(chunks_, look_);
  (void)jni.clear_exception();
}

void RecorderLink::done() const {
  const jvm::Jni jni = env_.jni();
  jni->CallStaticVoidMethod(chunks_, done_);
  (void)jni.clear_exception();
}

bool RecorderLink::is_over() const {
  const jvm::Jni jni = env_.jni();
  const bool is_over = jni->CallStaticBooleanMethod(chunks_, is_over_) != JNI_FALSE;
  return !jni.clear_exception() && is_over;
}

std::optional<Taken> RecorderLink::take(bool all) const {
  const jvm::Jni jni = env_.jni();
  const auto found = jni.adopt(static_cast<jobjectArray>(
      jni->CallStaticObjectMethod(chunks_, take_, static_cast<jboolean>(all ? 1 : 0))));
  if (jni.clear_exception() || !found) {
    return std::nullopt;
  }
  const auto records = element<jlongArray>(jni, found, 0);
  const auto numbers = element<jlongArray>(jni, found, 2);
  std::array<jlong, kSize> info{};
  jni->GetLongArrayRegion(numbers, 0, kSize, info.data());
  Taken taken;
  const auto count = static_cast<jsize>(info[kCount]);
  const auto from = static_cast<jsize>(info[kFrom]);
  std::vector<jlong> packed(static_cast<std::size_t>(count));
  jni->GetLongArrayRegion(records, from, count, packed.data());
  unpack(packed, taken);
  taken.objects = element<jobjectArray>(jni, found, 1);
  taken.object_count = static_cast<std::size_t>(info[kObjects]);
  taken.start = info[kStart];
  taken.end = info[kEnd];
  taken.thread = static_cast<std::int32_t>(info[kThread]);
  taken.is_new = info[kIsNew] != 0;
  taken.is_virtual = info[kIsVirtual] != 0;
  if (taken.is_new) {
    taken.thread_name = text_of(jni, element<jstring>(jni, found, 3));
  }
  return taken;
}

Described RecorderLink::describe(jobject object) const {
  const jvm::Jni jni = env_.jni();
  Described described;
  const auto found = jni.adopt(
      static_cast<jobjectArray>(jni->CallStaticObjectMethod(objects_, describe_, object)));
  if (jni.clear_exception() || !found) {
    return described;
  }
  described.class_name = text_of(jni, element<jstring>(jni, found, 0));
  described.text = text_of(jni, element<jstring>(jni, found, 1));
  described.elements = element<jobjectArray>(jni, found, 2);
  const auto bits = element<jlongArray>(jni, found, 3);
  if (bits) {
    described.bits.resize(static_cast<std::size_t>(jni->GetArrayLength(bits)));
    jni->GetLongArrayRegion(bits, 0, static_cast<jsize>(described.bits.size()),
                            reinterpret_cast<jlong*>(described.bits.data()));
  }
  std::array<jint, 2> kind{};
  jni->GetIntArrayRegion(element<jintArray>(jni, found, 4), 0, 2, kind.data());
  described.kind = static_cast<std::uint8_t>(kind[0]);
  described.length = kind[1];
  if (described.kind == kThrowable) {
    describe_throwable(jni, object, described);
  }
  return described;
}

void RecorderLink::describe_throwable(const jvm::Jni& jni, jobject object,
                                      Described& described) const {
  constexpr std::size_t kMostFrames = 100;
  if (message_ != nullptr) {
    const auto message = jni.adopt(static_cast<jstring>(jni->GetObjectField(object, message_)));
    described.text = text_of(jni, message);
  }
  for (const code::TraceFrame& each : code::trace_frames(env_, jni, object, kMostFrames)) {
    const std::string line = each.line > 0 ? ":" + std::to_string(each.line) : std::string();
    constexpr jint kNative = -2;
    const std::string place = each.line == kNative ? "Native Method"
                              : each.file.empty()  ? "Unknown Source"
                                                   : each.file + line;
    described.stack += each.class_name + "." + each.method + "(" + place + ")\n";
  }
}

}  // namespace jvmdebug::agent::recording
