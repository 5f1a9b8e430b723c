// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: the probes that requests have, found by the numbers that checks pass to the
// agent.
//
// A check that calls the agent passes only its number, so each hit begins here. A probe is added
// before there is code that calls its check, because the first hit may come as soon as the VM has
// that code. It is removed when its request ends. Code may go on to call the check long after that;
// then the number is not found, and nothing happens. ProbeCalls and ProbeLife know the class and
// the state of a probe.
//
// A request has one probe with its id, and perhaps companions of that probe.
//
// Threads: agent threads, one at a time, add and remove; any thread may search. The lock guards the
// map and not the probes: what changes in those later is atomic, or for agent threads only.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include <jvmti.h>

#include "agent/events/request_table.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/locks/ranked_mutex.h"
#include "agent/probes/probe_specs.h"
#include "agent/probes/probed_class.h"

namespace jvmdebug::agent::probes {

class ProbeList {
 public:
  explicit ProbeList(const jvm::Env& env) : env_(env) {}

  void add(const Probes& probes);
  void remove(const Probes& probes);

  // Returns null if there is none.
  [[nodiscard]] std::shared_ptr<Probe> find(std::int32_t number) const;
  [[nodiscard]] std::shared_ptr<Probe> of_request(std::int32_t request_id) const;
  // Returns the probe whose check has the method.
  [[nodiscard]] std::shared_ptr<Probe> of_check(const jvm::Jni& jni, jmethodID method) const;
  // Returns the probe of a request and its companions.
  [[nodiscard]] Probes all_of(const events::Request& request) const;
  [[nodiscard]] Probes on() const;
  // Whether some check calls methods of the program.
  [[nodiscard]] bool has_calls() const;
  // Whether some check writes into the ring of log points.
  [[nodiscard]] bool has_log() const;
  // Whether the numbers of a new probe are valid and not taken.
  [[nodiscard]] bool are_free(const ProbeSpec& spec) const;

 private:
  const jvm::Env& env_;
  mutable RankedMutex<Rank::kProbes> mutex_;
  std::map<std::int32_t, std::shared_ptr<Probe>> by_number_;
};

}  // namespace jvmdebug::agent::probes
