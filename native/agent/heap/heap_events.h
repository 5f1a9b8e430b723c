// SPDX-License-Identifier: Apache-2.0
//
// The parts that watch the heap while the program runs: deaths of marked objects, collections,
// allocations. Owned by Agent; each part has its own JVM TI environment, made on first use.
#pragma once

#include "agent/heap/allocations.h"
#include "agent/heap/collections.h"
#include "agent/heap/marks.h"

namespace jvmdebug::agent::heap {

class HeapEvents {
 public:
  explicit HeapEvents(Agent& agent) : marks_(agent), collections_(agent), allocations_(agent) {}

  [[nodiscard]] Marks& marks() { return marks_; }

  [[nodiscard]] Collections& collections() { return collections_; }

  [[nodiscard]] Allocations& allocations() { return allocations_; }

  // Ends everything that the debugger has requested. In the live phase.
  void debugger_left() {
    marks_.clear();
    collections_.end();
    allocations_.end();
    allocations_.forget();
  }

  void stop() {
    marks_.stop();
    collections_.stop();
    allocations_.stop();
  }

 private:
  Marks marks_;
  Collections collections_;
  Allocations allocations_;
};

}  // namespace jvmdebug::agent::heap
