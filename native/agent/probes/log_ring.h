// SPDX-License-Identifier: Apache-2.0
//
// The ring of log points: records that checks write and the debugger reads. It consists of Java
// arrays in an object of the agent (probe_classes.h), so a check writes with the stores of its
// compiled code: without a call into the agent, a lock or an allocation. No thread waits for room:
// a check that finds none counts that and goes on.
//
// The ring takes 5 MB of the program's heap, so it is there only while it is needed: open() makes
// it and puts it into the static field, from where checks read it, and close() takes it out. The
// VM then collects it; a ring that is opened before that is used again.
//
// A record takes 1 + n elements from position `tail` on, which a check moves by compareAndSet;
// `head` is the position of the reader. Positions only grow; the index of a position is its lowest
// bits. The first element is the header in `values`, and the thread in `objects`. The n values
// follow, each in the array for its kind. At the end the check sets `published` at the index of the
// record to the record's position + 1.
//
//   header: bits 0 to 3 are n; two bits for the kind of each value follow, the first lowest; the
//   upper half is an int of the check's. Kinds: 0 a long; 1 a String; 2 a long, which is null if
//   `objects` has null there; 3 any object.
#pragma once

#include <array>
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
    std::int64_t next = 0;     // the position behind these records
    std::int64_t written = 0;  // the tail when they were read
  };

  // --- agent threads, one at a time ------------------------------------------------------------
  [[nodiscard]] bool is_open() const { return static_cast<bool>(ring_); }

  // Looks up the members of the class. False if it has not those of this agent's version.
  [[nodiscard]] bool prepare(const jvm::Jni& jni, jclass type);
  // Makes the ring, or uses the last one again; checks find it from now on. Does nothing if the
  // ring is open. False if the VM lacks the memory for it.
  [[nodiscard]] bool open(const jvm::Jni& jni);
  // Takes the ring away: checks find no room from now on, and it keeps no object alive.
  void close(const jvm::Jni& jni);
  // Whether there is nothing to read, nor will be when the checks are gone.
  [[nodiscard]] bool is_drained(const jvm::Jni& jni) const;
  // Returns the ring and its parts, also while the VM has not collected a closed one.
  [[nodiscard]] std::vector<jvm::LocalRef<jobject>> objects(const jvm::Jni& jni) const;

  // Reads at most `most` records, with at most `longest` units of each text.
  [[nodiscard]] Records read(const jvm::Env& env, ids::ObjectTable& objects, std::size_t most,
                             jsize longest);

 private:
  // A copy of part of the ring: positions from `head` on.
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

  // The members of the class; null before prepare().
  struct Members {
    jvm::GlobalRef<jclass> type;
    jmethodID make = nullptr;
    jfieldID ring = nullptr;
    std::array<jfieldID, 5> parts{};  // values, published, objects, tail, head
  };

  [[nodiscard]] jvm::LocalRef<jobject> found(const jvm::Jni& jni) const;
  [[nodiscard]] std::vector<jvm::LocalRef<jobject>> parts(const jvm::Jni& jni, jobject ring) const;

  Members members_;
  jvm::GlobalRef<jobject> ring_;  // null while it is closed, and so are its parts
  jvm::WeakRef last_;             // the ring that was closed last
  jvm::GlobalRef<jlongArray> values_;
  jvm::GlobalRef<jlongArray> published_;
  jvm::GlobalRef<jobjectArray> objects_;
  jvm::GlobalRef<jobject> tail_;
  jvm::GlobalRef<jobject> head_;
  jvm::GlobalRef<jclass> string_;
  jvm::GlobalRef<jclass> thread_;
  RecordedObjects recorded_;
  jfieldID value_ = nullptr;  // the field of AtomicLong

  std::int64_t stands_at_ = -1;  // the head at which the first record was not published
  std::chrono::steady_clock::time_point stands_since_;
};

}  // namespace jvmdebug::agent::probes
