// SPDX-License-Identifier: Apache-2.0
//
// Remembers which constant replies (those that can never change) were already prefetched on this
// connection, so that they are not sent again with each stop. Owned by Agent, emptied when the
// connection ends. A debugger that has dropped a reply requests it as usual. Used by prefetch.h, on
// the thread that runs commands and on the one that sends events.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <unordered_set>
#include <utility>

#include "agent/locks/ranked_mutex.h"

namespace jvmdebug::agent::commands {

// A key for each reply: the numbers of the command and the content of the request.
class PrefetchedKeys {
 public:
  // True the first time.
  bool add(std::string key) {
    const std::scoped_lock lock(mutex_);
    if (keys_.size() >= kMost) {
      keys_.clear();  // limits the memory; the replies are sent once more
    }
    return keys_.insert(std::move(key)).second;
  }

  // Forgets one that was not sent after all.
  void remove(const std::string& key) {
    const std::scoped_lock lock(mutex_);
    keys_.erase(key);
  }

  void clear() {
    const std::scoped_lock lock(mutex_);
    keys_.clear();
  }

 private:
  static constexpr std::size_t kMost = 100'000;
  RankedMutex<Rank::kPrefetchedKeys> mutex_;
  std::unordered_set<std::string> keys_;
};

}  // namespace jvmdebug::agent::commands
