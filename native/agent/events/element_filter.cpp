// SPDX-License-Identifier: Apache-2.0
#include "agent/events/element_filter.h"

#include <algorithm>
#include <utility>

#include "agent/agent.h"
#include "agent/events/event_request.h"
#include "agent/probes/probe_table.h"

namespace jvmdebug::agent::events {
namespace {

using protocol::Error;

class ElementStoreFilter : public Filter {
 public:
  explicit ElementStoreFilter(EventRequest& request) : request_(request) {}

  // Checks the store, unless a probe has found it.
  bool passes(Match& match) override {
    const auto& probed = match.occurrence().probed;
    if (std::ranges::find(probed, request_.id) != probed.end()) {
      return true;
    }
    const auto elements = request_.elements.load();
    return elements &&
           match.agent().probes().stored().read_element(match.jni(), match.thread(), *elements);
  }

 private:
  EventRequest& request_;  // owns this filter
};

}  // namespace

Result<std::unique_ptr<Filter>> make_element_filter(
    Agent& agent, EventRequest& request, const protocol::ElementStoreModifier& modifier) {
  if (request.kind != protocol::EventKind::kBreakpoint || modifier.index < -1) {
    return fail(Error::kIllegalArgument);
  }
  const jvm::Jni jni = agent.jni();
  JVMDEBUG_ASSIGN(const auto array, agent.objects().object(modifier.array));
  JVMDEBUG_ASSIGN(const auto signature,
                  agent.jvmti().get_class_signature_only(jni.object_class(array)));
  if (!signature.view().starts_with('[')) {
    return fail(Error::kInvalidArray);
  }
  if (!agent.probes().can_watch_elements()) {
    return fail(Error::kNotImplemented);
  }
  const char type = signature.view()[1];
  auto elements = std::make_shared<WatchedElements>();
  elements->array = jni.global(array.get());
  elements->index = modifier.index;
  elements->type = type == '[' ? 'L' : type;
  request.elements.store(std::move(elements));
  return std::make_unique<ElementStoreFilter>(request);
}

}  // namespace jvmdebug::agent::events
