// SPDX-License-Identifier: Apache-2.0
//
// Our command Agent.Page: sends a page of a collection in one reply, with what a debugger requests
// to show it.
#include <cstddef>
#include <cstdint>
#include <utility>

#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "agent/commands/object_prefetch.h"
#include "agent/commands/page_walk.h"
#include "agent/commands/prefetch.h"

namespace jvmdebug::agent::commands::agent {

namespace wire = protocol::agent;

namespace {

constexpr std::int32_t kMostEntries = 10'000;
constexpr std::size_t kMostBytes = std::size_t{8} * 1024 * 1024;
// The average number of objects that are shown with an entry: key, value, and what they refer to.
constexpr std::size_t kObjectsOfEntry = 10;
constexpr std::size_t kObjectsOfOne = 100;

}  // namespace

Result<wire::PageReply> page(Agent& agent, const wire::PageRequest& request) {
  if (request.skip < 0) {
    return fail(protocol::Error::kInvalidIndex);
  }
  if (request.count < 0 || request.count > kMostEntries) {
    return fail(protocol::Error::kInvalidLength);
  }
  const std::size_t objects =
      kObjectsOfOne + kObjectsOfEntry * static_cast<std::size_t>(request.count);
  Prefetch replies(agent, agent.prefetched_keys());
  ObjectPrefetch shown(agent, replies, {.bytes = kMostBytes, .objects = objects},
                       request.with_contents);
  wire::PageReply reply;
  if (request.path.empty() && request.parts.empty() && request.count == 0) {
    JVMDEBUG_ASSIGN(const auto object, agent.objects().object(request.object));
    shown.found(agent.objects().tagged_id(object), ObjectPrefetch::kOpened);
  } else {
    PageWalk walk(agent, request);
    JVMDEBUG_ASSIGN(reply.entries, walk.run());
    reply.skipped = walk.skipped();
  }
  for (const wire::PageReply::Entry& entry : reply.entries) {
    for (const protocol::Value& value : entry.values) {
      shown.found(value);
    }
  }
  shown.describe();
  wire::StackReply found = replies.take();
  reply.answers.reserve(found.answers.size());
  for (wire::StackReply::Answer& each : found.answers) {
    reply.answers.push_back({.command_set = each.command_set,
                             .command = each.command,
                             .request = std::move(each.request),
                             .error = each.error,
                             .reply = std::move(each.reply)});
  }
  return reply;
}

}  // namespace jvmdebug::agent::commands::agent
