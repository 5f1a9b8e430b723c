// SPDX-License-Identifier: Apache-2.0
#include "agent/events/request_table.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "agent/events/breakpoints.h"
#include "agent/events/checks.h"
#include "agent/events/needed_capability.h"
#include "agent/events/request_kinds.h"
#include "agent/events/sender.h"

namespace jvmdebug::agent::events {
namespace {

using protocol::EventKind;

// Kinds that cannot be requested; clearing a request of such a kind is not an error.
constexpr std::array kNeverAsked = {EventKind::kFramePop, EventKind::kClassLoad,
                                    EventKind::kExceptionCatch};

RequestList with(const RequestList& list, const Request& request) {
  auto copy = list ? *list : std::vector<Request>{};
  copy.push_back(request);
  return std::make_shared<const std::vector<Request>>(std::move(copy));
}

RequestList without(const RequestList& list, const Request& request) {
  auto copy = list ? *list : std::vector<Request>{};
  std::erase(copy, request);
  return copy.empty() ? nullptr : std::make_shared<const std::vector<Request>>(std::move(copy));
}

}  // namespace

RequestTable::RequestTable(const Uses& uses)
    : uses_(uses), env_(uses.filters.env), modes_(uses.filters.env, uses.filters.stepper) {}

// --- reading ---------------------------------------------------------------------------------

RequestList RequestTable::of(EventKind kind) const {
  const std::scoped_lock lock(published_mutex_);
  const auto found = by_kind_.find(kind);
  return found == by_kind_.end() ? nullptr : found->second;
}

RequestList RequestTable::breakpoints_at(const CodeLocation& location) const {
  const std::scoped_lock lock(published_mutex_);
  ++location_lookups_;
  const auto found = by_location_.find(location);
  return found == by_location_.end() ? nullptr : found->second;
}

std::uint64_t RequestTable::location_lookups() const {
  const std::scoped_lock lock(published_mutex_);
  return location_lookups_;
}

// --- changing --------------------------------------------------------------------------------

Result<Request> RequestTable::make(EventKind kind, protocol::SuspendPolicy policy,
                                   const std::vector<protocol::Modifier>& modifiers) {
  auto request = std::make_shared<EventRequest>(next_id_++, kind, policy, uses_.sender.debugger());
  for (const protocol::Modifier& modifier : modifiers) {
    JVMDEBUG_ASSIGN(auto filter, make_filter(uses_.filters, *request, modifier));
    request->filters.push_back(std::move(filter));
  }
  const bool complete =
      (kind != EventKind::kBreakpoint || request->location.method != nullptr) &&
      (kind != EventKind::kSingleStep || request->step) &&
      ((kind != EventKind::kFieldAccess && kind != EventKind::kFieldModification) ||
       request->field.type);
  if (!complete) {
    return fail(protocol::Error::kIllegalArgument);
  }
  if (request->step) {
    request->step->request = request;
  }
  return request;
}

Result<std::int32_t> RequestTable::add(EventKind kind, protocol::SuspendPolicy policy,
                                       const std::vector<protocol::Modifier>& modifiers) {
  if (modes_of(kind) == nullptr) {
    return fail(protocol::Error::kInvalidEventType);
  }
  if (policy > protocol::SuspendPolicy::kAll) {
    return fail(protocol::Error::kIllegalArgument);
  }
  const bool by_probe =
      (kind == EventKind::kBreakpoint && uses_.filters.checks.takes_breakpoints()) ||
      (kind == EventKind::kException && uses_.filters.checks.stops_in_check());
  if (const auto needed = needed_for(kind); needed && !by_probe && !env_.has(*needed)) {
    return fail(protocol::Error::kNotImplemented);
  }
  for (bool is_prepared = false;; is_prepared = true) {
    std::optional<CodeLocation> harms;
    {
      const std::scoped_lock lock(mutex_);
      JVMDEBUG_ASSIGN(const Request request, make(kind, policy, modifiers));
      // Published first: the event may come as soon as it is armed.
      publish(request);
      const auto armed = arm(request);
      if (armed) {
        requests_.emplace(request->id, request);
        return request->id;
      }
      remove(request);
      if (is_prepared || kind != EventKind::kBreakpoint ||
          !uses_.breakpoints.would_harm(request->location)) {
        return std::unexpected(armed.error());
      }
      harms = request->location;
    }
    // Called without the lock, because it waits for threads and changes a class.
    if (!uses_.filters.checks.prepare_for_breakpoint(*harms)) {
      return fail(protocol::Error::kNotImplemented);
    }
  }
}

void RequestTable::publish(const Request& request) {
  const std::scoped_lock lock(published_mutex_);
  if (request->kind == EventKind::kBreakpoint) {
    RequestList& list = by_location_[request->location];
    list = with(list, request);
    ++breakpoints_added_;
    return;
  }
  RequestList& list = by_kind_[request->kind];
  list = with(list, request);
}

void RequestTable::remove(const Request& request) {
  RequestList old;  // its destructor may call the VM: not under the lock
  const std::scoped_lock lock(published_mutex_);
  if (request->kind == EventKind::kBreakpoint) {
    const auto found = by_location_.find(request->location);
    if (found != by_location_.end()) {
      old = std::exchange(found->second, without(found->second, request));
      if (!found->second) {
        by_location_.erase(found);
      }
    }
    return;
  }
  RequestList& list = by_kind_[request->kind];
  old = std::exchange(list, without(list, request));
}

template <class Predicate>
void RequestTable::take_down_all(Predicate concerns) {
  {
    const std::scoped_lock lock(mutex_);
    std::vector<Request> wanted;
    for (const auto& [id, request] : requests_) {
      if (concerns(*request)) {
        wanted.push_back(request);
      }
    }
    for (const Request& request : wanted) {
      take_down(request);
    }
  }
  uses_.breakpoints.clear_removed();
  uses_.filters.checks.sweep();
}

void RequestTable::clear_breakpoints(std::span<const std::int32_t> ids) {
  const std::set<std::int32_t> wanted(ids.begin(), ids.end());
  take_down_all([&](const EventRequest& request) {
    return request.kind == EventKind::kBreakpoint && wanted.contains(request.id);
  });
}

void RequestTable::take_down(const Request& request) {
  request->active = false;
  request->elements.store(nullptr);
  requests_.erase(request->id);
  disarm(request);
  remove(request);
  request->location_type.let_go();  // a probe that is not removed yet refers to the request
}

bool RequestTable::enable_breakpoint_events() {
  return modes_.enable(JVMTI_EVENT_BREAKPOINT, nullptr).has_value();
}

void RequestTable::disable_breakpoint_events() {
  modes_.disable(JVMTI_EVENT_BREAKPOINT, nullptr);
}

Result<void> RequestTable::clear(EventKind kind, std::int32_t id) {
  if (modes_of(kind) == nullptr && std::ranges::find(kNeverAsked, kind) == kNeverAsked.end()) {
    return fail(protocol::Error::kInvalidEventType);
  }
  {
    const std::scoped_lock lock(mutex_);
    const auto found = requests_.find(id);
    if (found != requests_.end() && found->second->kind == kind) {
      take_down(Request(found->second));
    }
  }
  uses_.breakpoints.clear_removed();
  uses_.filters.checks.sweep();
  return {};
}

void RequestTable::retire(const Request& request) {
  {
    const std::scoped_lock lock(mutex_);
    if (requests_.contains(request->id)) {
      take_down(request);
    }
  }
  uses_.breakpoints.clear_removed();
}

void RequestTable::clear_all(EventKind kind) {
  take_down_all([kind](const EventRequest& request) { return request.kind == kind; });
}

void RequestTable::clear_all() {
  take_down_all([](const EventRequest& /*request*/) { return true; });
  uses_.filters.checks.sweep_wholly();
}

Request RequestTable::find(std::int32_t id) {
  const std::scoped_lock lock(mutex_);
  const auto found = requests_.find(id);
  return found == requests_.end() ? nullptr : found->second;
}

std::vector<Request> RequestTable::all() {
  const std::scoped_lock lock(mutex_);
  std::vector<Request> found;
  found.reserve(requests_.size());
  for (const auto& [id, request] : requests_) {
    found.push_back(request);
  }
  return found;
}

void RequestTable::drop_breakpoints_in(jclass type) {
  const jvm::Jni jni = env_.jni();
  take_down_all([&](const EventRequest& request) {
    return request.kind == EventKind::kBreakpoint &&
           jni.same(request.location_type.lock(jni), type);
  });
}

}  // namespace jvmdebug::agent::events
