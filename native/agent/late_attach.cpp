// SPDX-License-Identifier: Apache-2.0
#include "agent/late_attach.h"

#include <chrono>
#include <cstdio>
#include <string_view>
#include <thread>
#include <utility>

#include "agent/agent.h"
#include "agent/events/callback_guard.h"
#include "agent/events/event_set.h"
#include "agent/jvm/agent_properties.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/options/options.h"
#include "agent/transport/reach.h"

namespace jvmdebug::agent {
namespace {

constexpr const char* kStillStarts = "the VM still starts; try again";

std::expected<Options, std::string> late_options(const char* text) {
  auto parsed = parse_options(text == nullptr ? "" : text);
  if (parsed.error) {
    return std::unexpected(parsed.error->message);
  }
  if (!parsed.options || !parsed.options->server || !parsed.options->begins_with_vm()) {
    return std::unexpected("an agent in a running VM has to listen at once: write server=y");
  }
  Options options = *std::move(parsed.options);
  if (const auto safe = check_reach(options); !safe) {
    return std::unexpected(safe.error().message);
  }
  options.is_late = true;
  options.suspend = false;
  options.quiet = true;
  options.launch.clear();
  return options;
}

}  // namespace

bool LateAttach::attach(JavaVM* vm, const char* options, bool is_loaded_since_start) {
  void* raw = nullptr;
  (void)vm->GetEnv(&raw, JNI_VERSION_1_6);  // the VM calls from a thread of its own
  const jvm::Jni jni(static_cast<JNIEnv*>(raw));
  const jvm::LocalFrame frame(jni);
  std::expected<void, std::string> begun = std::unexpected(
      std::string("the agent was loaded when the VM was started; attach to where it "
                  "listens"));
  // HotSpot accepts attach requests some time before it gives agents a JVM TI environment. Often
  // the reason cannot be stored either at that time.
  if (!jvm::Env::create(vm)) {
    begun = std::unexpected(std::string(kStillStarts));
  } else if (!is_loaded_since_start) {
    begun = begin(vm, options);
  }
  if (!begun) {
    const bool is_quiet =
        options != nullptr && std::string_view(options).find("quiet=y") != std::string_view::npos;
    if (!is_quiet) {
      std::fprintf(stderr, "jvmdebug: %s\n", begun.error().c_str());
    }
    (void)jvm::set_agent_property(jni, kReasonProperty, begun.error());
  }
  return begun.has_value();
}

// Waits for an agent that is about to end.
std::expected<void, std::string> LateAttach::reserve() {
  constexpr auto kPause = std::chrono::milliseconds{2};
  constexpr auto kPatience = std::chrono::seconds{5};
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (true) {
    auto none = State::kNone;
    if (state_.compare_exchange_strong(none, State::kServing)) {
      return {};
    }
    if (none == State::kServing) {
      return std::unexpected("the agent in it serves a debugger already");
    }
    if (std::chrono::steady_clock::now() > until) {
      return std::unexpected("the agent of the debugger before has not ended; try again");
    }
    std::this_thread::sleep_for(kPause);
  }
}

std::expected<void, std::string> LateAttach::begin(JavaVM* vm, const char* text) {
  auto options = late_options(text);
  if (!options) {
    return std::unexpected(options.error());
  }
  if (auto reserved = reserve(); !reserved) {
    return reserved;
  }
  events::CallbackPresence::begin_counting();
  auto agent = Agent::load(vm, *std::move(options));
  if (!agent) {
    state_ = State::kNone;
    return std::unexpected(agent.error());
  }
  (*agent)->when_it_ends([this] {
    state_ = State::kEnding;
    agent_ = nullptr;
    return [this] { state_ = State::kNone; };
  });
  agent_ = agent->get();
  const events::Occurrence none{.kind = protocol::EventKind::kVmStart};
  if (const auto begun = (*agent)->begin((*agent)->jni(), none); !begun) {
    agent_ = nullptr;
    state_ = State::kNone;
    return std::unexpected(begun.error().message);
  }
  (void)agent->release();  // ends itself
  return {};
}

}  // namespace jvmdebug::agent
