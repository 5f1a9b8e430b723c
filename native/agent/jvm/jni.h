// SPDX-License-Identifier: Apache-2.0
//
// JNI of one thread, and owners of its references. No function leaves an exception pending: one
// that can throw clears the exception and reports it in its result. Must not be shared between
// threads; get a Jni from Env::jni() on each.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <jni.h>

namespace jvmdebug::agent::jvm {

class Jni;

// A local reference that is deleted with this object. Converts to the plain reference for calls.
template <class T>
class LocalRef {
 public:
  LocalRef() = default;

  LocalRef(JNIEnv* env, T reference) noexcept : env_(env), reference_(reference) {}

  LocalRef(LocalRef&& other) noexcept
      : env_(other.env_), reference_(std::exchange(other.reference_, nullptr)) {}

  LocalRef& operator=(LocalRef&& other) noexcept {
    if (this != &other) {
      reset();
      env_ = other.env_;
      reference_ = std::exchange(other.reference_, nullptr);
    }
    return *this;
  }

  LocalRef(const LocalRef&) = delete;
  LocalRef& operator=(const LocalRef&) = delete;

  ~LocalRef() { reset(); }

  [[nodiscard]] T get() const { return reference_; }

  explicit(false) operator T() const { return reference_; }

  explicit operator bool() const { return reference_ != nullptr; }

  // Releases the reference to the enclosing local frame.
  [[nodiscard]] T release() { return std::exchange(reference_, nullptr); }

  // The same reference with a more specific type; the caller has checked the object's class.
  template <class Special>
  [[nodiscard]] LocalRef<Special> as() && {
    return LocalRef<Special>(env_, static_cast<Special>(std::exchange(reference_, nullptr)));
  }

 private:
  void reset() noexcept {
    if (reference_ != nullptr) {
      env_->DeleteLocalRef(reference_);
      reference_ = nullptr;
    }
  }

  JNIEnv* env_ = nullptr;
  T reference_ = nullptr;
};

// A global reference; keeps the object alive. Deleted from whatever thread destroys it.
template <class T>
class GlobalRef {
 public:
  GlobalRef() = default;

  GlobalRef(JavaVM* vm, T reference) noexcept : vm_(vm), reference_(reference) {}

  GlobalRef(GlobalRef&& other) noexcept
      : vm_(other.vm_), reference_(std::exchange(other.reference_, nullptr)) {}

  GlobalRef& operator=(GlobalRef&& other) noexcept {
    if (this != &other) {
      reset();
      vm_ = other.vm_;
      reference_ = std::exchange(other.reference_, nullptr);
    }
    return *this;
  }

  GlobalRef(const GlobalRef&) = delete;
  GlobalRef& operator=(const GlobalRef&) = delete;

  ~GlobalRef() { reset(); }

  [[nodiscard]] T get() const { return reference_; }

  explicit(false) operator T() const { return reference_; }

  explicit operator bool() const { return reference_ != nullptr; }

 private:
  void reset() noexcept {
    void* env = nullptr;
    if (reference_ != nullptr && vm_->GetEnv(&env, JNI_VERSION_1_6) == JNI_OK) {
      static_cast<JNIEnv*>(env)->DeleteGlobalRef(reference_);
    }
    reference_ = nullptr;
  }

  JavaVM* vm_ = nullptr;
  T reference_ = nullptr;
};

// A weak global reference: does not keep the object alive; lock() tells whether it is still alive.
class WeakRef {
 public:
  WeakRef() = default;

  WeakRef(JavaVM* vm, jweak reference) noexcept : vm_(vm), reference_(reference) {}

  WeakRef(WeakRef&& other) noexcept
      : vm_(other.vm_), reference_(std::exchange(other.reference_, nullptr)) {}

  WeakRef& operator=(WeakRef&& other) noexcept;
  WeakRef(const WeakRef&) = delete;
  WeakRef& operator=(const WeakRef&) = delete;

  ~WeakRef() { reset(); }

  // Returns the object; empty when it was collected.
  [[nodiscard]] LocalRef<jobject> lock(const Jni& jni) const;
  [[nodiscard]] bool collected(const Jni& jni) const;

 private:
  void reset() noexcept;

  JavaVM* vm_ = nullptr;
  jweak reference_ = nullptr;
};

// All local references made while it lives are deleted with it. Agent threads never return to
// Java, so each unit of work needs one.
class LocalFrame {
 public:
  // Reserves capacity, for -Xcheck:jni only: the VM has room for any number.
  explicit LocalFrame(const Jni& jni, jint capacity = 256);
  LocalFrame(const LocalFrame&) = delete;
  LocalFrame& operator=(const LocalFrame&) = delete;
  LocalFrame(LocalFrame&&) = delete;
  LocalFrame& operator=(LocalFrame&&) = delete;
  ~LocalFrame();

 private:
  JNIEnv* env_;
  bool pushed_;
};

// Takes a pending exception away and puts it back at the end: for event callbacks, where the
// program's own exception may be pending and JNI calls are wanted.
class PendingException {
 public:
  explicit PendingException(const Jni& jni);
  PendingException(const PendingException&) = delete;
  PendingException& operator=(const PendingException&) = delete;
  PendingException(PendingException&&) = delete;
  PendingException& operator=(PendingException&&) = delete;
  ~PendingException();

 private:
  JNIEnv* env_;
  jthrowable pending_;
};

// A JNI call that threw; the exception (a local reference) was cleared.
struct Thrown {
  jthrowable exception = nullptr;
};

class Jni {
 public:
  explicit Jni(JNIEnv* env) : env_(env) {}

  [[nodiscard]] JNIEnv* raw() const { return env_; }

  [[nodiscard]] JNIEnv* operator->() const { return env_; }

  [[nodiscard]] JavaVM* vm() const;

  [[nodiscard]] bool same(jobject left, jobject right) const {
    return env_->IsSameObject(left, right) != JNI_FALSE;
  }

  [[nodiscard]] bool instance_of(jobject object, jclass type) const {
    return env_->IsInstanceOf(object, type) != JNI_FALSE;
  }

  [[nodiscard]] bool assignable(jclass from, jclass to) const {
    return env_->IsAssignableFrom(from, to) != JNI_FALSE;
  }

  // Whether the VM has virtual threads as a final feature, not as a preview.
  [[nodiscard]] bool has_virtual_threads() const;

  // False on VMs older than 21.
  [[nodiscard]] bool is_virtual_thread(jobject thread) const;

  template <class T>
  [[nodiscard]] LocalRef<T> local(T reference) const {
    return LocalRef<T>(env_, static_cast<T>(env_->NewLocalRef(reference)));
  }

  // Takes ownership of a local reference that a call returned.
  template <class T>
  [[nodiscard]] LocalRef<T> adopt(T reference) const {
    return LocalRef<T>(env_, reference);
  }

  template <class T>
  [[nodiscard]] GlobalRef<T> global(T reference) const {
    return GlobalRef<T>(vm(), static_cast<T>(env_->NewGlobalRef(reference)));
  }

  // Makes a weak reference; empty (as if collected) when memory runs out.
  [[nodiscard]] WeakRef weak(jobject object) const;

  [[nodiscard]] LocalRef<jclass> object_class(jobject object) const {
    return adopt(env_->GetObjectClass(object));
  }

  [[nodiscard]] LocalRef<jclass> superclass(jclass type) const {
    return adopt(env_->GetSuperclass(type));
  }

  // Finds a class of the boot or system loader; empty when there is none.
  [[nodiscard]] LocalRef<jclass> find_class(const char* internal_name) const;

  // Converts between a Java string and the UTF-8 of the wire.
  [[nodiscard]] std::string text(jstring string) const;
  // Converts the first `length` units of a string.
  [[nodiscard]] std::string text(jstring string, jsize length) const;
  [[nodiscard]] std::expected<LocalRef<jstring>, Thrown> new_string(std::string_view utf8) const;

  // Calls java.lang.System.getProperty, because JVM TI knows only the properties of the VM itself.
  // Empty when there is no such property.
  [[nodiscard]] std::optional<std::string> system_property(std::string_view name) const;

  // Clears a pending exception; tells whether there was one.
  bool clear_exception() const;
  // Clears a pending exception and hands it over; empty when there was none.
  [[nodiscard]] LocalRef<jthrowable> take_exception() const;

 private:
  JNIEnv* env_;
};

}  // namespace jvmdebug::agent::jvm
