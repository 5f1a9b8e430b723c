// SPDX-License-Identifier: Apache-2.0
// The part of ProbeTable that works on the static fields of checks: what several checks share, and
// what those that time the program have measured.
#include <array>
#include <utility>

#include "agent/agent.h"
#include "agent/probes/probe_table.h"

namespace jvmdebug::agent::probes {

using events::Request;

namespace {

struct Field {
  const char* name;
  const char* type;
};

constexpr Field kStarts{.name = "starts", .type = kThreadLocalType};
constexpr Field kTimes{.name = "times", .type = "Ljava/util/concurrent/ConcurrentHashMap;"};
constexpr std::array<Field, 2> kOfTimes{kStarts, kTimes};
constexpr std::array<Field, 7> kShared{{kStarts,
                                        kTimes,
                                        {.name = "hits", .type = kCounterType},
                                        {.name = "began", .type = kCounterType},
                                        {.name = "reported", .type = kCounterType},
                                        {.name = "since", .type = kCounterType},
                                        {.name = "written", .type = kCounterType}}};

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

// A method without arguments that gives an object; nothing if it cannot be called.
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

void ProbeTable::fill(const jvm::Jni& jni, const ProbeSpec& spec, jclass check) const {
  const auto other = spec.shares == 0 ? nullptr : of_request(spec.shares);
  if (!other) {
    return;
  }
  for (const Field& field : kShared) {
    const jfieldID from = id_of(jni, other->check->get(), field);
    if (from != nullptr) {
      const auto value = jni.adopt(jni->GetStaticObjectField(other->check->get(), from));
      set(jni, check, field, value);  // nothing, where this check has no such field
    }
  }
}

// The class of a check stays for as long as its loader: it must keep nothing of the program alive.
void ProbeTable::forget_objects(const Class& of) const {
  const jvm::Jni jni = agent_.jni();
  for (const auto& probe : of.probes) {
    if (!probe->is_on) {
      for (const Field& field : kOfTimes) {
        set(jni, probe->check->get(), field, nullptr);
      }
    }
  }
}

std::vector<ThreadTimes> ProbeTable::times(const Request& request) const {
  std::vector<ThreadTimes> found;
  const auto probe = of_request(request->id);
  const jvm::Jni jni = agent_.jni();
  const jfieldID field = probe ? id_of(jni, probe->check->get(), kTimes) : nullptr;
  if (field == nullptr) {
    return found;
  }
  const auto map = jni.adopt(jni->GetStaticObjectField(probe->check->get(), field));
  const auto entries =
      map ? call(jni, map, "entrySet", "()Ljava/util/Set;") : jvm::LocalRef<jobject>();
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
