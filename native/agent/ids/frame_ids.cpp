// SPDX-License-Identifier: Apache-2.0
#include "agent/ids/frame_ids.h"

#include <algorithm>

namespace jvmdebug::agent::ids {
namespace {

// Low bits: the depth; above them the number of the suspension.
constexpr unsigned kDepthBits = 24;
constexpr std::uint64_t kDepthMask = (std::uint64_t{1} << kDepthBits) - 1;

}  // namespace

protocol::FrameId FrameIds::id(jthread thread, jint depth) {
  const jvm::Lock lock(objects_.monitor());
  const auto [entry, is_new] = by_thread_.try_emplace(objects_.key(thread));
  Given& given = entry->second;
  if (is_new) {
    given.suspension = next_suspension_++;
  }
  given.deepest = std::max(given.deepest, depth);
  return protocol::FrameId{(given.suspension << kDepthBits) |
                           (static_cast<std::uint64_t>(depth) & kDepthMask)};
}

Result<jint> FrameIds::depth(jthread thread, protocol::FrameId id) const {
  const jvm::Lock lock(objects_.monitor());
  const auto found = by_thread_.find(objects_.key(thread));
  const auto depth = static_cast<jint>(id.raw & kDepthMask);
  if (found == by_thread_.end() || found->second.suspension != id.raw >> kDepthBits ||
      depth > found->second.deepest) {
    return fail(protocol::Error::kInvalidFrameid);
  }
  return depth;
}

void FrameIds::thread_resumed(jthread thread) {
  const jvm::Lock lock(objects_.monitor());
  by_thread_.erase(objects_.key(thread));
}

void FrameIds::all_threads_resumed() {
  const jvm::Lock lock(objects_.monitor());
  by_thread_.clear();
}

}  // namespace jvmdebug::agent::ids
