// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/probe_table.h"

#include "agent/agent.h"
#include "agent/code/code_versions.h"
#include "agent/code/late_environment.h"
#include "agent/events/breakpoints.h"
#include "agent/events/composer.h"
#include "agent/events/method_exits.h"
#include "agent/events/sender.h"
#include "agent/probes/check_fields.h"
#include "agent/threads/parking.h"
#include "agent/threads/stepper.h"
#include "agent/threads/suspension.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::probes {
namespace {

// Whether the VM reports breakpoints, so that no thread stays in a check. An agent that may not
// change classes has no checks.
bool reports_breakpoints(const Agent& agent) {
  return !agent.options().probes || agent.jvmti().has(jvm::Capability::kGenerateBreakpointEvents);
}

}  // namespace

ProbeTable::ProbeTable(Agent& agent)
    : agent_(agent),
      old_frames_(agent.jvmti(), agent.code_versions(), agent.threads(), agent.stepper(),
                  agent.breakpoints()),
      surroundings_(agent.breakpoints(), old_frames_, agent.sender()),
      changes_(
          agent.jvmti(), agent.code_versions(), surroundings_,
          [&agent] { return agent.late_environment(); }, reports_breakpoints(agent)),
      redefinitions_(agent.jvmti(), changes_, agent.code_versions(), surroundings_,
                     agent.options().probes),
      gate_(agent.jvmti(), changes_, agent.code_versions(), agent.breakpoints(), old_frames_),
      limits_(agent.jvmti(), changes_, agent.breakpoints(), old_frames_, agent.options().probes),
      checks_(agent.jvmti(), agent.code_versions(), old_frames_),
      list_(agent.jvmti()),
      frames_(agent.jvmti(), agent.code_versions(), agent.threads(),
              !changes_.reports_breakpoints()),
      maker_(agent.jvmti(), changes_, agent.code_versions(), list_, frames_),
      calls_(agent.jvmti(), changes_,
             {.limits = limits_,
              .checks = checks_,
              .list = list_,
              .maker = maker_,
              .old_frames = old_frames_,
              .breakpoints = agent.breakpoints()}),
      together_(agent.jvmti(), changes_, calls_, limits_, old_frames_, agent.breakpoints()),
      log_(agent.jvmti(), agent.objects(), list_),
      installer_(agent.jvmti(), {.changes = changes_,
                                 .breakpoints = agent.breakpoints(),
                                 .old_frames = old_frames_,
                                 .list = list_,
                                 .calls = calls_,
                                 .together = together_,
                                 .maker = maker_,
                                 .checks = checks_,
                                 .frames = frames_,
                                 .limits = limits_,
                                 .log = log_}),
      stored_(agent.method_exits()),
      hits_(agent.jvmti(), list_, frames_, stored_,
            {.threads = agent.threads(),
             .parking = agent.parking(),
             .stepper = agent.stepper(),
             .composer = agent.composer()}),
      running_(agent.jvmti(), list_, frames_, maker_.guard(),
               {.threads = agent.threads(),
                .suspension = agent.suspension(),
                .versions = agent.code_versions()}) {}

bool ProbeTable::can_watch_elements() {
  return agent_.method_exits().prepare_operands() || stops_in_check();
}

std::vector<ProbeUse> ProbeTable::uses() const {
  std::vector<ProbeUse> found;
  const jvm::Jni jni = agent_.jni();
  for (const auto& probe : list_.on()) {
    if (!probe->is_companion) {
      found.push_back({.request_id = probe->request->id,
                       .hits = probe->hits,
                       .count = count_of(jni, probe->kept[kHits])});
    }
  }
  return found;
}

std::vector<jvm::LocalRef<jobject>> ProbeTable::own_objects(const jvm::Jni& jni) const {
  auto found = log_.objects(jni);
  for (const auto& probe : list_.on()) {
    for (const auto& kept : probe->kept) {
      if (kept) {
        found.push_back(jni.adopt(jni->NewLocalRef(kept)));
      }
    }
  }
  return found;
}

std::int64_t ProbeTable::count_hit(std::int32_t request_id) const {
  const auto probe = list_.of_request(request_id);
  return probe ? count_one(agent_.jni(), probe->kept[kHits]) : -1;
}

std::vector<ThreadTimes> ProbeTable::times(const events::Request& request) const {
  const auto probe = list_.of_request(request->id);
  return probe && probe->kept[kTimes] ? measured_times(agent_.jni(), probe->kept[kTimes])
                                      : std::vector<ThreadTimes>{};
}

void ProbeTable::sweep(code::Sweep how) {
  if (!agent_.vm_is_dead()) {
    const jvm::LocalFrame frame(agent_.jni());
    changes_.sweep(how);
  }
}

}  // namespace jvmdebug::agent::probes
