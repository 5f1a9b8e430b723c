// SPDX-License-Identifier: Apache-2.0
#include "agent/coverage/coverage.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "agent/code/code_versions.h"
#include "agent/code/late_environment.h"
#include "agent/coverage/flag_stores.h"
#include "agent/coverage/seen_flags.h"
#include "agent/events/breakpoints.h"
#include "agent/java/generated/agent_classes.h"
#include "agent/probes/change_limits.h"
#include "agent/probes/left_class.h"
#include "classfile/code_map.h"

namespace jvmdebug::agent::coverage {
namespace {

constexpr std::size_t kProvided = 4 * FlagBlocks::kSize;  // free flags before a run
constexpr std::size_t kReserve = 2 * FlagBlocks::kSize;   // with fewer of them, more are provided

// A change costs the program a moment, and its compilers work. So stores leave rarely when most of
// what runs often has been seen.
constexpr std::chrono::milliseconds kFirstRemoval{1500};
constexpr std::chrono::milliseconds kLongestPause{60'000};

constexpr const char* kNoRoom = "there was no room for its flags when it was loaded";
constexpr const char* kTooLong = "its code would be too long";

bool has_stores(std::span<const std::uint8_t> code) {
  const auto map = classfile::CodeMap::read(code);
  return map && map->has(classfile::kFlagStore);
}

bool has_flag_stores(const jvm::Env& env, std::span<const jmethodID> methods) {
  return std::ranges::any_of(methods, [&](jmethodID method) {
    const auto code = env.get_actual_bytecodes(method);
    return code && has_stores(code->span());
  });
}

bool has_flag_stores(const jvm::Env& env, jclass type) {
  const auto methods = env.get_class_methods(type);
  return methods && has_flag_stores(env, methods->span());
}

// Whether the VM can change the class. It refuses classes whose initializer has failed or that
// could not be linked.
bool is_changeable(const jvm::Env& env, jclass type) {
  constexpr jint kStates = JVMTI_CLASS_STATUS_PREPARED | JVMTI_CLASS_STATUS_ERROR;
  const auto status = env.get_class_status(type);
  return status && (*status & kStates) == JVMTI_CLASS_STATUS_PREPARED;
}

std::string internal_name(const jvm::Env& env, jclass type) {
  const auto signature = env.get_class_signature_only(type);
  const std::string_view text = signature ? signature->view() : std::string_view();
  return text.size() > 2 && text.front() == 'L' ? std::string(text.substr(1, text.size() - 2)) : "";
}

std::set<jmethodID> methods_run(const std::optional<code::ThreadStacks>& stacks) {
  std::set<jmethodID> found;
  if (stacks) {
    for (const code::ThreadStack& stack : *stacks) {
      for (const jvmtiFrameInfo& frame : stack.frames) {
        found.insert(frame.method);
      }
    }
  }
  return found;
}

}  // namespace

Coverage::Coverage(Uses uses) : uses_(std::move(uses)), blocks_(uses_.env), classes_(blocks_) {
  uses_.changes.add(*this);
}

// --- agent threads ---------------------------------------------------------------------------

code::Outcome Coverage::start(Plan plan) {
  const jvm::Jni jni = uses_.env.jni();
  stop();  // a class that is not in the new plan loses its stores
  if (const auto prepared = uses_.changes.prepare(); !prepared) {
    return prepared;
  }
  const auto helper = probes::left_or_defined(uses_.env, jni, kHelperClass, java::coverage_class());
  if (!helper || !blocks_.provide(jni, kProvided)) {
    return std::unexpected("the VM refuses the classes that hold the flags");
  }
  // Initializes the class, so that no thread of the program has to.
  (void)jni->GetStaticMethodID(*helper, "eq", "(I[BI)V");
  (void)jni.clear_exception();
  uses_.versions.begin();
  for (std::size_t block = 0; block < blocks_.count(); ++block) {
    blocks_.clear(jni, block);
  }
  classes_.begin_run();
  has_run_ = true;
  plan_.store(std::make_shared<const Plan>(std::move(plan)));
  uses_.changes.late()->watch_changes();
  make_equal();
  pause_ = kFirstRemoval;
  next_removal_ = std::chrono::steady_clock::now() + pause_;
  return {};
}

void Coverage::stop() {
  if (plan_.exchange(nullptr) != nullptr) {
    make_equal();
  }
}

void Coverage::look_again() {
  if (ran_out_.exchange(false)) {
    (void)blocks_.provide(uses_.env.jni(), kProvided);
    is_lacking_ = true;
  }
  if (is_lacking_ && is_running()) {
    make_equal();
  }
  const auto plan = plan_.load();
  if (plan && !plan->clears && std::chrono::steady_clock::now() >= next_removal_) {
    remove_seen();
    pause_ = std::min(2 * pause_, kLongestPause);
    next_removal_ = std::chrono::steady_clock::now() + pause_;
  }
}

std::vector<std::vector<std::uint8_t>> Coverage::flags(
    std::span<const std::shared_ptr<const CoveredClass>> of, bool reset) const {
  constexpr std::size_t kBits = 8;
  const jvm::Jni jni = uses_.env.jni();
  std::map<std::size_t, std::vector<std::int8_t>> blocks;
  for (std::size_t block = 0; block < blocks_.count(); ++block) {
    blocks.emplace(block, blocks_.read(jni, block, reset));
  }
  std::vector<std::vector<std::uint8_t>> all;
  for (const auto& each : of) {
    const auto block = blocks.find(each->range.block);
    std::vector<std::uint8_t> bits((each->range.count + kBits - 1) / kBits);
    for (std::size_t flag = 0; block != blocks.end() && flag < each->range.count; ++flag) {
      if (block->second[each->range.first + flag] != 0) {
        bits[flag / kBits] |= static_cast<std::uint8_t>(1U << (flag % kBits));
      }
    }
    all.push_back(std::move(bits));
  }
  return all;
}

// Taking the stores out waits for threads; a program that is covered is not swept for its own sake.
void Coverage::sweep(code::Sweep how) {
  if (is_lacking_ && !is_running()) {
    is_lacking_ = false;
    code::StackLook look;
    change(changing(how, look), look);
  }
}

void Coverage::make_equal() {
  is_lacking_ = false;
  waiting_ = 0;
  code::StackLook look;
  change_all(changing(code::Sweep::kGently, look), look);
}

void Coverage::change_all(std::span<code::ChangedClass* const> classes, code::StackLook& look) {
  for (auto rest = classes; !rest.empty();) {
    const auto some = rest.first(std::min(rest.size(), code::kClassesAtOnce));
    change(some, look);
    rest = rest.subspan(some.size());
  }
}

// Takes out stores of flags that are set.
void Coverage::remove_seen() {
  code::StackLook look;
  change_all(with_seen_stores(look), look);
}

std::vector<code::ChangedClass*> Coverage::with_seen_stores(code::StackLook& look) {
  const jvm::Jni jni = uses_.env.jni();
  const auto plan = plan_.load();
  const auto loaded = uses_.env.get_loaded_classes();
  std::vector<code::ChangedClass*> found;
  if (!loaded || !plan) {
    return found;
  }
  const SeenFlags seen(classes_.from(0), [&](std::size_t block) {
    return blocks_.read(jni, block, /*reset=*/false);
  });
  std::optional<std::set<jmethodID>> running;
  for (auto* const raw : *loaded) {
    const auto type = jni.adopt(raw);
    if (!is_changeable(uses_.env, type) || !has_name_in(plan->classes, type)) {
      continue;
    }
    const auto known = uses_.changes.known(jni, type);
    const Stores stores = known ? of(*known) : Stores{};
    const auto covered = stores.of ? stores.of : seen.only(internal_name(uses_.env, type));
    const auto methods = uses_.env.get_class_methods(type);
    if (!covered || !methods || !seen.has_other(*covered, stores.gone) ||
        !has_flag_stores(uses_.env, methods->span()) || !uses_.limits.check_possible(type)) {
      continue;
    }
    if (!running) {
      running = methods_run(uses_.limits.stacks_of(look));
    }
    const auto fixed = methods_in_the_way(type, methods->span(), *running, look);
    if (!fixed) {
      continue;
    }
    const auto class_known = uses_.changes.class_of(jni, type);
    if (decide_to_remove(*class_known, covered, seen.of(*covered), *fixed)) {
      found.push_back(class_known.get());
    }
  }
  return found;
}

// Decides which stores the next code of the class lacks; returns whether the newest code has some
// of them. `fixed`: the methods that have to stay as they are now.
bool Coverage::decide_to_remove(const code::ChangedClass& of,
                                const std::shared_ptr<const CoveredClass>& covered,
                                const std::vector<bool>& set, const std::set<std::string>& fixed) {
  const std::scoped_lock lock(mutex_);
  Stores& stores = stores_[&of];
  // Begun with the next code if the class got its stores as it was loaded.
  stores.wanted = stores.there = true;
  if (stores.is_mixed || (stores.of && stores.of != covered)) {
    return false;
  }
  stores.of = covered;
  stores.gone.resize(set.size());
  stores.next_gone = stores.gone;
  for (const MethodSites& method : covered->sites.methods) {
    if (fixed.contains(method.name) || stores.without.contains(method.name)) {
      continue;
    }
    for (std::size_t flag = method.first; flag < method.first + method.flags(); ++flag) {
      stores.next_gone[flag] = stores.next_gone[flag] || set[flag];
    }
  }
  return stores.next_gone != stores.gone;
}

// Changes the classes. If the VM refuses one of them, halves find it, and it stays as it is.
void Coverage::change(std::span<code::ChangedClass* const> classes, code::StackLook& look) {
  if (classes.empty()) {
    return;
  }
  const auto done = uses_.changes.change(classes, look);
  if (!done && classes.size() > 1 && code::is_of_classes(done.error())) {
    const std::size_t half = classes.size() / 2;
    change(classes.first(half), look);
    change(classes.subspan(half), look);
    return;
  }
  const jvm::Jni jni = uses_.env.jni();
  for (const code::ChangedClass* const each : classes) {
    const auto type = each->type(jni);
    if (!done && !code::is_of_classes(done.error())) {
      is_lacking_ = true;  // it is busy, and is tried again
    } else if (type && !done) {
      classes_.leave_out(internal_name(uses_.env, type), done.error());
    } else if (type) {
      classes_.take_in(internal_name(uses_.env, type));
    }
    {
      const std::scoped_lock lock(mutex_);
      auto& stores = stores_[each];
      stores.wanted = stores.there;
      stores.next_gone = stores.gone;
    }
    if (type) {
      uses_.breakpoints.set_again(type);
    }
  }
}

std::vector<code::ChangedClass*> Coverage::changing(code::Sweep how, code::StackLook& look) {
  const jvm::Jni jni = uses_.env.jni();
  const auto plan = plan_.load();
  const auto loaded = uses_.env.get_loaded_classes();
  std::vector<code::ChangedClass*> changing;
  if (!loaded) {
    return changing;
  }
  std::optional<std::set<jmethodID>> running;
  for (auto* const raw : *loaded) {
    const auto type = jni.adopt(raw);
    if (!is_changeable(uses_.env, type) || (plan && !has_name_in(plan->classes, type))) {
      continue;
    }
    const auto methods = uses_.env.get_class_methods(type);
    if (!methods || methods->span().empty()) {
      continue;
    }
    const bool has = has_flag_stores(uses_.env, methods->span());
    const auto known = uses_.changes.known(jni, type);
    if (!plan && !has && known) {
      forget(*known);  // all its stores have left
      uses_.changes.note_unneeded();
    }
    // A class without code, or whose stores have no room, has none when it has been changed.
    const bool is_done = has || (plan && known && of(*known).there);
    const bool is_whole = is_done && (!known || of(*known).without.empty());
    if (plan ? is_whole : !has) {
      continue;
    }
    if (const auto possible = uses_.limits.check_possible(type); !possible) {
      classes_.leave_out(internal_name(uses_.env, type), possible.error());
      continue;
    }
    if (!running) {
      running = methods_run(uses_.limits.stacks_of(look));
    }
    auto without = how == code::Sweep::kWholly
                       ? std::set<std::string>()
                       : methods_in_the_way(type, methods->span(), *running, look);
    const bool waits = !without || (plan == nullptr && !without->empty());
    const bool is_partial = without && !without->empty();
    if (waits || is_partial) {
      is_lacking_ = true;
      ++waiting_;
    }
    if (waits || (known && *without == of(*known).without)) {
      continue;
    }
    const auto class_known = uses_.changes.class_of(jni, type);
    {
      const std::scoped_lock lock(mutex_);
      auto& stores = stores_[class_known.get()];
      stores.wanted = plan != nullptr;
      stores.without = *std::move(without);
    }
    changing.push_back(class_known.get());
  }
  return changing;
}

// Returns the methods that have to stay as they are now; none if that is all of the class.
std::optional<std::set<std::string>> Coverage::methods_in_the_way(
    jclass type, std::span<const jmethodID> methods, const std::set<jmethodID>& running,
    code::StackLook& look) const {
  const jvm::Jni jni = uses_.env.jni();
  const auto& stacks = uses_.limits.stacks_of(look);
  if (!stacks || !uses_.limits.check_unharmed(jni, type, {})) {
    return std::nullopt;
  }
  std::set<jmethodID> found;
  for (jmethodID const method : methods) {
    if (running.contains(method) || uses_.limits.is_in_use(jni, *stacks, type, method)) {
      found.insert(method);
    }
  }
  const bool changes_all =
      !uses_.changes.reports_breakpoints() || uses_.changes.vm_mixes_versions();
  if (!found.empty() && changes_all) {
    return std::nullopt;
  }
  return uses_.changes.names_of(found);
}

bool Coverage::has_name_in(const ClassPatterns& patterns, jclass type) const {
  const std::string name = internal_name(uses_.env, type);
  // The name of a hidden class has a dot. The VM lets no agent change such classes.
  return !name.empty() && !name.contains('.') && patterns.includes(name);
}

std::size_t Coverage::removed() const {
  const std::scoped_lock lock(mutex_);
  std::size_t count = 0;
  for (const auto& [type, stores] : stores_) {
    count += static_cast<std::size_t>(std::ranges::count(stores.gone, true));
  }
  return count;
}

Coverage::Stores Coverage::of(const code::ChangedClass& of) const {
  const std::scoped_lock lock(mutex_);
  const auto found = stores_.find(&of);
  return found == stores_.end() ? Stores{} : found->second;
}

// --- what the code of a class becomes --------------------------------------------------------

bool Coverage::may_change(const code::ChangedClass& of,
                          std::span<const std::uint8_t> /*code*/) const {
  const Stores stores = this->of(of);
  return stores.wanted != stores.there || stores.next_gone != stores.gone || stores.is_mixed;
}

void Coverage::changed(const code::ChangedClass& of, bool as_decided) {
  const std::scoped_lock lock(mutex_);
  const auto found = stores_.find(&of);
  if (as_decided && found != stores_.end()) {
    found->second.there = found->second.wanted;
    found->second.gone = found->second.next_gone;
    found->second.is_mixed = false;
  }
}

bool Coverage::has_calls(const code::ChangedClass& of) const {
  return this->of(of).wanted;
}

classfile::Rewritten<std::string> Coverage::add(const code::ChangedClass& of,
                                                classfile::ClassFile& file,
                                                classfile::MethodInsertions& insertions) {
  const Stores stores = this->of(of);
  const auto plan = plan_.load();
  if (stores.wanted && plan) {
    JVMDEBUG_ASSIGN(auto covered, add_stores(*plan, file, stores, insertions));
    const std::scoped_lock lock(mutex_);
    auto& known = stores_[&of];
    if (known.of != covered) {
      known.of = std::move(covered);
      known.next_gone.clear();
    }
  }
  return std::string();
}

// Adds the stores behind what else is inserted at the same places, and returns whose flags they
// set. The class goes without them if there are no flags left.
classfile::Rewritten<std::shared_ptr<const CoveredClass>> Coverage::add_stores(
    const Plan& plan, classfile::ClassFile& file, const Stores& stores,
    classfile::MethodInsertions& insertions) const {
  const auto known = classes_.of(file, plan.branches);
  if (blocks_.free() < kReserve) {
    provide_soon();
  }
  if (!known) {
    ran_out_ = true;
    classes_.leave_out(file.name(), kNoRoom);
    return nullptr;
  }
  const std::vector<bool> gone = stores.of == known ? stores.next_gone : std::vector<bool>();
  const std::string owner = FlagBlocks::class_name(known->range.block);
  for (const MethodSites& each : known->sites.methods) {
    const classfile::Method& method = file.methods()[each.number];
    if (stores.without.contains(each.name)) {
      continue;
    }
    auto made = flag_stores(file, method, each, owner, known->range.first, gone);
    auto& all = insertions[&method];
    const std::size_t before = all.size();
    if (made) {
      std::ranges::move(*made, std::back_inserter(all));
    }
    if (!made || !file.insert(method, all)) {  // for example longer than 64 kB
      all.resize(before);
      classes_.leave_out(known->name + "." + each.name, kTooLong);
      JVMDEBUG_CHECK(file.insert(method, all));
    }
  }
  return known;
}

void Coverage::provide_soon() const {
  if (!is_providing_.exchange(true)) {
    uses_.run_soon([this] {
      (void)blocks_.provide(uses_.env.jni(), kProvided);
      is_providing_ = false;
    });
  }
}

bool Coverage::goes_without(const code::ChangedClass& of) {
  const std::scoped_lock lock(mutex_);
  const auto found = stores_.find(&of);
  return found != stores_.end() && std::exchange(found->second.wanted, false);
}

std::optional<std::vector<std::uint8_t>> Coverage::unchanged(
    std::span<const std::uint8_t> bytes) const {
  const auto plan = plan_.load();
  if (!plan) {
    return std::nullopt;
  }
  auto file = classfile::ClassFile::read(bytes);
  if (!file || !plan->classes.includes(file->name())) {
    return std::nullopt;
  }
  classfile::MethodInsertions insertions;
  if (!add_stores(*plan, *file, {}, insertions) || insertions.empty()) {
    return std::nullopt;
  }
  for (const auto& [method, all] : insertions) {
    if (!file->insert(*method, all)) {
      return std::nullopt;
    }
  }
  return file->write();
}

std::optional<std::vector<std::uint8_t>> Coverage::loading(
    std::string_view name, std::span<const std::uint8_t> bytes) const {
  const auto plan = plan_.load();
  return plan && plan->classes.includes(name) ? unchanged(bytes) : std::nullopt;
}

// --- redefined or forgotten classes ----------------------------------------------------------

void Coverage::complete(classfile::ClassFile& file, classfile::MethodInsertions& insertions) const {
  const auto plan = plan_.load();
  classfile::MethodInsertions more;
  if (!plan || !plan->classes.includes(file.name()) || !add_stores(*plan, file, {}, more)) {
    return;
  }
  for (auto& [method, all] : more) {
    insertions.try_emplace(method, std::move(all));
  }
}

void Coverage::replaced(const code::ChangedClass& of, jclass type, const Codes& /*kept*/) {
  const bool has = has_run_ && has_flag_stores(uses_.env, type);
  const std::scoped_lock lock(mutex_);
  Stores& stores = stores_[&of];
  stores = {};
  stores.wanted = stores.there = stores.is_mixed = has;
}

void Coverage::begins(const code::ChangedClass& of, jclass type) {
  if (has_run_ && has_flag_stores(uses_.env, type)) {
    const std::scoped_lock lock(mutex_);
    auto& stores = stores_[&of];
    stores.wanted = stores.there = true;
  }
}

bool Coverage::holds(const code::ChangedClass& of) const {
  const Stores stores = this->of(of);
  return stores.wanted || stores.there;
}

void Coverage::forget(const code::ChangedClass& of) {
  const std::scoped_lock lock(mutex_);
  stores_.erase(&of);
}

}  // namespace jvmdebug::agent::coverage
