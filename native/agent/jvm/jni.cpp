// SPDX-License-Identifier: Apache-2.0
#include "agent/jvm/jni.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>

#include "agent/jvm/strings.h"

namespace jvmdebug::agent::jvm {
namespace {

// A JNI function of JDK 21, which jni.h of JDK 17 does not have. Position 234 of the function
// table.
constexpr std::size_t kIsVirtualThreadPosition = 234;
constexpr jint kJniVersion21 = 0x00150000;
using IsVirtualThread = jboolean (*)(JNIEnv*, jobject);

}  // namespace

WeakRef& WeakRef::operator=(WeakRef&& other) noexcept {
  if (this != &other) {
    reset();
    vm_ = other.vm_;
    reference_ = std::exchange(other.reference_, nullptr);
  }
  return *this;
}

LocalRef<jobject> WeakRef::lock(const Jni& jni) const {
  return reference_ == nullptr ? LocalRef<jobject>() : jni.adopt(jni->NewLocalRef(reference_));
}

bool WeakRef::collected(const Jni& jni) const {
  return reference_ == nullptr || jni.same(reference_, nullptr);
}

void WeakRef::reset() noexcept {
  void* env = nullptr;
  if (reference_ != nullptr && vm_->GetEnv(&env, JNI_VERSION_1_6) == JNI_OK) {
    static_cast<JNIEnv*>(env)->DeleteWeakGlobalRef(reference_);
  }
  reference_ = nullptr;
}

LocalFrame::LocalFrame(const Jni& jni, jint capacity)
    : env_(jni.raw()), pushed_(env_->PushLocalFrame(capacity) == JNI_OK) {
  if (!pushed_) {
    // Out of memory; references now die with the frame around this one.
    env_->ExceptionClear();
  }
}

LocalFrame::~LocalFrame() {
  if (pushed_) {
    env_->PopLocalFrame(nullptr);
  }
}

PendingException::PendingException(const Jni& jni)
    : env_(jni.raw()), pending_(env_->ExceptionOccurred()) {
  if (pending_ != nullptr) {
    env_->ExceptionClear();
  }
}

PendingException::~PendingException() {
  if (pending_ != nullptr) {
    env_->Throw(pending_);
    env_->DeleteLocalRef(pending_);
  }
}

JavaVM* Jni::vm() const {
  JavaVM* vm = nullptr;
  return env_->GetJavaVM(&vm) == JNI_OK ? vm : nullptr;
}

bool Jni::has_virtual_threads() const {
  return env_->GetVersion() >= kJniVersion21;
}

bool Jni::is_virtual_thread(jobject thread) const {
  if (!has_virtual_threads()) {
    return false;
  }
  const auto* table = reinterpret_cast<const std::byte*>(env_->functions);
  IsVirtualThread function = nullptr;
  std::memcpy(static_cast<void*>(&function), table + kIsVirtualThreadPosition * sizeof(void*),
              sizeof function);
  return function(env_, thread) != JNI_FALSE;
}

WeakRef Jni::weak(jobject object) const {
  const jweak reference = env_->NewWeakGlobalRef(object);
  clear_exception();
  return {vm(), reference};
}

LocalRef<jclass> Jni::find_class(const char* internal_name) const {
  auto found = adopt(env_->FindClass(internal_name));
  clear_exception();
  return found;
}

std::string Jni::text(jstring string) const {
  return text(string, env_->GetStringLength(string));
}

std::string Jni::text(jstring string, jsize length) const {
  constexpr jsize kPiece = 2048;  // few enough for the stack and the nearest cache
  std::array<char16_t, kPiece> units{};
  std::string text;
  text.reserve(static_cast<std::size_t>(length));
  for (jsize at = 0; at < length;) {
    jsize count = std::min(kPiece, length - at);
    env_->GetStringRegion(string, at, count, reinterpret_cast<jchar*>(units.data()));
    // A surrogate pair is not split.
    const char16_t last = units[static_cast<std::size_t>(count) - 1];
    if (count > 1 && at + count < length && last >= 0xD800 && last <= 0xDBFF) {
      --count;
    }
    append_utf16(text, std::span(units).first(static_cast<std::size_t>(count)));
    at += count;
  }
  clear_exception();
  return text;
}

std::expected<LocalRef<jstring>, Thrown> Jni::new_string(std::string_view utf8) const {
  const std::u16string units = utf16_from_utf8(utf8);
  auto string = adopt(env_->NewString(reinterpret_cast<const jchar*>(units.data()),
                                      static_cast<jsize>(units.size())));
  if (auto exception = take_exception()) {
    return std::unexpected(Thrown{exception.release()});
  }
  return string;
}

std::optional<std::string> Jni::system_property(std::string_view name) const {
  const auto system = find_class("java/lang/System");
  const auto wanted = new_string(name);
  if (!system || !wanted) {
    return std::nullopt;
  }
  auto* const get_property =
      env_->GetStaticMethodID(system, "getProperty", "(Ljava/lang/String;)Ljava/lang/String;");
  if (clear_exception() || get_property == nullptr) {
    return std::nullopt;
  }
  const auto value =
      adopt(env_->CallStaticObjectMethod(system, get_property, wanted->get())).as<jstring>();
  if (clear_exception() || !value) {
    return std::nullopt;
  }
  return text(value);
}

bool Jni::clear_exception() const {
  if (env_->ExceptionCheck() == JNI_FALSE) {
    return false;
  }
  env_->ExceptionClear();
  return true;
}

LocalRef<jthrowable> Jni::take_exception() const {
  auto exception = adopt(env_->ExceptionOccurred());
  if (exception) {
    env_->ExceptionClear();
  }
  return exception;
}

}  // namespace jvmdebug::agent::jvm
