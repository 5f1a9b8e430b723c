// SPDX-License-Identifier: Apache-2.0
//
// Counts the packets that were written to a debugger, and keeps those that it may not have received
// yet, so that they can be written again to a debugger that comes back after its link was lost.
// Knows no sockets. Used by Connection, under its lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace jvmdebug::agent {

class SentPackets {
 public:
  // Keeps packets from now on, up to so many bytes: then the oldest are dropped, and a debugger
  // that has not received them cannot come back.
  void keep(std::size_t most_bytes) { most_bytes_ = most_bytes; }

  [[nodiscard]] bool keeps() const { return most_bytes_ > 0; }

  // Takes one or more whole packets that are written together.
  void add(std::span<const std::uint8_t> packets);

  // The debugger has received so many packets since the connection began.
  void received(std::int64_t count);

  // Whether all packets after the first `count` are here.
  [[nodiscard]] bool has_all_after(std::int64_t count) const;

  // The writes that are not received yet, oldest first. They begin after the last received().
  [[nodiscard]] const std::deque<std::vector<std::uint8_t>>& unreceived() const { return kept_; }

 private:
  void drop_first();

  std::deque<std::vector<std::uint8_t>> kept_;  // one packet each
  std::size_t bytes_ = 0;
  std::size_t most_bytes_ = 0;
  std::int64_t count_ = 0;  // all that were written
};

}  // namespace jvmdebug::agent
