// SPDX-License-Identifier: Apache-2.0
//
// Command set Heap, ours: see native/protocol/heap.toml.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "agent/heap/heap_dump.h"
#include "agent/heap/histogram.h"
#include "agent/jvm/garbage.h"
#include "agent/reply_to.h"

namespace jvmdebug::agent::commands::heap {

namespace wire = protocol::heap;

namespace {

// The dump, or why there is none; `reply` still waits for its answer.
Result<wire::DumpReply> send_dump(Agent& agent, const wire::DumpRequest& request, ReplyTo& reply) {
  using jvmdebug::agent::heap::Contents;
  constexpr std::array kContents{Contents::kAll, Contents::kRedacted, Contents::kReferences};
  const auto wanted = static_cast<std::size_t>(request.contents);
  if (request.contents < 0 || wanted >= kContents.size()) {
    return fail(protocol::Error::kIllegalArgument);
  }
  JVMDEBUG_ASSIGN(auto dump,
                  jvmdebug::agent::heap::HeapDump::create(agent.jvmti(), kContents.at(wanted)));
  wire::DumpReply answer;
  answer.is_complete = true;
  for (const protocol::ObjectId id : request.objects) {
    JVMDEBUG_ASSIGN(const auto object, agent.objects().object(id));
    JVMDEBUG_ASSIGN(const std::uint64_t name, dump.name(object));
    answer.ids.push_back(static_cast<std::int64_t>(name));
  }
  jvmdebug::agent::heap::HprofStream stream([&](std::uint64_t position,
                                                std::span<const std::uint8_t> bytes) {
    if (reply.is_asked(wire::CancelDumpRequest::kCommandSet, wire::CancelDumpRequest::kCommand)) {
      answer.is_complete = false;
      return false;
    }
    return reply.send_before(wire::Part{.number = request.number,
                                        .position = static_cast<std::int64_t>(position),
                                        .objects = static_cast<std::int64_t>(dump.object_count()),
                                        .content = {bytes.begin(), bytes.end()}});
  });
  JVMDEBUG_CHECK(dump.write(stream));
  answer.objects = static_cast<std::int64_t>(dump.object_count());
  answer.size = static_cast<std::int64_t>(stream.size());
  answer.standstill = dump.standstill().count();
  return answer;
}

}  // namespace

Result<wire::HistogramReply> histogram(Agent& agent, const wire::HistogramRequest& /*request*/) {
  JVMDEBUG_ASSIGN(const auto usages, jvmdebug::agent::heap::count_objects(agent.jvmti()));
  wire::HistogramReply reply;
  reply.classes.reserve(usages.size());
  for (const auto& usage : usages) {
    reply.classes.push_back(
        {.signature = usage.signature, .instances = usage.instances, .size = usage.size});
  }
  return reply;
}

Result<void> collect(Agent& agent, const wire::CollectRequest& /*request*/) {
  JVMDEBUG_CHECK(jvm::force_garbage_collection(agent.jvmti()));
  return {};
}

void dump(Agent& agent, const wire::DumpRequest& request, ReplyTo reply) {
  const auto answer = send_dump(agent, request, reply);
  if (answer) {
    reply.send(*answer);
  } else {
    reply.fail(answer.error());
  }
}

// It is seen while the dump is sent: what comes here came too late.
Result<void> cancel_dump(Agent& /*agent*/, const wire::CancelDumpRequest& /*request*/) {
  return {};
}

}  // namespace jvmdebug::agent::commands::heap
