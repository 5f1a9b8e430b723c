// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: which code of the program has run.
//
// Coverage is a client of code::CodeChanges. It puts stores of flags into classes (flag_stores.h),
// one for each site (classfile/coverage_sites.h), and returns the flags and what they stand for:
// the index of an instruction. It knows no lines and decides nothing about them; the debugger does
// that from the class files, which it gets with the sites.
//
// How classes get flags:
//
// - Classes that are loaded while it is on get them while they are loaded, without a change. So
// they
//   are not known to CodeChanges until something else changes them. Then the same class file has
//   the same flags again (covered_classes.h).
// - Classes that are loaded already are changed a hundred at a time. A method that a thread runs
//   stays as it is, so that its frames keep their lines in stack traces, and is tried again at the
//   next read(). Where a change gives all methods of a class a new version (JDK 16 and before, an
//   agent that was attached late), the whole class waits.
//
// The flags are bytes in arrays of classes that the agent defines (flag_blocks.h). So the shape of
// no class of the program changes, and a flag is one store: nothing is called, nothing can throw,
// and no lock is taken. Only branches whose targets are also reached otherwise call a method, which
// compilers inline.
//
// What is set stays set, until read() is asked to clear it. A store may be late: a compiler may
// move it out of a loop, behind the loop's end.
//
// The store of a flag that is set has nothing left to tell. Unless the debugger is going to clear
// flags, such stores are taken out of classes now and then, at longer and longer intervals
// (remove_seen()), so that code which runs often is soon as it was. Methods that a thread runs keep
// theirs until later.
//
// The code itself shows whether a class has flags, by the mark of the stores. When the run ends,
// they are taken out of classes that no thread runs; the others lose them at a later sweep. A hot
// swap keeps the stores in methods that stay the same, and gives methods that change new ones.
//
// Invariants:
//
// - A flag belongs to one site of one class file for as long as the agent lives.
// - A class file is described to the debugger once, under a number that it keeps.
//
// Threads: agent threads, one at a time, start, read and stop; the hook asks on any thread. The
// locks are of rank kProbes, and none is held during a call into the VM or into CodeChanges.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jvmti.h>

#include "agent/atomic_shared.h"
#include "agent/code/code_changes.h"
#include "agent/code/code_client.h"
#include "agent/coverage/class_patterns.h"
#include "agent/coverage/covered_classes.h"
#include "agent/coverage/flag_blocks.h"
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

namespace jvmdebug::agent::coverage {

struct Plan {
  ClassPatterns classes;
  bool branches = true;
  bool clears = false;  // whether flags are going to be cleared, so that all stores stay
};

class Coverage : public code::CodeClient {
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

  explicit Coverage(Uses uses);

  // --- agent threads, one at a time ----------------------------------------------------------
  // Begins a run in place of the current one. The error is the reason.
  [[nodiscard]] code::Outcome start(Plan plan);
  void stop();

  [[nodiscard]] bool is_running() const { return plan_.load() != nullptr; }

  // Gives flags to classes that threads ran before, and takes out stores of flags that are set.
  void look_again();

  [[nodiscard]] std::vector<std::shared_ptr<const CoveredClass>> classes(std::size_t from) const {
    return classes_.from(from);
  }

  // Returns the flags of classes as bits, the first flag in the lowest bit of the first byte.
  [[nodiscard]] std::vector<std::vector<std::uint8_t>> flags(
      std::span<const std::shared_ptr<const CoveredClass>> of, bool reset) const;

  [[nodiscard]] std::map<std::string, std::string> left_out() const { return classes_.left_out(); }

  // The number of classes with methods that have no flags yet because threads run them.
  [[nodiscard]] std::size_t waiting() const { return waiting_; }

  // The number of flags whose stores have left the code because they were set.
  [[nodiscard]] std::size_t removed() const;

  // --- CodeClient ----------------------------------------------------------------------------
  void sweep(code::Sweep how) override;

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

  [[nodiscard]] bool is_on() const override { return is_running(); }

 private:
  // The stores in a class.
  struct Stores {
    bool wanted = false;            // whether its next code has any
    bool there = false;             // whether its newest code has
    bool is_mixed = false;          // whether a redefinition has kept stores of an older class file
    std::set<std::string> without;  // methods (name and descriptor) that have none
    std::shared_ptr<const CoveredClass> of;  // whose flags they set; null if not known
    // The flags of `of` that the newest and the next code do not store any more.
    std::vector<bool> gone;
    std::vector<bool> next_gone;
  };

  void make_equal();
  void remove_seen();
  [[nodiscard]] std::vector<code::ChangedClass*> with_seen_stores(code::StackLook& look);
  [[nodiscard]] bool decide_to_remove(const code::ChangedClass& of,
                                      const std::shared_ptr<const CoveredClass>& covered,
                                      const std::vector<bool>& set,
                                      const std::set<std::string>& fixed);
  void change_all(std::span<code::ChangedClass* const> classes, code::StackLook& look);
  void change(std::span<code::ChangedClass* const> classes, code::StackLook& look);
  [[nodiscard]] std::vector<code::ChangedClass*> changing(code::Sweep how, code::StackLook& look);
  [[nodiscard]] std::optional<std::set<std::string>> methods_in_the_way(
      jclass type, std::span<const jmethodID> methods, const std::set<jmethodID>& running,
      code::StackLook& look) const;
  [[nodiscard]] bool has_name_in(const ClassPatterns& patterns, jclass type) const;
  [[nodiscard]] Stores of(const code::ChangedClass& of) const;
  [[nodiscard]] classfile::Rewritten<std::shared_ptr<const CoveredClass>> add_stores(
      const Plan& plan, classfile::ClassFile& file, const Stores& stores,
      classfile::MethodInsertions& insertions) const;
  void provide_soon() const;

  Uses uses_;
  // Shared with the hook, which asks for more flags while classes are loaded.
  mutable FlagBlocks blocks_;
  mutable CoveredClasses classes_;
  AtomicShared<const Plan> plan_;
  std::atomic<bool> has_run_ = false;  // read where classes are replaced
  bool is_lacking_ = false;            // whether some class may lack what is wanted for it
  std::size_t waiting_ = 0;
  std::chrono::steady_clock::time_point next_removal_;
  std::chrono::milliseconds pause_{0};  // until the removal after it
  mutable std::atomic<bool> is_providing_ = false;
  mutable std::atomic<bool> ran_out_ = false;

  mutable RankedMutex<Rank::kProbes> mutex_;
  std::map<const code::ChangedClass*, Stores> stores_;
};

}  // namespace jvmdebug::agent::coverage
