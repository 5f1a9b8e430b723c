// SPDX-License-Identifier: Apache-2.0
//
// The real agent in the fake VM, and a debugger that talks to it, for the C++ tests and the packet
// fuzzer. Packets go to the real dispatcher on an agent thread; replies and events come back over a
// socket pair. There is one per process and kind of VM, because an agent is never destroyed.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "agent/agent.h"
#include "agent/transport/transport.h"
#include "codec/packet.h"
#include "codec/reader.h"
#include "codec/writer.h"
#include "tests/fake_vm/vm.h"
#include "tests/fake_vm/world.h"

namespace jvmdebug::fake {

// What the debugger has received.
class Client {
 public:
  explicit Client(int descriptor);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  Client(Client&&) = delete;
  Client& operator=(Client&&) = delete;
  // Waits until the agent has closed its end.
  ~Client();

  void finish();
  // Waits for the reply to a packet; nothing if it does not come in time.
  [[nodiscard]] std::optional<codec::Packet> reply(std::uint32_t id, int timeout_ms = 10'000);
  // Waits for `count` event sets and returns them, beginning with the first.
  [[nodiscard]] std::vector<codec::Packet> events(std::size_t count, int timeout_ms = 10'000);
  [[nodiscard]] std::size_t replies(std::uint32_t id);

 private:
  void run();

  agent::Socket socket_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<codec::Packet> replies_;
  std::vector<codec::Packet> events_;
  std::thread reader_;
};

class Debuggee {
 public:
  // Starts a debuggee, which lives as long as the process.
  static Debuggee& start(jint feature_version, bool fast = false);
  Debuggee(const Debuggee&) = delete;
  Debuggee& operator=(const Debuggee&) = delete;
  Debuggee(Debuggee&&) = delete;
  Debuggee& operator=(Debuggee&&) = delete;
  ~Debuggee() = default;

  [[nodiscard]] Vm& vm() { return vm_; }

  [[nodiscard]] World& world() { return world_; }

  [[nodiscard]] agent::Agent& agent() { return *agent_; }

  [[nodiscard]] Client& client() { return *client_; }

  // Runs `work` on the agent's command thread and waits until it is done.
  void on_agent_thread(std::function<void()> work);

  // Connects a debugger. disconnect() does what the session does and undoes everything that the
  // debugger has requested; false if something was left behind, which is reported on stderr.
  void connect();
  [[nodiscard]] bool disconnect();

  // Sends a packet through the dispatcher. Returns its number.
  std::uint32_t send(std::uint8_t command_set, std::uint8_t command,
                     std::span<const std::uint8_t> payload);

  // The same for a caller that is already on the agent's thread.
  std::uint32_t send_here(std::uint8_t command_set, std::uint8_t command,
                          std::span<const std::uint8_t> payload);

  // The last event request that the agent has made.
  [[nodiscard]] std::uint32_t last_request() const { return last_request_; }

  template <class Request>
  std::uint32_t send(const Request& request) {
    codec::Writer writer;
    request.write(writer);
    return send(Request::kCommandSet, Request::kCommand, writer.bytes());
  }

  // Sends and waits for the reply.
  template <class Reply, class Request>
  [[nodiscard]] std::expected<Reply, protocol::Error> ask(const Request& request) {
    const auto packet = client().reply(send(request));
    if (!packet) {
      refuse("Debuggee::ask", "no reply");
    }
    if (packet->header.error != protocol::Error::kNone) {
      return std::unexpected(packet->header.error);
    }
    codec::Reader reader(packet->payload);
    if constexpr (std::is_void_v<Reply>) {
      return {};
    } else {
      return Reply::read(reader);
    }
  }

  // Lets a thread of the program do an action. Returns when the thread has done so or is suspended:
  // see Vm::wait_until_idle().
  bool act(Thread& thread, std::function<void()> action, int timeout_ms = 10'000);

  // --- ids, as a debugger would have got them -------------------------------------------------
  [[nodiscard]] protocol::ThreadId id(const Thread& thread);
  [[nodiscard]] protocol::ReferenceTypeId id(const Class& type);
  [[nodiscard]] protocol::ObjectId id(Object& object);
  [[nodiscard]] static protocol::MethodId id(const Method& method);
  [[nodiscard]] static protocol::FieldId id(const Field& field);

 private:
  Debuggee(jint feature_version, bool fast);

  void load(bool fast);
  void serve();
  [[nodiscard]] bool wait_until_all_idle();
  [[nodiscard]] bool nothing_left();

  Vm vm_;
  World world_;
  std::unique_ptr<agent::Agent> agent_;
  std::shared_ptr<agent::Connection> connection_;
  std::unique_ptr<Client> client_;
  std::uint32_t next_packet_ = 1;
  std::uint32_t last_request_ = 0;
  std::size_t globals_at_rest_ = 0;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> work_;
};

}  // namespace jvmdebug::fake
