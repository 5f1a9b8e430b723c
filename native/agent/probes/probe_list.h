// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: the probes that requests have, by the numbers that their checks call
// themselves.
//
// A check that calls the agent says its number and nothing else, so this is where each hit begins.
// A probe is added before the code that calls its check is there, as the first hit comes as soon as
// the VM has that code, and removed when its request ends: the calls may be in the code for long
// after that, and come to nothing here. Which class a probe is in, and in which state, is the
// business of ProbeCalls and ProbeLife.
//
// A request has one probe with its id, and perhaps companions of that one.
//
// Threads: agent threads, one at a time, add and remove; any thread asks. The lock guards the map
// and no probe: what of these changes later is atomic, or for agent threads only.
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

  // Null if there is none.
  [[nodiscard]] std::shared_ptr<Probe> find(std::int32_t number) const;
  [[nodiscard]] std::shared_ptr<Probe> of_request(std::int32_t request_id) const;
  // The probe whose check has the method.
  [[nodiscard]] std::shared_ptr<Probe> of_check(const jvm::Jni& jni, jmethodID method) const;
  // The probe of a request, and its companions.
  [[nodiscard]] Probes all_of(const events::Request& request) const;
  [[nodiscard]] Probes on() const;
  // Whether there is a check that calls methods of the program.
  [[nodiscard]] bool has_calls() const;
  // Whether the numbers of a new probe are possible, and not taken.
  [[nodiscard]] bool are_free(const ProbeSpec& spec) const;

 private:
  const jvm::Env& env_;
  mutable RankedMutex<Rank::kProbes> mutex_;
  std::map<std::int32_t, std::shared_ptr<Probe>> by_number_;
};

}  // namespace jvmdebug::agent::probes
