// SPDX-License-Identifier: Apache-2.0
#include "agent/events/field_store_filter.h"

#include <algorithm>
#include <string_view>

#include "agent/agent.h"
#include "agent/events/event_request.h"
#include "agent/probes/probe_table.h"

namespace jvmdebug::agent::events {
namespace {

using protocol::Error;

class FieldStoreFilter : public Filter {
 public:
  FieldStoreFilter(const EventRequest& request, bool is_static)
      : request_(request), is_static_(is_static) {}

  // Always passes. If no probe has reported the written value, notes it.
  bool passes(Match& match) override {
    const auto& probed = match.occurrence().probed;
    if (std::ranges::find(probed, request_.id) == probed.end()) {
      match.agent().probes().stored().read_write(match.jni(), match.thread(), request_.written_type,
                                                 is_static_);
    }
    return true;
  }

 private:
  const EventRequest& request_;  // owns this filter
  bool is_static_;
};

}  // namespace

Result<std::unique_ptr<Filter>> make_field_store_filter(
    Agent& agent, EventRequest& request, const protocol::FieldStoreModifier& modifier) {
  constexpr std::string_view kLetters = "ZBCSIJFDL[";
  const char letter = static_cast<char>(modifier.letter);
  if (request.kind != protocol::EventKind::kBreakpoint || modifier.letter <= 0 ||
      kLetters.find(letter) == std::string_view::npos) {
    return fail(Error::kIllegalArgument);
  }
  if (!agent.probes().can_watch_elements()) {
    return fail(Error::kNotImplemented);
  }
  request.written_type = letter == '[' ? 'L' : letter;
  return std::make_unique<FieldStoreFilter>(request, modifier.is_static);
}

}  // namespace jvmdebug::agent::events
