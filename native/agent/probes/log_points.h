// SPDX-License-Identifier: Apache-2.0
//
// The log points of probes: their ring in the VM (log_ring.h), made when the first of them comes,
// and what found no room in it. Agent threads, one at a time.
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

  // Makes the ring, before a check that writes is called. An error is the reason, for people.
  [[nodiscard]] Outcome prepare(const jvm::Jni& jni);
  // What log points have written; of a text at most so many units.
  [[nodiscard]] LogRing::Records read(std::size_t most, jsize longest);
  [[nodiscard]] std::vector<LostRecords> lost() const;
  // Nobody reads what is left, or comes.
  void close();

 private:
  const jvm::Env& env_;
  ids::ObjectTable& objects_;
  const ProbeList& probes_;
  jvm::GlobalRef<jclass> class_;
  LogRing ring_;
};

}  // namespace jvmdebug::agent::probes
