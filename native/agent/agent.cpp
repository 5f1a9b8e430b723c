// SPDX-License-Identifier: Apache-2.0
#include "agent/agent.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include "agent/code/code_versions.h"
#include "agent/code/late_environment.h"
#include "agent/commands/prefetched_keys.h"
#include "agent/commands/shown_stack.h"
#include "agent/coverage/coverage.h"
#include "agent/events/breakpoints.h"
#include "agent/events/callback_guard.h"
#include "agent/events/callbacks.h"
#include "agent/events/class_unload.h"
#include "agent/events/composer.h"
#include "agent/events/foreign_changes.h"
#include "agent/events/invocation_changes.h"
#include "agent/events/method_exits.h"
#include "agent/events/request_table.h"
#include "agent/events/sender.h"
#include "agent/heap/heap_events.h"
#include "agent/jumps/jumper.h"
#include "agent/origins/origins.h"
#include "agent/probes/checks_of_probes.h"
#include "agent/probes/probe_table.h"
#include "agent/recording/recording.h"
#include "agent/sampling/sampler.h"
#include "agent/scope.h"
#include "agent/session.h"
#include "agent/threads/frame_popper.h"
#include "agent/threads/invoker.h"
#include "agent/threads/parking.h"
#include "agent/threads/program_resumes.h"
#include "agent/threads/stepper.h"
#include "agent/threads/suspension.h"
#include "agent/threads/thread_registry.h"
#include "agent/throws/throw_watch.h"

namespace jvmdebug::agent {
namespace {

std::string told(const char* what, jvm::Error error) {
  return std::string(what) + " (JVM TI error " + std::to_string(error.code) + ")";
}

// How long the end of the VM may be delayed, counted from its beginning, until queued events are
// sent and the debugger has read what is being written. Together with what follows, less than a
// second.
constexpr auto kLastEvents = std::chrono::milliseconds{250};
constexpr auto kLastWrites = std::chrono::milliseconds{500};
constexpr auto kLongestRelease = std::chrono::milliseconds{700};

// Capabilities without which nothing can be debugged; only one agent of a VM can have them.
constexpr std::array kSolo = {jvm::Capability::kGenerateBreakpointEvents, jvm::Capability::kSuspend,
                              jvm::Capability::kGenerateFieldAccessEvents,
                              jvm::Capability::kGenerateFieldModificationEvents};

// jcmd starts debugging only in VMs that know the command, JDK-8214892 (12) to JDK-8336401 (24).
std::expected<void, std::string> check_jcmd(const jvm::Env& env, const Options& options) {
  constexpr jint kFirst = 12;
  constexpr jint kLast = 23;
  const jint version = env.feature_version();
  if (options.on_jcmd && (version < kFirst || version > kLast)) {
    return std::unexpected(
        "option onjcmd=y: jcmd has the command VM.start_java_debugging in JDK 12 to 23 only, and "
        "this is " +
        std::to_string(version) + "; write suspend=n to start debugging with the VM");
  }
  return {};
}

// Takes what the VM gives. In the live phase HotSpot gives no breakpoints, steps, locals, method
// events, watches, exceptions, owned monitors, popping and early return, in all releases. Of the
// others only one is solo.
std::expected<void, std::string> take_capabilities(jvm::Env& env, const Options& options) {
  const auto taken = jvm::take(env, options.mode == Mode::kFast ? jvm::full_speed_capabilities()
                                                                : jvm::debugger_capabilities());
  if (!taken) {
    return std::unexpected(told("the VM gives no debugging capabilities", taken.error()));
  }
  if (options.is_late && !taken->has(jvm::Capability::kSuspend)) {
    return std::unexpected(
        "another debug agent is loaded, and the VM lets one alone suspend threads: attach to that "
        "one (the JDK's own listens at the address of its -agentlib:jdwp)");
  }
  for (const jvm::Capability capability :
       options.is_late ? std::span<const jvm::Capability>() : std::span(kSolo)) {
    if (!taken->has(capability)) {
      return std::unexpected(
          "the VM gives breakpoints and suspending to one agent only, and another one has them: "
          "load either this agent or the JDK's -agentlib:jdwp, not both; look for -agentlib:jdwp, "
          "-Xrunjdwp and a copy of this agent on the command line and in JAVA_TOOL_OPTIONS, "
          "JDK_JAVA_OPTIONS and _JAVA_OPTIONS");
    }
  }
  env.set_capabilities(*taken);
  return {};
}

}  // namespace

Agent::Agent(jvm::Env env, Options options)
    : options_(std::move(options)), env_(std::move(env)), start_up_(*this) {}

Agent::~Agent() = default;

std::expected<std::unique_ptr<Agent>, std::string> Agent::load(JavaVM* vm, Options options) {
  auto env = jvm::Env::create(vm);
  if (!env) {
    return std::unexpected(told("the VM offers no JVM TI environment", env.error()));
  }
  std::unique_ptr<Agent> agent(new Agent(*std::move(env), std::move(options)));
  if (const auto possible = check_jcmd(agent->env_, agent->options_); !possible) {
    return std::unexpected(possible.error());
  }
  if (const auto taken = take_capabilities(agent->env_, agent->options_); !taken) {
    return std::unexpected(taken.error());
  }
  if (const auto set = agent->env_.set_environment_local_storage(agent.get()); !set) {
    return std::unexpected(told("cannot store the agent in its environment", set.error()));
  }
  if (const auto installed = events::install_callbacks(agent->env_); !installed) {
    return std::unexpected(told("cannot ask the VM for events", installed.error()));
  }
  return agent;
}

Agent* Agent::of(jvmtiEnv* env) {
  void* stored = nullptr;
  // The storage is set before the first event is asked for. Fails for an environment that has been
  // disposed of.
  (void)env->GetEnvironmentLocalStorage(&stored);
  return static_cast<Agent*>(stored);
}

Result<void> Agent::make_parts() {
  JVMDEBUG_ASSIGN(objects_, ids::ObjectTable::create(env_));
  method_ids_ = std::make_unique<ids::MethodIds>(env_, *objects_);
  field_ids_ = std::make_unique<ids::FieldIds>(env_, *objects_);
  frame_ids_ = std::make_unique<ids::FrameIds>(env_, *objects_, [this](jthread thread) {
    const auto known = threads_->find(thread);
    return known ? known->hidden_frames(env_) : env_.count_hidden_frames(thread);
  });
  reserve_parts();
  make_threads();
  code_versions_ = std::make_unique<code::CodeVersions>(env_);
  make_events();
  checks_.make(*probes_);
  env_.set_code_view(code_versions_.get());
  probes_.make(*this);
  throw_watch_.make(*this);
  origins_ =
      std::make_unique<origins::Origins>(origins::Origins::Uses{.env = env_,
                                                                .changes = probes_->changes(),
                                                                .versions = *code_versions_,
                                                                .limits = probes_->limits(),
                                                                .breakpoints = *breakpoints_});
  const by_pattern::CodeByPattern::Uses by_pattern{.env = env_,
                                                   .changes = probes_->changes(),
                                                   .versions = *code_versions_,
                                                   .limits = probes_->limits(),
                                                   .breakpoints = *breakpoints_,
                                                   .run_soon = [this](std::function<void()> work) {
                                                     sender_->run_soon(std::move(work), false);
                                                   }};
  coverage_ = std::make_unique<coverage::Coverage>(by_pattern);
  recording_ = std::make_unique<recording::Recording>(by_pattern);
  jumper_ = std::make_unique<jumps::Jumper>(jumps::Jumper::Uses{.env = env_,
                                                                .changes = probes_->changes(),
                                                                .versions = *code_versions_,
                                                                .limits = probes_->limits(),
                                                                .breakpoints = *breakpoints_,
                                                                .old_frames = probes_->old_frames(),
                                                                .frame_popper = *frame_popper_});
  sampler_ = std::make_unique<sampling::Sampler>(*this);
  heap_events_ = std::make_unique<heap::HeapEvents>(*this);
  prefetched_keys_ = std::make_unique<commands::PrefetchedKeys>();
  return {};
}

// Allocates the parts that refer to each other.
void Agent::reserve_parts() {
  threads_.reserve();
  suspension_.reserve();
  parking_.reserve();
  invoker_.reserve();
  stepper_.reserve();
  frame_popper_.reserve();
  program_resumes_.reserve();
  breakpoints_.reserve();
  invocation_changes_.reserve();
  requests_.reserve();
  method_exits_.reserve();
  composer_.reserve();
  sender_.reserve();
  class_unloads_.reserve();
  throw_watch_.reserve();
  probes_.reserve();
  checks_.reserve();
}

void Agent::make_threads() {
  threads_.make(env_, *suspension_, options_.include_virtual_threads);
  suspension_.make(threads::Suspension::Uses{.env = env_,
                                             .registry = *threads_,
                                             .parking = *parking_,
                                             .stepper = *stepper_,
                                             .objects = *objects_,
                                             .frame_ids = *frame_ids_,
                                             .breakpoints = *breakpoints_,
                                             .reporter = *sender_});
  parking_.make(threads::Parking::Uses{.env = env_,
                                       .registry = *threads_,
                                       .suspension = *suspension_,
                                       .invoker = *invoker_,
                                       .reporter = *sender_});
  stepper_.make(threads::Stepper::Uses{.env = env_,
                                       .registry = *threads_,
                                       .suspension = *suspension_,
                                       .parking = *parking_,
                                       .breakpoints = *breakpoints_,
                                       .reporter = *sender_});
  invoker_.make(threads::Invoker::Uses{.env = env_,
                                       .registry = *threads_,
                                       .suspension = *suspension_,
                                       .parking = *parking_,
                                       .stepper = *stepper_,
                                       .frame_popper = *frame_popper_,
                                       .objects = *objects_,
                                       .scopes = *invocation_changes_,
                                       .reporter = *sender_});
  frame_popper_.make(threads::FramePopper::Uses{.env = env_,
                                                .registry = *threads_,
                                                .parking = *parking_,
                                                .stepper = *stepper_,
                                                .frame_ids = *frame_ids_});
  program_resumes_.make(threads::ProgramResumes::Uses{.env = env_,
                                                      .registry = *threads_,
                                                      .suspension = *suspension_,
                                                      .breakpoints = *breakpoints_,
                                                      .reporter = *sender_});
}

void Agent::make_events() {
  breakpoints_.make(events::Breakpoints::Uses{.env = env_,
                                              .suspension = *suspension_,
                                              .reporter = *sender_,
                                              .requests = *requests_,
                                              .checks = *checks_,
                                              .life = life_,
                                              .vm_reads = options_.vm_reads,
                                              .when_first = [this] { sender_->look_again(); }});
  foreign_changes_ = std::make_unique<events::ForeignChanges>(
      events::ForeignChanges::Uses{.env = env_,
                                   .breakpoints = *breakpoints_,
                                   .registry = *threads_,
                                   .code = *code_versions_,
                                   .life = life_,
                                   .look_again = [this] { sender_->look_again(); }});
  invocation_changes_.make(*breakpoints_, *checks_);
  requests_.make(events::RequestTable::Uses{.filters = {.env = env_,
                                                        .objects = *objects_,
                                                        .method_ids = *method_ids_,
                                                        .field_ids = *field_ids_,
                                                        .registry = *threads_,
                                                        .suspension = *suspension_,
                                                        .stepper = *stepper_,
                                                        .checks = *checks_},
                                            .breakpoints = *breakpoints_,
                                            .method_exits = *method_exits_,
                                            .class_unloads = *class_unloads_,
                                            .sender = *sender_,
                                            .throws = *throw_watch_,
                                            .life = life_,
                                            .includes_virtual = options_.include_virtual_threads});
  method_exits_.make(events::MethodExits::Uses{.env = env_,
                                               .registry = *threads_,
                                               .breakpoints = *breakpoints_,
                                               .requests = *requests_,
                                               .composer = *composer_,
                                               .code_versions = *code_versions_});
  composer_.make(events::Composer::Uses{.env = env_,
                                        .registry = *threads_,
                                        .parking = *parking_,
                                        .stepper = *stepper_,
                                        .frame_popper = *frame_popper_,
                                        .requests = *requests_,
                                        .sender = *sender_,
                                        .throws = *throw_watch_});
  sender_.make(events::Sender::Uses{.env = env_,
                                    .registry = *threads_,
                                    .suspension = *suspension_,
                                    .parking = *parking_,
                                    .objects = *objects_,
                                    .method_ids = *method_ids_});
  sender_->set_look([this] { return foreign_changes_->look(); });
  sender_->set_shower([this](const auto& set) { return commands::shown(*this, set); });
  class_unloads_.make(events::ClassUnloadWatch::Uses{.env = env_,
                                                     .composer = *composer_,
                                                     .reporter = *sender_,
                                                     .code_versions = *code_versions_,
                                                     .life = life_});
}

events::Checks& Agent::checks() {
  return *checks_;
}

events::ThrowSource& Agent::throw_source() {
  return *throw_watch_;
}

jvm::Result<code::LateEnvironment*> Agent::late_environment() {
  if (!late_environment_) {
    JVMDEBUG_ASSIGN(late_environment_, code::LateEnvironment::create(jni(), options_.vm_reads));
    late_environment_->set_starter([this](std::function<void()> work) {
      constexpr const char* kName = "JDWP Class Change";
      return threads_->own_threads().start(jni(), kName, std::move(work)).has_value();
    });
  }
  return late_environment_.get();
}

Result<void> Agent::start(const jvm::Jni& jni) {
  JVMDEBUG_CHECK(make_parts());
  JVMDEBUG_CHECK(events::watch_threads(env_, options_.include_virtual_threads));
  if (options_.data_dump) {
    JVMDEBUG_CHECK(events::watch_data_dumps(env_));
  }
  JVMDEBUG_CHECK(threads_->track_present(jni));
  program_resumes_->watch(jni);
  JVMDEBUG_CHECK(sender_->start(jni));
  return session_->start(jni);
}

std::expected<void, Agent::BeginError> Agent::begin(const jvm::Jni& jni,
                                                    const events::Occurrence& why) {
  // The exit code of the JDK's agent when it cannot offer a connection.
  constexpr int kNoTransport = 2;
  auto session = Session::open(*this);
  if (!session) {
    return std::unexpected(BeginError{.message = session.error().message,
                                      .jdk_message = session.error().jdk_message,
                                      .exit_code = kNoTransport});
  }
  session_ = *std::move(session);
  if (const auto started = start(jni); !started) {
    const auto name = protocol::name(started.error());
    return std::unexpected(
        BeginError{.message = "the agent cannot start (" + std::string(name) + ")"});
  }
  start_up_.parts_are_made();
  if (options_.suspend || !options_.server) {
    session_->wait_for_debugger();
    // Commands are answered only after this event was sent.
    composer_->report_start(jni, why, options_.suspend, [this] { session_->allow_commands(); });
  } else {
    session_->allow_commands();
  }
  return {};
}

void Agent::retire() {
  constexpr auto kPatience = std::chrono::seconds{2};
  const Ended ended = ending_();
  const jvm::Jni jni = this->jni();
  const jvm::LocalFrame frame(jni);
  session_->stop_listening();
  sender_->stop();
  threads_->own_threads().wait_for_others();
  events::silence(env_);
  class_unloads_->stop();
  heap_events_->stop();
  // From here on callbacks do not find the agent. None of these fails in the live phase.
  (void)env_.set_environment_local_storage(nullptr);
  (void)env_.relinquish_capabilities(jvm::debugger_capabilities());
  if (events::CallbackPresence::wait_for_none(kPatience) && !vm_is_dead()) {
    delete this;
  }
  ended();
}

void Agent::vm_begins_to_die() {
  if (start_up_.has_begun() && !vm_is_dead()) {
    const auto now = std::chrono::steady_clock::now();
    composer_->vm_dies();
    sender_->begin_last(now + kLastEvents);
    session_->end_by(now + kLastWrites);
    suspension_->close();
    release_threads();
  }
}

// Everything that is suspended now runs, including the current thread.
void Agent::release_threads() {
  const auto release = [this] { suspension_->release_all(); };
  if (threads_->is_own_thread()) {
    release();
  } else {
    sender_->run_soon(release, std::chrono::steady_clock::now() + kLongestRelease);
  }
}

void Agent::vm_dying(const jvm::Jni& jni) {
  if (!start_up_.has_begun()) {
    life_.end();
    return;
  }
  sampler_->end();
  if (exiting_.load() == std::this_thread::get_id()) {
    life_.end();  // on the thread of the command that asked for it; the command has been answered
    session_->finish_in_command();
    end_own_threads(1);
    return;
  }
  const AtExit finish([this] {
    life_.end();
    session_->finish();
    end_own_threads(0);
    if (const auto left_out = sender_->left_out(); left_out > 0) {
      std::fprintf(stderr, "jvmdebug: the VM has ended before %zu events could be sent\n",
                   left_out);
    }
  });
  bool is_held = false;
  composer_->vm_died(jni, [this, &is_held] {
    is_held = true;
    session_->end_by(std::nullopt);
    suspension_->reopen();
  });
  if (is_held) {
    vm_begins_to_die();  // again: the debugger may have suspended other threads meanwhile
  }
}

// HotSpot waits 300 ms for threads that are in native code before it ends the process
// (VM_Exit::wait_for_threads_in_native_to_block), as ours are while they wait for a debugger.
void Agent::end_own_threads(int left) {
  constexpr auto kPatience = std::chrono::milliseconds{50};
  sender_->stop();
  (void)threads_->own_threads().wait_until_left(left, std::chrono::steady_clock::now() + kPatience);
}

// Runtime.halt takes a lock, and only one thread ends the VM: a program thread that was suspended
// on its way there would stop the debugger from ending it.
void Agent::release_if_exit_hangs() {
  constexpr auto kPatience = std::chrono::seconds{1};
  constexpr auto kPause = std::chrono::milliseconds{20};
  const auto is_on_its_way = [this] {
    return vm_is_dead() || suspension_->is_closed(threads_->lock());
  };
  for (auto waited = kPause; !is_on_its_way() && waited < kPatience; waited += kPause) {
    std::this_thread::sleep_for(kPause);
  }
  if (!is_on_its_way()) {
    composer_->vm_dies();
    suspension_->close();
    suspension_->release_all();
  }
}

void Agent::exit(jint code) {
  exiting_ = std::this_thread::get_id();  // the debugger knows that the VM dies
  sender_->run_soon([this] { release_if_exit_hangs(); }, false);
  const jvm::Jni env = jni();
  const auto runtime = env.find_class("java/lang/Runtime");
  if (runtime) {
    const jmethodID current =
        env->GetStaticMethodID(runtime, "getRuntime", "()Ljava/lang/Runtime;");
    const jmethodID halt = env->GetMethodID(runtime, "halt", "(I)V");
    if (current != nullptr && halt != nullptr) {
      const auto instance = env.adopt(env->CallStaticObjectMethod(runtime, current));
      if (env->ExceptionCheck() == JNI_FALSE) {
        env->CallVoidMethod(instance, halt, code);
      }
    }
  }
  std::_Exit(code);  // halt() does not return
}

}  // namespace jvmdebug::agent
