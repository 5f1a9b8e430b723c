// SPDX-License-Identifier: Apache-2.0
#include "agent/thread_dump/stacks.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "agent/ids/locations.h"
#include "classfile/bytecode.h"

namespace jvmdebug::agent::thread_dump {
namespace {

constexpr std::int32_t kUnknownLine = -1;
constexpr std::int32_t kNativeLine = -2;

constexpr jint kSynchronized = 0x20;
constexpr jint kNative = 0x100;
constexpr std::uint8_t kMonitorEnter = 0xC2;

std::string_view bytes_of(std::span<const jvmtiFrameInfo> frames) {
  const auto bytes = std::as_bytes(frames);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool has_monitor_enter(std::span<const std::uint8_t> code) {
  std::size_t at = 0;
  while (at < code.size()) {
    if (code[at] == kMonitorEnter) {
      return true;
    }
    const std::size_t size = classfile::instruction_size(code, at);
    if (size == 0) {
      return true;  // unknown
    }
    at += size;
  }
  return false;
}

// Finds the line of an index; the entries are not ordered.
std::int32_t line_at(std::span<const jvmtiLineNumberEntry> lines, jlocation index) {
  const jvmtiLineNumberEntry* nearest = nullptr;
  for (const jvmtiLineNumberEntry& entry : lines) {
    if (entry.start_location <= index &&
        (nearest == nullptr || nearest->start_location < entry.start_location)) {
      nearest = &entry;
    }
  }
  return nearest == nullptr ? kUnknownLine : nearest->line_number;
}

}  // namespace

std::size_t Stacks::FrameHash::operator()(const jvmtiFrameInfo& frame) const {
  constexpr std::size_t kSpread = 0x9E3779B97F4A7C15;
  const std::size_t method = std::hash<jmethodID>()(frame.method);
  return (method ^ static_cast<std::size_t>(frame.location)) * kSpread;
}

Stacks::Entry Stacks::add(std::span<const jvmtiFrameInfo> all, jint depth, std::size_t most) {
  const auto frames = all.first(std::min(most, all.size()));
  const auto [first, last] = by_bytes_.equal_range(bytes_of(frames));
  for (auto found = first; found != last; ++found) {
    const Stack& known = stacks_[static_cast<std::size_t>(found->second)];
    if (known.depth == depth) {
      const bool is_same = frames.size() == all.size();
      return {.index = found->second, .may_lock = is_same ? known.may_lock : may_lock(all, depth)};
    }
  }
  const auto index = static_cast<std::int32_t>(stacks_.size());
  const Stack& stack = stacks_.emplace_back(Stack{
      .frames = {frames.begin(), frames.end()}, .depth = depth, .may_lock = may_lock(all, depth)});
  by_bytes_.emplace(bytes_of(stack.frames), index);
  return {.index = index, .may_lock = stack.may_lock};
}

bool Stacks::may_lock(std::span<const jvmtiFrameInfo> frames, jint depth) {
  return static_cast<std::size_t>(depth) > frames.size() ||
         std::ranges::any_of(
             frames, [this](const jvmtiFrameInfo& frame) { return may_lock(frame.method); });
}

bool Stacks::may_lock(jmethodID method) {
  if (const auto found = locking_.find(method); found != locking_.end()) {
    return found->second;
  }
  const jvm::Env& env = agent_.jvmti();
  bool locks = true;
  if (const auto modifiers = env.get_method_modifiers(method);
      modifiers && (*modifiers & kSynchronized) == 0) {
    if ((*modifiers & kNative) != 0) {
      // Native code may enter monitors and leave them later; native code of the JDK does not.
      const auto type = env.get_method_declaring_class(method);
      const auto owned = env.jni().adopt(type.value_or(nullptr));
      locks = !owned || env.jni().adopt(env.get_class_loader(owned).value_or(nullptr));
    } else {
      const auto code = env.get_bytecodes(method);
      locks = !code || has_monitor_enter(code->span());
    }
  }
  locking_.emplace(method, locks);
  return locks;
}

const Stacks::Method& Stacks::method(jmethodID method) {
  if (const auto found = methods_.find(method); found != methods_.end()) {
    return found->second;
  }
  const jvm::Env& env = agent_.jvmti();
  Method described;
  const auto declaring = env.get_method_declaring_class(method);
  if (const auto type = env.jni().adopt(declaring.value_or(nullptr))) {
    if (const auto signature = env.get_class_signature_only(type)) {
      described.site.signature = signature->utf8();
    }
    if (const auto names = env.get_method_name(method)) {
      described.site.method = names->name.utf8();
    }
    if (const auto source = env.get_source_file_name(type)) {
      described.site.source = source->utf8();
    }
    if (const auto lines = env.get_line_number_table(method)) {
      described.lines.assign(lines->begin(), lines->end());
    }
    described.is_native = env.is_method_native(method).value_or(false);
    described.has_strata = env.get_source_debug_extension(type).has_value();
  }
  return methods_.emplace(method, std::move(described)).first->second;
}

protocol::threads::DumpReply::Site Stacks::site(const jvmtiFrameInfo& frame) {
  const Method& of = method(frame.method);
  auto site = of.site;
  site.line = of.is_native ? kNativeLine : line_at(of.lines, frame.location);
  if (of.has_strata) {
    site.location = ids::location(agent_.jvmti(), agent_.objects(), agent_.method_ids(),
                                  frame.method, frame.location)
                        .value_or(protocol::Location{});
  }
  return site;
}

void Stacks::describe(protocol::threads::DumpReply& reply) {
  std::unordered_map<jvmtiFrameInfo, std::int32_t, FrameHash, SameFrame> sites;
  reply.stacks.reserve(stacks_.size());
  for (const Stack& stack : stacks_) {
    auto& written = reply.stacks.emplace_back();
    written.depth = stack.depth;
    written.frames.reserve(stack.frames.size());
    for (const jvmtiFrameInfo& frame : stack.frames) {
      const auto [entry, is_new] =
          sites.try_emplace(frame, static_cast<std::int32_t>(reply.sites.size()));
      if (is_new) {
        reply.sites.push_back(site(frame));
      }
      written.frames.push_back(entry->second);
    }
  }
  locate_tops(reply);
}

// A thread that waits for the initialization of a class is at an instruction that needs the class.
void Stacks::locate_tops(protocol::threads::DumpReply& reply) const {
  if (std::ranges::none_of(reply.sites,
                           [](const auto& site) { return site.method == "<clinit>"; })) {
    return;
  }
  for (std::size_t index = 0; index < stacks_.size(); ++index) {
    if (stacks_[index].frames.empty()) {
      continue;
    }
    const jvmtiFrameInfo& top = stacks_[index].frames.front();
    auto& site = reply.sites[static_cast<std::size_t>(reply.stacks[index].frames.front())];
    site.location = ids::location(agent_.jvmti(), agent_.objects(), agent_.method_ids(), top.method,
                                  top.location)
                        .value_or(protocol::Location{});
  }
}

}  // namespace jvmdebug::agent::thread_dump
