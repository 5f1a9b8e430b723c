// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <doctest/doctest.h>
#include <initializer_list>
#include <optional>

#include "agent/probes/probe_life.h"

namespace jvmdebug::tests {

namespace {

using agent::probes::ProbeLife;
using enum agent::probes::ProbeEvent;
using enum agent::probes::ProbeState;
using agent::probes::ProbeEvent;
using agent::probes::ProbeState;
using agent::probes::state_after;

constexpr std::array kStates{kWanted, kDeferred, kCalled, kEnded, kGone};
constexpr std::array kEvents{kDefer, kComplete, kCodeCalls, kCodeLacks, kEnd, kRestore};

ProbeLife after(std::initializer_list<ProbeEvent> events) {
  ProbeLife life;
  for (const ProbeEvent event : events) {
    life.note(event);
  }
  return life;
}

TEST_CASE("a probe comes, is called, ends and goes") {
  CHECK(after({}).state() == kWanted);
  CHECK(after({kCodeCalls}).state() == kCalled);
  CHECK(after({kCodeCalls, kEnd}).state() == kEnded);
  CHECK(after({kCodeCalls, kEnd, kCodeCalls}).state() == kEnded);  // a frame bars its method
  CHECK(after({kCodeCalls, kEnd, kCodeLacks}).state() == kGone);
}

TEST_CASE("a deferred probe stays out of changes for others") {
  CHECK(after({kDefer, kCodeLacks}).state() == kDeferred);
  CHECK(after({kDefer, kCodeCalls}).state() == kDeferred);
  CHECK(after({kDefer, kComplete, kCodeCalls}).state() == kCalled);
  CHECK(after({kDefer, kComplete, kDefer}).state() == kDeferred);  // the change was refused
  CHECK(after({kCodeCalls, kDefer}).state() == kCalled);           // it is in already
  CHECK(after({kDefer, kEnd}).state() == kGone);
}

TEST_CASE("a probe whose successor is refused is as it was") {
  CHECK(after({kCodeCalls, kEnd, kRestore}).state() == kCalled);
  CHECK(after({kCodeCalls, kEnd, kCodeLacks, kRestore}).state() == kWanted);
}

TEST_CASE("what ends is not on, and only a restored one comes back") {
  for (const ProbeState from : kStates) {
    CHECK(state_after(from, kEnd).value_or(kWanted) >= kEnded);
  }
  for (const ProbeState from : {kEnded, kGone}) {
    for (const ProbeEvent event : kEvents) {
      const auto to = state_after(from, event);
      CHECK((event == kRestore || !to || *to >= kEnded));
    }
  }
}

TEST_CASE("each state says whether the code calls the check") {
  CHECK(after({kCodeCalls}).is_called());
  CHECK(after({kCodeCalls, kEnd}).is_called());
  CHECK_FALSE(after({}).is_called());
  CHECK_FALSE(after({kDefer}).is_called());
  CHECK_FALSE(after({kEnd}).is_called());
  // No event but a change of the code makes it so, or one that undoes the end.
  for (const ProbeEvent event : {kDefer, kComplete, kEnd}) {
    for (const ProbeState from : {kWanted, kDeferred, kGone}) {
      const auto to = state_after(from, event).value_or(from);
      CHECK((to != kCalled && to != kEnded));
    }
  }
}

}  // namespace

}  // namespace jvmdebug::tests
