// SPDX-License-Identifier: Apache-2.0
//
// HotSpot's records of breakpoints that are gone, see jvm/breakpoint_records.h.
//
// HotSpot keeps one record for each version of a method in which it sets a breakpoint, and
// ClearBreakpoint removes one for each version that there is then. If HotSpot has freed an older
// version in between, a record stays until the class is unloaded; no function of JVM TI removes it.
// That does no harm as long as the code stays the same. But while a breakpoint is set anywhere in
// the method, a compiler that looks at it, or at a call of it, copies the code and undoes
// breakpoints by all records. One of older code gives the copy a wrong opcode: the compiler
// crashes, or compiles something else.
//
// So no breakpoint of the VM is set in such a method: steps do without, a debugger that knows
// probes is asked to put one there, and another one gets its breakpoint as from the JDK's agent.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include <jvmti.h>

#include "agent/atomic_shared.h"
#include "agent/jvm/breakpoint_records.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent::events {

class LeftRecords {
 public:
  using Records = std::map<jmethodID, std::vector<jvm::BreakpointRecord>>;
  // Gives the records of a class at one moment; nothing in a VM that cannot be read, and while
  // classes are changed.
  using Read = std::function<std::optional<Records>(jclass)>;

  enum class Found : std::uint8_t {
    kNone,
    kSome,
    kUnknown,
  };

  // `vm_reads`: whether the memory of the VM may be read.
  LeftRecords(const jvm::Env& env, bool vm_reads)
      : env_(env), records_(vm_reads ? jvm::BreakpointRecords(env) : jvm::BreakpointRecords()) {}

  // Any thread; breakpoints of the methods' class must not be cleared, nor the class redefined,
  // meanwhile.
  [[nodiscard]] std::optional<Records> of(std::span<const jmethodID> methods) const;
  // Whether there is a record of code that the method does not have. Any thread.
  [[nodiscard]] Found in(const jvm::Jni& jni, jclass type, jmethodID method, const Read& read);
  // Whether the method has more records than breakpoints, which are set at these indices. Any
  // thread.
  [[nodiscard]] bool is_any_beside(jmethodID method, const std::set<jlocation>& set,
                                   const Records& records) const;

 private:
  // The class that was examined last, and how often it had changed.
  struct Clean {
    jvm::WeakRef type;
    jint changes = 0;
  };

  const jvm::Env& env_;
  const jvm::BreakpointRecords records_;
  AtomicShared<const Clean> clean_;
};

}  // namespace jvmdebug::agent::events
