// SPDX-License-Identifier: Apache-2.0
#include "agent/start_up.h"

#include <cstdio>
#include <cstdlib>

#include "agent/agent.h"
#include "agent/events/callbacks.h"

namespace jvmdebug::agent {

using events::Occurrence;
using protocol::EventKind;

namespace {

void tell(const std::string& message, const std::string& jdk_message = {}) {
  if (!jdk_message.empty()) {
    std::fprintf(stderr, "ERROR: %s\n", jdk_message.c_str());
  }
  std::fprintf(stderr, "jvmdebug: %s\n", message.c_str());
  std::fflush(stderr);
}

}  // namespace

void StartUp::vm_initialised(const jvm::Jni& jni, jthread thread) {
  const Options& options = agent_.options();
  if (!options.begins_with_vm()) {
    phase_ = Phase::kWaiting;
    const bool at_exception = !options.on_throw.empty() || options.on_uncaught;
    if (at_exception && !events::watch_exceptions(agent_.jvmti(), true)) {
      tell("the VM gives no exception events; debugging will not begin");
    }
    return;
  }
  phase_ = Phase::kBeginning;
  const Occurrence occurrence{.kind = EventKind::kVmStart, .thread = thread};
  if (const auto begun = agent_.begin(jni, occurrence); !begun) {
    // A half-working agent is not kept: the program would wait for a debugger that cannot be
    // served.
    tell(begun.error().message + "; the VM ends", begun.error().jdk_message);
    std::_Exit(begun.error().exit_code);
  }
}

bool StartUp::is_awaited(const jvm::Jni& jni, const Occurrence& occurrence) const {
  const Options& options = agent_.options();
  if (options.on_uncaught && occurrence.catch_method == nullptr) {
    return true;
  }
  if (options.on_throw.empty()) {
    return false;
  }
  const auto type = jni.adopt(jni->GetObjectClass(occurrence.object));
  const auto names = agent_.jvmti().get_class_signature(type.get());
  return names && names->signature.view() == options.on_throw;
}

void StartUp::exception_thrown(const jvm::Jni& jni, const Occurrence& occurrence) {
  auto waiting = Phase::kWaiting;
  if (phase_ != waiting || !is_awaited(jni, occurrence) ||
      !phase_.compare_exchange_strong(waiting, Phase::kBeginning)) {
    return;
  }
  // From now on requests enable exception events. They were enabled before, so this cannot fail.
  (void)events::watch_exceptions(agent_.jvmti(), false);
  if (const auto begun = agent_.begin(jni, occurrence); !begun) {
    // The program runs already, so it continues without a debugger.
    tell(begun.error().message + "; the program goes on without a debugger",
         begun.error().jdk_message);
  }
}

std::expected<bool, std::string> StartUp::command_given(const jvm::Jni& jni, jthread thread) {
  if (!agent_.options().on_jcmd) {
    return std::unexpected("it was not enabled, start the VM with the agent's option onjcmd=y");
  }
  auto waiting = Phase::kWaiting;
  if (!phase_.compare_exchange_strong(waiting, Phase::kBeginning)) {
    if (waiting == Phase::kBegun) {
      return false;
    }
    return std::unexpected("not yet, the VM or the agent is still starting; try again");
  }
  const Occurrence occurrence{.kind = EventKind::kVmStart, .thread = thread};
  if (const auto begun = agent_.begin(jni, occurrence); !begun) {
    phase_ = Phase::kWaiting;  // the address may be free later
    return std::unexpected(begun.error().message);
  }
  return true;
}

}  // namespace jvmdebug::agent
