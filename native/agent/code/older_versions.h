// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: in which older versions of a method HotSpot sets breakpoints.
//
// HotSpot keeps the version of a class that a change replaces for as long as a frame runs code of
// it. A method that the change leaves as it was is taken for the same method in both versions, and
// SetBreakpoint writes its opcode at the same index into each of them. What the opcode replaces is
// kept in one list for all versions, and the newest entry counts for all. A method that the change
// makes another one is marked obsolete in the version that is replaced and in all older ones; no
// breakpoint is set there any more. "Change" is a redefinition or a retransformation, whoever asks
// for it; a method is another one if its instructions, constants or sizes differ.
//
// What goes wrong there:
//
// 1. JDK 11 to 25: InstanceKlass::mark_newly_obsolete_methods marks the older versions only if the
//    change leaves some method of the class as it was. Where one change replaces all methods, those
//    that an earlier change had left alone are never marked. The next SetBreakpoint then writes its
//    opcode into their other code, or behind its end, and takes what it finds there for the opcode
//    of the current code. The program computes wrong values, or the VM dies.
// 2. Up to JDK 16 (JDK-8266497) the mark is not looked at: once a method was left alone while a
//    frame ran it, breakpoints are set in that version, whatever the method becomes.
// 3. JDK 11 to 25, in versions with the same code: the interpreter replaces getfield and putfield
//    by faster opcodes once it has resolved the field. Each version resolves on its own, so a
//    breakpoint at such an instruction makes a version run the fast opcode of another, with the
//    offset 0: it reads or overwrites the object's header. (Other instructions are replaced when
//    the class is linked, in all versions alike. The pairs that begin with aload_0 and iload are
//    not joined in a VM in which an agent may set breakpoints.)
//
// So the agent holds two rules:
//
// - From JDK 17 on it never replaces all methods of a class that was changed before in one step,
//   see code_changes.h and redefinitions.h. A class that has one method only gets
//   another version of it by each change, so that none is ever left alone. Up to JDK 16 all classes
//   are changed in that way, see renewing_redefinition.h for what a hot swap has to leave alone.
//   No breakpoint of the VM is set in a method that was left alone and then changed.
// - No breakpoint of the VM is set at a getfield or putfield of a method that may have an older
//   version which is not obsolete. Breakpoints::add() is the gate for all of them; see
//   probes/breakpoint_gate.h for how the method gets rid of such versions.
//
// This class knows which methods have none. Other agents change classes too: what it does not know
// counts as possible.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/locks/ranked_mutex.h"

namespace jvmdebug::agent::code {

// The methods of a class that have code, and whether there are others: HotSpot takes those for the
// same after each change.
struct CodeMethods {
  std::set<jmethodID> all;
  bool has_others = false;

  static CodeMethods of(const jvm::Env& env, jclass type);

  // There is nothing that a change which replaces this one could leave as it is.
  [[nodiscard]] bool is_one() const { return all.size() == 1 && !has_others; }
};

class OlderVersions {
 public:
  explicit OlderVersions(const jvm::Env& env) : env_(env) {}

  // Agent threads, after a change of the class by this agent: `changed` came out as others,
  // certainly. `before`: how often the class had been changed then. `unused`: no frame ran any code
  // of it.
  void note(const jvm::Jni& jni, jclass type, const std::set<jmethodID>& changed,
            std::optional<jint> before, bool unused = false);

  // Any thread. How a breakpoint of the VM would be set in the method.
  enum class Reach : std::uint8_t {
    kNewest,  // there alone
    kSame,    // perhaps in older versions too, which have the same code
    kOther,   // perhaps in older versions that have other code: after a mistake of HotSpot
  };

  [[nodiscard]] Reach reach(const jvm::Jni& jni, jclass type, jmethodID method) const;

 private:
  struct Known {
    jvm::WeakRef type;
    std::optional<jint> times;     // that the class was changed, after the last change by the agent
    std::set<jmethodID> newest;    // have no older version that is not obsolete
    std::set<jmethodID> mistaken;  // may have one with other code
  };

  using Some = std::vector<std::shared_ptr<const Known>>;

  [[nodiscard]] std::shared_ptr<const Known> find(const jvm::Jni& jni, jclass type) const;
  [[nodiscard]] bool marks_older() const;

  const jvm::Env& env_;
  mutable RankedMutex<Rank::kOlderVersions> mutex_;
  std::unordered_map<jint, Some> known_;  // by the hash of the class
};

}  // namespace jvmdebug::agent::code
