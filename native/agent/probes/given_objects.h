// SPDX-License-Identifier: Apache-2.0
//
// What a check is given when its class is initialized: method handles of members that its code may
// not name, classes that it may not name, and objects that it compares with. The handles are made
// with the rights of the JDK's own lookup, which never leaves the agent. A check gets only the
// members that the debugger has named, and no other class gets anything. Called by ProbeMaker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/locks/ranked_mutex.h"

namespace jvmdebug::agent::probes {

// The numbers of native/protocol/probes.toml.
enum class GivenKind : std::uint8_t {
  kRead = 1,
  kWrite,
  kCall,
  kCallSuper,
  kNew,
  kType,
  kObject,
};

struct Given {
  GivenKind kind = GivenKind::kObject;
  jvm::LocalRef<jclass> type;
  jfieldID field = nullptr;
  jmethodID method = nullptr;
  bool is_static = false;
  jvm::LocalRef<jobject> object;  // for kCallSuper: the class that calls
};

// Puts objects into static fields of an initialized check, behind the first `kept` fields, which
// keep their objects. The error is the reason, for people.
[[nodiscard]] std::expected<void, std::string> put_given(const jvm::Jni& jni, jclass check,
                                                         std::span<const Given> given,
                                                         std::size_t kept);
// Empties these fields.
void clear_given(const jvm::Jni& jni, jclass check);

class GivenObjects {
 public:
  // Offers objects to the check while this thread initializes its class, until forget(). The error
  // is the reason, for people.
  [[nodiscard]] std::expected<void, std::string> offer(const jvm::Jni& jni, jclass check,
                                                       std::span<const Given> given);
  void forget();

  // Takes the objects that are offered to the class whose method has called; null for any other
  // caller. The array is a local reference. On the thread that initializes the class.
  [[nodiscard]] jobjectArray take(const jvm::Env& env, const jvm::Jni& jni);

 private:
  struct Offer {
    std::thread::id to;
    jvm::GlobalRef<jclass> check;
    jvm::GlobalRef<jobjectArray> objects;
  };

  [[nodiscard]] Offer withdraw();

  RankedMutex<Rank::kProbes> mutex_;
  Offer offer_;
};

}  // namespace jvmdebug::agent::probes
