// SPDX-License-Identifier: Apache-2.0
#include "agent/events/filter.h"

#include <algorithm>
#include <atomic>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "agent/events/checks.h"
#include "agent/events/element_filter.h"
#include "agent/events/event_request.h"
#include "agent/events/field_store_filter.h"
#include "agent/events/field_user_filter.h"
#include "agent/events/near_frame.h"
#include "agent/ids/locations.h"
#include "agent/jvm/strings.h"
#include "agent/source_map.h"
#include "agent/threads/stepper.h"
#include "agent/threads/suspension.h"
#include "codec/generated/constants.h"

namespace jvmdebug::agent::events {
namespace {

using protocol::Error;
using protocol::EventKind;

using Made = Result<std::unique_ptr<Filter>>;

class CountFilter : public Filter {
 public:
  CountFilter(EventRequest& request, std::int32_t count) : request_(request), left_(count) {}

  bool passes(Match& /*match*/) override {
    const auto left = left_.fetch_sub(1) - 1;
    if (left == 0) {
      request_.spent = true;
    }
    return left == 0;
  }

  [[nodiscard]] bool counts() const override { return true; }

 private:
  EventRequest& request_;  // owns this filter
  std::atomic<std::int64_t> left_;
};

// Reserved by the specification: accepts every event, as in the JDK's own agent.
class ConditionalFilter : public Filter {
 public:
  bool passes(Match& /*match*/) override { return true; }
};

class ThreadFilter : public Filter {
 public:
  explicit ThreadFilter(threads::Tracked thread) : thread_(std::move(thread)) {}

  bool passes(Match& match) override { return match.thread() == thread_; }

 private:
  threads::Tracked thread_;
};

class ClassOnlyFilter : public Filter {
 public:
  explicit ClassOnlyFilter(jvm::GlobalRef<jclass> type) : type_(std::move(type)) {}

  bool passes(Match& match) override {
    return match.type() != nullptr && match.jni().assignable(match.type(), type_);
  }

  [[nodiscard]] bool is_on_class() const override { return true; }

 private:
  jvm::GlobalRef<jclass> type_;
};

class ClassNameFilter : public Filter {
 public:
  ClassNameFilter(std::string_view pattern, bool wanted)
      : pattern_(jvm::modified_from_utf8(pattern)), wanted_(wanted) {}

  bool passes(Match& match) override {
    // An event without a class matches no pattern, not even `*`.
    const std::string& name = match.type_name();
    return (!name.empty() && matches_pattern(name, pattern_)) == wanted_;
  }

  [[nodiscard]] bool is_on_class() const override { return true; }

 private:
  std::string pattern_;
  bool wanted_;
};

class LocationFilter : public Filter {
 public:
  explicit LocationFilter(CodeLocation location) : location_(location) {}

  bool passes(Match& match) override {
    return location_ ==
           CodeLocation{.method = match.occurrence().method, .index = match.occurrence().index};
  }

 private:
  CodeLocation location_;
};

class ExceptionFilter : public Filter {
 public:
  explicit ExceptionFilter(ExceptionKinds wanted) : wanted_(std::move(wanted)) {}

  bool passes(Match& match) override {
    const Occurrence& occurrence = match.occurrence();
    if (!(occurrence.catch_method != nullptr ? wanted_.caught : wanted_.uncaught)) {
      return false;
    }
    return !wanted_.type || match.jni().instance_of(occurrence.object, wanted_.type->get());
  }

 private:
  ExceptionKinds wanted_;
};

class FieldFilter : public Filter {
 public:
  explicit FieldFilter(WatchedField field) : field_(std::move(field)) {}

  bool passes(Match& match) override {
    const Occurrence& occurrence = match.occurrence();
    return occurrence.field == field_.field &&
           match.jni().same(occurrence.field_type, field_.declaring());
  }

 private:
  WatchedField field_;
};

class StepFilter : public Filter {
 public:
  StepFilter(threads::Tracked thread, std::shared_ptr<threads::Step> step,
             threads::Stepper& stepper)
      : thread_(std::move(thread)), step_(std::move(step)), stepper_(stepper) {}

  bool passes(Match& match) override {
    return match.thread() == thread_ && stepper_.completes(thread_, *step_, match);
  }

 private:
  threads::Tracked thread_;
  std::shared_ptr<threads::Step> step_;
  threads::Stepper& stepper_;
};

class InstanceFilter : public Filter {
 public:
  explicit InstanceFilter(jvm::GlobalRef<jobject> instance) : instance_(std::move(instance)) {}

  bool passes(Match& match) override { return match.instance_is(instance_); }

 private:
  jvm::GlobalRef<jobject> instance_;
};

class SourceNameFilter : public Filter {
 public:
  explicit SourceNameFilter(std::string_view pattern)
      : pattern_(jvm::modified_from_utf8(pattern)) {}

  bool passes(Match& match) override {
    if (match.type() == nullptr) {
      return false;
    }
    const jvm::Env& env = match.env();
    const auto file = env.get_source_file_name(match.type());
    if (file && matches_pattern(file->view(), pattern_)) {
      return true;
    }
    const auto text = env.get_source_debug_extension(match.type());
    const auto map = text ? SourceMap::parse(text->view()) : std::nullopt;
    return map && std::ranges::any_of(map->source_names(), [&](const std::string& name) {
             return matches_pattern(name, pattern_);
           });
  }

 private:
  std::string pattern_;
};

class PlatformThreadFilter : public Filter {
 public:
  bool passes(Match& match) override {
    return match.thread() == nullptr || !match.thread()->virtual_thread;
  }
};

class AnyFilter : public Filter {
 public:
  bool passes(Match& /*match*/) override { return true; }
};

bool is_one_of(EventKind kind, std::initializer_list<EventKind> kinds) {
  return std::ranges::find(kinds, kind) != kinds.end();
}

// Makes the filter of each kind of modifier.
struct Maker {
  const FilterUses& uses;
  EventRequest& request;

  // Whether events of the kind have no class. VM death has none either, but as in the JDK's own
  // agent it is accepted with a class filter, and is then not reported.
  [[nodiscard]] bool without_class() const {
    return is_one_of(request.kind, {EventKind::kThreadStart, EventKind::kThreadDeath});
  }

  Made operator()(const protocol::CountModifier& modifier) const {
    if (modifier.count <= 0) {
      return fail(Error::kInvalidCount);
    }
    return std::make_unique<CountFilter>(request, modifier.count);
  }

  Made operator()(const protocol::ConditionalModifier& /*modifier*/) const {
    return std::make_unique<ConditionalFilter>();
  }

  Made operator()(const protocol::ThreadOnlyModifier& modifier) const {
    if (request.kind == EventKind::kClassUnload) {
      return fail(Error::kIllegalArgument);
    }
    JVMDEBUG_ASSIGN(const auto thread, uses.objects.thread(modifier.thread));
    JVMDEBUG_CHECK(uses.registry.check_visible(thread));
    request.thread = uses.registry.track(thread);
    return std::make_unique<ThreadFilter>(request.thread);
  }

  Made operator()(const protocol::ClassOnlyModifier& modifier) const {
    if (without_class() || request.kind == EventKind::kClassUnload) {
      return fail(Error::kIllegalArgument);
    }
    JVMDEBUG_ASSIGN(const auto type, uses.objects.type(modifier.type_id));
    request.names_classes = true;
    return std::make_unique<ClassOnlyFilter>(uses.env.jni().global(type.get()));
  }

  Made operator()(const protocol::ClassMatchModifier& modifier) const {
    if (without_class()) {
      return fail(Error::kIllegalArgument);
    }
    request.names_classes |= modifier.pattern != "*";
    return std::make_unique<ClassNameFilter>(modifier.pattern, true);
  }

  Made operator()(const protocol::ClassExcludeModifier& modifier) const {
    if (without_class()) {
      return fail(Error::kIllegalArgument);
    }
    return std::make_unique<ClassNameFilter>(modifier.pattern, false);
  }

  Made operator()(const protocol::LocationOnlyModifier& modifier) const {
    if (!is_one_of(request.kind,
                   {EventKind::kBreakpoint, EventKind::kFieldAccess, EventKind::kFieldModification,
                    EventKind::kSingleStep, EventKind::kException})) {
      return fail(Error::kIllegalArgument);
    }
    JVMDEBUG_ASSIGN(const auto location,
                    ids::resolve(uses.env, uses.objects, uses.method_ids, modifier.location));
    request.location = CodeLocation{.method = location.method, .index = location.index};
    request.location_type = LocatedType(uses.env.jni(), location.type.get());
    return std::make_unique<LocationFilter>(request.location);
  }

  Made operator()(const protocol::ExceptionOnlyModifier& modifier) const {
    if (request.kind != EventKind::kException) {
      return fail(Error::kIllegalArgument);
    }
    ExceptionKinds wanted{
        .type = nullptr, .caught = modifier.caught, .uncaught = modifier.uncaught};
    if (!modifier.exception_type.is_null()) {
      // java.lang.Object means any type, as in the JDK's own agent.
      JVMDEBUG_ASSIGN(const auto given, uses.objects.type(modifier.exception_type));
      wanted.type = std::make_shared<jvm::GlobalRef<jclass>>(uses.env.jni().global(given.get()));
    }
    request.thrown = wanted;
    return std::make_unique<ExceptionFilter>(std::move(wanted));
  }

  Made operator()(const protocol::FieldOnlyModifier& modifier) const {
    if (!is_one_of(request.kind, {EventKind::kFieldAccess, EventKind::kFieldModification})) {
      return fail(Error::kIllegalArgument);
    }
    JVMDEBUG_ASSIGN(const auto type, uses.objects.type(modifier.type_id));
    JVMDEBUG_ASSIGN(const auto field, uses.field_ids.declared(type, modifier.field_id));
    request.field = WatchedField{
        .type = std::make_shared<jvm::GlobalRef<jclass>>(uses.env.jni().global(type.get())),
        .field = field.id};
    return std::make_unique<FieldFilter>(request.field);
  }

  Made operator()(const protocol::StepModifier& modifier) const {
    if (request.kind != EventKind::kSingleStep || request.step) {
      return fail(Error::kIllegalArgument);
    }
    using protocol::StepDepth;
    using protocol::StepSize;
    if ((modifier.size != StepSize::kMin && modifier.size != StepSize::kLine) ||
        (modifier.depth != StepDepth::kInto && modifier.depth != StepDepth::kOver &&
         modifier.depth != StepDepth::kOut)) {
      return fail(Error::kIllegalArgument);
    }
    JVMDEBUG_ASSIGN(const auto thread, uses.objects.thread(modifier.thread));
    JVMDEBUG_CHECK(uses.registry.check_visible(thread));
    request.thread = uses.registry.track(thread);
    request.step = std::make_shared<threads::Step>(modifier.size, modifier.depth);
    return std::make_unique<StepFilter>(request.thread, request.step, uses.stepper);
  }

  Made operator()(const protocol::InstanceOnlyModifier& modifier) const {
    JVMDEBUG_ASSIGN(const auto instance, uses.objects.object_or_null(modifier.instance));
    return std::make_unique<InstanceFilter>(uses.env.jni().global(instance.get()));
  }

  Made operator()(const protocol::SourceNameMatchModifier& modifier) const {
    if (request.kind != EventKind::kClassPrepare) {
      return fail(Error::kIllegalArgument);
    }
    return std::make_unique<SourceNameFilter>(modifier.pattern);
  }

  Made operator()(const protocol::NearFrameModifier& modifier) const {
    if (!is_one_of(request.kind, {EventKind::kMethodEntry, EventKind::kMethodExit,
                                  EventKind::kMethodExitWithReturnValue, EventKind::kBreakpoint}) ||
        modifier.above < 0 || modifier.budget < 0) {
      return fail(Error::kIllegalArgument);
    }
    JVMDEBUG_ASSIGN(const auto thread, uses.objects.thread(modifier.thread));
    JVMDEBUG_CHECK(uses.suspension.check_suspended(thread));
    JVMDEBUG_ASSIGN(const auto lowest, uses.env.get_frame_count(thread));
    // Fails for a thread without frames.
    const auto topmost = uses.env.get_frame_location(thread, 0);
    request.thread = uses.registry.track(thread);
    auto near = std::make_shared<NearFrame>(request.thread, topmost ? topmost->method : nullptr,
                                            lowest, modifier.above, modifier.budget);
    request.exits_of = modifier.above <= 1 && topmost ? topmost->method : nullptr;
    request.calls_of = frame_with_calls(topmost, lowest, modifier.above);
    if (request.filters.empty()) {  // a count filter before it counts exits in other frames too
      request.near_frame = near;
    }
    return std::make_unique<NearFrameFilter>(std::move(near));
  }

  Made operator()(const protocol::ElementStoreModifier& modifier) const {
    return make_element_filter(uses, request, modifier);
  }

  Made operator()(const protocol::FieldStoreModifier& modifier) const {
    return make_field_store_filter(uses.checks, request, modifier);
  }

  Made operator()(const protocol::FieldUserModifier& modifier) const {
    return make_field_user_filter(request, modifier);
  }

  Made operator()(const protocol::ByProbeModifier& /*modifier*/) const {
    if (request.kind != EventKind::kBreakpoint || !uses.checks.knows_probes()) {
      return fail(Error::kIllegalArgument);
    }
    request.by_probe = true;
    return std::make_unique<AnyFilter>();
  }

  Made operator()(const protocol::ShownModifier& modifier) const {
    if (!is_one_of(request.kind,
                   {EventKind::kSingleStep, EventKind::kBreakpoint, EventKind::kException,
                    EventKind::kMethodEntry, EventKind::kFieldAccess, EventKind::kFieldModification,
                    EventKind::kMethodExitWithReturnValue}) ||
        modifier.frames <= 0 || modifier.bytes <= 0) {
      return fail(Error::kIllegalArgument);
    }
    request.shown = {.frames = modifier.frames, .bytes = modifier.bytes};
    return std::make_unique<AnyFilter>();
  }

  Made operator()(const protocol::PlatformThreadsOnlyModifier& /*modifier*/) const {
    if (!uses.env.has(jvm::Capability::kSupportVirtualThreads) ||
        !is_one_of(request.kind, {EventKind::kThreadStart, EventKind::kThreadDeath})) {
      return fail(Error::kIllegalArgument);
    }
    return std::make_unique<PlatformThreadFilter>();
  }
};

}  // namespace

Result<std::unique_ptr<Filter>> make_filter(const FilterUses& uses, EventRequest& request,
                                            const protocol::Modifier& modifier) {
  return std::visit(Maker{.uses = uses, .request = request}, modifier);
}

bool EventRequest::matches(Match& match) const {
  for (const auto& filter : filters) {
    if (!filter->passes(match)) {
      return false;
    }
  }
  return true;
}

bool EventRequest::matches_type(Match& match) const {
  for (const auto& filter : filters) {
    if (filter->counts()) {
      return true;  // the filters after this one apply only to what it has counted
    }
    if (filter->is_on_class() && !filter->passes(match)) {
      return false;
    }
  }
  return true;
}

}  // namespace jvmdebug::agent::events
