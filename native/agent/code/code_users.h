// SPDX-License-Identifier: Apache-2.0
//
// What else a change of a class touches: the breakpoints of the VM, which it removes, and threads
// in older versions of methods. The rooms above know these; CodeChanges asks for them here. Agent
// threads, one at a time.
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
  // Gives breakpoints back at its end.
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

  // Removes breakpoints of these classes which the VM must not remove by itself.
  [[nodiscard]] virtual std::unique_ptr<SetAside> set_aside(
      std::span<const jvm::LocalRef<jclass>> types) = 0;
  // Runs a change, in which the VM may remove breakpoints by itself.
  [[nodiscard]] virtual jvm::Result<void> while_changing(
      const std::function<jvm::Result<void>()>& change) = 0;
  // What all threads run, virtual ones too. None if there are too many to look at each.
  [[nodiscard]] virtual std::optional<ThreadStacks> stacks(const jvm::Jni& jni) const = 0;
  // The same, but then of those that are known.
  [[nodiscard]] virtual ThreadStacks stacks_or_known(const jvm::Jni& jni) const = 0;
  // Classes have changed, and this is what threads run now.
  virtual void code_changed(const jvm::Jni& jni, const ThreadStacks& stacks) = 0;
  // Runs something on a thread of the agent. Any thread.
  virtual void run_soon(std::function<void()> work) = 0;
};

// A look at all stacks, which is taken when it is needed first, and what was decided by it.
class StackLook {
 public:
  // `read` gives them; none if there are too many threads.
  [[nodiscard]] const std::optional<ThreadStacks>& stacks(
      const std::function<std::optional<ThreadStacks>()>& read) {
    if (!stacks_) {
      stacks_ = read();
    }
    return *stacks_;
  }

  // Whether a method may be changed. `decide` is asked once for each.
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
