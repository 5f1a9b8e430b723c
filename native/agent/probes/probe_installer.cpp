// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/probe_installer.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <utility>

#include "agent/code/late_environment.h"
#include "agent/events/breakpoints.h"
#include "agent/probes/change_limits.h"
#include "agent/probes/check_code.h"
#include "agent/probes/check_frames.h"
#include "agent/probes/log_points.h"
#include "agent/probes/old_frames.h"
#include "agent/probes/probe_calls.h"
#include "agent/probes/probe_list.h"
#include "agent/probes/probe_maker.h"
#include "agent/probes/probes_together.h"

namespace jvmdebug::agent::probes {

using events::Request;

Outcome ProbeInstaller::install(const Request& request, const ProbeSpec& spec) {
  const jvm::Jni jni = env_.jni();
  if (!request->location_type.lock(jni)) {
    return std::unexpected("the class was unloaded");
  }
  const auto before = request->probe == 0 ? Probes{} : parts_.list.all_of(request);
  if ((!before.empty() && parts_.changes.reports_breakpoints()) || !parts_.list.are_free(spec)) {
    return std::unexpected("the breakpoint has a probe, or the number is taken");
  }
  if (const auto prepared = prepare_for(jni, request, spec); !prepared) {
    return prepared;
  }
  const auto probes = parts_.maker.make(jni, request, spec);
  if (!probes) {
    return std::unexpected(probes.error());
  }
  return put_in(jni, request, spec, *probes, before);
}

Outcome ProbeInstaller::put_in(const jvm::Jni& jni, const Request& request, const ProbeSpec& spec,
                               const Probes& probes, const Probes& before) {
  const auto type = request->location_type.lock(jni);
  const auto of = parts_.calls.class_of(jni, type);
  const bool was_deferred = !before.empty() && before.front()->life.is_deferred();
  parts_.calls.put_in(*of, probes, before);
  if (spec.calls_methods) {  // else the guard does not change
    parts_.maker.update_guard(jni);
  }
  if (spec.is_deferred && before.empty()) {
    request->probe = spec.number;
    note(std::array{probes}, ProbeEvent::kDefer);
    return {};
  }
  auto done = parts_.changes.change(*of->code);
  if (done) {
    request->probe = spec.number;
    request->location_type.let_go();
    if (before.empty()) {
      leave_to_probes(parts_.breakpoints, std::array{probes});
    } else {
      parts_.calls.forget_replaced(*of, before);
    }
  } else {
    parts_.calls.take_back(*of, probes, before);
    if (was_deferred) {
      note(std::array{before}, ProbeEvent::kDefer);
    }
    if (!of->probes.empty() && done.error() != code::kTransformerWaits) {
      (void)parts_.changes.change(*of->code);  // the failed change may have lost the other calls
    }
  }
  parts_.maker.update_guard(jni);
  parts_.breakpoints.set_again(type);
  parts_.old_frames.watch();
  return done;
}

Outcome ProbeInstaller::prepare_for(const jvm::Jni& jni, const Request& request,
                                    const ProbeSpec& spec) {
  const auto type = request->location_type.lock(jni);
  const auto known = parts_.calls.known(jni, type);
  if (!known || known->probes.empty()) {  // else a class with these constants had probes before
    if (const auto possible = parts_.limits.check_possible(type); !possible) {
      return possible;
    }
  }
  if (const auto prepared = parts_.maker.prepare(jni); !prepared) {
    return prepared;
  }
  parts_.calls.set_joins(!parts_.changes.reports_breakpoints() && parts_.maker.can_join(jni));
  if (!spec.is_deferred) {  // else complete() checks it
    const std::array<events::CodeLocation, 1> entering{request->location};
    const auto unused = parts_.limits.check_unused(jni, type, request->location.method, entering);
    if (!unused) {
      return unused;
    }
  }
  return spec.writes_log ? parts_.log.prepare(jni) : Outcome{};
}

std::vector<Refusal> ProbeInstaller::complete(std::span<const std::int32_t> request_ids) {
  auto refused = parts_.together.complete(request_ids);
  parts_.old_frames.watch();
  parts_.maker.update_guard(env_.jni());
  return refused;
}

Outcome ProbeInstaller::change(const Request& request, const std::vector<std::uint8_t>& class_file,
                               bool calls_methods, std::span<const Given> given, std::size_t kept) {
  const auto probe = parts_.list.of_request(request->id);
  if (!probe) {
    return std::unexpected("the breakpoint has no probe");
  }
  const jvm::Jni jni = env_.jni();
  const auto type = probe->check_type(jni);
  if (!type) {
    return std::unexpected("the class was unloaded");
  }
  if (auto put = put_given(jni, type, given, kept); !put) {
    return put;
  }
  if (calls_others(class_file)) {
    parts_.frames.note_calls();
  }
  const bool called_methods = std::exchange(probe->calls_methods, calls_methods);
  parts_.maker.update_guard(jni);
  if (const auto done = parts_.checks.change(*probe, class_file); !done) {
    probe->calls_methods = called_methods;
    parts_.maker.update_guard(jni);
    return std::unexpected(code::because("the VM refuses the new check", done.error()));
  }
  return {};
}

void ProbeInstaller::silence(std::span<const Request> requests) {
  Probes all;
  for (const Request& request : requests) {
    std::ranges::copy(parts_.list.all_of(request), std::back_inserter(all));
  }
  parts_.checks.silence(all);
}

void ProbeInstaller::remove(const Request& request) {
  const auto probes = request->probe == 0 ? Probes{} : parts_.list.all_of(request);
  if (probes.empty()) {
    return;
  }
  const jvm::Jni jni = env_.jni();
  if (probes.front()->life.is_deferred()) {
    request->probe = 0;
    if (const auto type = request->location_type.lock(jni)) {
      parts_.calls.take_back(*parts_.calls.class_of(jni, type), probes, {});
    }
    parts_.log.free_unused(jni);
    return;
  }
  parts_.calls.end(probes);
  request->probe = 0;
  request->location_type.keep(jni);
  parts_.breakpoints.take_from_probe(request->location);
  parts_.log.free_unused(jni);
}

}  // namespace jvmdebug::agent::probes
