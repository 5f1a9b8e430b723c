// SPDX-License-Identifier: Apache-2.0
#include "agent/events/field_store_filter.h"

#include <algorithm>
#include <string_view>

#include "agent/events/checks.h"
#include "agent/events/event_request.h"

namespace jvmdebug::agent::events {
namespace {

using protocol::Error;

class FieldStoreFilter : public Filter {
 public:
  FieldStoreFilter(const EventRequest& request, bool is_static, Checks& checks)
      : request_(request), is_static_(is_static), checks_(checks) {}

  // Always passes. If no probe has reported the written value, notes it.
  bool passes(Match& match) override {
    const auto& probed = match.occurrence().probed;
    if (std::ranges::find(probed, request_.id) == probed.end()) {
      checks_.note_write(match.jni(), match.thread(), request_.written_type, is_static_);
    }
    return true;
  }

 private:
  const EventRequest& request_;  // owns this filter
  bool is_static_;
  Checks& checks_;
};

}  // namespace

Result<std::unique_ptr<Filter>> make_field_store_filter(
    Checks& checks, EventRequest& request, const protocol::FieldStoreModifier& modifier) {
  constexpr std::string_view kLetters = "ZBCSIJFDL[";
  const char letter = static_cast<char>(modifier.letter);
  if (request.kind != protocol::EventKind::kBreakpoint || modifier.letter <= 0 ||
      kLetters.find(letter) == std::string_view::npos) {
    return fail(Error::kIllegalArgument);
  }
  if (!checks.can_watch_elements()) {
    return fail(Error::kNotImplemented);
  }
  request.written_type = letter == '[' ? 'L' : letter;
  return std::make_unique<FieldStoreFilter>(request, modifier.is_static, checks);
}

}  // namespace jvmdebug::agent::events
