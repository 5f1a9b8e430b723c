// SPDX-License-Identifier: Apache-2.0
//
// The monitors of a dump and the objects that threads are parked for, each object once. Objects are
// added while threads may be suspended; they get ids and names afterwards.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <jvmti.h>

#include "agent/agent.h"
#include "agent/jvm/jni.h"
#include "codec/generated/threads.h"

namespace jvmdebug::agent::thread_dump {

class LockTable {
 public:
  explicit LockTable(Agent& agent) : agent_(agent), jni_(agent.jni()) {}

  // Adds a lock and returns its index; -1 if memory for a reference runs out.
  std::int32_t add(jobject object, bool is_monitor);

  // Sets the owner by the number of its thread, 0 for none.
  void set_owner(std::int32_t lock, jlong number) { at(lock).owner_number = number; }

  // Sets the owner by its index.
  void set_owner_index(std::int32_t lock, std::int32_t thread) { at(lock).owner = thread; }

  // Called once, when all locks are added. `threads` maps thread numbers to indices.
  void describe(const std::unordered_map<jlong, std::int32_t>& threads,
                protocol::threads::DumpReply& reply);

 private:
  struct Lock {
    jvm::LocalRef<jobject> object;
    bool is_monitor = false;
    std::int32_t owner = -1;
    jlong owner_number = 0;
  };

  [[nodiscard]] Lock& at(std::int32_t index) { return locks_[static_cast<std::size_t>(index)]; }

  std::int32_t type(jclass type, protocol::threads::DumpReply& reply);

  Agent& agent_;
  const jvm::Jni jni_;
  std::vector<Lock> locks_;
  std::unordered_multimap<jint, std::int32_t> by_hash_;
  std::unordered_map<std::string, std::int32_t> types_;
};

}  // namespace jvmdebug::agent::thread_dump
