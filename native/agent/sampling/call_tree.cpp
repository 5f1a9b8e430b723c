// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/call_tree.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "agent/jvm/thread_name.h"

namespace jvmdebug::agent::sampling {
namespace {

constexpr std::size_t kMostNodes = 2'000'000;
constexpr std::size_t kMostSamples = 1'000'000;
constexpr std::int32_t kMostThreads = 10'000;
constexpr std::int32_t kUnknownLine = -1;

constexpr std::size_t mixed(std::size_t seed, std::int32_t value) {
  constexpr std::size_t kFactor = 0x9E3779B97F4A7C15;
  constexpr unsigned kShift = 29;
  seed = (seed ^ static_cast<std::uint32_t>(value)) * kFactor;
  return seed ^ (seed >> kShift);
}

}  // namespace

std::size_t CallTree::Hash::operator()(const NodeKey& key) const noexcept {
  return mixed(mixed(mixed(0, key.parent), key.method), key.line);
}

std::size_t CallTree::Hash::operator()(const SampleKey& key) const noexcept {
  return mixed(mixed(mixed(1, key.thread), key.node), static_cast<std::int32_t>(key.state));
}

std::int32_t CallTree::thread(const std::string& name, ThreadKind kind) {
  if (thread_count_ >= kMostThreads) {
    if (other_threads_ < 0) {
      other_threads_ = thread_count_++;
      news_.threads.push_back(
          {.name = "other threads", .category = static_cast<std::int8_t>(kind)});
    }
    return other_threads_;
  }
  news_.threads.push_back({.name = name, .category = static_cast<std::int8_t>(kind)});
  return thread_count_++;
}

std::int32_t CallTree::platform_thread(jthread thread) {
  return this->thread(jvm::shown_name(env_, thread).value_or("a thread that has ended"),
                      ThreadKind::kPlatform);
}

std::int32_t CallTree::virtual_threads() {
  if (virtual_threads_ < 0) {
    virtual_threads_ = thread("virtual threads", ThreadKind::kVirtual);
  }
  return virtual_threads_;
}

std::int32_t CallTree::node(std::span<const jvmtiFrameInfo> frames) {
  std::int32_t current = kRoot;
  for (const jvmtiFrameInfo& frame : frames | std::views::reverse) {
    const Method& found = method(frame.method);
    const NodeKey key{
        .parent = current, .method = found.number, .line = line_of(found, frame.location)};
    if (const auto known = nodes_.find(key); known != nodes_.end()) {
      current = known->second;
      continue;
    }
    if (nodes_.size() >= kMostNodes) {
      return -1;
    }
    current = static_cast<std::int32_t>(nodes_.size()) + 1;
    nodes_.emplace(key, current);
    news_.nodes.push_back({.parent = key.parent, .method = key.method, .line = key.line});
  }
  return current;
}

void CallTree::add(std::int32_t thread, std::int32_t node, State state, std::int64_t time) {
  const SampleKey key{.thread = thread, .node = node, .state = state};
  if (node < 0 || (samples_.size() >= kMostSamples && !samples_.contains(key))) {
    failed();
    return;
  }
  Sum& sum = samples_[key];
  ++sum.count;
  sum.time += time;
}

protocol::sampling::ReadReply CallTree::take() {
  auto news = std::exchange(news_, {});
  news.samples.reserve(samples_.size());
  for (const auto& [key, sum] : samples_) {
    news.samples.push_back({.thread = key.thread,
                            .node = key.node,
                            .state = static_cast<std::int8_t>(key.state),
                            .count = sum.count,
                            .time = sum.time});
  }
  samples_.clear();
  news.failed = std::exchange(failed_, 0);
  return news;
}

const CallTree::Method& CallTree::method(jmethodID id) {
  const auto [entry, is_new] = methods_.try_emplace(id);
  if (is_new) {
    entry->second.number = static_cast<std::int32_t>(methods_.size()) - 1;
    describe(id, entry->second);
  }
  return entry->second;
}

// Looks up the names of a method; if its class has just been unloaded, it has none any more.
void CallTree::describe(jmethodID id, Method& method) {
  auto& news = news_.methods.emplace_back();
  const auto names = id == nullptr ? jvm::Result<jvm::Names>(std::unexpect, jvm::Error{})
                                   : env_.get_method_name(id);
  if (!names) {
    return;
  }
  news.name = names->name.utf8();
  const jvm::Jni jni = env_.jni();
  if (const auto type = env_.get_method_declaring_class(id)) {
    const auto owned = jni.adopt(*type);
    if (const auto signature = env_.get_class_signature_only(owned)) {
      news.type = signature->utf8();
    }
    if (const auto source = env_.get_source_file_name(owned)) {
      news.source = source->utf8();
    }
  }
  if (const auto table = env_.get_line_number_table(id)) {
    for (const jvmtiLineNumberEntry& entry : *table) {
      method.lines.push_back({.start = entry.start_location, .number = entry.line_number});
    }
    std::ranges::sort(method.lines, {}, &Line::start);
  }
}

std::int32_t CallTree::line_of(const Method& method, jlocation location) {
  const auto after = std::ranges::upper_bound(method.lines, location, {}, &Line::start);
  return location < 0 || after == method.lines.begin() ? kUnknownLine : std::prev(after)->number;
}

}  // namespace jvmdebug::agent::sampling
