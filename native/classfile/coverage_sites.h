// SPDX-License-Identifier: Apache-2.0
//
// Finds the places in a method's code where flags have to be set so that they tell which
// instructions have run and which ways branches have gone. Works on bytes, without a class file.
//
// A flag of a place (kReached) is set whenever control comes to the instruction. The places are the
// beginning of the method, exception handlers, and each beginning of a line before which something
// may have thrown, or to which jumps lead. The ways of a branch are told by the flags of its
// targets where nothing else leads to these; else the branch has flags of its own (kJump, kSwitch),
// which are set in front of it. An instruction that is no such place has run if one that leads to
// it has.
//
// A place that neither falls through nor jumps lead to is dead code, and has a flag as well: it
// stays unset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "classfile/code.h"

namespace jvmdebug::classfile {

struct CoverageSite {
  enum class Kind : std::uint8_t {
    kReached = 0,
    kJump = 1,    // two flags: falls through, jumps
    kSwitch = 2,  // a flag for each key, in the order of the operands, and one for the default
  };

  std::size_t index = 0;
  Kind kind = Kind::kReached;
  std::size_t flags = 1;
};

// Returns the sites in the order of their indices. A flag of a place comes before those of a branch
// there. `lines`: where lines begin. `has_branches`: whether the ways of branches are told. Empty
// for malformed code.
[[nodiscard]] std::vector<CoverageSite> coverage_sites(std::span<const std::uint8_t> code,
                                                       std::span<const ExceptionHandler> handlers,
                                                       std::span<const std::size_t> lines,
                                                       bool has_branches);

// The operands of a switch.
struct Switch {
  std::vector<std::int32_t> keys;
  std::vector<std::size_t> targets;  // of each key, then that of the default
};

// Reads the well-formed tableswitch or lookupswitch at `at`.
[[nodiscard]] Switch read_switch(std::span<const std::uint8_t> code, std::size_t at);

}  // namespace jvmdebug::classfile
