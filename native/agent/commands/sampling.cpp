// SPDX-License-Identifier: Apache-2.0
//
// Command set Sampling, ours: see native/protocol/sampling.toml.
#include <chrono>

#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "agent/sampling/sampler.h"

namespace jvmdebug::agent::commands::sampling {

namespace wire = protocol::sampling;

Result<void> start(Agent& agent, const wire::StartRequest& request) {
  constexpr std::int32_t kShortest = 200;
  constexpr std::int32_t kLongest = 10'000'000;
  constexpr jint kMostFrames = 2048;
  if (request.clock > 1 || request.way > 1 || request.interval < kShortest ||
      request.interval > kLongest || request.frames < 1 || request.frames > kMostFrames ||
      (request.way == 1 && request.clock == 0)) {
    return fail(protocol::Error::kIllegalArgument);
  }
  return agent.sampler().start({.by_cpu = request.clock == 1,
                                .by_signals = request.way == 1,
                                .interval = std::chrono::microseconds(request.interval),
                                .frames = request.frames});
}

Result<wire::ReadReply> read(Agent& agent, const wire::ReadRequest& /*request*/) {
  return agent.sampler().read();
}

Result<void> stop(Agent& agent, const wire::StopRequest& /*request*/) {
  agent.sampler().stop();
  return {};
}

}  // namespace jvmdebug::agent::commands::sampling
