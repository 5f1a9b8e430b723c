// SPDX-License-Identifier: Apache-2.0
#include "agent/transport/sent_packets.h"

#include <algorithm>
#include <utility>

#include "codec/packet.h"

namespace jvmdebug::agent {

void SentPackets::add(std::span<const std::uint8_t> packets) {
  while (packets.size() >= codec::kHeaderSize) {
    const auto header = codec::read_header(packets.first<codec::kHeaderSize>());
    if (!header) {
      return;  // the agent makes no such packets
    }
    const auto packet = packets.first(std::min<std::size_t>(header->length, packets.size()));
    ++count_;
    if (keeps()) {
      kept_.emplace_back(packet.begin(), packet.end());
      bytes_ += packet.size();
    }
    packets = packets.subspan(packet.size());
  }
  while (bytes_ > most_bytes_) {
    drop_first();
  }
}

void SentPackets::received(std::int64_t count) {
  while (!kept_.empty() && count_ - std::ssize(kept_) < count) {
    drop_first();
  }
}

bool SentPackets::has_all_after(std::int64_t count) const {
  return count <= count_ && count >= count_ - std::ssize(kept_);
}

void SentPackets::drop_first() {
  bytes_ -= kept_.front().size();
  kept_.pop_front();
}

}  // namespace jvmdebug::agent
