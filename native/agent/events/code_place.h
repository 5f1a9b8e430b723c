// SPDX-License-Identifier: Apache-2.0
//
// An instruction, in JVM TI's words: where a breakpoint can stand. Does not keep the method alive.
#pragma once

#include <cstddef>
#include <functional>

#include <jvmti.h>

namespace jvmdebug::agent::events {

struct CodePlace {
  jmethodID method = nullptr;
  jlocation index = 0;

  friend bool operator==(const CodePlace&, const CodePlace&) = default;
};

struct CodePlaceHash {
  std::size_t operator()(const CodePlace& place) const noexcept {
    return std::hash<const void*>{}(place.method) ^
           (std::hash<jlocation>{}(place.index) * std::size_t{0x9E3779B97F4A7C15});
  }
};

}  // namespace jvmdebug::agent::events
