// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/checks_of_probes.h"

#include "agent/probes/probe_table.h"

namespace jvmdebug::agent::probes {
namespace {

class GuardedRun final : public events::Checks::Run {
 public:
  GuardedRun(CheckGuard& guard, const jvm::Jni& jni) : run_(guard, jni) {}

 private:
  const CheckGuard::Run run_;
};

}  // namespace

bool ChecksOfProbes::stops_in_check() const {
  return probes_.stops_in_check();
}

bool ChecksOfProbes::takes_breakpoints() const {
  return probes_.takes_breakpoints();
}

bool ChecksOfProbes::knows_probes() const {
  return probes_.knows_debugger();
}

bool ChecksOfProbes::can_watch_elements() {
  return probes_.can_watch_elements();
}

bool ChecksOfProbes::prepare_for_breakpoint(const events::CodeLocation& location) {
  return probes_.gate().prepare(location).has_value();
}

void ChecksOfProbes::remove(const std::shared_ptr<events::EventRequest>& request) {
  probes_.installer().remove(request);
}

void ChecksOfProbes::sweep() {
  probes_.sweep();
}

void ChecksOfProbes::sweep_wholly() {
  probes_.sweep(code::Sweep::kWholly);
}

void ChecksOfProbes::breakpoint_removed() {
  probes_.breakpoint_removed();
}

void ChecksOfProbes::breakpoint_set() {
  probes_.breakpoint_set();
}

const code::OlderVersions& ChecksOfProbes::older_versions() const {
  return probes_.older_versions();
}

std::unique_ptr<events::Checks::Run> ChecksOfProbes::run_for_debugger(const jvm::Jni& jni) {
  return std::make_unique<GuardedRun>(probes_.guard(), jni);
}

bool ChecksOfProbes::is_in_check() const {
  return probes_.is_in_check();
}

bool ChecksOfProbes::is_in_check(jmethodID method) const {
  return probes_.is_in_check(method);
}

bool ChecksOfProbes::watches_old_frames(bool is_in_old_frame) const {
  return probes_.old_frames().are_watched(is_in_old_frame);
}

void ChecksOfProbes::reported_by_vm(const threads::Tracked& self) {
  probes_.hits().reported_by_vm(self);
}

void ChecksOfProbes::stepped(const jvm::Jni& jni, const events::Occurrence& step) {
  probes_.hits().stepped(jni, step);
}

void ChecksOfProbes::note_write(const jvm::Jni& jni, const threads::Tracked& self, char type,
                                bool is_static) {
  probes_.stored().read_write(jni, self, type, is_static);
}

bool ChecksOfProbes::stores_to(const jvm::Jni& jni, const threads::Tracked& self,
                               const events::WatchedElements& elements) {
  return probes_.stored().read_element(jni, self, elements);
}

}  // namespace jvmdebug::agent::probes
