// SPDX-License-Identifier: Apache-2.0
//
// Command set Probes, ours: see native/protocol/probes.toml.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "agent/events/foreign_changes.h"
#include "agent/events/request_table.h"
#include "agent/ids/locations.h"
#include "agent/ids/wire_value.h"
#include "agent/probes/busy_methods.h"
#include "agent/probes/probe_table.h"
#include "agent/threads/thread_registry.h"
#include "classfile/array_stores.h"
#include "classfile/field_stores.h"

namespace jvmdebug::agent::commands::probes {

namespace wire = protocol::probes;

namespace {

Result<events::Request> breakpoint_of(Agent& agent, std::int32_t id) {
  auto request = agent.requests().find(id);
  if (!request || request->kind != protocol::EventKind::kBreakpoint) {
    return fail(protocol::Error::kIllegalArgument);
  }
  return request;
}

bool is_one_of_loads(std::int32_t letter) {
  constexpr std::string_view kTypes = "IJFDA";
  return letter > 0 && letter <= INT8_MAX &&
         kTypes.find(static_cast<char>(letter)) != std::string_view::npos;
}

// Reads a check; `wire` is a message that has its fields.
template <class Wire>
Result<void> read_check(const Wire& wire, jvmdebug::agent::probes::CheckSpec& check) {
  check.number = wire.number;
  check.check = wire.name;
  check.descriptor = wire.descriptor;
  check.class_file = wire.class_file;
  for (const auto& load : wire.loads) {
    const auto type = static_cast<char>(load.type);
    const std::int32_t slot = load.slot;
    constexpr std::int32_t kOperand = jvmdebug::agent::probes::kOperand;
    const bool is_store = type == jvmdebug::agent::probes::kArrayStore ||
                          type == jvmdebug::agent::probes::kFieldStore;
    if (!(is_store ? is_one_of_loads(slot) : is_one_of_loads(load.type)) || slot < 0 ||
        slot > UINT16_MAX || ((is_store || slot == kOperand) && !check.loads.empty())) {
      return fail(protocol::Error::kIllegalArgument);
    }
    check.loads.push_back({.type = type, .slot = static_cast<std::uint16_t>(slot)});
  }
  return {};
}

constexpr std::uint32_t kStatic = 0x0008;

// Reads a given object; `Asked` is the type of it in one of the requests.
template <typename Asked>
Result<jvmdebug::agent::probes::Given> read_given(Agent& agent, const Asked& asked) {
  using Kind = jvmdebug::agent::probes::GivenKind;
  if (asked.kind < static_cast<int>(Kind::kRead) || asked.kind > static_cast<int>(Kind::kObject)) {
    return fail(protocol::Error::kIllegalArgument);
  }
  jvmdebug::agent::probes::Given given;
  given.kind = static_cast<Kind>(asked.kind);
  if (given.kind == Kind::kObject) {
    if (auto object = agent.objects().object(asked.object)) {  // else it was collected
      given.object = std::move(*object);
    }
    return given;
  }
  JVMDEBUG_ASSIGN(given.type, agent.objects().type(asked.type_id));
  if (given.kind == Kind::kType) {
    return given;
  }
  if (given.kind == Kind::kRead || given.kind == Kind::kWrite) {
    JVMDEBUG_ASSIGN(const auto field, agent.field_ids().declared(given.type, asked.field_id));
    given.field = field.id;
    given.is_static = field.is_static;
    return given;
  }
  JVMDEBUG_ASSIGN(given.method, agent.method_ids().resolve(given.type, asked.method_id));
  const auto names = agent.jvmti().get_method_name(given.method);
  const auto modifiers = agent.jvmti().get_method_modifiers(given.method);
  if (!names || !modifiers || names->name.view() == "<clinit>" ||
      (names->name.view() == "<init>") != (given.kind == Kind::kNew)) {
    return fail(protocol::Error::kInvalidMethodid);
  }
  given.is_static = (static_cast<std::uint32_t>(*modifiers) & kStatic) != 0;
  if (given.kind == Kind::kCallSuper) {
    JVMDEBUG_ASSIGN(auto caller, agent.objects().type(protocol::ReferenceTypeId{asked.object.raw}));
    given.object = jvm::LocalRef<jobject>(agent.jni().raw(), caller.release());
  }
  return given;
}

template <typename Asked>
Result<std::vector<jvmdebug::agent::probes::Given>> read_all(Agent& agent,
                                                             const std::vector<Asked>& asked) {
  std::vector<jvmdebug::agent::probes::Given> all;
  for (const Asked& each : asked) {
    JVMDEBUG_ASSIGN(auto given, read_given(agent, each));
    all.push_back(std::move(given));
  }
  return all;
}

}  // namespace

Result<wire::InstallReply> install(Agent& agent, const wire::InstallRequest& request) {
  JVMDEBUG_ASSIGN(const auto breakpoint, breakpoint_of(agent, request.request_id));
  jvmdebug::agent::probes::ProbeSpec spec;
  JVMDEBUG_CHECK(read_check(request, spec));
  spec.calls_methods = request.calls_methods;
  spec.writes_log = request.writes_log;
  spec.is_deferred = request.deferred;
  spec.shares = request.shares;
  JVMDEBUG_ASSIGN(spec.given, read_all(agent, request.given));
  for (const auto& companion : request.companions) {
    auto& added = spec.companions.emplace_back();
    JVMDEBUG_CHECK(read_check(companion, added));
    if (companion.index < 0) {
      return fail(protocol::Error::kIllegalArgument);
    }
    added.index = companion.index;
  }
  const auto installed = agent.probes().installer().install(breakpoint, spec);
  return wire::InstallReply{.installed = installed.has_value(),
                            .reason = installed ? std::string() : installed.error()};
}

Result<wire::CompleteReply> complete(Agent& agent, const wire::CompleteRequest& request) {
  std::vector<std::int32_t> ids;
  ids.reserve(request.requests.size());
  for (const auto& each : request.requests) {
    ids.push_back(each.request_id);
  }
  wire::CompleteReply reply;
  for (auto& each : agent.probes().installer().complete(ids)) {
    reply.refused.push_back({.request_id = each.request_id, .reason = std::move(each.reason)});
  }
  return reply;
}

Result<void> clear(Agent& agent, const wire::ClearRequest& request) {
  std::vector<std::int32_t> ids;
  ids.reserve(request.requests.size());
  for (const auto& each : request.requests) {
    ids.push_back(each.request_id);
  }
  agent.requests().clear_breakpoints(ids);
  return {};
}

Result<wire::ChangeReply> change(Agent& agent, const wire::ChangeRequest& request) {
  JVMDEBUG_ASSIGN(const auto breakpoint, breakpoint_of(agent, request.request_id));
  JVMDEBUG_ASSIGN(const auto given, read_all(agent, request.given));
  if (request.kept < 0) {
    return fail(protocol::Error::kIllegalArgument);
  }
  const auto changed =
      agent.probes().installer().change(breakpoint, request.class_file, request.calls_methods,
                                        given, static_cast<std::size_t>(request.kept));
  return wire::ChangeReply{.changed = changed.has_value(),
                           .reason = changed ? std::string() : changed.error()};
}

Result<void> remove(Agent& agent, const wire::RemoveRequest& request) {
  if (const auto breakpoint = agent.requests().find(request.request_id)) {
    agent.probes().installer().remove(breakpoint);
    agent.probes().sweep();
  }
  return {};
}

Result<void> silence(Agent& agent, const wire::SilenceRequest& request) {
  std::vector<events::Request> breakpoints;
  for (const auto& each : request.requests) {
    if (auto breakpoint = agent.requests().find(each.request_id)) {
      breakpoints.push_back(std::move(breakpoint));
    }
  }
  agent.probes().installer().silence(breakpoints);
  return {};
}

Result<wire::LastHitReply> last_hit(Agent& agent, const wire::LastHitRequest& request) {
  JVMDEBUG_ASSIGN(const auto thread, agent.objects().thread(request.thread));
  const auto tracked = agent.threads().find(thread);
  if (!tracked) {
    return fail(protocol::Error::kInvalidThread);
  }
  const auto hit = agent.probes().hits().last(tracked, request.request_id);
  if (!hit) {
    return wire::LastHitReply{};
  }
  return wire::LastHitReply{.by_probe = true, .outcome = hit->outcome, .count = hit->count};
}

Result<wire::CountReply> count(Agent& agent, const wire::CountRequest& request) {
  JVMDEBUG_ASSIGN(const auto breakpoint, breakpoint_of(agent, request.request_id));
  return wire::CountReply{.count = agent.probes().count_hit(breakpoint->id)};
}

Result<wire::OldFramesReply> old_frames(Agent& agent, const wire::OldFramesRequest& request) {
  JVMDEBUG_ASSIGN(const auto breakpoint, breakpoint_of(agent, request.request_id));
  wire::OldFramesReply reply;
  const std::int32_t number = breakpoint->probe;
  if (number == 0) {
    return reply;
  }
  for (const auto& thread : agent.probes().old_frames().threads_without(
           agent.jni(), breakpoint->location, static_cast<std::uint16_t>(number))) {
    reply.threads.push_back({.thread = agent.objects().thread_id(thread)});
  }
  return reply;
}

Result<wire::StateReply> state(Agent& agent, const wire::StateRequest& /*request*/) {
  wire::StateReply reply;
  for (const auto& use : agent.probes().uses()) {
    reply.probes.push_back({.request_id = use.request_id, .hits = use.hits, .count = use.count});
  }
  for (const auto& check : agent.probes().running().find()) {
    reply.running.push_back({.request_id = check.request_id,
                             .thread = agent.objects().thread_id(check.thread->thread),
                             .run = check.run,
                             .suspended = check.suspended,
                             .type = check.type,
                             .method = check.method});
  }
  return reply;
}

Result<wire::TimesReply> times(Agent& agent, const wire::TimesRequest& request) {
  JVMDEBUG_ASSIGN(const auto breakpoint, breakpoint_of(agent, request.request_id));
  wire::TimesReply reply;
  for (auto& each : agent.probes().times(breakpoint)) {
    auto& thread = reply.threads.emplace_back();
    thread.name = std::move(each.thread);
    for (const auto& [index, value] : each.numbers) {
      thread.numbers.push_back({.index = index, .value = value});
    }
  }
  return reply;
}

Result<wire::ReadLogReply> read_log(Agent& agent, const wire::ReadLogRequest& request) {
  if (request.most < 1 || request.longest < 0) {
    return fail(protocol::Error::kIllegalArgument);
  }
  auto records = agent.probes().log().read(static_cast<std::size_t>(request.most), request.longest);
  wire::ReadLogReply reply{.threads = {},
                           .records = std::move(records.bytes),
                           .has_more = records.has_more,
                           .next = records.next,
                           .written = records.written,
                           .lost = {}};
  for (auto& thread : records.threads) {
    reply.threads.push_back({.thread = thread.id, .name = std::move(thread.name)});
  }
  for (const auto& lost : agent.probes().log().lost()) {
    reply.lost.push_back({.request_id = lost.request_id, .count = lost.count});
  }
  return reply;
}

bool is_changed_often(Agent& agent, jmethodID method) {
  const jvm::Jni jni = agent.jni();
  const auto declaring = agent.jvmti().get_method_declaring_class(method);
  const auto type = jni.adopt(declaring.value_or(nullptr));
  return type && agent.foreign_changes().changes_often(jni, type.get());
}

Result<wire::BusyReply> busy(Agent& agent, const wire::BusyRequest& request) {
  wire::BusyReply reply;
  const auto methods = jvmdebug::agent::probes::busy_methods(agent);
  for (const auto& asked : request.requests) {
    const auto breakpoint = agent.requests().find(asked.request_id);
    if (!breakpoint || breakpoint->kind != protocol::EventKind::kBreakpoint) {
      continue;
    }
    if (methods.contains(breakpoint->location.method) ||
        is_changed_often(agent, breakpoint->location.method)) {
      reply.busy.push_back({.request_id = asked.request_id});
    }
    if (agent.breakpoints().is_unset(breakpoint->location)) {
      reply.unset.push_back({.request_id = asked.request_id});
    }
  }
  return reply;
}

Result<wire::ArrayStoresReply> array_stores(Agent& agent, const wire::ArrayStoresRequest& request) {
  const auto opcode = classfile::store_of_elements(static_cast<char>(request.letter));
  if (!opcode) {
    return fail(protocol::Error::kIllegalArgument);
  }
  const jvm::Env& env = agent.jvmti();
  wire::ArrayStoresReply reply;
  for (const auto& asked : request.types) {
    const auto type = agent.objects().type(asked.type_id);
    if (!type) {
      continue;
    }
    const auto methods = env.get_class_methods(*type);
    for (auto* const method : methods ? methods->span() : std::span<jmethodID>{}) {
      const auto code = env.get_bytecodes(method);
      for (const std::size_t index :
           code ? classfile::array_stores(code->span(), *opcode) : std::vector<std::size_t>{}) {
        const auto location = ids::location(env, agent.objects(), agent.method_ids(), method,
                                            static_cast<jlocation>(index));
        if (location) {
          reply.stores.push_back({.location = *location});
        }
      }
    }
  }
  return reply;
}

Result<wire::LastStoreReply> last_store(Agent& agent, const wire::LastStoreRequest& request) {
  JVMDEBUG_ASSIGN(const auto thread, agent.objects().thread(request.thread));
  const auto tracked = agent.threads().find(thread);
  if (!tracked) {
    return fail(protocol::Error::kInvalidThread);
  }
  const auto stored = agent.probes().stored().last(tracked);
  if (!stored) {
    return wire::LastStoreReply{};
  }
  const jvm::Jni jni = agent.jni();
  const auto reference = stored->object.lock(jni);
  const auto owner = stored->owner.lock(jni);
  return wire::LastStoreReply{
      .is_known = true,
      .index = stored->index,
      .value = ids::wire_value(agent.objects(), stored->value, reference.get()),
      .object = agent.objects().tagged_id(owner.get())};
}

namespace {

// Whether native code of that method may write to an object of these classes, because the method is
// in one of them or gets such an object.
bool may_write(const jvm::Env& env, jmethodID method, bool is_owner,
               const jvmdebug::classfile::NamedField& field) {
  if (!env.is_method_native(method).value_or(false)) {
    return false;
  }
  const auto name = env.get_method_name(method);
  return is_owner || !name || std::ranges::any_of(field.owners, [&](const std::string& owner) {
           return name->signature.view().find('L' + owner + ';') != std::string_view::npos;
         });
}

}  // namespace

Result<wire::FieldStoresReply> field_stores(Agent& agent, const wire::FieldStoresRequest& request) {
  const jvm::Env& env = agent.jvmti();
  classfile::NamedField field{.name = request.name, .descriptor = request.signature, .owners = {}};
  for (const auto& owner : request.owners) {
    field.owners.insert(owner.name);
  }
  wire::FieldStoresReply reply;
  for (const auto& asked : request.types) {
    const auto type = agent.objects().type(asked.type_id);
    const auto raw = type ? env.get_constant_pool(*type) : std::unexpected(jvm::Error{});
    if (!raw) {
      continue;
    }
    codec::Reader reader(raw->bytes.span());
    const auto pool =
        classfile::ConstantPool::read(reader, static_cast<std::size_t>(raw->entry_count));
    const auto constants = pool ? classfile::constants_of(*pool, field) : std::set<std::size_t>{};
    const auto signature = env.get_class_signature_only(*type);
    const bool is_owner = signature && field.owns(signature->view());
    const auto methods = env.get_class_methods(*type);
    for (auto* const method : methods ? methods->span() : std::span<jmethodID>{}) {
      reply.has_native = reply.has_native || may_write(env, method, is_owner, field);
      if (constants.empty()) {
        continue;
      }
      const auto code = env.get_bytecodes(method);
      for (const std::size_t index :
           code ? classfile::field_stores(code->span(), constants) : std::vector<std::size_t>{}) {
        const auto location = ids::location(env, agent.objects(), agent.method_ids(), method,
                                            static_cast<jlocation>(index));
        if (location) {
          reply.stores.push_back({.location = *location});
        }
      }
    }
  }
  return reply;
}

}  // namespace jvmdebug::agent::commands::probes
