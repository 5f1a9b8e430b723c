// SPDX-License-Identifier: Apache-2.0
#include "agent/transport/greeting_dialog.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/packet.h"

namespace jvmdebug::agent {
namespace {

using codec::kHandshake;
using codec::kRejoin;
using codec::kTakeOver;
using codec::kTokenGreeting;
using codec::kTokenNeeded;

static_assert(kHandshake.size() == kTakeOver.size());
static_assert(kHandshake.size() == kTokenGreeting.size());
static_assert(kHandshake.size() == kRejoin.size());

constexpr std::size_t kRejoiningSize = codec::kSessionSize + sizeof(std::int64_t);

std::string text_of(std::span<const std::uint8_t> bytes) {
  return {bytes.begin(), bytes.end()};
}

Rejoining rejoining_from(std::string_view part) {
  std::uint64_t received = 0;
  for (const char byte : part.substr(codec::kSessionSize)) {
    received = received << 8U | static_cast<std::uint8_t>(byte);
  }
  return {.session = std::string(part.substr(0, codec::kSessionSize)),
          .received = static_cast<std::int64_t>(received)};
}

// Why a debugger is refused that has sent a proof, for the log.
std::string_view refusal_for(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAdmitted:
    case Verdict::kNoToken:  // the gate has told it
      return {};
    case Verdict::kWrongToken:
      return "wrong token";
    case Verdict::kOtherVersion:
      return "it proves its token in another version";
    case Verdict::kOtherRole:
      return "it asks for a role that this agent does not know";
    case Verdict::kOtherBinding:
      return "it expects a certificate, and this connection has none";
  }
  return {};
}

}  // namespace

std::size_t GreetingDialog::wanted() const {
  switch (part_) {
    case Part::kAnswer:
      return kFirstAnswerSize;
    case Part::kEndOfAnswer:
      return kAnswerSize - kFirstAnswerSize;
    case Part::kSession:
      return kRejoiningSize;
    case Part::kFirst:
    case Part::kGreeting:
      break;
  }
  return kHandshake.size();
}

bool GreetingDialog::may_begin_with(std::string_view bytes) const {
  if (part_ == Part::kAnswer || part_ == Part::kEndOfAnswer || part_ == Part::kSession) {
    return true;
  }
  const bool asks_for_token = gate_ != nullptr && part_ == Part::kFirst;
  return kHandshake.starts_with(bytes) || kTakeOver.starts_with(bytes) ||
         kRejoin.starts_with(bytes) || (asks_for_token && kTokenGreeting.starts_with(bytes));
}

std::string GreetingDialog::take(std::string_view part) {
  if (part_ == Part::kAnswer || part_ == Part::kEndOfAnswer) {
    return answered(part);
  }
  if (part_ == Part::kFirst && gate_ != nullptr) {
    return begin(part);
  }
  if (part_ == Part::kSession) {
    rejoining_ = rejoining_from(part);
    state_ = State::kDone;
    return {};
  }
  if (part == kRejoin) {
    part_ = Part::kSession;
    return {};
  }
  takes_over_ = part == kTakeOver;
  const bool is_known = takes_over_ || part == kHandshake;
  const bool is_permitted = !takes_over_ || role_ == Role::kDebug;  // it ends another session
  state_ = is_known && is_permitted ? State::kDone : State::kFailed;
  return {};
}

void GreetingDialog::reject() {
  state_ = State::kFailed;
  if (gate_ != nullptr && part_ == Part::kFirst) {
    refusal_ = "it is no debugger";
  }
}

std::string GreetingDialog::begin(std::string_view part) {
  if (part != kTokenGreeting) {
    state_ = State::kFailed;
    refusal_ = "it gave no token";
    return std::string(kTokenNeeded);
  }
  const auto challenge = TokenGate::new_challenge();
  if (!challenge) {
    state_ = State::kFailed;
    refusal_ = "this system gives no random numbers (/dev/urandom)";
    return {};
  }
  part_ = Part::kAnswer;
  challenge_ = *challenge;
  return text_of(challenge_);
}

std::string GreetingDialog::answered(std::string_view part) {
  answer_ += part;
  if (part_ == Part::kAnswer && static_cast<std::uint8_t>(answer_.front()) == kTokenVersion) {
    part_ = Part::kEndOfAnswer;
    return {};
  }
  return judge();
}

std::string GreetingDialog::judge() {
  const std::vector<std::uint8_t> answer(answer_.begin(), answer_.end());
  const Judgement judgement = gate_->judge(challenge_, answer);
  const std::string verdict(1, static_cast<char>(judgement.verdict));
  if (judgement.verdict != Verdict::kAdmitted) {
    state_ = State::kFailed;
    refusal_ = refusal_for(judgement.verdict);
    farewell_ = verdict;
    return {};
  }
  part_ = Part::kGreeting;
  role_ = judgement.role;
  const bool is_told = answer_.size() == kAnswerSize;
  const std::string granted(is_told ? 1 : 0, static_cast<char>(role_));
  return verdict + granted + text_of(judgement.proof);
}

}  // namespace jvmdebug::agent
