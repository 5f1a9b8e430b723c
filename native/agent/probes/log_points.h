// SPDX-License-Identifier: Apache-2.0
//
// The log points of probes: their ring in the VM (log_ring.h), which is made for the first of them
// and freed with the last, and the counts of records that found no room in it. Agent threads, one
// at a time.
#pragma once

#include <cstddef>
#include <vector>

#include "agent/ids/object_table.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/probes/log_ring.h"
#include "agent/probes/probe_specs.h"

namespace jvmdebug::agent::probes {

class ProbeList;

class LogPoints {
 public:
  LogPoints(const jvm::Env& env, ids::ObjectTable& objects, const ProbeList& probes)
      : env_(env), objects_(objects), probes_(probes) {}

  // Makes the ring. Called before a check that writes is called. The error is the reason, for
  // people.
  [[nodiscard]] Outcome prepare(const jvm::Jni& jni);
  // Returns at most `most` records, with at most `longest` units of each text. Frees the ring when
  // no check is left that writes, and all was read.
  [[nodiscard]] LogRing::Records read(std::size_t most, jsize longest);
  [[nodiscard]] std::vector<LostRecords> lost() const;
  // Frees the ring if no check is left that writes, and all was read.
  void free_unused(const jvm::Jni& jni);
  // Drops the records that are left, and takes no more.
  void close();
  // Returns the objects of the ring that are in the program's heap.
  [[nodiscard]] std::vector<jvm::LocalRef<jobject>> objects(const jvm::Jni& jni) const;

 private:
  const jvm::Env& env_;
  ids::ObjectTable& objects_;
  const ProbeList& probes_;
  jvm::GlobalRef<jclass> class_;
  LogRing ring_;
};

}  // namespace jvmdebug::agent::probes
