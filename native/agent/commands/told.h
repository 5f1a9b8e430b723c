// SPDX-License-Identifier: Apache-2.0
//
// What the debugger of this connection has been told, unasked, of what can never change; owned by
// Agent, emptied when the connection ends. It may have thrown it away meanwhile: then it asks.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_set>
#include <utility>

namespace jvmdebug::agent::commands {

// A key for each answer: the numbers of the command and the request. Used on the thread that runs
// commands alone.
class Told {
 public:
  // True the first time.
  bool add(std::string key) {
    if (keys_.size() >= kMost) {
      keys_.clear();  // told again, and no harm done
    }
    return keys_.insert(std::move(key)).second;
  }

  void clear() { keys_.clear(); }

 private:
  static constexpr std::size_t kMost = 100'000;
  std::unordered_set<std::string> keys_;
};

}  // namespace jvmdebug::agent::commands
