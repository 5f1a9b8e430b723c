// SPDX-License-Identifier: Apache-2.0
//
// Command set Threads, ours: see native/protocol/threads.toml.
#include <cstddef>

#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "agent/thread_dump/thread_dump.h"

namespace jvmdebug::agent::commands::threads {

namespace wire = protocol::threads;

using thread_dump::Consistency;

namespace {

constexpr jint kMostFrames = 1024;

}  // namespace

Result<wire::DumpReply> dump(Agent& agent, const wire::DumpRequest& request) {
  if (request.frames < 0 || request.frames > kMostFrames || request.virtual_threads < 0) {
    return fail(protocol::Error::kInvalidLength);
  }
  if (request.consistency < 0 || request.consistency > static_cast<jint>(Consistency::kAll)) {
    return fail(protocol::Error::kIllegalArgument);
  }
  return thread_dump::ThreadDump::take(
      agent,
      {.frames = request.frames,
       .virtual_threads = static_cast<std::size_t>(request.virtual_threads)},
      static_cast<Consistency>(request.consistency));
}

}  // namespace jvmdebug::agent::commands::threads
