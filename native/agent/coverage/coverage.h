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
// Invariants:
//
// - A flag belongs to one site of one class file for as long as the agent lives.
// - A class file is described to the debugger once, under a number that it keeps.
//
// Threads: agent threads, one at a time, start, read and stop; the hook asks on any thread. The
// locks are of rank kProbes, and none is held during a call into the VM or into CodeChanges.
#pragma once

#include <atomic>
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
#include "agent/coverage/covered_classes.h"
#include "agent/coverage/flag_blocks.h"

namespace jvmdebug::agent::coverage {

struct Plan {
  by_pattern::ClassPatterns classes;
  bool branches = true;
};

class Coverage : public by_pattern::CodeByPattern {
 public:
  explicit Coverage(Uses uses);

  // --- agent threads, one at a time ----------------------------------------------------------
  // Begins a run in place of the current one. The error is the reason.
  [[nodiscard]] code::Outcome start(Plan plan);
  void stop();

  [[nodiscard]] bool is_running() const { return plan_.load() != nullptr; }

  // Gives flags to classes that threads ran before.
  void look_again();

  [[nodiscard]] std::vector<std::shared_ptr<const CoveredClass>> classes(std::size_t from) const {
    return classes_.from(from);
  }

  // Returns the flags of classes as bits, the first flag in the lowest bit of the first byte.
  [[nodiscard]] std::vector<std::vector<std::uint8_t>> flags(
      std::span<const std::shared_ptr<const CoveredClass>> of, bool reset) const;

  [[nodiscard]] std::map<std::string, std::string> left_out() const { return classes_.left_out(); }

 private:
  [[nodiscard]] bool is_wanted() const override { return is_running(); }

  [[nodiscard]] bool includes(std::string_view name) const override;
  // Adds the stores. The class goes without them if there are no flags left.
  [[nodiscard]] classfile::Rewritten<void> add_code(
      classfile::ClassFile& file, const std::set<std::string>& without,
      classfile::MethodInsertions& insertions) const override;

  void leave_out(std::string name, std::string why) const override {
    classes_.leave_out(std::move(name), std::move(why));
  }

  void take_in(const std::string& name) const override { classes_.take_in(name); }

  void provide_soon() const;

  // Shared with the hook, which asks for more flags while classes are loaded.
  mutable FlagBlocks blocks_;
  mutable CoveredClasses classes_;
  AtomicShared<const Plan> plan_;
  mutable std::atomic<bool> is_providing_ = false;
  mutable std::atomic<bool> ran_out_ = false;
};

}  // namespace jvmdebug::agent::coverage
