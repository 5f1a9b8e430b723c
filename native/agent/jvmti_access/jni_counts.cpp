// SPDX-License-Identifier: Apache-2.0
#include "agent/jvmti_access/jni_counts.h"

#include <array>
#include <atomic>
#include <cstdarg>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "agent/jvm/buffer.h"
#include "agent/jvmti_access/jni_functions.h"
#include "agent/platform/dynamic_library.h"

namespace jvmdebug::agent::jvmti_access {
namespace {

constexpr std::size_t kSlots = 240;  // of the table; JDK 25 has 236
constexpr std::size_t kPointer = sizeof(void*);
// A function that the header of JDK 17 does not have.
constexpr std::size_t kIsVirtualThread = 234;
constexpr std::size_t kGetStringUTFLengthAsLong = 235;
constexpr jint kIsVirtualThreadSince = 0x00150000;
constexpr jint kGetStringUTFLengthAsLongSince = 0x00180000;

// Returns the address range of this library's code.
platform::AddressRange own_code() {
  return platform::library_part_with(reinterpret_cast<const void*>(&own_code));
}

struct Interception {
  std::atomic<bool> is_on = false;
  std::array<std::atomic<void*>, kSlots> originals{};
  std::array<std::atomic<std::int64_t>, kSlots> calls{};
  // Initialized with the rest, so a thread never sees it half made.
  const platform::AddressRange own = own_code();
};

Interception& interception() {
  static Interception only;
  return only;
}

// Counts a call before it is passed to the original function; `caller` is its return address.
template <class Function>
Function counted(std::size_t slot, const void* caller) {
  Interception& all = interception();
  const auto from = reinterpret_cast<std::uintptr_t>(caller);
  if (from < all.own.begin || from >= all.own.end) {
    all.calls.at(slot).fetch_add(1, std::memory_order_relaxed);
  }
  return reinterpret_cast<Function>(all.originals.at(slot).load(std::memory_order_relaxed));
}

// The replacement of a function in the table, by its type. A function with `...` calls the next one
// in the table, which is the same with a va_list.
template <std::size_t kSlot, class Function>
struct Counting;

template <std::size_t kSlot, class R, class... Arguments>
struct Counting<kSlot, R(JNICALL*)(JNIEnv*, Arguments...)> {
  static R JNICALL call(JNIEnv* env, Arguments... arguments) {
    using Function = R(JNICALL*)(JNIEnv*, Arguments...);
    return counted<Function>(kSlot, __builtin_return_address(0))(env, arguments...);
  }
};

// NOLINTBEGIN(cppcoreguidelines-init-variables, cert-dcl50-cpp): va_start sets them; JNI has them
template <std::size_t kSlot, class R, class A>
struct Counting<kSlot, R(JNICALL*)(JNIEnv*, A, jmethodID, ...)> {
  static R JNICALL call(JNIEnv* env, A object, jmethodID method, ...) {
    using Function = R(JNICALL*)(JNIEnv*, A, jmethodID, va_list);
    (void)counted<void*>(kSlot, __builtin_return_address(0));
    const auto next = reinterpret_cast<Function>(interception().originals.at(kSlot + 1).load());
    va_list list;
    va_start(list, method);
    if constexpr (std::is_void_v<R>) {
      next(env, object, method, list);
      va_end(list);
    } else {
      const R result = next(env, object, method, list);
      va_end(list);
      return result;
    }
  }
};

template <std::size_t kSlot, class R, class A, class B>
struct Counting<kSlot, R(JNICALL*)(JNIEnv*, A, B, jmethodID, ...)> {
  static R JNICALL call(JNIEnv* env, A object, B type, jmethodID method, ...) {
    using Function = R(JNICALL*)(JNIEnv*, A, B, jmethodID, va_list);
    (void)counted<void*>(kSlot, __builtin_return_address(0));
    const auto next = reinterpret_cast<Function>(interception().originals.at(kSlot + 1).load());
    va_list list;
    va_start(list, method);
    if constexpr (std::is_void_v<R>) {
      next(env, object, type, method, list);
      va_end(list);
    } else {
      const R result = next(env, object, type, method, list);
      va_end(list);
      return result;
    }
  }
};

// NOLINTEND(cppcoreguidelines-init-variables, cert-dcl50-cpp)

struct Entry {
  std::string_view name;
  std::size_t slot = 0;
  void* counting = nullptr;
};

template <std::size_t kSlot, class Function>
Entry entry(std::string_view name) {
  return {.name = name,
          .slot = kSlot,
          .counting = reinterpret_cast<void*>(&Counting<kSlot, Function>::call)};
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = [] {
    std::vector<Entry> made;
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): an X macro
#define JVMDEBUG_ENTRY(NAME)                                                                      \
  made.push_back(                                                                                 \
      entry<offsetof(JNINativeInterface_, NAME) / kPointer, decltype(JNINativeInterface_::NAME)>( \
          #NAME));
    JVMDEBUG_JNI_FUNCTIONS(JVMDEBUG_ENTRY)
#undef JVMDEBUG_ENTRY
    made.push_back(
        entry<kIsVirtualThread, jboolean(JNICALL*)(JNIEnv*, jobject)>("IsVirtualThread"));
    made.push_back(entry<kGetStringUTFLengthAsLong, jlong(JNICALL*)(JNIEnv*, jstring)>(
        "GetStringUTFLengthAsLong"));
    return made;
  }();
  return all;
}

// A copy of the VM's table, which is changed and given back to the VM. A copy has the length of the
// VM's own table, whatever that is.
class Table {
 public:
  static jvm::Result<Table> get(jvmtiEnv* env) {
    jniNativeInterface* raw = nullptr;
    JVMDEBUG_CHECK(jvm::checked(env->GetJNIFunctionTable(&raw)));
    return Table(env, raw);
  }

  [[nodiscard]] void* at(std::size_t slot) const {
    void* function = nullptr;
    std::memcpy(static_cast<void*>(&function), place(slot), kPointer);
    return function;
  }

  void put(std::size_t slot, void* function) {
    std::memcpy(place(slot), static_cast<const void*>(&function), kPointer);
  }

  [[nodiscard]] jvm::Result<void> set() const {
    return jvm::checked(env_->SetJNIFunctionTable(functions_.begin()));
  }

 private:
  Table(jvmtiEnv* env, jniNativeInterface* raw) : env_(env), functions_(env, raw, 1) {}

  [[nodiscard]] std::byte* place(std::size_t slot) const {
    return reinterpret_cast<std::byte*>(functions_.begin()) + slot * kPointer;
  }

  jvmtiEnv* env_;
  jvm::Buffer<jniNativeInterface> functions_;
};

bool is_in_vm(const Entry& entry, jint version) {
  return entry.slot < kIsVirtualThread ||
         (entry.slot == kIsVirtualThread && version >= kIsVirtualThreadSince) ||
         (entry.slot == kGetStringUTFLengthAsLong && version >= kGetStringUTFLengthAsLongSince);
}

jint vm_version(jvmtiEnv* env) {
  jint version = 0;
  (void)env->GetVersionNumber(&version);
  return version & JVMTI_VERSION_MASK_MAJOR;
}

}  // namespace

jvm::Result<void> JniCounts::start(jvmtiEnv* env) {
  Interception& all = interception();
  for (auto& calls : all.calls) {
    calls = 0;
  }
  if (all.is_on) {
    return {};
  }
  JVMDEBUG_ASSIGN(auto table, Table::get(env));
  const jint version = vm_version(env);
  for (const Entry& one : entries()) {
    if (is_in_vm(one, version)) {
      all.originals.at(one.slot) = table.at(one.slot);
    }
  }
  for (const Entry& one : entries()) {
    if (is_in_vm(one, version)) {
      table.put(one.slot, one.counting);
    }
  }
  JVMDEBUG_CHECK(table.set());
  all.is_on = true;
  return {};
}

jvm::Result<void> JniCounts::stop(jvmtiEnv* env) {
  Interception& all = interception();
  if (!all.is_on) {
    return {};
  }
  JVMDEBUG_ASSIGN(auto table, Table::get(env));
  for (const Entry& one : entries()) {
    if (is_in_vm(one, vm_version(env)) && table.at(one.slot) == one.counting) {
      table.put(one.slot, all.originals.at(one.slot));
    }
  }
  JVMDEBUG_CHECK(table.set());
  all.is_on = false;
  return {};
}

bool JniCounts::is_on() {
  return interception().is_on;
}

std::vector<JniCounts::Count> JniCounts::counts() {
  std::vector<Count> called;
  for (const Entry& one : entries()) {
    if (const std::int64_t calls = interception().calls.at(one.slot); calls != 0) {
      called.push_back({.function = std::string(one.name), .calls = calls});
    }
  }
  return called;
}

}  // namespace jvmdebug::agent::jvmti_access
