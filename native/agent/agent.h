// SPDX-License-Identifier: Apache-2.0
//
// The whole agent: one object per JVM TI environment, found through the environment's local
// storage. Owns the parts, and creates and ends them in order. Made in Agent_OnLoad, started by
// StartUp (usually at VMInit), and never destroyed, because threads of the VM may still be inside
// it when the process ends. Only an agent that was loaded into a running VM for one debugger ends,
// together with that debugger (late_attach.h).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include <jvmti.h>

#include "agent/ids/field_ids.h"
#include "agent/ids/frame_ids.h"
#include "agent/ids/method_ids.h"
#include "agent/ids/object_table.h"
#include "agent/jvm/env.h"
#include "agent/jvm/vm_life.h"
#include "agent/options/options.h"
#include "agent/part.h"
#include "agent/start_up.h"
#include "codec/result.h"

namespace jvmdebug::agent {

namespace threads {
class ThreadRegistry;
class Suspension;
class Parking;
class Invoker;
class Stepper;
class FramePopper;
class ProgramResumes;
}  // namespace threads

namespace events {
class Breakpoints;
class Checks;
class ClassUnloadWatch;
class Composer;
class ForeignChanges;
class InvocationChanges;
class MethodExits;
class RequestTable;
class Sender;
class ThrowSource;
}  // namespace events

namespace code {
class CodeVersions;
class LateEnvironment;
}  // namespace code

namespace heap {
class HeapEvents;
}  // namespace heap

namespace probes {
class ChecksOfProbes;
class ProbeTable;
}  // namespace probes

namespace coverage {
class Coverage;
}  // namespace coverage

namespace origins {
class Origins;
}  // namespace origins

namespace recording {
class Recording;
}  // namespace recording

namespace jumps {
class Jumper;
}  // namespace jumps

namespace throws {
class ThrowWatch;
}  // namespace throws

namespace sampling {
class Sampler;
}  // namespace sampling

namespace commands {
class PrefetchedKeys;
}  // namespace commands

class Session;

class Agent {
 public:
  // Takes the environment and its capabilities, and requests the events of the VM's life cycle;
  // called in Agent_OnLoad. The text of an error is for stderr.
  static std::expected<std::unique_ptr<Agent>, std::string> load(JavaVM* vm, Options options);
  // Returns the agent of an environment, for its callbacks; null when the agent has ended (retire).
  static Agent* of(jvmtiEnv* env);

  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;
  ~Agent();

  // Why debugging could not begin, and the exit code of the VM if debugging was to begin with the
  // VM.
  struct BeginError {
    std::string message;
    std::string jdk_message = {};  // the message of the JDK's own agent
    int exit_code = EXIT_FAILURE;
  };

  // Opens the socket, makes the parts and, with suspend=y, blocks until the debugger resumes the
  // current thread. `why` is the first event that the debugger receives. Called by StartUp once, or
  // again after a failure.
  std::expected<void, BeginError> begin(const jvm::Jni& jni, const events::Occurrence& why);
  // Sets what happens at the end of an agent that was loaded into a running VM: `ending` is called
  // when the agent no longer accepts a debugger, and the function that `ending` returns when the
  // agent is gone. Call it before begin().
  using Ended = std::function<void()>;

  void when_it_ends(std::function<Ended()> ending) { ending_ = std::move(ending); }

  // Ends such an agent, on the session's thread: it deletes itself, and leaves no threads, events
  // or environment behind. If a program thread is still inside the agent, running a method for a
  // debugger that has disconnected, the agent stays but does nothing.
  void retire();
  // Handles VMDeath, on the VM's thread, in two steps. First, all threads are resumed and none is
  // suspended again: this thread may be suspended itself, so it makes no JVM TI or JNI call until
  // another thread has resumed it. Then the debugger is told, within the time limit.
  void vm_begins_to_die();
  void vm_dying(const jvm::Jni& jni);

  // Ends the VM at once, as the debugger asked. Does not return.
  void exit(jint code);

  [[nodiscard]] const Options& options() const { return options_; }

  [[nodiscard]] const jvm::Env& jvmti() const { return env_; }

  [[nodiscard]] jvm::Env& jvmti() { return env_; }

  // The JNI environment of the calling thread, which must be attached.
  [[nodiscard]] jvm::Jni jni() const { return env_.jni(); }

  // True from VMDeath on: no JVM TI any more.
  [[nodiscard]] bool vm_is_dead() const { return life_.vm_is_dead(); }

  [[nodiscard]] StartUp& start_up() { return start_up_; }

  // The parts, which exist from begin() on.
  [[nodiscard]] ids::ObjectTable& objects() { return *objects_; }

  [[nodiscard]] ids::MethodIds& method_ids() { return *method_ids_; }

  [[nodiscard]] ids::FieldIds& field_ids() { return *field_ids_; }

  [[nodiscard]] ids::FrameIds& frame_ids() { return *frame_ids_; }

  [[nodiscard]] threads::ThreadRegistry& threads() { return *threads_; }

  [[nodiscard]] threads::Suspension& suspension() { return *suspension_; }

  [[nodiscard]] threads::Parking& parking() { return *parking_; }

  [[nodiscard]] threads::Invoker& invoker() { return *invoker_; }

  [[nodiscard]] threads::Stepper& stepper() { return *stepper_; }

  [[nodiscard]] threads::FramePopper& frame_popper() { return *frame_popper_; }

  [[nodiscard]] threads::ProgramResumes& program_resumes() { return *program_resumes_; }

  [[nodiscard]] events::Breakpoints& breakpoints() { return *breakpoints_; }

  [[nodiscard]] events::ForeignChanges& foreign_changes() { return *foreign_changes_; }

  [[nodiscard]] events::RequestTable& requests() { return *requests_; }

  [[nodiscard]] events::MethodExits& method_exits() { return *method_exits_; }

  [[nodiscard]] events::Composer& composer() { return *composer_; }

  [[nodiscard]] events::Sender& sender() { return *sender_; }

  [[nodiscard]] events::ClassUnloadWatch& class_unloads() { return *class_unloads_; }

  [[nodiscard]] heap::HeapEvents& heap_events() { return *heap_events_; }

  // The interfaces by which the callbacks know the two rooms above theirs.
  [[nodiscard]] events::Checks& checks();
  [[nodiscard]] events::ThrowSource& throw_source();

  [[nodiscard]] throws::ThrowWatch& throw_watch() { return *throw_watch_; }

  [[nodiscard]] probes::ProbeTable& probes() { return *probes_; }

  [[nodiscard]] jumps::Jumper& jumper() { return *jumper_; }

  [[nodiscard]] code::CodeVersions& code_versions() { return *code_versions_; }

  [[nodiscard]] sampling::Sampler& sampler() { return *sampler_; }

  [[nodiscard]] coverage::Coverage& coverage() { return *coverage_; }

  [[nodiscard]] origins::Origins& origins() { return *origins_; }

  [[nodiscard]] recording::Recording& recording() { return *recording_; }

  // Made on first use, on an agent thread.
  [[nodiscard]] jvm::Result<code::LateEnvironment*> late_environment();

  [[nodiscard]] commands::PrefetchedKeys& prefetched_keys() { return *prefetched_keys_; }

  [[nodiscard]] Session& session() { return *session_; }

  // The number of the command that is being carried out, or was last. Any thread.
  [[nodiscard]] std::int32_t last_command() const { return last_command_; }

  void begins_command(std::int32_t number) { last_command_ = number; }

  // The number of threads that the debugger was told when it asked for all with their names; 0 if
  // it has not asked. Any thread.
  [[nodiscard]] std::size_t threads_told() const { return threads_told_; }

  void tells_threads(std::size_t count) { threads_told_ = count; }

 private:
  Agent(jvm::Env env, Options options);
  [[nodiscard]] Result<void> make_parts();
  void reserve_parts();
  void make_threads();
  void make_events();
  [[nodiscard]] Result<void> start(const jvm::Jni& jni);
  void release_threads();
  void release_if_exit_hangs();
  void end_own_threads(int left);

  Options options_;
  jvm::Env env_;
  StartUp start_up_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<ids::ObjectTable> objects_;
  std::unique_ptr<ids::MethodIds> method_ids_;
  std::unique_ptr<ids::FieldIds> field_ids_;
  std::unique_ptr<ids::FrameIds> frame_ids_;
  Part<threads::ThreadRegistry> threads_;
  Part<threads::Suspension> suspension_;
  Part<threads::Parking> parking_;
  Part<threads::Invoker> invoker_;
  Part<threads::Stepper> stepper_;
  Part<threads::FramePopper> frame_popper_;
  Part<threads::ProgramResumes> program_resumes_;
  Part<events::Breakpoints> breakpoints_;
  std::unique_ptr<events::ForeignChanges> foreign_changes_;
  Part<events::InvocationChanges> invocation_changes_;
  Part<events::RequestTable> requests_;
  Part<events::MethodExits> method_exits_;
  Part<events::Composer> composer_;
  Part<events::Sender> sender_;
  Part<events::ClassUnloadWatch> class_unloads_;
  std::unique_ptr<heap::HeapEvents> heap_events_;
  std::unique_ptr<code::LateEnvironment> late_environment_;
  Part<throws::ThrowWatch> throw_watch_;
  Part<probes::ChecksOfProbes> checks_;
  std::unique_ptr<code::CodeVersions> code_versions_;
  Part<probes::ProbeTable> probes_;
  std::unique_ptr<origins::Origins> origins_;
  std::unique_ptr<coverage::Coverage> coverage_;
  std::unique_ptr<recording::Recording> recording_;
  std::unique_ptr<jumps::Jumper> jumper_;
  std::unique_ptr<sampling::Sampler> sampler_;
  std::unique_ptr<commands::PrefetchedKeys> prefetched_keys_;
  std::atomic<std::int32_t> last_command_ = 0;
  std::atomic<std::size_t> threads_told_ = 0;
  jvm::VmLife life_;
  std::atomic<std::thread::id> exiting_ = std::thread::id();  // runs the command that ends the VM
  std::function<Ended()> ending_;
};

}  // namespace jvmdebug::agent
