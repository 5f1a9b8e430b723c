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

// Chooses as much as may be recorded of the method, at most `highest`.
std::pair<RecordingLevel, std::vector<classfile::RecordingSite>> chosen(
    classfile::ClassFile& file, const classfile::Method& method, std::size_t size,
    const classfile::RecordingScope& scope, RecordingLevel highest) {
  const std::size_t most = size > kMostCompiled ? kLongest : kMostCompiled;
  for (auto level = highest; level != RecordingLevel::kNone;
       level = static_cast<RecordingLevel>(static_cast<int>(level) - 1)) {
    auto code = classfile::recorded_code(file, method, level, scope, 0);
    if (code && code->size <= most) {
      return {level, std::move(code->sites)};
    }
  }
  return {RecordingLevel::kNone, {}};
}

// The lowest level that has such a site.
RecordingLevel level_of(classfile::RecordingSite::Kind kind) {
  using Kind = classfile::RecordingSite::Kind;
  switch (kind) {
    case Kind::kEnter:
    case Kind::kExit:
    case Kind::kThrown:
    case Kind::kThrows:
    case Kind::kCaught:
      return RecordingLevel::kCalls;
    case Kind::kLine:
      return RecordingLevel::kLines;
    default:
      return RecordingLevel::kAll;
  }
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

std::shared_ptr<RecordedClass> RecordedClasses::made(classfile::ClassFile& file, const Plan& plan,
                                                     const Levels& thinned, const Firsts& known,
                                                     std::vector<std::size_t>& added) {
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
    const auto thin = thinned.find(number);
    const RecordingLevel highest = thin == thinned.end() ? plan.level : thin->second;
    std::string name = code::full_name(file, methods[number]);
    const auto [level, sites] = chosen(file, methods[number], code->bytes.size(), scope, highest);
    if (level != highest) {
      leave_out(made->name + "." + name, level == RecordingLevel::kNone    ? kNothing
                                         : level == RecordingLevel::kLines ? kOnlyLines
                                                                           : kOnlyCalls);
    }
    if (level == RecordingLevel::kNone) {
      continue;
    }
    const auto first = known.find({number, level});
    made->methods.push_back({.number = number,
                             .name = std::move(name),
                             .level = level,
                             .first = first == known.end()
                                          ? static_cast<std::uint32_t>(made->joins.size())
                                          : first->second});
    if (first != known.end()) {
      continue;
    }
    added.push_back(made->methods.size() - 1);
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
                                                         const Plan& plan, const Levels& thinned) {
  const std::uint64_t content = by_pattern::content_of(file, plan.number);
  const Key key{.name = file.name(), .content = content, .thinned = thinned};
  std::shared_ptr<const RecordedClass> whole;
  Firsts known;
  {
    const std::scoped_lock lock(mutex_);
    if (const auto found = by_content_.find(key); found != by_content_.end()) {
      return found->second;
    }
    const auto found = by_content_.find({.name = key.name, .content = content, .thinned = {}});
    if (found != by_content_.end()) {
      whole = found->second;
      known = firsts_[whole.get()];
    }
  }
  std::vector<std::size_t> places;
  const auto added = made(file, plan, thinned, known, places);
  const std::scoped_lock lock(mutex_);
  // Another thread may have added it meanwhile.
  const auto found = by_content_.find(key);
  if (found != by_content_.end()) {
    return found->second;
  }
  if (sites_.size() + added->joins.size() > kMostSites) {
    return nullptr;
  }
  add_sites(*added, places, whole ? whole : added);
  if (!added->sites.empty() || !whole) {
    all_.push_back(added);
  }
  by_content_.emplace(key, added);
  return added;
}

// Gives numbers to the sites of a class. Locked by the caller.
void RecordedClasses::add_sites(RecordedClass& to, const std::vector<std::size_t>& added,
                                const std::shared_ptr<const RecordedClass>& whole) {
  constexpr std::size_t kSite = 8;
  to.first = static_cast<std::uint32_t>(sites_.size());
  for (std::size_t place = 0; place < added.size(); ++place) {
    RecordedMethod& method = to.methods[added[place]];
    const std::size_t end =
        place + 1 < added.size() ? to.methods[added[place + 1]].first : to.joins.size();
    for (std::size_t each = method.first; each < end; ++each) {
      const auto kind = static_cast<classfile::RecordingSite::Kind>(to.sites[each * kSite]);
      const auto type = static_cast<char>(to.sites[each * kSite + 1]);
      sites_.push_back({.is_reference = type == 'L' || type == '[',
                        .join = to.joins[each],
                        .level = level_of(kind),
                        .method = static_cast<std::uint32_t>(counts_.size())});
    }
    counts_.push_back({.of = whole, .method = method.number, .level = method.level});
    method.first += to.first;
    firsts_[whole.get()].emplace(std::pair(method.number, method.level), method.first);
  }
}

std::vector<MethodRecords> RecordedClasses::take_counts(std::int64_t& all) {
  const std::scoped_lock lock(mutex_);
  all = std::exchange(records_, 0);
  std::vector<MethodRecords> found;
  for (MethodRecords& each : counts_) {
    if (each.records > 0) {
      found.push_back(each);
      each.records = each.lines = each.calls = 0;
    }
  }
  return found;
}

std::vector<std::shared_ptr<const RecordedClass>> RecordedClasses::from(std::size_t number) const {
  const std::scoped_lock lock(mutex_);
  const auto rest = std::span(all_).subspan(std::min(number, all_.size()));
  return {rest.begin(), rest.end()};
}

void RecordedClasses::complete(std::vector<std::uint32_t>& sites, std::vector<std::int64_t>& values,
                               const std::function<std::int64_t(std::int64_t)>& object) {
  constexpr std::uint32_t kLost = 2;
  std::vector<std::uint32_t> all;
  std::vector<std::int64_t> all_values;
  all.reserve(sites.size() * 2);
  all_values.reserve(sites.size() * 2);
  const std::scoped_lock lock(mutex_);
  const auto add = [&](std::uint32_t site, std::int64_t value) {
    MethodRecords& count = counts_[sites_[site].method];
    count.lines += sites_[site].level == RecordingLevel::kLines ? 1 : 0;
    count.calls += sites_[site].level == RecordingLevel::kCalls ? 1 : 0;
    all.push_back(site);
    all_values.push_back(value);
  };
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
      add(first, 0);
    }
    add(site, sites_[site].is_reference ? object(values[each]) : values[each]);
    for (std::uint32_t next = site + 1;
         next < sites_.size() && sites_[next].join == Join::kWithPrevious; ++next) {
      add(next, 0);
    }
    ++counts_[sites_[site].method].records;
    records_ += site == kLost ? values[each] : 1;
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
  records_ = 0;
  for (MethodRecords& each : counts_) {
    each.records = each.lines = each.calls = 0;
  }
}

std::map<std::string, std::string> RecordedClasses::left_out() const {
  const std::scoped_lock lock(mutex_);
  return left_out_;
}

}  // namespace jvmdebug::agent::recording
