// SPDX-License-Identifier: Apache-2.0
#include "agent/recording/recording.h"

#include <iterator>
#include <ranges>
#include <set>
#include <string>
#include <utility>

#include "agent/code/class_insertions.h"
#include "agent/jvm/class_name.h"
#include "agent/platform/process.h"
#include "classfile/code_map.h"

namespace jvmdebug::agent::recording {
namespace {

constexpr std::size_t kBytesOfRecord = 12;
constexpr std::size_t kMostBytes = 4'000'000;

constexpr const char* kNoNumbers = "there were no numbers left for its places";
constexpr const char* kNoRoom = "the calls do not fit into its code";

std::chrono::nanoseconds now() {
  return std::chrono::steady_clock::now().time_since_epoch();
}

// What is recorded of a method from a moment of the recording on, in words for people.
std::string thinned(classfile::RecordingLevel level, std::chrono::steady_clock::duration moment) {
  using classfile::RecordingLevel;
  constexpr int kTenths = 10;
  const auto tenths =
      std::chrono::duration_cast<std::chrono::duration<int, std::deci>>(moment).count();
  const char* const what = level == RecordingLevel::kLines   ? "only its calls and lines are"
                           : level == RecordingLevel::kCalls ? "only its calls are"
                                                             : "nothing of it is";
  return std::string(what) + " recorded from " + std::to_string(tenths / kTenths) + "." +
         std::to_string(tenths % kTenths) +
         " s on: the recording took more than its share of the processor";
}

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
  began_ = std::chrono::steady_clock::now();
  for (const auto& [of, entry] : thinned_.all()) {
    tell_thinned(entry.now, {});  // the code is that of an earlier recording
  }
  share_.begin(plan.share, now(), platform::cpu_time_of_process());
  link_.start(plan.most, plan.roots, plan.share == 0);
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
  if (!has_begun_) {
    return {};
  }
  const auto before = platform::cpu_time_of_thread();
  Read read = taken(all);
  if (share_.is_limited() && is_running()) {
    keep_share(platform::cpu_time_of_thread() - before);
  }
  return read;
}

Read Recording::taken(bool all) {
  Read read;
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

// --- the share of the processor --------------------------------------------------------------

void Recording::keep_share(std::chrono::nanoseconds reading) {
  share_.note(reading);
  const auto process = platform::cpu_time_of_process();
  if (share_.is_due(now(), process)) {
    std::int64_t records = 0;
    const auto methods = classes_.take_counts(records);
    if (const auto more = share_.over(now(), process, records, methods); !more.empty()) {
      share_.note_thinned(thin(more));
    }
  }
}

// Takes calls out of methods, and returns whether there were some. Methods that threads run stay as
// they are; they are in what comes after the next window.
bool Recording::thin(const Thinning& more) {
  std::set<std::string> names;
  for (const auto& [of, levels] : more) {
    names.insert(of->name);
  }
  bool is_any = false;
  renew({
      .concerns = [&](const code::ChangedClass* /*of*/,
                      const std::string& name) { return names.contains(name); },
      .decide =
          [&](const code::ChangedClass& of, const std::string& name,
              const std::set<std::string>& fixed) {
            const bool differs = decide_to_thin(of, name, fixed, more);
            is_any = is_any || differs;
            return differs;
          },
  });
  return is_any;
}

// Decides what the next code of the class lacks; returns whether the newest code has some of it.
bool Recording::decide_to_thin(const code::ChangedClass& of, const std::string& name,
                               const std::set<std::string>& fixed, const Thinning& more) {
  return thinned_.change(of, [&](Thinned::Entry& entry) {
    for (const auto& [recorded, levels] : more) {
      const bool is_other = entry.now.of && entry.now.of != recorded;
      if (entry.is_mixed || is_other || recorded->name != name) {
        continue;
      }
      for (const RecordedMethod& method : recorded->methods) {
        const auto level = levels.find(method.number);
        if (level == levels.end() || fixed.contains(method.name)) {
          continue;
        }
        // Frames may still run older code, of which more is recorded.
        const auto now = entry.now.levels.find(method.number);
        if (level->second < (now == entry.now.levels.end() ? method.level : now->second)) {
          entry.next.levels[method.number] = level->second;
        }
      }
    }
    return !(entry.next == entry.now);
  });
}

void Recording::settle(const code::ChangedClass& of, bool is_taken) {
  const auto before = thinned_.settle(of, is_taken);
  if (is_taken && !is_running()) {
    thinned_.forget(of);  // its code has been taken out
  } else if (before && is_taken) {
    tell_thinned(before->next, before->now.levels);
  }
}

// Says which methods have lost calls, compared with what was there before.
void Recording::tell_thinned(const Thin& thin, const Levels& before) const {
  if (!thin.of) {
    return;
  }
  for (const RecordedMethod& method : thin.of->methods) {
    const auto level = thin.levels.find(method.number);
    const auto old = before.find(method.number);
    if (level != thin.levels.end() && (old == before.end() || old->second != level->second)) {
      leave_out(thin.of->name + "." + method.name,
                thinned(level->second, std::chrono::steady_clock::now() - began_));
    }
  }
}

void Recording::replaced(const code::ChangedClass& of, jclass type, const Codes& kept) {
  CodeByPattern::replaced(of, type, kept);
  thinned_.replaced(of, holds(of));
}

void Recording::forget(const code::ChangedClass& of) {
  CodeByPattern::forget(of);
  thinned_.forget(of);
}

std::shared_ptr<const RecordedClass> Recording::next_of(const code::ChangedClass* of,
                                                        classfile::ClassFile& file,
                                                        const Plan& plan) const {
  auto whole = classes_.of(file, plan);
  if (of == nullptr || !whole) {
    return whole;
  }
  const Levels levels = thinned_.change(*of, [&](Thinned::Entry& entry) {
    if (entry.next.of && entry.next.of != whole) {
      entry.next.levels.clear();  // another agent has changed the class
    }
    entry.next.of = whole;
    return entry.next.levels;
  });
  return levels.empty() ? whole : classes_.of(file, plan, levels);
}

// --- the hook, any thread ----------------------------------------------------------------------

bool Recording::includes(std::string_view name) const {
  const auto plan = plan_.load();
  return plan && plan->classes.includes(name);
}

classfile::Rewritten<void> Recording::add_code(const code::ChangedClass* of,
                                               classfile::ClassFile& file,
                                               const std::set<std::string>& without,
                                               classfile::MethodInsertions& insertions) const {
  const auto plan = plan_.load();
  if (!plan) {
    return {};
  }
  const auto known = next_of(of, file, *plan);
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
    auto code = classfile::recorded_code(file, method, each.level, scope, each.first);
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
