// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: which code of the program has run.
//
// Coverage is a client of code::CodeChanges. It puts stores of flags into classes (flag_stores.h),
// one for each site (classfile/coverage_sites.h), and returns the flags and what they stand for:
// the index of an instruction. It knows no lines and decides nothing about them; the debugger does
// that from the class files, which it gets with the sites.
//
// How classes get flags, and lose them: by_pattern/code_by_pattern.h.
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
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/atomic_shared.h"
#include "agent/by_pattern/class_patterns.h"
#include "agent/by_pattern/code_by_pattern.h"
#include "agent/by_pattern/renewals.h"
#include "agent/coverage/covered_classes.h"
#include "agent/coverage/flag_blocks.h"
#include "agent/locks/ranked_mutex.h"

namespace jvmdebug::agent::coverage {

struct Plan {
  by_pattern::ClassPatterns classes;
  bool branches = true;
  bool clears = false;  // whether flags are going to be cleared, so that all stores stay
};

class Coverage : public by_pattern::CodeByPattern {
 public:
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

  // The number of flags whose stores have left the code because they were set.
  [[nodiscard]] std::size_t removed() const;

  // --- CodeClient ----------------------------------------------------------------------------
  void replaced(const code::ChangedClass& of, jclass type, const Codes& kept) override;
  void forget(const code::ChangedClass& of) override;

 private:
  // The flags of a class file whose stores the code of a class lacks.
  struct Removed {
    std::shared_ptr<const CoveredClass> of;
    std::vector<bool> gone;

    bool operator==(const Removed& other) const { return gone == other.gone; }
  };

  [[nodiscard]] bool is_wanted() const override { return is_running(); }

  [[nodiscard]] bool includes(std::string_view name) const override;
  // Adds the stores. The class goes without them if there are no flags left.
  [[nodiscard]] classfile::Rewritten<void> add_code(
      const code::ChangedClass* of, classfile::ClassFile& file,
      const std::set<std::string>& without, classfile::MethodInsertions& insertions) const override;

  [[nodiscard]] bool is_renewed(const code::ChangedClass& of) const override {
    return removed_.is_renewed(of);
  }

  void settle(const code::ChangedClass& of, bool is_taken) override {
    removed_.settle(of, is_taken);
  }

  void leave_out(std::string name, std::string why) const override {
    classes_.leave_out(std::move(name), std::move(why));
  }

  void take_in(const std::string& name) const override { classes_.take_in(name); }

  void provide_soon() const;
  [[nodiscard]] bool remove_seen();
  [[nodiscard]] bool decide_to_remove(const code::ChangedClass& of,
                                      const std::shared_ptr<const CoveredClass>& covered,
                                      const std::vector<bool>& set,
                                      const std::set<std::string>& fixed, bool& is_barred);
  [[nodiscard]] std::vector<bool> gone_in(const code::ChangedClass& of,
                                          const std::shared_ptr<const CoveredClass>& covered) const;

  // Shared with the hook, which asks for more flags while classes are loaded.
  mutable FlagBlocks blocks_;
  mutable CoveredClasses classes_;
  AtomicShared<const Plan> plan_;
  mutable std::atomic<bool> is_providing_ = false;
  mutable std::atomic<bool> ran_out_ = false;
  std::chrono::steady_clock::time_point next_removal_;
  std::chrono::milliseconds pause_{0};  // until the removal after it
  int retries_ = 0;
  mutable by_pattern::Renewals<Removed> removed_;
};

}  // namespace jvmdebug::agent::coverage
