// SPDX-License-Identifier: Apache-2.0
#include "agent/transport/link_watch.h"

#include <cstdio>

#include "agent/transport/transport.h"

namespace jvmdebug::agent {

void LinkWatch::run() {
  while (!ended_.try_acquire_for(terms_.interval)) {
    if (is_lost(Clock::now())) {
      std::fprintf(stderr, "jvmdebug: the link to the debugger %s is lost\n",
                   connection_->peer().c_str());
      connection_->lose_link();
    }
    connection_->send_beat();
  }
}

bool LinkWatch::is_lost(Clock::time_point now) {
  constexpr auto kMoment = std::chrono::milliseconds{500};
  constexpr int kMuchUnread = 64 * 1024;  // the debugger may not be able to send more
  const Heard heard = connection_->heard();
  const bool has_slept = now - last_turn_ > 2 * terms_.interval + kMoment;
  last_turn_ = now;
  if (heard != heard_ || has_slept || heard.unread > kMuchUnread || connection_->is_down()) {
    heard_ = heard;
    heard_at_ = now;
    return false;
  }
  if (now - heard_at_ < terms_.patience) {
    return false;
  }
  if (connection_->peer_answers(terms_.patience)) {
    heard_at_ = now;  // it has its time again once it goes on
    return false;
  }
  return true;
}

}  // namespace jvmdebug::agent
