// SPDX-License-Identifier: Apache-2.0
//
// What else changes on a thread while it runs a method for the debugger. Implemented by
// events::InvocationChanges.
#pragma once

#include <memory>

#include "agent/jvm/jni.h"
#include "agent/threads/tracked_thread.h"

namespace jvmdebug::agent::threads {

class InvocationScopes {
 public:
  // Undoes the changes when it is destroyed, on the same thread.
  class Scope {
   public:
    Scope() = default;
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    virtual ~Scope() = default;
  };

  InvocationScopes() = default;
  InvocationScopes(const InvocationScopes&) = delete;
  InvocationScopes& operator=(const InvocationScopes&) = delete;
  virtual ~InvocationScopes() = default;

  // Called on the thread itself before the method. The scope must end before `self` and `jni` do.
  [[nodiscard]] virtual std::unique_ptr<Scope> begin(const jvm::Jni& jni, const Tracked& self) = 0;
};

}  // namespace jvmdebug::agent::threads
