// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/check_fields.h"

#include <array>
#include <cstddef>
#include <expected>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agent/probes/given_objects.h"

namespace jvmdebug::agent::probes {

namespace {

struct Field {
  const char* name;
  const char* type;
};

constexpr std::array<Field, 8> kFields{
    {{.name = "starts", .type = kThreadLocalType},
     {.name = "times", .type = "Ljava/util/concurrent/ConcurrentHashMap;"},
     {.name = "hits", .type = kCounterType},
     {.name = "began", .type = kCounterType},
     {.name = "reported", .type = kCounterType},
     {.name = "since", .type = kCounterType},
     {.name = "written", .type = kCounterType},
     {.name = "lost", .type = kCounterType}}};
constexpr Field kWatched{.name = "watched", .type = "Ljava/lang/Object;"};

jfieldID id_of(const jvm::Jni& jni, jclass check, const Field& field) {
  const jfieldID found = jni->GetStaticFieldID(check, field.name, field.type);
  return jni.clear_exception() ? nullptr : found;
}

void set(const jvm::Jni& jni, jclass check, const Field& field, jobject value) {
  if (const jfieldID id = id_of(jni, check, field); id != nullptr) {
    jni->SetStaticObjectField(check, id, value);
  }
}

ThreadTimes times_of(const jvm::Jni& jni, jstring name, jlongArray kept) {
  ThreadTimes found{.thread = jni.text(name, jni->GetStringLength(name)), .numbers = {}};
  std::vector<jlong> numbers(static_cast<std::size_t>(jni->GetArrayLength(kept)));
  jni->GetLongArrayRegion(kept, 0, static_cast<jsize>(numbers.size()), numbers.data());
  for (std::size_t index = 0; index < numbers.size(); ++index) {
    if (numbers[index] != 0) {
      found.numbers.emplace_back(static_cast<std::int32_t>(index), numbers[index]);
    }
  }
  return found;
}

// Calls a method that has no arguments and returns an object. Returns null if that fails.
jvm::LocalRef<jobject> call(const jvm::Jni& jni, jobject on, const char* name, const char* type) {
  const auto of = jni.object_class(on);
  const jmethodID method = of ? jni->GetMethodID(of, name, type) : nullptr;
  if (jni.clear_exception() || method == nullptr) {
    return {};
  }
  auto found = jni.adopt(jni->CallObjectMethod(on, method));
  return jni.clear_exception() ? jvm::LocalRef<jobject>() : std::move(found);
}

}  // namespace

// Takes the objects of the check that it shares with, and keeps those that it has itself.
void fill_fields(const jvm::Jni& jni, Probe& probe, const Probe* other) {
  static_assert(kFields.size() == kKeptFields);
  const auto check = probe.check_type(jni);
  if (const auto elements = probe.request->elements.load()) {
    set(jni, check, kWatched, elements->array);
  }
  for (std::size_t each = 0; each < kFields.size(); ++each) {
    const jfieldID field = id_of(jni, check, kFields[each]);
    if (field == nullptr) {
      continue;
    }
    if (other != nullptr && each < kLost && other->kept[each]) {
      jni->SetStaticObjectField(check, field, other->kept[each]);
    }
    const auto value = jni.adopt(jni->GetStaticObjectField(check, field));
    probe.kept[each] = jni.global(value.get());
  }
}

// Empties the fields. The class of a check lives as long as its loader, so it must not keep objects
// of the program alive.
void forget_objects(const jvm::Jni& jni, const ProbedClass& of) {
  for (const auto& probe : of.probes) {
    if (probe->life.is_on()) {
      continue;
    }
    probe->kept = {};
    const auto check = probe->check_type(jni);
    if (!check) {
      continue;
    }
    for (const Field& field : {kFields[kStarts], kFields[kTimes], kWatched}) {
      set(jni, check, field, nullptr);
    }
    clear_given(jni, check);
  }
}

// Returns the value of a counter, or -1 without a counter.
std::int64_t count_of(const jvm::Jni& jni, jobject counter) {
  const auto type = counter == nullptr ? jvm::LocalRef<jclass>() : jni.object_class(counter);
  const jfieldID value = type ? jni->GetFieldID(type, "value", "J") : nullptr;
  if (jni.clear_exception() || value == nullptr) {
    return -1;
  }
  return jni->GetLongField(counter, value);
}

std::int64_t count_one(const jvm::Jni& jni, jobject counter) {
  const auto type = counter == nullptr ? jvm::LocalRef<jclass>() : jni.object_class(counter);
  const jmethodID more = type ? jni->GetMethodID(type, "incrementAndGet", "()J") : nullptr;
  if (jni.clear_exception() || more == nullptr) {
    return -1;
  }
  const jlong count = jni->CallLongMethod(counter, more);
  return jni.clear_exception() ? -1 : count;
}

std::vector<ThreadTimes> measured_times(const jvm::Jni& jni, jobject map) {
  std::vector<ThreadTimes> found;
  const auto entries = call(jni, map, "entrySet", "()Ljava/util/Set;");
  const auto all =
      entries ? call(jni, entries, "toArray", "()[Ljava/lang/Object;") : jvm::LocalRef<jobject>();
  auto* const array = static_cast<jobjectArray>(all.get());
  const jsize count = array == nullptr ? 0 : jni->GetArrayLength(array);
  for (jsize index = 0; index < count; ++index) {
    const auto entry = jni.adopt(jni->GetObjectArrayElement(array, index));
    if (jni.clear_exception() || !entry) {
      continue;
    }
    const auto name = call(jni, entry, "getKey", "()Ljava/lang/Object;");
    const auto kept = call(jni, entry, "getValue", "()Ljava/lang/Object;");
    if (name && kept) {
      found.push_back(
          times_of(jni, static_cast<jstring>(name.get()), static_cast<jlongArray>(kept.get())));
    }
  }
  return found;
}

}  // namespace jvmdebug::agent::probes
