// SPDX-License-Identifier: Apache-2.0
//
// Maps indices between a method's code with probes and the program's own code. Read from the code
// alone, since each probe begins with instructions that no compiler emits. So the map is right for
// every version of a method, also for those that old frames run and those that other agents have
// changed. Works on bytes, without JVM TI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "classfile/rewrite_error.h"

namespace jvmdebug::classfile {

// Numbers of inserted code that is no probe's; probes have smaller ones.
inline constexpr std::uint16_t kFirstReserved = UINT16_MAX - 3;
// Notes where a task comes from.
inline constexpr std::uint16_t kOriginCall = kFirstReserved;
// Sets flags, and need not end with a call.
inline constexpr std::uint16_t kFlagStore = kFirstReserved + 1;
// Jumps to another instruction of the method.
inline constexpr std::uint16_t kJump = kFirstReserved + 2;
// Records what the method does.
inline constexpr std::uint16_t kRecord = kFirstReserved + 3;

// Makes the code of a probe: marks with its length and number, then `code`, which ends with an
// invokestatic, and padding. kCodeTooLong when it does not fit.
[[nodiscard]] Rewritten<std::vector<std::uint8_t>> marked_probe(std::uint16_t number,
                                                                std::span<const std::uint8_t> code);

// The same for code with any number of calls, at least one.
[[nodiscard]] Rewritten<std::vector<std::uint8_t>> marked_code(std::uint16_t number,
                                                               std::span<const std::uint8_t> code);

// The size of the marks, in front of `code`.
inline constexpr std::size_t kMarksSize = 8;

class CodeMap {
 public:
  // Reads a map; nothing for code without probes.
  static std::optional<CodeMap> read(std::span<const std::uint8_t> code);

  // Returns the index in the program's own code. An instruction of a probe has the index of the
  // instruction behind the probe.
  [[nodiscard]] std::int64_t original(std::int64_t index) const;
  // Returns where the instruction at an index of the program's own code is now, behind the probes.
  [[nodiscard]] std::int64_t instruction(std::int64_t original) const;
  [[nodiscard]] bool is_in_probe(std::int64_t index) const;
  // Returns the numbers of the probes in front of an instruction of the program's own code.
  [[nodiscard]] std::vector<std::uint16_t> probes_at(std::int64_t original) const;
  // Whether one of them has that number.
  [[nodiscard]] bool has(std::uint16_t number) const;
  // Returns the program's own code; empty if `code` is malformed.
  [[nodiscard]] std::vector<std::uint8_t> strip(std::span<const std::uint8_t> code) const;

 private:
  struct Probe {
    std::int64_t at = 0;
    std::int64_t size = 0;
    std::int64_t before = 0;  // bytes of the probes before it
    std::uint16_t number = 0;
  };

  std::vector<Probe> probes_;  // by index
};

}  // namespace jvmdebug::classfile
