// SPDX-License-Identifier: Apache-2.0
//
// HotSpot's records of the breakpoints of a class: for each, the opcode that it has replaced. JVM
// TI does not give them; they are read from the memory of the VM, see vm_memory.h.
//
// A record names its method by the numbers of two constants of the class.
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
  // Below 202 an opcode of the class file format; else one of the VM that has replaced it.
  std::uint8_t opcode = 0;

  friend bool operator==(const BreakpointRecord&, const BreakpointRecord&) = default;
};

// Whether the record may belong to a breakpoint in this code, which has the opcodes of the class
// file format.
[[nodiscard]] bool is_of_code(const BreakpointRecord& record, std::span<const std::uint8_t> code);

class BreakpointRecords {
 public:
  BreakpointRecords() = default;  // for a VM that is not read
  explicit BreakpointRecords(const Env& env);
  BreakpointRecords(const VmExports& exports, jint feature_version);

  using Records = std::vector<BreakpointRecord>;

  // Returns the records for any version of each method, the newest first; the methods are of one
  // class. Nothing in a VM that cannot be read. Any thread; breakpoints of the class must not be
  // cleared, nor the class redefined, meanwhile.
  [[nodiscard]] std::optional<std::vector<Records>> of(std::span<const jmethodID> methods) const;

 private:
  // Identifies a method by the numbers of two constants of its class.
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
