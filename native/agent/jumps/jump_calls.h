// SPDX-License-Identifier: Apache-2.0
//
// The code of jumps in the classes of the program, another client of code::CodeChanges. A method
// has the code of at most one jump. Between jumps no thread has a jump to make, so the code does
// nothing; a sweep takes it out when no thread runs the class. A redefinition takes it out of the
// methods that it changes.
//
// Threads: agent threads, one at a time, change what is here. The hook asks on any thread, while it
// holds the lock of CodeChanges; the lock here is taken within that one, and is never held while
// CodeChanges is called.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <jvmti.h>

#include "agent/code/code_changes.h"
#include "agent/code/code_client.h"
#include "agent/jumps/jump_code.h"
#include "agent/jvm/env.h"
#include "agent/locks/ranked_mutex.h"

namespace jvmdebug::agent::events {
class Breakpoints;
}

namespace jvmdebug::agent::probes {
class ChangeLimits;
class OldFrames;
}  // namespace jvmdebug::agent::probes

namespace jvmdebug::agent::jumps {

class JumpCalls : public code::CodeClient {
 public:
  JumpCalls(const jvm::Env& env, code::CodeChanges& changes, const probes::ChangeLimits& limits,
            events::Breakpoints& breakpoints, const probes::OldFrames& old_frames);

  // Puts the code of a jump into a method, unless it is there. Returns the number of the jump in
  // the code. The error is the reason; the code is then as before.
  [[nodiscard]] std::expected<std::uint16_t, std::string> put_in(const jvm::Jni& jni, jclass type,
                                                                 jmethodID method, JumpSpec jump);

  // --- CodeClient ----------------------------------------------------------------------------
  void sweep(code::Sweep how) override;
  [[nodiscard]] bool needs_sweep() const override;
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
  void forget(const code::ChangedClass& of) override;
  [[nodiscard]] bool is_on() const override;

 private:
  using Jump = std::shared_ptr<const JumpSpec>;

  struct Method {
    jmethodID id = nullptr;
    Jump wanted;
    Jump next;   // in the next code
    Jump there;  // in the newest code

    [[nodiscard]] bool is_any() const { return wanted || next || there; }
  };

  struct Class {
    std::shared_ptr<code::ChangedClass> code;
    std::map<std::string, Method> methods;  // by name and descriptor
    std::chrono::steady_clock::time_point next_look;
  };

  // A class whose jumps may be taken out, outside of the lock.
  struct Candidate {
    std::shared_ptr<code::ChangedClass> code;
    std::vector<jmethodID> methods;
  };

  [[nodiscard]] std::vector<Candidate> candidates(code::Sweep how);
  [[nodiscard]] bool may_leave(const Candidate& of, code::Sweep how, code::StackLook& look) const;

  const jvm::Env& env_;
  code::CodeChanges& changes_;
  const probes::ChangeLimits& limits_;
  events::Breakpoints& breakpoints_;
  const probes::OldFrames& old_frames_;
  std::uint16_t last_number_ = 0;

  mutable RankedMutex<Rank::kProbes> mutex_;
  std::map<const code::ChangedClass*, Class> classes_;
};

}  // namespace jvmdebug::agent::jumps
