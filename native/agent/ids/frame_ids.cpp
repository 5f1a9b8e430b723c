// SPDX-License-Identifier: Apache-2.0
#include "agent/ids/frame_ids.h"

namespace jvmdebug::agent::ids {
namespace {

// Low bits: the depth; above them the number of the suspension.
constexpr unsigned kDepthBits = 24;
constexpr std::uint64_t kDepthMask = (std::uint64_t{1} << kDepthBits) - 1;

}  // namespace

protocol::FrameId FrameIds::id(jthread thread, jint depth) {
  const jvm::Lock lock(objects_.monitor());
  const auto [entry, is_new] = suspension_by_thread_.try_emplace(objects_.key(thread), 0);
  if (is_new) {
    entry->second = next_suspension_++;
  }
  return protocol::FrameId{(entry->second << kDepthBits) |
                           (static_cast<std::uint64_t>(depth) & kDepthMask)};
}

Result<jint> FrameIds::depth(jthread thread, protocol::FrameId id) const {
  const jvm::Lock lock(objects_.monitor());
  const auto found = suspension_by_thread_.find(objects_.key(thread));
  if (found == suspension_by_thread_.end() || found->second != id.raw >> kDepthBits) {
    return fail(protocol::Error::kInvalidFrameid);
  }
  return static_cast<jint>(id.raw & kDepthMask);
}

void FrameIds::thread_resumed(jthread thread) {
  const jvm::Lock lock(objects_.monitor());
  suspension_by_thread_.erase(objects_.key(thread));
}

void FrameIds::all_threads_resumed() {
  const jvm::Lock lock(objects_.monitor());
  suspension_by_thread_.clear();
}

}  // namespace jvmdebug::agent::ids
