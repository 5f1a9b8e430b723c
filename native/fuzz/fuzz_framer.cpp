// SPDX-License-Identifier: Apache-2.0
//
// Feeds any bytes as a stream, in pieces whose length the first byte gives. However the stream is
// cut, the same packets and the same error come out.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <vector>

#include "codec/packet.h"

namespace {

using jvmdebug::codec::Framer;
using jvmdebug::codec::FramingError;

struct Outcome {
  std::vector<std::uint8_t> payloads;
  std::size_t packets = 0;
  std::optional<FramingError> error;

  bool operator==(const Outcome&) const = default;
};

void take_packets(Framer& framer, Outcome& outcome) {
  while (true) {
    const auto packet = framer.next();
    if (!packet) {
      outcome.error = packet.error();
      return;
    }
    if (!*packet) {
      return;
    }
    ++outcome.packets;
    const auto& payload = (*packet)->payload;
    outcome.payloads.insert(outcome.payloads.end(), payload.begin(), payload.end());
  }
}

Outcome run(std::span<const std::uint8_t> stream, std::size_t piece) {
  Framer framer;
  Outcome outcome;
  while (!stream.empty()) {
    const auto next = stream.first(piece < stream.size() ? piece : stream.size());
    stream = stream.subspan(next.size());
    framer.feed(next);
    take_packets(framer, outcome);
  }
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* content, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const auto stream = std::span(content, size).subspan(1);
  const Outcome whole = run(stream, size);
  const Outcome cut = run(stream, std::size_t{content[0]} % 16 + 1);
  if (whole != cut) {
    std::abort();
  }
  return 0;
}
