// SPDX-License-Identifier: Apache-2.0
#include "agent/recording/recording.h"

#include <iterator>
#include <ranges>
#include <set>
#include <string>
#include <utility>

#include "agent/code/class_insertions.h"
#include "agent/jvm/class_name.h"
#include "classfile/code_map.h"

namespace jvmdebug::agent::recording {
namespace {

constexpr std::size_t kBytesOfRecord = 12;
constexpr std::size_t kMostBytes = 4'000'000;

constexpr const char* kNoNumbers = "there were no numbers left for its places";
constexpr const char* kNoRoom = "the calls do not fit into its code";

}  // namespace

Recording::Recording(Uses uses)
    : CodeByPattern(std::move(uses), classfile::kRecord),
      link_(this->uses().env),
      things_(this->uses().env, link_) {}

// --- agent threads ---------------------------------------------------------------------------

code::Outcome Recording::start(Plan plan) {
  stop();  // a class that is not in the new plan loses its calls
  if (const auto prepared = prepare(); !prepared) {
    return prepared;
  }
  if (!link_.open()) {
    return std::unexpected("the VM refuses the class that records");
  }
  if (!things_.open()) {
    return std::unexpected("the VM lets nobody mark objects");
  }
  classes_.begin_run();
  know_volatile_fields(plan);
  link_.start(plan.most, plan.roots);
  has_begun_ = true;
  is_taking_ = false;
  plan_.store(std::make_shared<const Plan>(std::move(plan)));
  make_equal();
  return {};
}

void Recording::know_volatile_fields(const Plan& plan) {
  const jvm::Env& env = uses().env;
  const jvm::Jni jni = env.jni();
  const auto loaded = env.get_loaded_classes();
  if (!loaded) {
    return;
  }
  for (auto* const raw : *loaded) {
    const auto type = jni.adopt(raw);
    std::string name = jvm::internal_name(env, type);
    if (name.empty() || !plan.classes.includes(name)) {
      continue;
    }
    const auto fields = env.get_class_fields(type);
    if (!fields) {
      continue;  // it is not prepared: its class file says more
    }
    std::set<std::string> volatiles;
    for (jfieldID each : *fields) {
      const auto modifiers = env.get_field_modifiers(type, each);
      if (!modifiers || !classfile::is_volatile(static_cast<std::uint32_t>(*modifiers))) {
        continue;
      }
      if (const auto names = env.get_field_name(type, each)) {
        volatiles.emplace(names->name.view());
      }
    }
    const auto above = jni.superclass(type);
    classes_.know_volatiles(std::move(name), above ? jvm::internal_name(env, above) : "",
                            std::move(volatiles));
  }
}

void Recording::stop() {
  if (plan_.load() == nullptr) {
    return;
  }
  look();  // what threads record from here on is not in the recording
  link_.stop();
  plan_.store(nullptr);
  make_equal();
}

void Recording::forget() {
  stop();
  if (std::exchange(has_begun_, false)) {
    link_.forget();
    things_.close();
  }
}

// Notes how far the threads are, and has the VM come to a safepoint.
void Recording::look() {
  link_.look();
  (void)uses().env.get_all_stack_traces(1);
  is_taking_ = true;
}

Read Recording::read(bool all) {
  Read read;
  if (!has_begun_) {
    return read;
  }
  if (!is_taking_) {
    if (all && is_running()) {
      look();
    } else {
      link_.look();  // finds the threads that have ended
    }
  }
  read.is_over = link_.is_over();
  std::size_t bytes = 0;
  while (bytes < kMostBytes) {
    auto taken = link_.take(all);
    if (!taken) {
      is_taking_ = false;
      if (all && !is_running()) {
        forget();
      }
      return read;
    }
    bytes += append(*std::move(taken), read);
    link_.done();
  }
  is_taking_ = true;
  read.has_more = true;
  return read;
}

// Adds the records, and returns about how many bytes they have in a reply.
std::size_t Recording::append(Taken taken, Read& read) {
  const jvm::Jni jni = uses().env.jni();
  if (taken.is_new) {
    read.threads.push_back({.number = taken.thread,
                            .name = std::move(taken.thread_name),
                            .is_virtual = taken.is_virtual});
  }
  const auto numbers = things_.numbers(jni, taken.objects, taken.object_count, read.objects);
  classes_.complete(taken.sites, taken.values, [&](std::int64_t object) {
    const auto number = static_cast<std::size_t>(object) - 1;
    return number < numbers.size() ? numbers[number] : 0;
  });
  const std::size_t count = taken.sites.size();
  read.chunks.push_back({.thread = taken.thread,
                         .start = taken.start,
                         .end = taken.end,
                         .sites = std::move(taken.sites),
                         .values = std::move(taken.values)});
  return count * kBytesOfRecord + things_.bytes();
}

// --- the hook, any thread ----------------------------------------------------------------------

bool Recording::includes(std::string_view name) const {
  const auto plan = plan_.load();
  return plan && plan->classes.includes(name);
}

classfile::Rewritten<void> Recording::add_code(const code::ChangedClass* /*of*/,
                                               classfile::ClassFile& file,
                                               const std::set<std::string>& without,
                                               classfile::MethodInsertions& insertions) const {
  const auto plan = plan_.load();
  if (!plan) {
    return {};
  }
  const auto known = classes_.of(file, *plan);
  if (!known) {
    leave_out(file.name(), kNoNumbers);
    return {};
  }
  const classfile::RecordingScope scope = plan->scope(known->name, known->volatiles);
  for (const RecordedMethod& each : known->methods) {
    const classfile::Method& method = file.methods()[each.number];
    if (without.contains(code::full_name(file, method))) {
      continue;
    }
    auto code =
        classfile::recorded_code(file, method, each.level, scope, known->first + each.first);
    auto& all = insertions[&method];
    const std::size_t before = all.size();
    if (code) {
      std::ranges::move(code->insertions, std::back_inserter(all));
    }
    if (!code || !file.insert(method, all)) {
      all.resize(before);
      leave_out(known->name + "." + code::full_name(file, method), kNoRoom);
      JVMDEBUG_CHECK(file.insert(method, all));
    }
  }
  return {};
}

}  // namespace jvmdebug::agent::recording
