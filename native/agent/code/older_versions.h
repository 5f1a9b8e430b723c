// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: in which older versions of a method HotSpot sets breakpoints.
//
// HotSpot keeps the version of a class that a change replaces as long as a frame runs code of it. A
// method that the change leaves as it was counts as the same method in both versions, and
// SetBreakpoint writes its opcode at the same index into each of them. HotSpot keeps the replaced
// opcodes in one list for all versions, and the newest entry counts for all. A method that the
// change gives other code is marked obsolete in the replaced version and in all older ones, and no
// breakpoint is set there any more. A "change" is a redefinition or a retransformation by any
// agent; a method has other code if its instructions, constants or sizes differ.
//
// Three defects:
//
// 1. JDK 11 to 25: InstanceKlass::mark_newly_obsolete_methods marks the older versions only if the
//    change leaves some method of the class as it was. If one change replaces all methods, those
//    that an earlier change had left alone are never marked. The next SetBreakpoint then writes its
//    opcode into their other code, or behind its end, and takes what it finds there for the opcode
//    of the current code. The program computes wrong values, or the VM dies.
// 2. Up to JDK 16 (JDK-8266497) HotSpot does not check the mark: once a change has left a method
//    alone while a frame ran it, breakpoints are set in that version even if the method gets other
//    code later.
// 3. JDK 11 to 25, in versions with the same code: the interpreter replaces getfield and putfield
//    by faster opcodes once it has resolved the field. Each version resolves separately, so a
//    breakpoint at such an instruction makes one version run the fast opcode of another, with the
//    offset 0: it reads or overwrites the header of the object. (Other instructions are replaced
//    when the class is linked, in all versions alike. The pairs that begin with aload_0 and iload
//    are not joined in a VM in which an agent may set breakpoints.)
//
// So the agent follows these rules:
//
// - From JDK 17 on it never replaces all methods of a class that was changed before in one step,
//   see code_changes.h and redefinitions.h. If a class has only one method, each change gives it
//   another version, so that none is ever left alone. Up to JDK 16 all classes are changed in that
//   way; renewing_redefinition.h says what a hot swap has to leave alone. No breakpoint of the VM
//   is set in a method that was left alone and then changed.
// - No breakpoint of the VM is set at a getfield or putfield of a method that may have an older
//   version which is not obsolete. Breakpoints::add() refuses all such breakpoints;
//   probes/breakpoint_gate.h explains how a method gets rid of such versions.
//
// This class knows which methods have no such older version. Other agents change classes too, so
// what it does not know counts as possible.
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

// The methods of a class that have code, and whether it has others, which HotSpot counts as left
// alone by each change.
struct CodeMethods {
  std::set<jmethodID> all;
  bool has_others = false;

  static CodeMethods of(const jvm::Env& env, jclass type);

  // Whether the class has a single method, so that a change either replaces all methods or none.
  [[nodiscard]] bool is_one() const { return all.size() == 1 && !has_others; }
};

class OlderVersions {
 public:
  explicit OlderVersions(const jvm::Env& env) : env_(env) {}

  // Notes a change of the class by this agent. `changed` certainly got other code. `before`: how
  // often the class had been changed then. `unused`: no frame ran any code of it. Agent threads.
  void note(const jvm::Jni& jni, jclass type, const std::set<jmethodID>& changed,
            std::optional<jint> before, bool unused = false);

  // The versions of a method in which the VM would set a breakpoint. Any thread.
  enum class Reach : std::uint8_t {
    kNewest,  // the newest one alone
    kSame,    // perhaps older ones too, which have the same code
    kOther,   // perhaps older ones with other code, by a defect of HotSpot
  };

  [[nodiscard]] Reach reach(const jvm::Jni& jni, jclass type, jmethodID method) const;

 private:
  struct Known {
    jvm::WeakRef type;
    std::optional<jint> times;     // how often it was changed, after the agent's last change of it
    std::set<jmethodID> newest;    // those without an older version that is not obsolete
    std::set<jmethodID> mistaken;  // those that may have one with other code
  };

  using Some = std::vector<std::shared_ptr<const Known>>;

  [[nodiscard]] std::shared_ptr<const Known> find(const jvm::Jni& jni, jclass type) const;
  [[nodiscard]] bool marks_older() const;

  const jvm::Env& env_;
  mutable RankedMutex<Rank::kOlderVersions> mutex_;
  std::unordered_map<jint, Some> known_;  // by the hash of the class
};

}  // namespace jvmdebug::agent::code
