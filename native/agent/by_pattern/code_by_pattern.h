// SPDX-License-Identifier: Apache-2.0
//
// A client of code::CodeChanges that puts code into all classes of some names: those that are
// loaded, and those that are loaded later. Coverage and Recording are such clients; they say which
// code that is.
//
// - Classes that are loaded while it is on get the code while they are loaded, without a change. So
//   they are not known to CodeChanges until something else changes them. Then the same class file
//   gets the same code again.
// - Classes that are loaded already are changed a hundred at a time. A method that a thread runs
//   stays as it is, so that its frames keep their lines in stack traces, and is tried again at the
//   next look (try_again()). Where a change gives all methods of a class a new version (JDK 16 and
//   before, an agent that was attached late), the whole class waits.
//
// The code itself shows whether a class has it, by its mark. When a run ends, it is taken out of
// classes that no thread runs; the others lose it at a later sweep. A hot swap keeps the code in
// methods that stay the same, and gives methods that change new code.
//
// Threads: agent threads, one at a time, call all functions but those that the hook asks, on any
// thread. The lock is of rank kProbes, and is not held during a call into the VM or into
// CodeChanges.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
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
class OldFrames;
}  // namespace jvmdebug::agent::probes

namespace jvmdebug::agent::by_pattern {

class CodeByPattern : public code::CodeClient {
 public:
  // What other parts of the agent do for it. `run_soon` runs work on a thread of the agent.
  struct Uses {
    const jvm::Env& env;
    code::CodeChanges& changes;
    code::CodeVersions& versions;
    const probes::ChangeLimits& limits;
    events::Breakpoints& breakpoints;
    std::function<void(std::function<void()>)> run_soon;
  };

  // The number of classes with methods that have no code yet because threads run them.
  [[nodiscard]] std::size_t waiting() const { return waiting_; }

  // --- CodeClient ----------------------------------------------------------------------------
  void sweep(code::Sweep how) override;

  [[nodiscard]] bool needs_sweep() const override { return is_lacking_ && !is_wanted(); }

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
  void complete(classfile::ClassFile& file, classfile::MethodInsertions& insertions) const override;
  void replaced(const code::ChangedClass& of, jclass type, const Codes& kept) override;
  void begins(const code::ChangedClass& of, jclass type) override;
  [[nodiscard]] bool holds(const code::ChangedClass& of) const override;
  void forget(const code::ChangedClass& of) override;

  [[nodiscard]] bool is_on() const override { return is_wanted(); }

 protected:
  // `mark`: that of the code, see classfile/code_map.h.
  CodeByPattern(Uses uses, std::uint16_t mark);

  // --- what a client says: any thread --------------------------------------------------------
  // Whether classes are to have the code.
  [[nodiscard]] virtual bool is_wanted() const = 0;
  // Whether a class is to have it, by its name: a/b/C.
  [[nodiscard]] virtual bool includes(std::string_view name) const = 0;
  // Adds the code to the methods but those named (with their descriptors), behind what else is
  // inserted at the same places. `of` is null for a class that CodeChanges does not know.
  [[nodiscard]] virtual classfile::Rewritten<void> add_code(
      const code::ChangedClass* of, classfile::ClassFile& file,
      const std::set<std::string>& without, classfile::MethodInsertions& insertions) const = 0;
  // Notes that a class has no code, and that it has some.
  virtual void leave_out(std::string name, std::string why) const = 0;
  virtual void take_in(const std::string& name) const = 0;

  // Whether the next code of a class differs from the newest, although it has both: see renew().
  [[nodiscard]] virtual bool is_renewed(const code::ChangedClass& /*of*/) const { return false; }

  // Notes that the newest code of a class is what add_code() has made last; or, if the change has
  // failed, what it was before.
  virtual void settle(const code::ChangedClass& /*of*/, bool /*is_taken*/) {}

  // --- for a client: agent threads, one at a time --------------------------------------------
  [[nodiscard]] const Uses& uses() const { return uses_; }

  // Prepares a run.
  [[nodiscard]] code::Outcome prepare();
  // Gives all classes the code that they are to have now.
  void make_equal();

  // Chooses the classes that get other code of the same mark. `concerns` is asked first, with null
  // for a class that CodeChanges does not know. `decide` gets the methods (with their descriptors)
  // that have to stay as they are, and returns whether the next code differs.
  struct Renewal {
    std::function<bool(const code::ChangedClass* of, const std::string& name)> concerns;
    std::function<bool(const code::ChangedClass& of, const std::string& name,
                       const std::set<std::string>& fixed)>
        decide;
  };

  // Changes classes that have the code.
  void renew(const Renewal& renewal);

  // Tries again what threads have prevented. Any thread may note that something is lacking.
  void try_again();

  void note_lacking() const { is_lacking_ = true; }

 private:
  // The code in a class: whether its next version has it, whether its newest version has, and the
  // methods (name and descriptor) that go without.
  struct State {
    bool wanted = false;
    bool there = false;
    std::set<std::string> without;
  };

  void change_all(std::span<code::ChangedClass* const> classes, code::StackLook& look);
  void change(std::span<code::ChangedClass* const> classes, code::StackLook& look);
  [[nodiscard]] std::vector<code::ChangedClass*> renewed(const Renewal& renewal,
                                                         code::StackLook& look);
  [[nodiscard]] std::vector<code::ChangedClass*> changing(code::Sweep how, code::StackLook& look);
  [[nodiscard]] std::optional<std::set<std::string>> methods_in_the_way(
      jclass type, std::span<const jmethodID> methods, const std::set<jmethodID>& running,
      code::StackLook& look) const;
  [[nodiscard]] bool has_name_in_plan(jclass type) const;
  [[nodiscard]] bool has_code(std::span<const jmethodID> methods) const;
  [[nodiscard]] bool has_code(jclass type) const;
  [[nodiscard]] State of(const code::ChangedClass& of) const;

  Uses uses_;
  const std::uint16_t mark_;
  std::atomic<bool> has_run_ = false;             // read where classes are replaced
  mutable std::atomic<bool> is_lacking_ = false;  // whether some class may lack what it is to have
  std::size_t waiting_ = 0;

  mutable RankedMutex<Rank::kProbes> mutex_;
  std::map<const code::ChangedClass*, State> states_;
};

}  // namespace jvmdebug::agent::by_pattern
