// SPDX-License-Identifier: Apache-2.0
//
// Command set Heap, ours: see native/protocol/heap.toml.
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "agent/commands/own_objects.h"
#include "agent/heap/code_places.h"
#include "agent/heap/heap_dump.h"
#include "agent/heap/heap_events.h"
#include "agent/heap/histogram.h"
#include "agent/jvm/garbage.h"
#include "agent/jvm/heap_walk.h"
#include "agent/jvm/strings.h"
#include "agent/reply_to.h"

namespace jvmdebug::agent::commands::heap {

namespace wire = protocol::heap;

namespace {

// Sends the dump. Returns the reply or an error; `reply` is not answered yet.
Result<wire::DumpReply> send_dump(Agent& agent, const wire::DumpRequest& request, ReplyTo& reply) {
  using jvmdebug::agent::heap::Contents;
  constexpr std::array kContents{Contents::kAll, Contents::kRedacted, Contents::kReferences};
  const auto wanted = static_cast<std::size_t>(request.contents);
  if (request.contents < 0 || wanted >= kContents.size()) {
    return fail(protocol::Error::kIllegalArgument);
  }
  JVMDEBUG_ASSIGN(auto dump, jvmdebug::agent::heap::HeapDump::create(
                                 agent.jvmti(), agent.objects().tags(), kContents.at(wanted),
                                 agent.options().vm_reads));
  if (!request.with_debugger) {
    JVMDEBUG_CHECK(dump.leave_out(own_objects(agent)));
  }
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

Result<wire::HistogramReply> histogram(Agent& agent, const wire::HistogramRequest& request) {
  JVMDEBUG_ASSIGN(auto usages, jvmdebug::agent::heap::count_objects(agent.jvmti()));
  if (!request.with_debugger) {
    JVMDEBUG_CHECK(jvmdebug::agent::heap::leave_out(agent.jvmti(), usages, own_objects(agent)));
  }
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

// Dump itself looks for this command while it sends; one that gets here came too late.
Result<void> cancel_dump(Agent& /*agent*/, const wire::CancelDumpRequest& /*request*/) {
  return {};
}

Result<wire::InstancesReply> instances(Agent& agent, const wire::InstancesRequest& request) {
  if (request.skip < 0 || request.count < 0) {
    return fail(protocol::Error::kIllegalArgument);
  }
  std::vector<jvm::LocalRef<jclass>> owned;
  std::vector<jclass> types;
  for (const protocol::ReferenceTypeId id : request.types) {
    JVMDEBUG_ASSIGN(auto type, agent.objects().type(id));
    types.push_back(type);
    owned.push_back(std::move(type));
  }
  JVMDEBUG_ASSIGN(const auto walk, walk_of_program(agent));
  JVMDEBUG_ASSIGN(const auto page, walk.page({.types = types,
                                              .subclasses = request.with_subclasses,
                                              .skip = request.skip,
                                              .count = request.count}));
  wire::InstancesReply reply{.total = page.total, .objects = {}};
  reply.objects.reserve(page.objects.size());
  const jvm::Jni jni = agent.jni();
  for (jobject each : page.objects) {
    const auto object = jni.adopt(each);
    reply.objects.push_back(agent.objects().tagged_id(object));
  }
  return reply;
}

Result<wire::MarkReply> mark(Agent& agent, const wire::MarkRequest& request) {
  JVMDEBUG_ASSIGN(const auto object, agent.objects().object(request.object));
  JVMDEBUG_ASSIGN(const std::int64_t number, agent.heap_events().marks().mark(object));
  return wire::MarkReply{.number = number};
}

Result<void> unmark(Agent& agent, const wire::UnmarkRequest& request) {
  agent.heap_events().marks().unmark(request.number);
  return {};
}

Result<void> start_allocations(Agent& agent, const wire::StartAllocationsRequest& request) {
  return agent.heap_events().allocations().start(
      {.interval = request.interval, .depth = request.depth, .sites = request.sites});
}

Result<wire::AllocationsReply> allocations(Agent& agent,
                                           const wire::AllocationsRequest& /*request*/) {
  auto& sampled = agent.heap_events().allocations();
  const auto counts = sampled.counts();
  wire::AllocationsReply reply{.samples = counts.samples,
                               .bytes = counts.bytes,
                               .left_out = counts.left_out,
                               .frames = {},
                               .sites = {}};
  std::map<std::pair<jmethodID, jlocation>, std::int32_t> indices;
  for (const auto& site : counts.sites) {
    std::vector<std::int32_t> stack;
    for (const jvmtiFrameInfo& frame : site.stack) {
      const auto next = static_cast<std::int32_t>(reply.frames.size());
      const auto [known, is_new] = indices.try_emplace({frame.method, frame.location}, next);
      if (is_new) {
        const auto place = jvmdebug::agent::heap::code_place(*sampled.env(), frame);
        reply.frames.push_back({.type = place.type,
                                .method = place.method,
                                .source = place.source,
                                .line = place.line});
      }
      stack.push_back(known->second);
    }
    reply.sites.push_back({.signature = jvm::utf8_from_modified(site.signature),
                           .samples = site.samples,
                           .bytes = site.bytes,
                           .live_samples = site.live_samples,
                           .live_bytes = site.live_bytes,
                           .stack = std::move(stack)});
  }
  return reply;
}

Result<void> stop_allocations(Agent& agent, const wire::StopAllocationsRequest& /*request*/) {
  agent.heap_events().allocations().end();
  return {};
}

Result<void> watch(Agent& agent, const wire::WatchRequest& request) {
  auto& collections = agent.heap_events().collections();
  if (request.is_on) {
    JVMDEBUG_CHECK(collections.watch());
  } else {
    collections.end();
  }
  return {};
}

}  // namespace jvmdebug::agent::commands::heap
