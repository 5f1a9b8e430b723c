// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: where a task that a thread runs was submitted.
//
// Origins is a client of code::CodeChanges. It puts calls into a few methods of the JDK and of
// libraries (origin_points.h): where tasks are submitted, and where threads begin and end to run
// them. What they call is in a class that the agent defines (JvmdebugProbeOrigins.java). It takes
// the stack of the thread that submits a task, as HotSpot takes that of an exception, and keeps it
// in a table of fixed size by the identity of the task. The table holds tasks weakly.
//
// When the debugger asks for a thread, the objects that its frames belong to are looked up in the
// table, the topmost one first: the first that is known is the task. No call is needed for that.
// The calls at the beginnings and ends of tasks serve to find the task that submits another one,
// so that a stack has links: each task has the stacks of those before it, up to a limit. An agent
// that was attached finds the task of a thread by them too: HotSpot gives it no `this`.
//
// Stacks are thinned by a budget: a part of one processor's time, in windows of 100 ms. A task
// without a stack is known as such.
//
// Which classes have the calls is told by the mark of the calls. Classes that are loaded while it
// is on get them while they are loaded. Of those that are loaded already, a method that a thread
// runs stays as it is, and is tried again at the next question; where a change gives all methods
// new versions (JDK 16 and before), the class waits. In a VM to which the agent was attached the
// class is changed at once: a pool's threads never leave it. When it is switched off, the calls
// find no table and do nothing, until a sweep takes them out.
//
// Invariants:
//
// - The calls take no lock of the program, and let no exception out.
// - What the table says of a task is true of that task, or there is nothing.
//
// Threads: agent threads, one at a time, start, ask and stop; the hook asks on any thread. The lock
// is of rank kProbes, and is not held during a call into the VM or into CodeChanges.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jvmti.h>

#include "agent/code/code_changes.h"
#include "agent/code/code_client.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/locks/ranked_mutex.h"

namespace jvmdebug::agent::code {
class CodeVersions;
}

namespace jvmdebug::agent::events {
class Breakpoints;
}

namespace jvmdebug::agent::probes {
class ChangeLimits;
}

namespace jvmdebug::agent::origins {

class Origins : public code::CodeClient {
 public:
  struct Uses {
    const jvm::Env& env;
    code::CodeChanges& changes;
    code::CodeVersions& versions;
    const probes::ChangeLimits& limits;
    events::Breakpoints& breakpoints;
  };

  explicit Origins(const Uses& uses);

  // How many stacks were taken since the start, and for how many tasks none was. Approximate.
  struct Counts {
    jint taken = 0;
    jint thinned = 0;
  };

  // --- agent threads, one at a time ----------------------------------------------------------
  // Switches it on. `thousandths`: the part of one processor's time. The error is the reason.
  [[nodiscard]] code::Outcome start(int thousandths);
  void stop();

  [[nodiscard]] bool is_running() const { return is_running_; }

  // Puts calls into classes that threads ran before.
  void look_again();

  [[nodiscard]] Counts counts() const;

  // The names of classes that lack calls, each with the reason.
  [[nodiscard]] std::map<std::string, std::string> left_out() const;

  // Returns the class with the table; null before the first start.
  [[nodiscard]] jclass table_class() const { return table_class_; }

  // --- CodeClient ----------------------------------------------------------------------------
  void sweep(code::Sweep how) override;

  [[nodiscard]] bool needs_sweep() const override { return is_lacking_ && !is_running_; }

  [[nodiscard]] std::set<jmethodID> decide(const code::ChangedClass& /*of*/, jclass /*type*/,
                                           code::StackLook& /*look*/) override {
    return {};  // not known in advance, see may_change()
  }

  void keep(const code::ChangedClass& /*of*/) override {}

  [[nodiscard]] bool may_change(const code::ChangedClass& of,
                                std::span<const std::uint8_t> code) const override;

  [[nodiscard]] std::set<jmethodID> methods(const code::ChangedClass& /*of*/) const override {
    return {};
  }

  void changed(const code::ChangedClass& of, bool as_decided) override;
  [[nodiscard]] bool has_calls(const code::ChangedClass& of) const override;
  [[nodiscard]] classfile::Rewritten<std::string> add(
      const code::ChangedClass& of, classfile::ClassFile& file,
      classfile::MethodInsertions& insertions) override;
  [[nodiscard]] bool goes_without(const code::ChangedClass& of) override;
  [[nodiscard]] std::optional<std::vector<std::uint8_t>> unchanged(
      std::span<const std::uint8_t> bytes) const override;
  [[nodiscard]] std::optional<std::vector<std::uint8_t>> loading(
      std::string_view name, std::span<const std::uint8_t> bytes) const override;
  void replaced(const code::ChangedClass& of, jclass type, const Codes& kept) override;
  void begins(const code::ChangedClass& of, jclass type) override;
  [[nodiscard]] bool holds(const code::ChangedClass& of) const override;
  void forget(const code::ChangedClass& of) override;

  [[nodiscard]] bool is_on() const override { return is_running_; }

 private:
  // The calls in a class: whether its next code has any, whether its newest code has, and the
  // methods (name and descriptor) that go without.
  struct Calls {
    bool wanted = false;
    bool there = false;
    std::set<std::string> without;
  };

  [[nodiscard]] code::Outcome prepare(const jvm::Jni& jni);
  [[nodiscard]] bool set_budget(const jvm::Jni& jni, jlong nanoseconds) const;
  void make_equal(code::Sweep how);
  void change(std::span<code::ChangedClass* const> classes, code::StackLook& look);
  [[nodiscard]] std::vector<code::ChangedClass*> changing(code::Sweep how, code::StackLook& look);
  [[nodiscard]] std::optional<std::set<std::string>> methods_in_the_way(
      jclass type, std::span<const jmethodID> methods, code::StackLook& look) const;
  [[nodiscard]] bool has_calls_now(jclass type) const;
  [[nodiscard]] Calls of(const code::ChangedClass& of) const;
  [[nodiscard]] jint number(const jvm::Jni& jni, const char* field) const;

  Uses uses_;
  jvm::GlobalRef<jclass> table_class_;
  std::atomic<bool> is_running_ = false;
  std::atomic<bool> has_run_ = false;  // read where classes are replaced
  bool is_lacking_ = false;            // whether some class may lack what is wanted for it
  std::map<std::string, std::string> left_out_;

  mutable RankedMutex<Rank::kProbes> mutex_;
  std::map<const code::ChangedClass*, Calls> calls_;
};

}  // namespace jvmdebug::agent::origins
