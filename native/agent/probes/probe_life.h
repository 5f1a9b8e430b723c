// SPDX-License-Identifier: Apache-2.0
//
// The states of a probe, from the request for it until no code calls its check any more. Knows no
// VM.
//
//     event            kWanted    kDeferred  kCalled   kEnded   kGone
//     kDefer           kDeferred  -          -         -        -
//     kComplete        -          kWanted    -         -        -
//     kCodeCalls       kCalled    -          kCalled   kEnded   -
//     kCodeLacks       kWanted    kDeferred  kWanted   kGone    kGone
//     kEnd             kGone      kGone      kEnded    kEnded   kGone
//     kRestore         -          -          -         kCalled  kWanted
//
// An event that the table does not allow changes nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace jvmdebug::agent::probes {

enum class ProbeState : std::uint8_t {
  kWanted,    // the next change of the class puts the call in
  kDeferred,  // changes leave it out until complete()
  kCalled,    // the newest code of the class calls the check
  kEnded,     // the code still calls the check, and the request has ended
  kGone,      // no code calls the check, and the request has ended
};

enum class ProbeEvent : std::uint8_t {
  kDefer,
  kComplete,
  kCodeCalls,  // the class has changed, and its code calls the check
  kCodeLacks,  // the class has changed, and its code does not call the check
  kEnd,        // the request ends, or gets another probe
  kRestore,    // the other probe was not possible, so the request keeps this one
};

// Returns the next state, or none if the event is not allowed.
[[nodiscard]] constexpr std::optional<ProbeState> state_after(ProbeState state, ProbeEvent event) {
  using enum ProbeState;
  constexpr std::size_t kStates = 5;
  constexpr std::nullopt_t kNone = std::nullopt;
  using Row = std::array<std::optional<ProbeState>, kStates>;
  constexpr std::array kTable{
      Row{kDeferred, kNone, kNone, kNone, kNone},  Row{kNone, kWanted, kNone, kNone, kNone},
      Row{kCalled, kNone, kCalled, kEnded, kNone}, Row{kWanted, kDeferred, kWanted, kGone, kGone},
      Row{kGone, kGone, kEnded, kEnded, kGone},    Row{kNone, kNone, kNone, kCalled, kWanted},
  };
  return kTable.at(static_cast<std::size_t>(event)).at(static_cast<std::size_t>(state));
}

class ProbeLife {
 public:
  [[nodiscard]] ProbeState state() const { return state_; }

  // Whether the request still has this probe.
  [[nodiscard]] bool is_on() const { return state_ < ProbeState::kEnded; }

  // Whether the newest code of the class calls the check.
  [[nodiscard]] bool is_called() const {
    return state_ == ProbeState::kCalled || state_ == ProbeState::kEnded;
  }

  [[nodiscard]] bool is_deferred() const { return state_ == ProbeState::kDeferred; }

  void note(ProbeEvent event) { state_ = state_after(state_, event).value_or(state_); }

 private:
  ProbeState state_ = ProbeState::kWanted;
};

}  // namespace jvmdebug::agent::probes
