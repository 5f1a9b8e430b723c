// SPDX-License-Identifier: Apache-2.0
//
// The ring of log points: records that checks write, and that the debugger reads. It is made of
// Java arrays in a class of the agent's (probe_classes.h), so that a check writes with the stores
// of its compiled code: no call into the agent, no lock, no allocation. Nobody waits: a check that
// finds no room counts that and goes on.
//
// A record takes 1 + n elements from position `tail` on, which a check moves by compareAndSet;
// `head` is where the reader is. Positions only grow, the index of one is its lowest bits. The
// first element is the header in `values`, and the thread in `objects`; then come n values, each in
// the array of its kind. Last the check sets `published` at the record's index to its position + 1.
//
//   header: bits 0 to 3 are n; then two bits for each value, the first lowest; the upper half is an
//   int of the check's. Kinds: 0 a long; 1 a String; 2 a long, which is null where `objects` is; 3
//   any object.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <jni.h>

#include "agent/ids/object_table.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/probes/recorded_objects.h"
#include "codec/ids.h"

namespace jvmdebug::agent::probes {

class LogRing {
 public:
  struct Thread {
    protocol::ThreadId id;
    std::string name;
  };

  struct Records {
    std::vector<Thread> threads;
    std::vector<std::uint8_t> bytes;  // see Probes.ReadLog
    bool has_more = false;
    std::int64_t next = 0;     // the position behind them
    std::int64_t written = 0;  // and behind what had been written when they were read
  };

  // --- agent threads, one at a time ------------------------------------------------------------
  [[nodiscard]] bool is_made() const { return static_cast<bool>(values_); }

  // Takes the arrays of the class; false if the VM has no room for them.
  [[nodiscard]] bool make(const jvm::Jni& jni, jclass type);

  // At most so many records, with texts of at most so many units.
  [[nodiscard]] Records read(const jvm::Env& env, ids::ObjectTable& objects, std::size_t most,
                             jsize longest);
  // Nobody reads it: checks find no room from now on, and it keeps no object alive.
  void close(const jvm::Jni& jni);
  // From empty on; nothing if it is open.
  void open(const jvm::Jni& jni);

 private:
  // What was copied of the ring: positions from `head` on.
  struct Window {
    std::int64_t head = 0;
    std::int64_t tail = 0;
    std::vector<jlong> published;
    std::vector<jlong> values;

    [[nodiscard]] bool is_published(std::size_t at) const {
      return published[at] == head + static_cast<std::int64_t>(at) + 1;
    }
  };

  class Writer;

  [[nodiscard]] Window copy(const jvm::Jni& jni, std::size_t most) const;
  void copy(const jvm::Jni& jni, jlongArray from, std::int64_t position,
            std::span<jlong> into) const;
  void advance(const jvm::Jni& jni, const Window& window, std::size_t count);
  [[nodiscard]] std::size_t abandoned(const Window& window);

  jvm::GlobalRef<jlongArray> values_;
  jvm::GlobalRef<jlongArray> published_;
  jvm::GlobalRef<jobjectArray> objects_;
  jvm::GlobalRef<jobject> tail_;
  jvm::GlobalRef<jobject> head_;
  jvm::GlobalRef<jclass> string_;
  jvm::GlobalRef<jclass> thread_;
  RecordedObjects recorded_;
  jfieldID value_ = nullptr;  // of an AtomicLong

  std::int64_t stands_at_ = -1;  // where the first record is not published
  std::chrono::steady_clock::time_point stands_since_;
};

}  // namespace jvmdebug::agent::probes
