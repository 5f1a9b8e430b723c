// SPDX-License-Identifier: Apache-2.0
//
// A debugger whose link is watched, and that may lose it and come back.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <utility>

#include "agent/events/sender.h"
#include "agent/jvmti_access/access.h"
#include "agent/platform/process.h"
#include "agent/session.h"
#include "agent/threads/stepper.h"
#include "agent/threads/suspension.h"
#include "agent/threads/thread_registry.h"
#include "agent/transport/token_gate.h"

namespace jvmdebug::agent {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kShortestInterval{10};
constexpr milliseconds kLongestKept = std::chrono::hours{24};

// A debugger that notices a broken link at once comes back at once, and what is suspended stays so.
constexpr milliseconds kMoment{2000};

std::string new_secret() {
  const auto random = TokenGate::new_challenge();
  return random ? std::string(random->begin() + 1, random->begin() + 1 + codec::kSessionSize)
                : std::string();
}

bool is_same(const std::string& secret, const std::string& other) {
  bool differs = secret.size() != other.size();
  for (std::size_t i = 0; i < std::min(secret.size(), other.size()); ++i) {
    differs |= secret[i] != other[i];  // no early return: the time tells nothing
  }
  return !differs;
}

}  // namespace

Result<protocol::agent::LinkReply> Session::watch_link(
    const protocol::agent::LinkRequest& request) {
  const LinkTerms terms{.interval = milliseconds(request.interval_ms),
                        .patience = milliseconds(request.patience_ms),
                        .keep = std::min(milliseconds(request.keep_ms), kLongestKept),
                        .holds = request.holds};
  if (terms.interval < kShortestInterval || terms.patience < terms.interval ||
      request.keep_ms < 0) {
    return fail(protocol::Error::kIllegalArgument);
  }
  end_link_watch();
  {
    // One that was loaded late ends with its debugger, and leaves all classes as they were.
    const Options& options = agent_.options();
    const bool can_come_back = listener_ && !options.address.is_library() && !options.is_late &&
                               platform::can_take_place();
    const std::scoped_lock lock(mutex_);
    if (link_session_.empty() && can_come_back && request.keep_ms > 0) {
      link_session_ = new_secret();
    }
    link_terms_ = terms;
    link_terms_.keep = link_session_.empty() ? milliseconds{} : terms.keep;
  }
  connection_->watch_link(request.own_end, link_terms_.keep > milliseconds{});
  const auto watch = std::make_shared<LinkWatch>(connection_, link_terms_);
  JVMDEBUG_CHECK(agent_.threads().own_threads().start(agent_.jni(), "JDWP Link Watch",
                                                      [watch] { watch->run(); }));
  link_watch_ = watch;
  return protocol::agent::LinkReply{
      .own_end = connection_->own_end(),
      .keep_ms = static_cast<std::int32_t>(link_terms_.keep.count()),
      .session = {link_session_.begin(), link_session_.end()},
      .program = std::string(agent_.jvmti().get_system_property("sun.java.command").view()),
      .process = platform::process_id()};
}

void Session::end_link_watch() {
  if (const auto watch = std::exchange(link_watch_, nullptr)) {
    watch->end();
  }
}

void Session::forget_link() {
  end_link_watch();
  const std::scoped_lock lock(mutex_);
  link_session_.clear();
  returned_.reset();
}

bool Session::takes_back(Greeting& greeting) {
  if (!connection_ || link_session_.empty() || is_disconnecting_ || !greeting.rejoining ||
      !is_same(link_session_, greeting.rejoining->session)) {
    return false;
  }
  returned_ = Returned{.peer = std::move(greeting.peer), .received = greeting.rejoining->received};
  changed_.notify_all();
  if (!connection_->is_down()) {
    connection_->shut_down();  // its reader finds out
  }
  return true;
}

bool Session::may_come_back(const Connection& connection) const {
  return link_watch_ && link_terms_.keep > milliseconds{} && !agent_.vm_is_dead() &&
         !connection.output_has_ended();
}

bool Session::comes_back(const std::shared_ptr<Connection>& connection) {
  const auto has_left = [&] {  // and is not there again
    const std::scoped_lock lock(mutex_);
    return !returned_ && connection->peer_has_left();
  };
  if (!may_come_back(*connection) || has_left()) {
    return false;
  }
  connection->lose_link();
  publish_address(true);
  hold(link_terms_.holds);
  if (link_terms_.holds) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(link_terms_.keep).count();
    std::fprintf(
        stderr, "jvmdebug: the program is held until the debugger comes back, for %lld s at most\n",
        static_cast<long long>(seconds));
  }
  const auto moment = std::min({kMoment, link_terms_.patience, link_terms_.keep});
  const auto until = Clock::now() + link_terms_.keep;
  auto next = link_terms_.holds ? until : Clock::now() + moment;
  bool went_on = false;
  bool is_back = false;
  while (!is_back && may_come_back(*connection)) {
    if (const auto returned = wait_for_rejoining(*connection, next)) {
      is_back = connection->rejoin(returned->peer, returned->received, went_on);
    } else if (next == until) {
      break;
    } else {
      go_on();
      went_on = true;
      next = until;
    }
  }
  agent_.sender().unmute();
  publish_address(!is_back);
  hold(false);
  return is_back;
}

void Session::hold(bool is_held) {
  const std::scoped_lock lock(mutex_);
  is_held_ = is_held;
}

// Empty also when another debugger waits, or the session ends.
std::optional<Session::Returned> Session::wait_for_rejoining(const Connection& connection,
                                                             Clock::time_point until) {
  std::unique_lock lock(mutex_);
  (void)changed_.wait_until(lock, until, [&] {
    return returned_ || next_ || has_ended_ || connection.output_has_ended() || agent_.vm_is_dead();
  });
  return std::exchange(returned_, std::nullopt);
}

void Session::go_on() {
  const jvm::LocalFrame frame(agent_.jni());
  agent_.sender().mute();
  agent_.stepper().debugger_left();
  agent_.stepper().resuming();
  agent_.suspension().release_all();
  std::fputs("jvmdebug: the program goes on without the debugger, which may come back\n", stderr);
}

}  // namespace jvmdebug::agent
