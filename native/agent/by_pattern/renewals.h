// SPDX-License-Identifier: Apache-2.0
//
// What renewals (code_by_pattern.h) have changed in the code of each class: what its newest code
// has, and what its next code is to have. Any thread.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "agent/code/changed_class.h"
#include "agent/locks/ranked_mutex.h"

namespace jvmdebug::agent::by_pattern {

// `State`: what can be changed. Equal ones lead to the same code.
template <class State>
class Renewals {
 public:
  struct Entry {
    State now;
    State next;
    bool is_mixed = false;  // whether a redefinition has kept code of an older class file
  };

  [[nodiscard]] Entry of(const code::ChangedClass& of) const {
    const std::scoped_lock lock(mutex_);
    const auto found = entries_.find(&of);
    return found == entries_.end() ? Entry{} : found->second;
  }

  [[nodiscard]] std::map<const code::ChangedClass*, Entry> all() const {
    const std::scoped_lock lock(mutex_);
    return entries_;
  }

  [[nodiscard]] bool is_renewed(const code::ChangedClass& of) const {
    const Entry entry = this->of(of);
    return entry.is_mixed || !(entry.now == entry.next);
  }

  // Has the function change the entry, under the lock, and returns what it returns.
  template <class Change>
  auto change(const code::ChangedClass& of, Change&& change) {
    const std::scoped_lock lock(mutex_);
    return std::forward<Change>(change)(entries_[&of]);
  }

  // Notes that the newest code is what the next one was to be; or, if the change has failed, that
  // the next one is to be what it was. Returns the entry as it was before, if there is one.
  std::optional<Entry> settle(const code::ChangedClass& of, bool is_taken) {
    const std::scoped_lock lock(mutex_);
    const auto found = entries_.find(&of);
    if (found == entries_.end()) {
      return std::nullopt;
    }
    Entry before = found->second;
    if (is_taken) {
      found->second.now = found->second.next;
      found->second.is_mixed = false;
    } else {
      found->second.next = found->second.now;
    }
    return before;
  }

  // Notes that the class was redefined, and whether it has code of the client.
  void replaced(const code::ChangedClass& of, bool has_code) {
    const std::scoped_lock lock(mutex_);
    entries_[&of] = {.now = {}, .next = {}, .is_mixed = has_code};
  }

  void forget(const code::ChangedClass& of) {
    const std::scoped_lock lock(mutex_);
    entries_.erase(&of);
  }

 private:
  mutable RankedMutex<Rank::kProbes> mutex_;
  std::map<const code::ChangedClass*, Entry> entries_;
};

}  // namespace jvmdebug::agent::by_pattern
