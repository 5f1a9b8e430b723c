// SPDX-License-Identifier: Apache-2.0
//
// Our command set Agent: what this agent is, and what it can do beyond the capabilities of JDWP.
// Debuggers test capabilities by name, never versions; see native/protocol/agent.toml.
#include "agent/agent.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "agent/code/late_environment.h"
#include "agent/commands/generated/handlers.h"
#include "agent/jvm/stop_error.h"
#include "agent/jvm/thread_name.h"
#include "agent/platform/timers.h"
#include "agent/probes/probe_table.h"
#include "agent/threads/parking.h"

namespace jvmdebug::agent::commands::agent {

namespace wire = protocol::agent;

using jvm::Capability;

namespace {

constexpr std::string_view kFull = "full";
constexpr std::string_view kFast = "fast";
constexpr std::string_view kLate = "late";

std::string_view mode_of(const Options& options) {
  if (options.is_late) {
    return kLate;
  }
  return options.mode == Mode::kFast ? kFast : kFull;
}

constexpr std::string_view kForbidden = "the agent was told not to (probes=n)";
constexpr std::string_view kNotOffered = "this VM does not offer it";
constexpr std::string_view kForbiddenThrows =
    "in the fast mode it changes the code of java.lang.Throwable, and the agent was told not to "
    "change any (probes=n); start the program in the full mode (mode=full), or without probes=n";

std::string_view why_off(std::string_view mode) {
  if (mode == kLate) {
    return "the agent was loaded into a program that ran already, and HotSpot gives this only to "
           "an "
           "agent that is there when the VM starts; start the program with `jvmdebug launch`, or "
           "with the option that `jvmdebug agent --option` prints";
  }
  if (mode != kFast) {
    return kNotOffered;
  }
  return "the program runs in the fast mode, in which exceptions cost it nothing; start it in the "
         "full mode (--mode full, in launch.json \"mode\": \"full\", in an option string "
         "mode=full)";
}

}  // namespace

Result<wire::CapabilitiesReply> capabilities(Agent& agent,
                                             const wire::CapabilitiesRequest& /*request*/) {
  const jvm::Env& env = agent.jvmti();
  agent.probes().debugger_asks();
  const std::string_view mode = mode_of(agent.options());
  wire::CapabilitiesReply reply{
      .version = JVMDEBUG_VERSION, .mode = std::string(mode), .capabilities = {}};
  const auto add = [&reply, mode](std::string_view name, bool is_on, std::string_view why = {}) {
    reply.capabilities.push_back({.name = std::string(name),
                                  .is_on = is_on,
                                  .reason = std::string(is_on         ? std::string_view()
                                                        : why.empty() ? why_off(mode)
                                                                      : why)});
  };
  const bool has_breakpoints = env.has(Capability::kGenerateBreakpointEvents);
  add("breakpoints", has_breakpoints || agent.probes().stops_in_check());
  add("breakpoint_events", has_breakpoints);  // else each breakpoint needs a probe
  add("steps", env.has(Capability::kGenerateSingleStepEvents));
  add("field_watches", env.has(Capability::kGenerateFieldModificationEvents));
  add("local_variables", env.has(Capability::kAccessLocalVariables));
  add("method_entry_events", env.has(Capability::kGenerateMethodEntryEvents));
  const bool has_checks = has_breakpoints || agent.probes().stops_in_check();
  // If the VM reports no exceptions, ThrowWatch finds them, which changes code.
  const bool has_exceptions = env.has(Capability::kGenerateExceptionEvents);
  add("exception_events", has_exceptions || (has_checks && agent.options().probes),
      has_checks ? kForbiddenThrows : std::string_view());
  add("method_exit_events", env.has(Capability::kGenerateMethodExitEvents));
  add("method_exits", has_breakpoints);  // for given classes or one frame: see MethodExits
  add("stack", true);
  add("near_frame", true);
  add("element_stores", has_checks);
  add("string_beginning", true);
  add("page", true);
  add("threads", true);
  add("thread_name", true);
  add("thread_dump", true);
  add("monitors", env.has(Capability::kGetOwnedMonitorInfo));
  add("heap", env.has(Capability::kTagObjects));
  add("jvmti", true);
  const auto potential = env.get_potential_capabilities();
  add("class_file", potential && potential->has(Capability::kRetransformClasses));
  add("class_outline", true);
  add("shown_stops", true);
  add("resume_with", true);
  add("stop_thread", true);
  add("requests", true);
  add("link", true);
  add("sampling", potential && potential->has(Capability::kGetThreadCpuTime));
  const std::string_view no_timers = platform::why_no_thread_timers();
  add("signal_sampling", no_timers.empty(), no_timers);
  const bool may_change_code =
      env.has(Capability::kRedefineClasses) &&
      (agent.options().is_late || (env.has(Capability::kGenerateBreakpointEvents) &&
                                   env.has(Capability::kGenerateSingleStepEvents)));
  add("coverage", may_change_code && agent.options().probes,
      may_change_code ? kForbidden : kNotOffered);
  add("origins", may_change_code && agent.options().probes,
      may_change_code ? kForbidden : kNotOffered);
  add("recording", may_change_code && agent.options().probes,
      may_change_code ? kForbidden : kNotOffered);
  add("probes", may_change_code && agent.options().probes,
      may_change_code ? kForbidden : kNotOffered);
  const bool may_jump = may_change_code && env.has(Capability::kPopFrame);
  const bool is_late = agent.options().is_late;
  add("jump", may_jump && agent.options().probes && !is_late,
      is_late    ? std::string_view()
      : may_jump ? kForbidden
                 : kNotOffered);
  return reply;
}

Result<wire::StringBeginningReply> string_beginning(Agent& agent,
                                                    const wire::StringBeginningRequest& request) {
  JVMDEBUG_ASSIGN(const auto string,
                  agent.objects().string(protocol::StringId{request.string.raw}));
  if (request.length < 0) {
    return fail(protocol::Error::kInvalidLength);
  }
  const jsize length = agent.jni()->GetStringLength(string);
  return wire::StringBeginningReply{
      .length = length, .text = agent.jni().text(string, std::min(length, request.length))};
}

Result<wire::ClassFileReply> class_file(Agent& agent, const wire::ClassFileRequest& request) {
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(request.type_id));
  const auto late = agent.late_environment();
  auto bytes = late ? (*late)->read_class(type) : std::unexpected(late.error());
  if (!bytes) {
    return fail(protocol::Error::kAbsentInformation);
  }
  return wire::ClassFileReply{.class_file = std::move(*bytes)};
}

Result<wire::ThreadNameReply> thread_name(Agent& agent, const wire::ThreadNameRequest& request) {
  JVMDEBUG_ASSIGN(const auto thread, agent.objects().thread(request.thread));
  JVMDEBUG_CHECK(agent.threads().check_visible(thread));
  JVMDEBUG_ASSIGN(auto name, jvm::shown_name(agent.jvmti(), thread));
  return wire::ThreadNameReply{.name = std::move(name)};
}

Result<wire::StopThreadReply> stop_thread(Agent& agent, const wire::StopThreadRequest& request) {
  JVMDEBUG_ASSIGN(const auto thread, agent.objects().thread(request.thread));
  JVMDEBUG_CHECK(agent.threads().check_visible(thread));
  JVMDEBUG_ASSIGN(const auto error, jvm::make_stop_error(agent.jni()));
  JVMDEBUG_CHECK(agent.parking().stop(thread, error.get()));
  return wire::StopThreadReply{.throwable = agent.objects().object_id(error.get())};
}

Result<wire::ThreadsReply> threads(Agent& agent, const wire::ThreadsRequest& /*request*/) {
  JVMDEBUG_ASSIGN(const auto all, virtual_machine::all_threads(agent, {}));
  wire::ThreadsReply reply;
  reply.threads.reserve(all.threads.size());
  for (const protocol::ThreadId thread : all.threads) {
    auto name = thread_name(agent, {.thread = thread});
    if (name) {  // else it has ended
      reply.threads.push_back({.thread = thread, .name = std::move(name->name)});
    }
  }
  agent.tells_threads(reply.threads.size());
  return reply;
}

Result<wire::RequestsReply> requests(Agent& agent, const wire::RequestsRequest& /*request*/) {
  wire::RequestsReply reply;
  for (const events::Request& each : agent.requests().all()) {
    reply.requests.push_back({.event_kind = each->kind, .request_id = each->id});
  }
  return reply;
}

}  // namespace jvmdebug::agent::commands::agent
