// SPDX-License-Identifier: Apache-2.0
#include "agent/events/element_filter.h"

#include <algorithm>
#include <utility>

#include "agent/events/checks.h"
#include "agent/events/event_request.h"

namespace jvmdebug::agent::events {
namespace {

using protocol::Error;

class ElementStoreFilter : public Filter {
 public:
  ElementStoreFilter(EventRequest& request, Checks& checks) : request_(request), checks_(checks) {}

  // Checks the store, unless a probe has found it.
  bool passes(Match& match) override {
    const auto& probed = match.occurrence().probed;
    if (std::ranges::find(probed, request_.id) != probed.end()) {
      return true;
    }
    const auto elements = request_.elements.load();
    return elements && checks_.stores_to(match.jni(), match.thread(), *elements);
  }

 private:
  EventRequest& request_;  // owns this filter
  Checks& checks_;
};

}  // namespace

Result<std::unique_ptr<Filter>> make_element_filter(
    const FilterUses& uses, EventRequest& request, const protocol::ElementStoreModifier& modifier) {
  if (request.kind != protocol::EventKind::kBreakpoint || modifier.index < -1) {
    return fail(Error::kIllegalArgument);
  }
  const jvm::Jni jni = uses.env.jni();
  JVMDEBUG_ASSIGN(const auto array, uses.objects.object(modifier.array));
  JVMDEBUG_ASSIGN(const auto signature, uses.env.get_class_signature_only(jni.object_class(array)));
  if (!signature.view().starts_with('[')) {
    return fail(Error::kInvalidArray);
  }
  if (!uses.checks.can_watch_elements()) {
    return fail(Error::kNotImplemented);
  }
  const char type = signature.view()[1];
  auto elements = std::make_shared<WatchedElements>();
  elements->array = jni.global(array.get());
  elements->index = modifier.index;
  elements->type = type == '[' ? 'L' : type;
  request.elements.store(std::move(elements));
  return std::make_unique<ElementStoreFilter>(request, uses.checks);
}

}  // namespace jvmdebug::agent::events
