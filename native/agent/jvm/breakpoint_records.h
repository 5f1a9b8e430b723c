// SPDX-License-Identifier: Apache-2.0
//
// What HotSpot keeps of the breakpoints of a class: for each, which opcode it has replaced. JVM TI
// does not tell; they are read from the memory of the VM, see vm_memory.h.
//
// A record names its method by the numbers of two constants of the class. take_out() writes 0 for
// the name, which is the number of none, so that the record is of no method any more. That is all
// that is written.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/vm_memory.h"
#include "agent/jvm/vm_structures.h"

namespace jvmdebug::agent::jvm {

struct BreakpointRecord {
  std::int32_t index = 0;  // of the instruction, in the actual code
  // Below 202 one of the class file format; else one that the VM had put in for it.
  std::uint8_t opcode = 0;
  std::uint16_t name = 0;            // of the method, a number
  std::uint16_t* name_at = nullptr;  // in the memory of the VM

  friend bool operator==(const BreakpointRecord&, const BreakpointRecord&) = default;
};

// Whether it may be of a breakpoint in this code, which has the opcodes of the class file format.
[[nodiscard]] bool is_of_code(const BreakpointRecord& record, std::span<const std::uint8_t> code);

class BreakpointRecords {
 public:
  BreakpointRecords() = default;  // of a VM that is not read
  explicit BreakpointRecords(const Env& env);
  BreakpointRecords(const VmExports& exports, jint feature_version);

  using Records = std::vector<BreakpointRecord>;

  // Those for any version of each method, the newest first; the methods are of one class. Nothing
  // in a VM that cannot be read. Any thread; nobody may clear breakpoints of the class or redefine
  // it meanwhile.
  [[nodiscard]] std::optional<std::vector<Records>> of(std::span<const jmethodID> methods) const;

  // One of a breakpoint that is set no more, in any version of the method: the VM leaves it alone
  // as long as the class is there, and the caller holds that. Compilers that read it meanwhile see
  // it as it was or as of no method. Any thread.
  static void take_out(const BreakpointRecord& left);

 private:
  // A method is known by the numbers of two constants of its class.
  struct Names {
    std::uint16_t name = 0;
    std::uint16_t signature = 0;

    friend auto operator<=>(const Names&, const Names&) = default;
  };

  struct NamedRecord {
    Names names;
    BreakpointRecord record;
  };

  struct Offsets {
    std::uint64_t code = 0;         // Method._constMethod
    std::uint64_t pool = 0;         // ConstMethod._constants
    std::uint64_t name = 0;         // ConstMethod._name_index
    std::uint64_t signature = 0;    // ConstMethod._signature_index
    std::uint64_t holder = 0;       // ConstantPool._pool_holder
    std::uint64_t breakpoints = 0;  // InstanceKlass._breakpoints
    std::uint64_t opcode = 0;       // BreakpointInfo._orig_bytecode
    std::uint64_t index = 0;        // BreakpointInfo._bci
    std::uint64_t record_name = 0;  // BreakpointInfo._name_index
    std::uint64_t record_signature = 0;
    std::uint64_t next = 0;  // BreakpointInfo._next
  };

  [[nodiscard]] static std::optional<std::vector<NamedRecord>> all(VmMemory& memory,
                                                                   const Offsets& offsets,
                                                                   Address code);

  std::optional<Offsets> offsets_;
};

}  // namespace jvmdebug::agent::jvm
