// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/sampled_threads.h"

#include <algorithm>

namespace jvmdebug::agent::sampling {
namespace {

constexpr auto kShortestListPause = std::chrono::milliseconds{10};
// A pause is this many times as long as listing the threads took.
constexpr int kListPauseFactor = 20;

}  // namespace

void SampledThreads::refresh(const jvm::Jni& jni, Clock::time_point now) {
  if (now < due_) {
    return;
  }
  const auto all = env_.get_all_threads();
  if (!all) {
    return;  // the VM is about to end
  }
  ++lists_;
  for (jthread each : *all) {
    const auto owned = jni.adopt(each);
    const auto hash = env_.get_object_hash_code(each);
    if (!hash) {
      continue;  // the VM is about to end
    }
    if (SampledThread* const known = find(jni, each, *hash); known != nullptr) {
      known->listed = lists_;
    } else if (!own_.contains(jni, each)) {
      add(jni, each, *hash, now);
    }
  }
  std::erase_if(by_hash_, [this](const auto& entry) { return entry.second->listed != lists_; });
  std::erase_if(threads_, [this](const std::unique_ptr<SampledThread>& each) {
    const bool has_ended = each->listed != lists_;
    unseen_ += has_ended ? each->owed : 0;
    return has_ended;
  });
  const auto end = Clock::now();
  due_ = end + std::max<Clock::duration>(kShortestListPause, kListPauseFactor * (end - now));
}

std::int64_t SampledThreads::unseen() const {
  std::int64_t all = unseen_;
  for (const auto& each : threads_) {
    all += each->owed;
  }
  return all;
}

SampledThread* SampledThreads::find(const jvm::Jni& jni, jthread thread, jint hash) const {
  const auto [first, last] = by_hash_.equal_range(hash);
  const auto found = std::find_if(
      first, last, [&](const auto& entry) { return jni.same(entry.second->thread, thread); });
  return found == last ? nullptr : found->second;
}

void SampledThreads::add(const jvm::Jni& jni, jthread thread, jint hash, Clock::time_point now) {
  auto more = std::make_unique<SampledThread>();
  more->thread = jni.global(thread);
  more->listed = lists_;
  more->looked_at = now;
  if (lists_ == 1) {  // else all its time was spent since the beginning
    more->cpu_time = env_.get_thread_cpu_time(thread).value_or(0);
  }
  by_hash_.emplace(hash, more.get());
  threads_.push_back(std::move(more));
}

}  // namespace jvmdebug::agent::sampling
