// SPDX-License-Identifier: Apache-2.0
#include "agent/transport/greeting_dialog.h"

#include <span>
#include <utility>

#include "codec/packet.h"

namespace jvmdebug::agent {
namespace {

using codec::kHandshake;
using codec::kTakeOver;
using codec::kTokenGreeting;
using codec::kTokenNeeded;

static_assert(kHandshake.size() == kTakeOver.size());
static_assert(kHandshake.size() == kTokenGreeting.size());

constexpr std::size_t kAnswerSize = Nonce{}.size() + Digest{}.size();

std::string text_of(std::span<const std::uint8_t> bytes) {
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::size_t GreetingDialog::wanted() const {
  return part_ == Part::kAnswer ? kAnswerSize : kHandshake.size();
}

bool GreetingDialog::may_begin_with(std::string_view bytes) const {
  if (part_ == Part::kAnswer) {
    return true;
  }
  const bool asks_for_token = gate_ != nullptr && part_ == Part::kFirst;
  return kHandshake.starts_with(bytes) || kTakeOver.starts_with(bytes) ||
         (asks_for_token && kTokenGreeting.starts_with(bytes));
}

std::string GreetingDialog::take(std::string_view part) {
  if (part_ == Part::kAnswer) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(part.data());
    const auto proof = gate_->admit(nonce_, {bytes, part.size()});
    if (!proof) {
      return refuse("wrong token", {});
    }
    part_ = Part::kGreeting;
    return text_of(*proof);
  }
  if (part_ == Part::kFirst && gate_ != nullptr) {
    if (part != kTokenGreeting) {
      return refuse("it gave no token", std::string(kTokenNeeded));
    }
    const auto nonce = TokenGate::random_nonce();
    if (!nonce) {
      return refuse("this system gives no random numbers (/dev/urandom)", {});
    }
    part_ = Part::kAnswer;
    nonce_ = *nonce;
    return text_of(nonce_);
  }
  takes_over_ = part == kTakeOver;
  state_ = takes_over_ || part == kHandshake ? State::kDone : State::kFailed;
  return {};
}

std::string GreetingDialog::refuse(std::string why, std::string reply) {
  state_ = State::kFailed;
  refusal_ = std::move(why);
  return reply;
}

}  // namespace jvmdebug::agent
