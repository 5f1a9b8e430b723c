// SPDX-License-Identifier: Apache-2.0
#include "agent/ids/frame_ids.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace jvmdebug::agent::ids {
namespace {

// Low bits: the depth; above them the number of the suspension.
constexpr unsigned kDepthBits = 24;
constexpr std::uint64_t kDepthMask = (std::uint64_t{1} << kDepthBits) - 1;

// Frames above this depth are read from the VM each time; for deeper ones the whole stack is read
// once.
constexpr std::int64_t kNearTheTop = 128;

}  // namespace

protocol::FrameId FrameIds::first(jthread thread, jint deepest) {
  const jvm::Lock lock(objects_.monitor());
  const auto [entry, is_new] = by_thread_.try_emplace(objects_.key(thread));
  Given& given = entry->second;
  if (is_new) {
    given.suspension = next_suspension_++;
  }
  given.deepest = std::max(given.deepest, deepest);
  return protocol::FrameId{given.suspension << kDepthBits};
}

Result<jint> FrameIds::depth(jthread thread, protocol::FrameId id) const {
  const jint hidden = hidden_(thread);
  const jvm::Lock lock(objects_.monitor());
  const auto found = by_thread_.find(objects_.known_key(thread));
  const auto depth = static_cast<jint>(id.raw & kDepthMask);
  if (found == by_thread_.end() || found->second.suspension != id.raw >> kDepthBits ||
      depth > found->second.deepest) {
    return fail(protocol::Error::kInvalidFrameid);
  }
  return depth + hidden;
}

bool FrameIds::is_kept(jthread thread) const {
  const auto found = by_thread_.find(objects_.known_key(thread));
  return !stack_.empty() && found != by_thread_.end() && found->second.suspension == stack_of_;
}

Result<std::span<const jvmtiFrameInfo>> FrameIds::whole(jthread thread, jint hidden) {
  if (!is_kept(thread)) {
    JVMDEBUG_ASSIGN(const jint count, env_.get_frame_count(thread));
    std::vector<jvmtiFrameInfo> all(static_cast<std::size_t>(count));
    if (count > 0) {  // the VM needs a buffer
      JVMDEBUG_ASSIGN(const jint filled, env_.get_stack_trace(thread, 0, all));
      all.resize(static_cast<std::size_t>(filled));
    }
    all.erase(all.begin(), all.begin() + std::min(hidden, static_cast<jint>(all.size())));
    stack_ = std::move(all);
    stack_of_ = first(thread, 0).raw >> kDepthBits;
  }
  return std::span<const jvmtiFrameInfo>(stack_);
}

Result<jint> FrameIds::count(jthread thread) {
  const jint hidden = hidden_(thread);
  const jvm::Lock lock(objects_.monitor());
  if (is_kept(thread)) {
    return static_cast<jint>(stack_.size());
  }
  JVMDEBUG_ASSIGN(const jint count, env_.get_frame_count(thread));
  return count - hidden;
}

Result<std::vector<jvmtiFrameInfo>> FrameIds::frames(jthread thread, jint start, jint length) {
  const jint hidden = hidden_(thread);
  const jvm::Lock lock(objects_.monitor());
  // Compared in 64 bits: a client may send any value.
  if (start >= 0 && length > 0 && std::int64_t{start} + length <= kNearTheTop) {
    // The frames that a stop shows. The rest of the stack, which may be deep, is not read.
    std::vector<jvmtiFrameInfo> found(static_cast<std::size_t>(length));
    const auto filled = env_.get_stack_trace(thread, start + hidden, found);
    if (!filled && !(filled.error() == JVMTI_ERROR_ILLEGAL_ARGUMENT)) {
      return fail(filled.error());
    }
    if (!filled || *filled == 0) {
      return fail(protocol::Error::kInvalidIndex);
    }
    if (*filled < length) {
      return fail(protocol::Error::kInvalidLength);
    }
    return found;
  }
  JVMDEBUG_ASSIGN(const auto stack, whole(thread, hidden));
  const auto count = static_cast<std::int64_t>(stack.size());
  const std::int64_t wanted = length == -1 ? count - start : std::int64_t{length};
  if (wanted == 0) {
    return std::vector<jvmtiFrameInfo>{};
  }
  if (start < 0 || start >= count) {
    return fail(protocol::Error::kInvalidIndex);
  }
  if (wanted < 0 || wanted > count - start) {
    return fail(protocol::Error::kInvalidLength);
  }
  const auto part =
      stack.subspan(static_cast<std::size_t>(start), static_cast<std::size_t>(wanted));
  return std::vector<jvmtiFrameInfo>(part.begin(), part.end());
}

void FrameIds::thread_resumed(jthread thread) {
  const jvm::Lock lock(objects_.monitor());
  // A thread without a key has no frame ids.
  by_thread_.erase(objects_.known_key(thread));
}

void FrameIds::all_threads_resumed() {
  const jvm::Lock lock(objects_.monitor());
  by_thread_.clear();
  stack_ = {};
}

}  // namespace jvmdebug::agent::ids
