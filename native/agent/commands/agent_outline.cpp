// SPDX-License-Identifier: Apache-2.0
//
// Our command Agent.ClassOutline: in one reply what a debugger reads of a new class to find its
// lines. A program may load a class file again and again, and then the program waits for the
// debugger each time. The replies come from the functions of the standard commands.
#include <algorithm>
#include <cstdint>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "codec/writer.h"

namespace jvmdebug::agent::commands::agent {

namespace wire = protocol::agent;

namespace {

constexpr std::size_t kMostCode = std::size_t{64} * 1024;

bool has_line_twice(const protocol::method::LineTableReply& table) {
  std::vector<std::int32_t> lines;
  lines.reserve(table.lines.size());
  std::ranges::transform(table.lines, std::back_inserter(lines),
                         [](const auto& each) { return each.line; });
  std::ranges::sort(lines);
  return std::ranges::adjacent_find(lines) != lines.end();
}

// FNV-1a.
std::int64_t hash_of(std::span<const std::uint8_t> bytes) {
  constexpr std::uint64_t kStart = 0xCBF29CE484222325;
  constexpr std::uint64_t kFactor = 0x100000001B3;
  std::uint64_t hash = kStart;
  for (const std::uint8_t each : bytes) {
    hash = (hash ^ each) * kFactor;
  }
  return static_cast<std::int64_t>(hash);
}

}  // namespace

Result<wire::ClassOutlineReply> class_outline(Agent& agent,
                                              const wire::ClassOutlineRequest& request) {
  JVMDEBUG_ASSIGN(auto declared,
                  reference_type::methods_with_generic(agent, {.type_id = request.type_id}));
  wire::ClassOutlineReply reply;
  if (auto file = reference_type::source_file(agent, {.type_id = request.type_id})) {
    reply.source_file = std::move(file->source_file);
  }
  if (auto map = reference_type::source_debug_extension(agent, {.type_id = request.type_id})) {
    reply.source_map = std::move(map->extension);
  }
  reply.methods.reserve(declared.methods.size());
  std::size_t left = kMostCode;
  for (auto& method : declared.methods) {
    codec::Writer lines;
    std::vector<std::uint8_t> code;
    if (const auto table = method::line_table(
            agent, {.type_id = request.type_id, .method_id = method.method_id})) {
      table->write(lines);
      if (has_line_twice(*table)) {
        auto found =
            method::bytecodes(agent, {.type_id = request.type_id, .method_id = method.method_id});
        if (found && found->bytecodes.size() <= left) {
          code = std::move(found->bytecodes);
          left -= code.size();
        }
      }
    }
    reply.methods.push_back({.id = std::exchange(method.method_id, protocol::MethodId{}),
                             .lines = lines.take(),
                             .code = std::move(code)});
  }
  if (left != kMostCode) {
    if (const auto pool = reference_type::constant_pool(agent, {.type_id = request.type_id})) {
      reply.constants = hash_of(pool->constants);
    }
  }
  codec::Writer content;
  declared.write(content);
  reply.declared = content.take();
  return reply;
}

}  // namespace jvmdebug::agent::commands::agent
