// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/probe_table.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <mutex>
#include <ranges>
#include <utility>

#include "agent/agent.h"
#include "agent/code/code_versions.h"
#include "agent/code/late_environment.h"
#include "agent/events/breakpoints.h"
#include "agent/events/composer.h"
#include "agent/events/method_exits.h"
#include "agent/events/sender.h"
#include "agent/java/generated/agent_classes.h"
#include "agent/probes/check_fields.h"
#include "agent/probes/left_class.h"
#include "agent/probes/throw_checks.h"
#include "agent/threads/parking.h"
#include "agent/threads/stepper.h"
#include "agent/threads/suspension.h"
#include "agent/threads/thread_registry.h"
#include "classfile/constant_pool.h"
#include "codec/reader.h"

namespace jvmdebug::agent::probes {

using events::Request;

namespace {

constexpr const char* kInUse = "a thread runs the method now, and may come there again";
constexpr const char* kFieldAccess =
    "the VM would run wrong code at another breakpoint in the class, which is at an access to a "
    "field";
constexpr const char* kChangedBefore =
    "the class was changed before, and a VM before JDK 17 would crash (JDK-8266497)";
constexpr const char* kTooMany = "there are too many virtual threads to see which run the method";

}  // namespace

ProbeTable::ProbeTable(Agent& agent)
    : agent_(agent),
      old_frames_(agent),
      swap_(agent.jvmti()),
      kept_(agent.jvmti()),
      older_versions_(agent.jvmti()),
      stops_in_check_(agent.options().probes &&
                      !agent.jvmti().has(jvm::Capability::kGenerateBreakpointEvents)),
      list_(agent.jvmti()),
      frames_(agent.jvmti(), agent.code_versions(), agent.threads(), stops_in_check_),
      stored_(agent.method_exits()),
      hits_(agent.jvmti(), list_, frames_, stored_,
            {.threads = agent.threads(),
             .parking = agent.parking(),
             .stepper = agent.stepper(),
             .composer = agent.composer()}),
      log_(agent.jvmti(), agent.objects(), list_),
      running_(agent.jvmti(), list_, frames_, guard_,
               {.threads = agent.threads(),
                .suspension = agent.suspension(),
                .versions = agent.code_versions()}) {}

std::string because(std::string_view what, jvm::Error error) {
  return std::string(what) + " (JVM TI error " + std::to_string(error.code) + ")";
}

void ProbeTable::breakpoint_set() const {
  old_frames_.watch();
}

Outcome ProbeTable::check_possible(jclass type) const {
  if (!agent_.options().probes) {
    return std::unexpected("the agent was told not to (probes=n)");
  }
  const auto signature = agent_.jvmti().get_class_signature_only(type);
  if (!signature || signature->view().find('.') != std::string_view::npos) {
    return std::unexpected("the VM does not let anybody change a hidden class");
  }
  // HotSpot finds no constant of the class as it was that is equal to this one, so it adds another,
  // and makes each ldc of it an ldc_w: what is behind moves.
  const auto raw = agent_.jvmti().get_constant_pool(type);
  if (raw) {
    codec::Reader reader(raw->bytes.span());
    const auto pool =
        classfile::ConstantPool::read(reader, static_cast<std::size_t>(raw->entry_count));
    if (pool && pool->has_float_nan()) {
      return std::unexpected("the VM would move the instructions of a class that has Float.NaN");
    }
  }
  return {};
}

// `entering`: where the VM has breakpoints, and probes are to be after the change.
Outcome ProbeTable::check_unharmed(const jvm::Jni& jni, jclass type,
                                   std::span<const events::CodeLocation> entering) {
  if (agent_.breakpoints().would_harm_after_change(type, entering)) {
    return std::unexpected(kFieldAccess);
  }
  if (was_changed_by_others(jni, type)) {
    return std::unexpected(kChangedBefore);
  }
  return {};
}

std::string ProbeTable::why_in_use(bool is_known) {
  return is_known ? kInUse : kTooMany;
}

// Not where hits would be lost, and not where frames would be given for those of another version,
// see kept_frames.h.
Outcome ProbeTable::check_unused(const jvm::Jni& jni, jclass type, jmethodID method,
                                 std::span<const events::CodeLocation> entering) {
  if (stops_in_check()) {
    return {};
  }
  if (const auto unharmed = check_unharmed(jni, type, entering); !unharmed) {
    return unharmed;
  }
  const auto stacks = old_frames_.stacks(jni);
  if (!stacks) {
    return std::unexpected(kTooMany);
  }
  return is_in_use(jni, *stacks, type, method) ? std::unexpected(kInUse) : Outcome{};
}

Outcome ProbeTable::prepare_late_environment() {
  if (late_ != nullptr) {
    return {};
  }
  const auto late = agent_.late_environment();
  if (!late) {
    return std::unexpected(because("the VM does not let the agent change classes", late.error()));
  }
  (*late)->set_rewriter(
      [this](const jvm::Jni& of_thread, jclass type, std::span<const std::uint8_t> bytes) {
        return rewrite(of_thread, type, bytes);
      },
      [this](const jvm::Jni& of_thread, jclass type) { return redefined(of_thread, type); },
      [this](std::string_view class_name, std::span<const std::uint8_t> bytes) {
        return throw_checks_.is_on && may_check_throws(class_name) ? with_throw_checks(bytes)
                                                                   : std::nullopt;
      });
  late_ = *late;
  return {};
}

Outcome ProbeTable::prepare(const jvm::Jni& jni) {
  if (const auto prepared = prepare_late_environment(); !prepared) {
    return prepared;
  }
  // Before the first class of the agent's own is there.
  agent_.code_versions().begin();
  if (!probes_class_) {
    const auto found = left_or_defined(agent_.jvmti(), jni, kProbesClass, java::probes_class());
    if (!found) {
      return std::unexpected(found.error());
    }
    probes_class_ = jni.global(found->get());
  }
  // One that another version of the agent has left may lack it.
  joins_ =
      stops_in_check() && jni->GetStaticMethodID(probes_class_.get(), "arrive", "()V") != nullptr;
  (void)jni.clear_exception();
  return prepare_guard(jni);
}

Outcome ProbeTable::prepare_guard(const jvm::Jni& jni) {
  if (guard_.is_made()) {
    return {};
  }
  const auto type = left_or_defined(agent_.jvmti(), jni, kGuardClass, java::guard_class());
  if (!type) {
    return std::unexpected(type.error());
  }
  if (!guard_.make(jni, *type)) {
    return std::unexpected("the program has no room for the guard of checks");
  }
  return {};
}

// What a check calls may come to other checks, which look whether it does only then.
void ProbeTable::update_guard(const jvm::Jni& jni) {
  guard_.set_has_calls(jni, list_.has_calls());
}

// Only agent threads, one at a time, change the list; others look at a copy, as a look at the VM
// takes time.
std::shared_ptr<ProbedClass> ProbeTable::known_class(const jvm::Jni& jni, jclass type) const {
  const jint hash = agent_.jvmti().get_object_hash_code(type).value_or(0);
  std::vector<std::shared_ptr<ProbedClass>> classes;
  {
    const std::scoped_lock lock(mutex_);
    std::ranges::copy_if(classes_, std::back_inserter(classes),
                         [&](const auto& each) { return each->hash == hash; });
  }
  const auto found = std::ranges::find_if(
      classes, [&](const auto& each) { return jni.same(each->type(jni), type); });
  return found == classes.end() ? nullptr : *found;
}

ProbedClass& ProbeTable::class_of(const jvm::Jni& jni, jclass type) {
  if (const auto known = known_class(jni, type)) {
    return *known;
  }
  auto added = std::make_shared<ProbedClass>();
  added->known = jni.weak(type);
  added->hash = agent_.jvmti().get_object_hash_code(type).value_or(0);
  added->checks_throws = added->checked_throws =
      throw_checks_.has_been_on && has_throw_checks(agent_.jvmti(), type);
  const std::scoped_lock lock(mutex_);
  classes_.push_back(added);
  return *classes_.back();
}

bool ProbeTable::can_watch_elements() {
  return agent_.method_exits().prepare_operands() || stops_in_check();
}

std::vector<ProbeUse> ProbeTable::uses() const {
  std::vector<ProbeUse> found;
  const jvm::Jni jni = agent_.jni();
  for (const auto& probe : list_.on()) {
    if (!probe->is_companion) {
      found.push_back({.request_id = probe->request->id,
                       .hits = probe->hits,
                       .count = count_of(jni, probe->kept[kHits])});
    }
  }
  return found;
}

std::int64_t ProbeTable::count_hit(std::int32_t request_id) const {
  const auto probe = list_.of_request(request_id);
  return probe ? count_one(agent_.jni(), probe->kept[kHits]) : -1;
}

std::vector<ThreadTimes> ProbeTable::times(const Request& request) const {
  const auto probe = list_.of_request(request->id);
  return probe && probe->kept[kTimes] ? measured_times(agent_.jni(), probe->kept[kTimes])
                                      : std::vector<ThreadTimes>{};
}

}  // namespace jvmdebug::agent::probes
