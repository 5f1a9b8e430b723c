// SPDX-License-Identifier: Apache-2.0
#include "agent/stop_watch.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "agent/agent.h"
#include "agent/events/sender.h"
#include "agent/threads/thread_registry.h"
#include "codec/generated/agent.h"
#include "codec/packet.h"

namespace jvmdebug::agent {

std::shared_ptr<StopWatch> StopWatch::start(Agent& agent,
                                            const std::shared_ptr<Connection>& connection) {
  if (connection->role() == Role::kDebug) {
    return nullptr;
  }
  auto watch = std::make_shared<StopWatch>(connection, agent.suspension(), agent.sender(),
                                           agent.options().longest_stop);
  const auto started = agent.threads().own_threads().start(agent.jni(), "JDWP Stop Watch",
                                                           [watch] { watch->run(); });
  if (!started) {
    connection->end_output();
    return nullptr;
  }
  return watch;
}

void StopWatch::run() {
  using std::chrono::milliseconds;
  constexpr int kLooks = 20;
  const auto pause = std::clamp(longest_ / kLooks, milliseconds{1}, milliseconds{100});
  auto free_at = Clock::now();
  while (!ended_.try_acquire_for(pause)) {
    const auto now = Clock::now();
    if (!suspension_.holds_threads() && !sender_.holds_threads()) {
      free_at = now;
    } else if (now - free_at > longest_) {
      end_connection();
      return;
    }
  }
}

void StopWatch::end_connection() {
  const std::string role = connection_->role() == Role::kObserve ? "observe" : "read-only";
  const std::string reason = "the program was held longer than " +
                             std::to_string(longest_.count()) + " ms, which the role " + role +
                             " may not: it runs again";
  std::fprintf(stderr, "jvmdebug: %s: %s\n", connection_->peer().c_str(), reason.c_str());
  connection_->shorten_timeouts();
  codec::Writer writer = connection_->writer();
  protocol::agent::Ended{.reason = reason}.write(writer);
  const auto packet = codec::pack_command(0, protocol::agent::Ended::kCommandSet,
                                          protocol::agent::Ended::kCommand, writer.bytes());
  if (packet) {
    connection_->write_last(*packet);
  }
  connection_->end_output();
  connection_->shut_down();
}

}  // namespace jvmdebug::agent
