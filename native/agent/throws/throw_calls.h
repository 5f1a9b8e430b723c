// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: the calls by which the program reports exceptions to ThrowWatch.
//
// ThrowCalls is a client of code::CodeChanges, with two kinds of calls:
//
// - Reports: each constructor of java.lang.Throwable reports new exceptions. That is one class and
//   one change.
// - Checks: classes report exceptions that they throw and have not constructed in the same place
//   (throw_checks.h). That may be every class. Classes that are loaded later get the calls while
//   they are loaded, without a change, so they are not known here until something else changes
//   them. Classes that are loaded already are changed a hundred at a time. The code itself shows
//   whether it has the calls.
//
// For each known class, `wanted` says which calls its next code has, and `there` which calls its
// newest code has. A change makes them equal.
//
// Not every class may be changed at any time: a change takes the lines of frames that run the class
// from the stack traces that the program prints, and other probes may have to wait for these
// frames. So a class that threads run may stay as it is until a later sweep (`is_lacking_`); a
// class of the JDK always does while threads run it. A class whose change the VM refuses stays as
// it is.
//
// Threads: agent threads, one at a time, change what is here; the hook asks on any thread. The lock
// guards the map. It is taken within the lock of CodeChanges, and is never held while CodeChanges
// is called.
#pragma once

#include <atomic>
#include <chrono>
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
class OldFrames;
}  // namespace jvmdebug::agent::probes

namespace jvmdebug::agent::throws {

// The classes that report exceptions which they throw and have not constructed.
enum class CheckedClasses : std::uint8_t {
  kNone,
  kProgram,  // those that are loaded from now on, and classes of the program that are loaded
  kAll,
};

class ThrowCalls : public code::CodeClient {
 public:
  ThrowCalls(const jvm::Env& env, code::CodeChanges& changes, code::CodeVersions& versions,
             const probes::ChangeLimits& limits, events::Breakpoints& breakpoints,
             const probes::OldFrames& old_frames);

  // --- agent threads, one at a time ----------------------------------------------------------
  // Has each constructor of java.lang.Throwable report new exceptions to ThrowWatch, or stop doing
  // so. The error is the reason; the code is then as before.
  [[nodiscard]] code::Outcome report(bool on);
  // Has these classes report exceptions that they throw and have not constructed. Some that threads
  // run stay as they are until a sweep. With fewer classes than before, the others keep their
  // calls. An agent that was loaded into a running VM changes classes that are loaded already only
  // for kAll.
  void check(CheckedClasses which);

  // --- CodeClient ----------------------------------------------------------------------------
  void sweep(code::Sweep how) override;

  [[nodiscard]] bool needs_sweep() const override { return is_lacking_; }

  [[nodiscard]] std::set<jmethodID> decide(const code::ChangedClass& of, jclass type,
                                           code::StackLook& look) override;

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
  [[nodiscard]] bool stays_in(const code::ChangedClass& of) const override;
  void complete(classfile::ClassFile& file, classfile::MethodInsertions& insertions) const override;
  void replaced(const code::ChangedClass& of, jclass type, const Codes& kept) override;
  void begins(const code::ChangedClass& of, jclass type) override;
  [[nodiscard]] bool holds(const code::ChangedClass& of) const override;
  void forget(const code::ChangedClass& of) override;
  [[nodiscard]] bool is_on() const override;

 private:
  struct Kinds {
    bool reports = false;
    bool checks = false;

    [[nodiscard]] bool is_any() const { return reports || checks; }
  };

  struct Calls {
    Kinds wanted;
    Kinds there;
  };

  [[nodiscard]] Calls of(const code::ChangedClass& of) const;
  void set_wanted(const code::ChangedClass& of, bool Kinds::* kind, bool on);
  [[nodiscard]] std::set<jmethodID> constructors_of(jclass type) const;
  [[nodiscard]] std::vector<code::ChangedClass*> changing(code::Sweep how, code::StackLook& look);
  void change(std::span<code::ChangedClass* const> classes, code::StackLook& look);
  [[nodiscard]] bool may_check_running(jclass type, std::span<const jmethodID> methods,
                                       code::StackLook& look) const;

  const jvm::Env& env_;
  code::CodeChanges& changes_;
  code::CodeVersions& versions_;
  const probes::ChangeLimits& limits_;
  events::Breakpoints& breakpoints_;
  const probes::OldFrames& old_frames_;
  std::atomic<bool> checks_loaded_ = false;
  std::atomic<bool> has_backtrace_ = false;  // whether Throwable has the field, see ThrowReports
  CheckedClasses which_ = CheckedClasses::kNone;
  bool has_checked_ = false;  // whether classes have ever had checks
  bool is_lacking_ = false;   // whether some class may lack what is wanted for it
  std::chrono::steady_clock::time_point next_look_;

  mutable RankedMutex<Rank::kProbes> mutex_;
  std::map<const code::ChangedClass*, Calls> classes_;
};

}  // namespace jvmdebug::agent::throws
