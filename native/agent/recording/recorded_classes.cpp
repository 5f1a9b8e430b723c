// SPDX-License-Identifier: Apache-2.0
#include "agent/recording/recorded_classes.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "agent/by_pattern/class_content.h"
#include "agent/code/class_insertions.h"

namespace jvmdebug::agent::recording {
namespace {

using classfile::RecordingLevel;
using Join = classfile::RecordingSite::Join;

constexpr std::size_t kMostCompiled = 8000;  // HotSpot interprets longer methods
constexpr std::size_t kLongest = 65'535;
constexpr std::size_t kMostSites = std::size_t{1} << 30U;

constexpr const char* kOnlyLines =
    "only its calls and lines are recorded: with all that it stores, it would be too long to be"
    " compiled";
constexpr const char* kOnlyCalls =
    "only its calls are recorded: with its lines, it would be too long to be compiled";
constexpr const char* kNothing = "nothing of it is recorded: the calls do not fit into its code";

// Chooses as much as may be recorded of the method.
std::pair<RecordingLevel, std::vector<classfile::RecordingSite>> chosen(
    classfile::ClassFile& file, const classfile::Method& method, std::size_t size,
    const classfile::RecordingScope& scope, const Plan& plan) {
  const std::size_t most = size > kMostCompiled ? kLongest : kMostCompiled;
  for (auto level = plan.level; level != RecordingLevel::kNone;
       level = static_cast<RecordingLevel>(static_cast<int>(level) - 1)) {
    auto code = classfile::recorded_code(file, method, level, scope, 0);
    if (code && code->size <= most) {
      return {level, std::move(code->sites)};
    }
  }
  return {RecordingLevel::kNone, {}};
}

void add_short(std::vector<std::uint8_t>& bytes, std::size_t number) {
  constexpr unsigned kByteBits = 8;
  bytes.push_back(static_cast<std::uint8_t>(number));
  bytes.push_back(static_cast<std::uint8_t>(number >> kByteBits));
}

}  // namespace

classfile::RecordingScope Plan::scope(std::string_view type,
                                      const std::set<std::string>& volatiles) const {
  classfile::RecordingScope made;
  made.is_recorded = [this](std::string_view name) { return classes.includes(name); };
  made.is_volatile = [&volatiles](std::string_view owner, std::string_view field) {
    return !volatiles.empty() && volatiles.contains(std::string(owner) + "." + std::string(field));
  };
  if (!root_class.empty() && type == root_class) {
    made.is_root = [this](std::string_view method) {
      return method == root_method || (method.starts_with(root_method) &&
                                       method.substr(root_method.size()).starts_with('('));
    };
  }
  return made;
}

std::shared_ptr<RecordedClass> RecordedClasses::made(classfile::ClassFile& file, const Plan& plan) {
  constexpr std::size_t kSite = 8;
  auto made = std::make_shared<RecordedClass>();
  made->name = file.name();
  made->class_file = file.write();
  made->volatiles = volatiles_of(file);
  const classfile::RecordingScope scope = plan.scope(made->name, made->volatiles);
  const auto methods = file.methods();
  for (std::size_t number = 0; number < methods.size(); ++number) {
    const auto code = file.code_of(methods[number]);
    if (!code) {
      continue;
    }
    const auto [level, sites] = chosen(file, methods[number], code->bytes.size(), scope, plan);
    if (level != plan.level) {
      leave_out(made->name + "." + code::full_name(file, methods[number]),
                level == RecordingLevel::kNone    ? kNothing
                : level == RecordingLevel::kLines ? kOnlyLines
                                                  : kOnlyCalls);
    }
    if (level == RecordingLevel::kNone) {
      continue;
    }
    made->methods.push_back({.number = number,
                             .level = level,
                             .first = static_cast<std::uint32_t>(made->sites.size() / kSite)});
    for (const classfile::RecordingSite& each : sites) {
      made->joins.push_back(each.join);
      made->sites.push_back(static_cast<std::uint8_t>(each.kind));
      made->sites.push_back(static_cast<std::uint8_t>(each.type));
      add_short(made->sites, number);
      add_short(made->sites, each.index);
      add_short(made->sites, each.detail);
    }
  }
  return made;
}

void RecordedClasses::know_volatiles(std::string type, std::string superclass,
                                     std::set<std::string> fields) {
  const std::scoped_lock lock(mutex_);
  fields_.insert_or_assign(
      std::move(type), Fields{.superclass = std::move(superclass), .volatiles = std::move(fields)});
}

bool RecordedClasses::is_volatile(const std::string& owner, const std::string& field) const {
  // Bounded, since another class of a name may make a circle of superclasses.
  std::size_t left = fields_.size();
  for (auto of = fields_.find(owner); of != fields_.end() && left > 0; --left) {
    if (of->second.volatiles.contains(field)) {
      return true;
    }
    of = fields_.find(of->second.superclass);
  }
  return false;
}

std::set<std::string> RecordedClasses::volatiles_of(const classfile::ClassFile& file) {
  const auto& pool = file.pool();
  std::set<std::string> own;
  for (const classfile::Field& each : file.fields()) {
    if (classfile::is_volatile(each.access)) {
      own.insert(pool.utf8(each.name).value_or(""));
    }
  }
  know_volatiles(file.name(), file.superclass(), std::move(own));
  std::set<std::string> found;
  const std::scoped_lock lock(mutex_);
  for (std::size_t index = 1; index < pool.size(); ++index) {
    const auto member = pool.member(index);
    if (member && member->kind == classfile::Constant::kField &&
        is_volatile(member->owner, member->name)) {
      found.insert(member->owner + "." + member->name);
    }
  }
  return found;
}

std::shared_ptr<const RecordedClass> RecordedClasses::of(classfile::ClassFile& file,
                                                         const Plan& plan) {
  constexpr std::size_t kSite = 8;
  Key key{file.name(), by_pattern::content_of(file, plan.number)};
  {
    const std::scoped_lock lock(mutex_);
    if (const auto found = by_content_.find(key); found != by_content_.end()) {
      return found->second;
    }
  }
  auto added = made(file, plan);
  const std::scoped_lock lock(mutex_);
  // Another thread may have added it meanwhile.
  const auto found = by_content_.find(key);
  if (found != by_content_.end()) {
    return found->second;
  }
  const std::size_t count = added->sites.size() / kSite;
  if (sites_.size() + count > kMostSites) {
    return nullptr;
  }
  added->first = static_cast<std::uint32_t>(sites_.size());
  for (std::size_t each = 0; each < count; ++each) {
    const auto type = static_cast<char>(added->sites[each * kSite + 1]);
    sites_.push_back({.is_reference = type == 'L' || type == '[', .join = added->joins[each]});
  }
  all_.push_back(added);
  by_content_.emplace(std::move(key), added);
  return added;
}

std::vector<std::shared_ptr<const RecordedClass>> RecordedClasses::from(std::size_t number) const {
  const std::scoped_lock lock(mutex_);
  const auto rest = std::span(all_).subspan(std::min(number, all_.size()));
  return {rest.begin(), rest.end()};
}

void RecordedClasses::complete(std::vector<std::uint32_t>& sites, std::vector<std::int64_t>& values,
                               const std::function<std::int64_t(std::int64_t)>& object) const {
  std::vector<std::uint32_t> all;
  std::vector<std::int64_t> all_values;
  all.reserve(sites.size() * 2);
  all_values.reserve(sites.size() * 2);
  const std::scoped_lock lock(mutex_);
  for (std::size_t each = 0; each < sites.size(); ++each) {
    const std::uint32_t site = sites[each];
    if (site >= sites_.size()) {
      continue;  // of no class that is known
    }
    std::uint32_t first = site;
    while (first > 0 && sites_[first - 1].join == Join::kWithNext) {
      --first;
    }
    for (; first < site; ++first) {
      all.push_back(first);
      all_values.push_back(0);
    }
    all.push_back(site);
    all_values.push_back(sites_[site].is_reference ? object(values[each]) : values[each]);
    for (std::uint32_t next = site + 1;
         next < sites_.size() && sites_[next].join == Join::kWithPrevious; ++next) {
      all.push_back(next);
      all_values.push_back(0);
    }
  }
  sites = std::move(all);
  values = std::move(all_values);
}

void RecordedClasses::leave_out(std::string name, std::string why) {
  const std::scoped_lock lock(mutex_);
  left_out_.insert_or_assign(std::move(name), std::move(why));
}

void RecordedClasses::take_in(const std::string& name) {
  const std::scoped_lock lock(mutex_);
  left_out_.erase(name);
}

void RecordedClasses::begin_run() {
  const std::scoped_lock lock(mutex_);
  left_out_.clear();
}

std::map<std::string, std::string> RecordedClasses::left_out() const {
  const std::scoped_lock lock(mutex_);
  return left_out_;
}

}  // namespace jvmdebug::agent::recording
