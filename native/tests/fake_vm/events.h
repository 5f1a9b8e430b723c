// SPDX-License-Identifier: Apache-2.0
//
// Event functions of the tests: make a request with modifiers, and get the received event sets.
// Used by the C++ tests in the fake VM.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "codec/generated/event.h"
#include "codec/generated/event_request.h"
#include "tests/fake_vm/debuggee.h"

namespace jvmdebug::fake {

// Requests events; returns the number of the request, 0 when it was refused.
inline std::int32_t request_event(Debuggee& debuggee, protocol::EventKind kind,
                                  protocol::SuspendPolicy policy,
                                  std::vector<protocol::Modifier> modifiers) {
  const auto reply =
      debuggee.ask<protocol::event_request::SetReply>(protocol::event_request::SetRequest{
          .event_kind = kind, .suspend_policy = policy, .modifiers = std::move(modifiers)});
  return reply ? reply->request_id : 0;
}

inline protocol::Modifier at(Debuggee& debuggee, const Method& method, std::int64_t index) {
  return protocol::LocationOnlyModifier{.location = {.tag = protocol::TypeTag::kClass,
                                                     .type_id = debuggee.id(*method.declaring),
                                                     .method_id = Debuggee::id(method),
                                                     .index = index}};
}

// Waits for `count` event sets and returns them.
inline std::vector<protocol::event::Composite> sets(Debuggee& debuggee, std::size_t count) {
  std::vector<protocol::event::Composite> all;
  for (const codec::Packet& packet : debuggee.client().events(count)) {
    codec::Reader reader(packet.payload);
    if (auto set = protocol::event::Composite::read(reader)) {
      all.push_back(*std::move(set));
    }
  }
  return all;
}

}  // namespace jvmdebug::fake
