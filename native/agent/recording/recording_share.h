// SPDX-License-Identifier: Apache-2.0
//
// The share of the processor time that a recording may take, and what is recorded of which methods
// no more when it takes a larger one. The agent's thread that reads uses it.
//
// What a recording costs the program is estimated:
//
//     records * kCostOfRecord + the processor time of reading
//
// over a window of at least kWindow, of which the program has run for kLeast. If that is more than
// the share, the methods with the most records are thinned by a level each, until what is left is
// well below the share. Where nothing could be thinned, as threads run the methods all the time,
// the next window is longer. A method gets its calls again only in the next recording.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "agent/recording/recorded_classes.h"

namespace jvmdebug::agent::recording {

class RecordingShare {
 public:
  using Nanos = std::chrono::nanoseconds;

  // Measured in compiled code (tests/bench/recording_cost.py); interpreted code pays more.
  static constexpr Nanos kCostOfRecord{5};
  static constexpr std::chrono::milliseconds kWindow{500};
  static constexpr std::chrono::milliseconds kLongestWindow{8000};
  static constexpr std::chrono::milliseconds kLeast{100};

  // Begins a run. `percent` 0: without a limit.
  void begin(int percent, Nanos now, Nanos process);

  [[nodiscard]] bool is_limited() const { return percent_ > 0; }

  // Notes what one read has taken. Times are those of the clocks since their beginnings.
  void note(Nanos reading) { reading_ += reading; }

  // Whether a window is over: then over() has to be asked.
  [[nodiscard]] bool is_due(Nanos now, Nanos process) const;

  // Ends the window. Returns the methods that are to be thinned, with their next levels: none if
  // the recording is within its share. `records`: those of the window, also those that were
  // dropped.
  [[nodiscard]] std::map<std::shared_ptr<const RecordedClass>, Levels> over(
      Nanos now, Nanos process, std::int64_t records, std::span<const MethodRecords> methods);

  // Notes whether a method has been thinned.
  void note_thinned(bool is_any) {
    window_ = is_any ? kWindow : std::min(2 * window_, kLongestWindow);
  }

 private:
  void begin_window(Nanos now, Nanos process);

  int percent_ = 0;
  std::chrono::milliseconds window_ = kWindow;
  Nanos began_{0};    // the window
  Nanos process_{0};  // the processor time of the process then
  Nanos reading_{0};  // in the window
};

}  // namespace jvmdebug::agent::recording
