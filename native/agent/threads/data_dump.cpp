// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/data_dump.h"

#include <utility>
#include <vector>

#include "agent/jvm/jni.h"
#include "agent/jvm/thread_name.h"
#include "agent/threads/suspension.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::threads {
namespace {

std::string line_of(const jvm::Env& env, const TrackedThread& thread, int suspend_count) {
  std::string line = thread.virtual_thread ? "Virtual thread: " : "Thread: ";
  line += jvm::shown_name(env, thread.thread.get()).value_or("(has ended)");
  return line + ", suspendCount: " + std::to_string(suspend_count) + "\n";
}

}  // namespace

std::string data_dump(const jvm::Env& env, ThreadRegistry& registry, const Suspension& suspension) {
  std::vector<std::pair<Tracked, int>> counts;
  for (const Tracked& each : registry.tracked()) {
    counts.emplace_back(each, 0);
  }
  std::string text = "Debug Agent Data Dump\n=== START DUMP ===\n";
  {
    const auto held = registry.lock();
    for (auto& [thread, count] : counts) {
      count = thread->suspend_count;
    }
    text += "suspendAllCount: " + std::to_string(suspension.all_count(held)) + "\n";
  }
  for (const auto& [thread, count] : counts) {
    text += line_of(env, *thread, count);
  }
  return text + "=== END DUMP ===\n";
}

}  // namespace jvmdebug::agent::threads
