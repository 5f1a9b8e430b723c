// SPDX-License-Identifier: Apache-2.0
//
// What else a change of a class affects: the breakpoints of the VM, which the VM clears in it, and
// threads in older versions of methods. The rooms above this one know these, and CodeChanges asks
// for them here. Agent threads, one at a time.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>

#include <jvmti.h>

#include "agent/code/thread_stacks.h"
#include "agent/jvm/jni.h"
#include "agent/jvm/result.h"

namespace jvmdebug::agent::code {

class CodeUsers {
 public:
  // Sets the breakpoints that were set aside again when it is destroyed.
  class SetAside {
   public:
    SetAside() = default;
    SetAside(const SetAside&) = delete;
    SetAside& operator=(const SetAside&) = delete;
    SetAside(SetAside&&) = delete;
    SetAside& operator=(SetAside&&) = delete;
    virtual ~SetAside() = default;
  };

  CodeUsers() = default;
  CodeUsers(const CodeUsers&) = delete;
  CodeUsers& operator=(const CodeUsers&) = delete;
  CodeUsers(CodeUsers&&) = delete;
  CodeUsers& operator=(CodeUsers&&) = delete;
  virtual ~CodeUsers() = default;

  // Removes those breakpoints of the classes that the VM must not clear itself.
  [[nodiscard]] virtual std::unique_ptr<SetAside> set_aside(
      std::span<const jvm::LocalRef<jclass>> types) = 0;
  // Runs a change during which the VM may clear breakpoints itself.
  [[nodiscard]] virtual jvm::Result<void> while_changing(
      const std::function<jvm::Result<void>()>& change) = 0;
  // Returns the stacks of all threads, virtual ones included. None if there are too many threads.
  [[nodiscard]] virtual std::optional<ThreadStacks> stacks(const jvm::Jni& jni) const = 0;
  // Returns the same, or, with too many virtual threads, the stacks of those that the agent knows.
  [[nodiscard]] virtual ThreadStacks stacks_or_known(const jvm::Jni& jni) const = 0;
  // Notes that classes have changed, and what threads run now.
  virtual void code_changed(const jvm::Jni& jni, const ThreadStacks& stacks) = 0;
  // Runs `work` on a thread of the agent. Any thread.
  virtual void run_soon(std::function<void()> work) = 0;
};

// The stacks of all threads, read when they are needed for the first time, and the decisions based
// on them.
class StackLook {
 public:
  // Returns the stacks. `read` reads them; none if there are too many threads.
  [[nodiscard]] const std::optional<ThreadStacks>& stacks(
      const std::function<std::optional<ThreadStacks>()>& read) {
    if (!stacks_) {
      stacks_ = read();
    }
    return *stacks_;
  }

  // Whether a method may be changed. Calls `decide` once for each method.
  [[nodiscard]] bool may_change(jmethodID method, const std::function<bool()>& decide) {
    auto& known = may_change_[method];
    if (!known) {
      known = decide();
    }
    return *known;
  }

 private:
  std::optional<std::optional<ThreadStacks>> stacks_;
  std::map<jmethodID, std::optional<bool>> may_change_;
};

}  // namespace jvmdebug::agent::code
