// SPDX-License-Identifier: Apache-2.0
//
// Answers the questions of the room events about probes, and passes its calls on to them.
#pragma once

#include <memory>

#include "agent/events/checks.h"

namespace jvmdebug::agent::probes {

class ProbeTable;

class ChecksOfProbes final : public events::Checks {
 public:
  explicit ChecksOfProbes(ProbeTable& probes) : probes_(probes) {}

  [[nodiscard]] bool stops_in_check() const override;
  [[nodiscard]] bool takes_breakpoints() const override;
  [[nodiscard]] bool knows_probes() const override;
  [[nodiscard]] bool can_watch_elements() override;
  [[nodiscard]] bool prepare_for_breakpoint(const events::CodeLocation& location) override;
  void remove(const std::shared_ptr<events::EventRequest>& request) override;
  void sweep() override;
  void sweep_wholly() override;
  void breakpoint_removed() override;
  void breakpoint_set() override;
  [[nodiscard]] const code::OlderVersions& older_versions() const override;
  [[nodiscard]] std::unique_ptr<Run> run_for_debugger(const jvm::Jni& jni) override;
  [[nodiscard]] bool is_in_check() const override;
  [[nodiscard]] bool is_in_check(jmethodID method) const override;
  [[nodiscard]] bool watches_old_frames(bool is_in_old_frame) const override;
  void reported_by_vm(const threads::Tracked& self) override;
  void stepped(const jvm::Jni& jni, const events::Occurrence& step) override;
  void note_write(const jvm::Jni& jni, const threads::Tracked& self, char type,
                  bool is_static) override;
  [[nodiscard]] bool stores_to(const jvm::Jni& jni, const threads::Tracked& self,
                               const events::WatchedElements& elements) override;

 private:
  ProbeTable& probes_;
};

}  // namespace jvmdebug::agent::probes
