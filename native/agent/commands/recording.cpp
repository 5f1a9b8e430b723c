// SPDX-License-Identifier: Apache-2.0
//
// Command set Recording, ours: see native/protocol/recording.toml.
#include "agent/recording/recording.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <utility>

#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "agent/commands/pattern_texts.h"

namespace jvmdebug::agent::commands::recording {

namespace wire = protocol::recording;

namespace {

// A number that differs for plans that record other things of a class.
std::uint64_t number_of(const wire::StartRequest& request) {
  constexpr std::uint64_t kFactor = 1'000'003;
  auto number = static_cast<std::uint64_t>(request.level);
  const auto add = [&](const std::string& text) {
    number = number * kFactor + std::hash<std::string>()(text);
  };
  std::ranges::for_each(texts(request.included), add);
  add("-");
  std::ranges::for_each(texts(request.excluded), add);
  add(request.root_class);
  add(request.root_method);
  return number;
}

// Returns numbers as the wire has them: little-endian, as the agent's machines have them.
template <class Number>
std::vector<std::uint8_t> packed(const std::vector<Number>& numbers) {
  static_assert(std::endian::native == std::endian::little);
  const auto bytes = std::as_bytes(std::span(numbers));
  std::vector<std::uint8_t> made(bytes.size());
  if (!bytes.empty()) {
    std::memcpy(made.data(), bytes.data(), bytes.size());
  }
  return made;
}

wire::ReadReply::Object described(jvmdebug::agent::recording::RecordedThing of) {
  return {.number = of.number,
          .class_name = std::move(of.class_name),
          .kind = static_cast<std::int8_t>(of.kind),
          .text = std::move(of.text),
          .stack = std::move(of.stack),
          .length = of.length,
          .elements = packed(of.elements)};
}

}  // namespace

Result<void> start(Agent& agent, const wire::StartRequest& request) {
  using classfile::RecordingLevel;
  if (request.level < 1 || request.level > 3 || request.most < 0 || request.roots < 0 ||
      request.share < 0 || request.share > 100) {
    return fail(protocol::Error::kIllegalArgument);
  }
  if (!agent.options().probes) {
    return fail(protocol::Error::kNotImplemented);
  }
  std::string root_class = request.root_class;
  std::ranges::replace(root_class, '.', '/');
  const auto done = agent.recording().start(
      {.classes = by_pattern::ClassPatterns(texts(request.included), texts(request.excluded)),
       .level = static_cast<RecordingLevel>(request.level),
       .root_class = std::move(root_class),
       .root_method = request.root_method,
       .roots = request.roots,
       .most = request.most,
       .share = request.share,
       .number = number_of(request)});
  return done ? Result<void>{} : fail(protocol::Error::kNotImplemented);
}

Result<wire::ReadReply> read(Agent& agent, const wire::ReadRequest& request) {
  if (request.known < 0) {
    return fail(protocol::Error::kIllegalArgument);
  }
  auto& recording = agent.recording();
  if (request.again) {
    recording.describe_again();
  }
  if (request.all) {
    recording.look_again();  // looks at all classes, and at the stacks of all threads
  }
  auto read = recording.read(request.all);
  wire::ReadReply reply{.is_running = recording.is_running(),
                        .has_more = read.has_more,
                        .is_over = read.is_over,
                        .classes = {},
                        .threads = {},
                        .objects = {},
                        .chunks = {},
                        .left_out = {},
                        .waiting = static_cast<std::int32_t>(recording.waiting())};
  // Behind the records, so that their classes are among them.
  for (const auto& each : recording.classes(static_cast<std::size_t>(request.known))) {
    reply.classes.push_back({.name = each->name,
                             .first = static_cast<std::int32_t>(each->first),
                             .class_file = each->class_file,
                             .sites = each->sites});
  }
  for (auto& each : read.threads) {
    reply.threads.push_back(
        {.number = each.number, .name = std::move(each.name), .is_virtual = each.is_virtual});
  }
  std::ranges::transform(read.objects, std::back_inserter(reply.objects),
                         [](auto& each) { return described(std::move(each)); });
  for (const auto& each : read.chunks) {
    reply.chunks.push_back({.thread = each.thread,
                            .start = each.start,
                            .end = each.end,
                            .sites = packed(each.sites),
                            .values = packed(each.values)});
  }
  for (const auto& [name, why] : recording.left_out()) {
    reply.left_out.push_back({.name = name, .why = why});
  }
  return reply;
}

Result<void> stop(Agent& agent, const wire::StopRequest& /*request*/) {
  agent.recording().stop();
  return {};
}

}  // namespace jvmdebug::agent::commands::recording
