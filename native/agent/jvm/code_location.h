// SPDX-License-Identifier: Apache-2.0
//
// The location of an instruction as JVM TI gives it: method and bytecode index. Does not keep the
// method alive.
#pragma once

#include <cstddef>
#include <functional>
#include <unordered_set>

#include <jvmti.h>

namespace jvmdebug::agent::jvm {

struct CodeLocation {
  jmethodID method = nullptr;
  jlocation index = 0;

  friend bool operator==(const CodeLocation&, const CodeLocation&) = default;
};

struct CodeLocationHash {
  std::size_t operator()(const CodeLocation& location) const noexcept {
    return std::hash<const void*>{}(location.method) ^
           (std::hash<jlocation>{}(location.index) * std::size_t{0x9E3779B97F4A7C15});
  }
};

using CodeLocations = std::unordered_set<CodeLocation, CodeLocationHash>;

}  // namespace jvmdebug::agent::jvm
