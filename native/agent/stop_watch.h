// SPDX-License-Identifier: Apache-2.0
//
// Watches how long a debugger whose role has a limit holds the program (longest-stop=), on a thread
// of its own. Threads that are suspended at each look for that long are held, or wait for a
// debugger that does not read its events; then the connection ends, and the session lets everything
// run. Made by the session, for each such debugger.
#pragma once

#include <chrono>
#include <memory>
#include <semaphore>
#include <utility>

#include "agent/threads/suspension.h"
#include "agent/transport/transport.h"

namespace jvmdebug::agent::events {
class Sender;
}

namespace jvmdebug::agent {

class Agent;

class StopWatch {
 public:
  StopWatch(std::shared_ptr<Connection> connection, threads::Suspension& suspension,
            const events::Sender& sender, std::chrono::milliseconds longest)
      : connection_(std::move(connection)),
        suspension_(suspension),
        sender_(sender),
        longest_(longest) {}

  // Starts to watch a debugger. Null for one that may do everything, and if there is no thread for
  // it: then the connection ends, because nothing would end its stops.
  [[nodiscard]] static std::shared_ptr<StopWatch> start(
      Agent& agent, const std::shared_ptr<Connection>& connection);

  // The body of the thread, until end(), or until the debugger has held the program too long.
  void run();

  // Any thread, once.
  void end() { ended_.release(); }

 private:
  void end_connection();

  const std::shared_ptr<Connection> connection_;
  threads::Suspension& suspension_;
  const events::Sender& sender_;
  const std::chrono::milliseconds longest_;
  std::binary_semaphore ended_{0};
};

}  // namespace jvmdebug::agent
