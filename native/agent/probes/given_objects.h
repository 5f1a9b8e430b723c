// SPDX-License-Identifier: Apache-2.0
//
// What a check is given when its class is initialized: method handles of members that its code may
// not name, classes that it cannot, and objects that it compares. The handles are made with the
// rights of the JDK's own lookup, which never leaves the agent: a check gets the members that its
// debugger has named, and nobody else gets anything. Called by ProbeMaker.
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

// As in native/protocol/probes.toml.
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
  jvm::LocalRef<jobject> object;  // of kCallSuper the class that calls
};

// Into static fields of the class of a check that is initialized, behind the first `kept` that have
// something already. An error is the reason, for people.
[[nodiscard]] std::expected<void, std::string> put_given(const jvm::Jni& jni, jclass check,
                                                         std::span<const Given> given,
                                                         std::size_t kept);
// None of these fields keeps anything.
void clear_given(const jvm::Jni& jni, jclass check);

class GivenObjects {
 public:
  // Has the check take these while this thread initializes it, until forget(). An error is the
  // reason, for people.
  [[nodiscard]] std::expected<void, std::string> offer(const jvm::Jni& jni, jclass check,
                                                       std::span<const Given> given);
  void forget();

  // The current thread asks, in a method of the class of a check: an array, a local reference; null
  // for anybody else.
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
