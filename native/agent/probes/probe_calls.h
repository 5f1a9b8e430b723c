// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: the calls of checks in the classes of the program.
//
// ProbeCalls is a client of code::CodeChanges. It knows which probes each class has. Before a
// change it decides which of their checks the next code calls (`next_calls`):
//
// - the checks of probes that are on and not deferred;
// - the checks of ended probes whose method cannot be changed now, so that their calls have to
//   stay.
//
// ProbeLife has the states of a probe. This class notes all events of them, except those of
// deferred probes (ProbesTogether).
//
// Probes end one by one, and a sweep takes their calls out of the classes together. Until then, and
// as long as frames run code with these calls, the checks must do nothing, so sweep() silences them
// first. A gentle sweep leaves alone classes that threads run: a change would take the lines of
// these frames from the stack traces that the program prints.
//
// A redefinition of a class by the debugger ends all requests in it. Calls in methods that stay may
// stay too until a sweep; they do nothing.
//
// Invariants:
//
// - next_calls is a subset of the probes of the class.
// - A probe is in ProbeList before put_in() has its class changed.
// - A probe leaves the list of its class only when no code of the class is to call its check any
//   more, or when the class was never changed with it.
//
// Threads: agent threads, one at a time, change what is here. The hook asks on any thread, while it
// holds the lock of CodeChanges; the lock here is taken within that one, and is never held while
// CodeChanges is called.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <jvmti.h>

#include "agent/code/code_changes.h"
#include "agent/code/code_client.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/locks/ranked_mutex.h"
#include "agent/probes/probe_life.h"
#include "agent/probes/probe_specs.h"
#include "agent/probes/probed_class.h"

namespace jvmdebug::agent::events {
class Breakpoints;
}

namespace jvmdebug::agent::probes {

class ChangeLimits;
class CheckCode;
class OldFrames;
class ProbeList;
class ProbeMaker;

class ProbeCalls : public code::CodeClient {
 public:
  struct Parts {
    const ChangeLimits& limits;
    CheckCode& checks;
    ProbeList& list;
    ProbeMaker& maker;
    const OldFrames& old_frames;
    events::Breakpoints& breakpoints;
  };

  ProbeCalls(const jvm::Env& env, code::CodeChanges& changes, const Parts& parts);

  // --- agent threads, one at a time ----------------------------------------------------------
  [[nodiscard]] std::shared_ptr<ProbedClass> class_of(const jvm::Jni& jni, jclass type);
  // Returns null if the class has no probes.
  [[nodiscard]] std::shared_ptr<ProbedClass> known(const jvm::Jni& jni, jclass type) const;
  [[nodiscard]] std::vector<std::shared_ptr<ProbedClass>> all() const;

  // Sets whether several calls in front of one instruction are followed by a call that reports all
  // their hits as one event.
  void set_joins(bool joins) { joins_ = joins; }

  // Adds probes to a class for its next change. They replace the probes `before`, which end.
  void put_in(ProbedClass& of, const Probes& probes, const Probes& before);
  // Removes probes that are not possible, and restores those `before`. The class was not changed,
  // or is without them.
  void take_back(ProbedClass& of, const Probes& probes, const Probes& before);
  // Forgets probes that others have replaced. The code of the class does not call them any more.
  void forget_replaced(ProbedClass& of, const Probes& before);
  // Ends probes, because their requests end. A sweep takes the calls out.
  void end(const Probes& probes);

  // --- CodeClient ----------------------------------------------------------------------------
  void sweep(code::Sweep how) override;

  [[nodiscard]] bool needs_sweep() const override { return has_left_; }

  [[nodiscard]] std::set<jmethodID> decide(const code::ChangedClass& of, jclass type,
                                           code::StackLook& look) override;
  void keep(const code::ChangedClass& of) override;
  [[nodiscard]] std::set<jmethodID> methods(const code::ChangedClass& of) const override;
  void changed(const code::ChangedClass& of, bool as_decided) override;
  [[nodiscard]] bool has_calls(const code::ChangedClass& of) const override;
  [[nodiscard]] classfile::Rewritten<std::string> add(
      const code::ChangedClass& of, classfile::ClassFile& file,
      classfile::MethodInsertions& insertions) override;
  void replaced(const code::ChangedClass& of, jclass type, const Codes& kept) override;
  [[nodiscard]] bool holds(const code::ChangedClass& of) const override;
  [[nodiscard]] bool holds_unloaded(const code::ChangedClass& of) const override;
  void forget(const code::ChangedClass& of) override;
  [[nodiscard]] bool is_on() const override;

 private:
  [[nodiscard]] std::shared_ptr<ProbedClass> find(const code::ChangedClass& of) const;
  [[nodiscard]] Probes all_off() const;
  void forget_gone(ProbedClass& of);
  [[nodiscard]] bool is_run(ProbedClass& of, code::StackLook& look) const;
  [[nodiscard]] bool may_leave(ProbedClass& of, code::Sweep how, code::StackLook& look) const;
  void take_out(std::span<ProbedClass* const> classes, code::StackLook& look);
  void end_all(const ProbedClass& of);

  const jvm::Env& env_;
  code::CodeChanges& changes_;
  const ChangeLimits& limits_;
  CheckCode& checks_;
  ProbeList& list_;
  ProbeMaker& maker_;
  const OldFrames& old_frames_;
  events::Breakpoints& breakpoints_;
  bool has_left_ = false;  // whether classes still have calls of ended probes
  std::atomic<bool> joins_ = false;

  mutable RankedMutex<Rank::kProbes> mutex_;
  std::map<const code::ChangedClass*, std::shared_ptr<ProbedClass>> classes_;
};

}  // namespace jvmdebug::agent::probes
