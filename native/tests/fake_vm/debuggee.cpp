// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_vm/debuggee.h"

#include <array>
#include <cstdio>
#include <sys/socket.h>
#include <utility>

#include "agent/dispatcher.h"
#include "agent/events/sender.h"
#include "agent/session.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::fake {
namespace {

constexpr int kTimeout_ms = 20'000;
constexpr int kVirtualThreadEnd = 88;

// Whether an agent thread is run: the session's own would wait for a debugger at a socket.
bool is_wanted(std::string_view name) {
  return !name.contains("Transport Listener");
}

}  // namespace

Debuggee& Debuggee::start(jint feature_version, bool fast) {
  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): its threads may run when the process ends
  return *new Debuggee(feature_version, fast);
}

Debuggee::Debuggee(jint feature_version, bool fast)
    : vm_({.feature_version = feature_version, .runs_agent_thread = is_wanted}), world_(vm_) {
  if (!act(world_.main(), [this, fast] { load(fast); })) {
    refuse("Debuggee", "the agent does not start");
  }
  connect();
  if (!disconnect()) {
    refuse("Debuggee", "the agent does not come to rest");
  }
  globals_at_rest_ = vm_.count(HandleKind::kGlobal);
}

void Debuggee::load(bool fast) {
  const std::string mode = fast ? ",mode=fast" : "";
  auto parsed = agent::parse_options(
      "transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:0" + mode);
  if (!parsed.options) {
    refuse("Debuggee", parsed.error ? parsed.error->message : "help");
  }
  auto loaded = agent::Agent::load(vm_.java_vm(), *std::move(parsed.options));
  if (!loaded) {
    refuse("Debuggee", loaded.error());
  }
  agent_ = *std::move(loaded);
  Thread& main = world_.main();
  (void)vm_.send_event(JVMTI_EVENT_VM_INIT, [&](Environment& environment, void* callback) {
    reinterpret_cast<jvmtiEventVMInit>(callback)(&environment, &main.jni, vm_.local(main.object));
  });
  const auto started =
      agent_->threads().own_threads().start(agent_->jni(), "commands", [this] { serve(); });
  if (!started) {
    refuse("Debuggee", "no thread for commands");
  }
}

// --- the agent's thread for commands -----------------------------------------------------------

void Debuggee::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return work_ != nullptr; });
    const auto work = std::exchange(work_, nullptr);
    lock.unlock();
    work();
    lock.lock();
  }
}

void Debuggee::on_agent_thread(std::function<void()> work) {
  std::unique_lock lock(mutex_);
  bool done = false;
  work_ = [&] {
    work();
    if (Vm::current()->locals.size() != 1 || !Vm::current()->locals.front().empty()) {
      refuse("agent thread", "local references were left behind");
    }
    const std::scoped_lock finished(mutex_);
    done = true;
    changed_.notify_all();
  };
  changed_.notify_all();
  if (!changed_.wait_for(lock, std::chrono::milliseconds(kTimeout_ms), [&] { return done; })) {
    refuse("agent thread", "a command does not come to its end");
  }
}

void Debuggee::connect() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    refuse("Debuggee::connect", "no socket pair");
  }
  connection_ = std::make_shared<agent::Connection>(
      agent::Peer{.socket = agent::Socket(ends[0]), .name = "the test"}, false);
  client_ = std::make_unique<Client>(ends[1]);
  agent_->sender().connect(connection_);
}

bool Debuggee::disconnect() {
  on_agent_thread([this] { agent_->session().restore(); });
  bool clean = wait_until_all_idle();
  if (Thread& late = world_.latecomer(); late.life == Life::kAlive) {
    // For the next debugger the thread has not begun yet, so its end must be processed.
    clean = act(late, [&] { world_.end(late); }, kTimeout_ms) && clean;
  }
  // Waits for what run_soon() has queued.
  agent_->sender().run_soon([] {}, true);
  connection_->shut_down();
  client_->finish();
  connection_.reset();
  world_.reset();
  on_agent_thread([this] { vm_.collect(); });
  clean = nothing_left() && clean;
  return clean;
}

bool Debuggee::wait_until_all_idle() {
  for (Thread* const thread : world_.threads()) {
    if (!vm_.wait_until_idle(*thread, kTimeout_ms) || thread->suspended) {
      std::fprintf(stderr, "fake VM: the thread %s was left standing\n", thread->name.c_str());
      return false;
    }
  }
  return true;
}

bool Debuggee::nothing_left() {
  const std::scoped_lock lock(vm_.mutex());
  bool nothing = true;
  const auto expect_none = [&](const char* what, std::size_t count) {
    if (count != 0) {
      std::fprintf(stderr, "fake VM: the agent left behind: %zu %s\n", count, what);
      nothing = false;
    }
  };
  expect_none("allocations of JVM TI", vm_.allocations());
  expect_none("weak references", vm_.count(HandleKind::kWeak));
  expect_none("breakpoints", vm_.breakpoints.size());
  expect_none("field watches", vm_.watches.size());
  std::size_t modes = 0;
  for (const auto& environment : vm_.environments()) {
    for (const auto& [event, thread] : environment->by_thread) {
      const auto known = thread->storage.find(environment.get());
      if (event == kVirtualThreadEnd && known != thread->storage.end() &&
          known->second != nullptr) {
        continue;  // in an event when the debugger disconnected, and tracked until it ends
      }
      ++modes;
      std::fprintf(stderr, "fake VM: event %d is on for %s\n", event, thread->name.c_str());
    }
  }
  expect_none("events of single threads", modes);
  const std::size_t globals = vm_.count(HandleKind::kGlobal);
  // One global reference for each thread that the agent tracks.
  const std::size_t most = globals_at_rest_ + world_.threads().size();
  if (globals_at_rest_ != 0 && globals > most) {
    expect_none("global references too many", globals - most);
  }
  return nothing;
}

// --- what a debugger does ----------------------------------------------------------------------

std::uint32_t Debuggee::send(std::uint8_t command_set, std::uint8_t command,
                             std::span<const std::uint8_t> payload) {
  std::uint32_t number = 0;
  on_agent_thread([&] { number = send_here(command_set, command, payload); });
  return number;
}

std::uint32_t Debuggee::send_here(std::uint8_t command_set, std::uint8_t command,
                                  std::span<const std::uint8_t> payload) {
  const std::uint32_t number = next_packet_++;
  const codec::Packet packet{
      .header = {.length = static_cast<std::uint32_t>(codec::kHeaderSize + payload.size()),
                 .id = number,
                 .flags = 0,
                 .command_set = command_set,
                 .command = command,
                 .error = protocol::Error::kNone},
      .payload = {payload.begin(), payload.end()}};
  const auto& locals = Vm::current()->locals;
  const std::size_t frames = locals.size();
  const std::size_t references = locals.back().size();
  (void)agent::dispatch(*agent_, connection_, packet);
  if (locals.size() != frames || locals.back().size() != references) {
    refuse("dispatch", "local references were left behind");
  }
  constexpr auto kSetEventRequest = std::pair<std::uint8_t, std::uint8_t>(15, 1);
  if (std::pair(command_set, command) == kSetEventRequest) {
    const auto reply = client_->reply(number);
    if (reply && reply->header.error == protocol::Error::kNone) {
      codec::Reader reader(reply->payload);
      last_request_ = static_cast<std::uint32_t>(reader.read_int());
    }
  }
  return number;
}

bool Debuggee::act(Thread& thread, std::function<void()> action, int timeout_ms) {
  vm_.post(thread, std::move(action));
  return vm_.wait_until_idle(thread, timeout_ms);
}

// --- ids ---------------------------------------------------------------------------------------

protocol::ObjectId Debuggee::id(Object& object) {
  protocol::ObjectId made;
  on_agent_thread([&] {
    const agent::jvm::LocalFrame frame(agent_->jni());
    made = agent_->objects().object_id(vm_.local(&object));
  });
  return made;
}

protocol::ThreadId Debuggee::id(const Thread& thread) {
  return protocol::ThreadId{id(*thread.object).raw};
}

protocol::ReferenceTypeId Debuggee::id(const Class& type) {
  return protocol::ReferenceTypeId{id(*type.mirror).raw};
}

protocol::MethodId Debuggee::id(const Method& method) {
  return protocol::MethodId{reinterpret_cast<std::uintptr_t>(&method)};
}

protocol::FieldId Debuggee::id(const Field& field) {
  return protocol::FieldId{reinterpret_cast<std::uintptr_t>(field.id)};
}

}  // namespace jvmdebug::fake
