// SPDX-License-Identifier: Apache-2.0
//
// Command set Coverage, ours: see native/protocol/coverage.toml.
#include "agent/coverage/coverage.h"

#include <utility>

#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "agent/commands/pattern_texts.h"

namespace jvmdebug::agent::commands::coverage {

namespace wire = protocol::coverage;

namespace {

// Returns the sites as the wire has them.
std::vector<std::uint8_t> packed(const std::vector<classfile::CoverageSite>& sites) {
  constexpr unsigned kByteBits = 8;
  std::vector<std::uint8_t> bytes;
  const auto add = [&](std::size_t value) {
    bytes.push_back(static_cast<std::uint8_t>(value >> kByteBits));
    bytes.push_back(static_cast<std::uint8_t>(value));
  };
  for (const classfile::CoverageSite& each : sites) {
    add(each.index);
    bytes.push_back(static_cast<std::uint8_t>(each.kind));
    add(each.flags);
  }
  return bytes;
}

wire::ReadReply::Class described(const jvmdebug::agent::coverage::CoveredClass& of) {
  wire::ReadReply::Class made{.name = of.name, .class_file = of.class_file, .methods = {}};
  for (const auto& each : of.sites.methods) {
    made.methods.push_back(
        {.number = static_cast<std::int32_t>(each.number), .sites = packed(each.sites)});
  }
  return made;
}

}  // namespace

Result<void> start(Agent& agent, const wire::StartRequest& request) {
  if (!agent.options().probes) {
    return fail(protocol::Error::kNotImplemented);
  }
  const auto done = agent.coverage().start(
      {.classes = by_pattern::ClassPatterns(texts(request.included), texts(request.excluded)),
       .branches = request.branches,
       .clears = request.clears});
  return done ? Result<void>{} : fail(protocol::Error::kNotImplemented);
}

Result<wire::ReadReply> read(Agent& agent, const wire::ReadRequest& request) {
  if (request.known < 0) {
    return fail(protocol::Error::kIllegalArgument);
  }
  auto& coverage = agent.coverage();
  coverage.look_again();
  const auto all = coverage.classes(0);
  wire::ReadReply reply{.is_running = coverage.is_running(),
                        .classes = {},
                        .flags = {},
                        .left_out = {},
                        .waiting = static_cast<std::int32_t>(coverage.waiting()),
                        .removed = static_cast<std::int32_t>(coverage.removed())};
  for (auto number = static_cast<std::size_t>(request.known); number < all.size(); ++number) {
    reply.classes.push_back(described(*all[number]));
  }
  for (auto& each : coverage.flags(all, request.reset)) {
    reply.flags.push_back({.set = std::move(each)});
  }
  for (const auto& [name, why] : coverage.left_out()) {
    reply.left_out.push_back({.name = name, .why = why});
  }
  return reply;
}

Result<void> stop(Agent& agent, const wire::StopRequest& /*request*/) {
  agent.coverage().stop();
  return {};
}

}  // namespace jvmdebug::agent::commands::coverage
