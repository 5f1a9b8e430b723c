// SPDX-License-Identifier: Apache-2.0
#include "agent/code/code_changes.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <mutex>
#include <ranges>
#include <utility>

#include "agent/code/code_versions.h"
#include "agent/code/late_environment.h"
#include "agent/jvm/local_capacity.h"
#include "agent/jvm/redefinitions.h"

namespace jvmdebug::agent::code {
namespace {

// Each renewal of a class uses the next of these depths, so that its methods differ from the
// version before. There is more than one, because the VM may refuse a change. A class without calls
// uses a depth of its own.
constexpr std::uint16_t kDepths = 4;
constexpr std::uint16_t kDepthWithoutCalls = kDepths + 1;

}  // namespace

Outcome CodeChanges::prepare() {
  if (late_ != nullptr) {
    return {};
  }
  const auto late = make_late_();
  if (!late) {
    return std::unexpected(because("the VM does not let the agent change classes", late.error()));
  }
  (*late)->set_rewriter(
      [this](const jvm::Jni& of_thread, jclass type, std::span<const std::uint8_t> bytes) {
        return rewrite(of_thread, type, bytes);
      },
      [this](const jvm::Jni& of_thread, jclass type) {
        return swaps_ == nullptr ? std::nullopt : swaps_->base(of_thread, type);
      },
      [this](std::string_view class_name, std::span<const std::uint8_t> bytes) {
        return loading(class_name, bytes);
      });
  late_ = *late;
  return {};
}

// --- the classes -----------------------------------------------------------------------------

// Works on a copy of the list, because comparing classes by JNI takes time. Only agent threads, one
// at a time, change the list.
std::shared_ptr<ChangedClass> CodeChanges::known(const jvm::Jni& jni, jclass type) const {
  const jint hash = env_.get_object_hash_code(type).value_or(0);
  std::vector<std::shared_ptr<ChangedClass>> classes;
  {
    const std::scoped_lock lock(mutex_);
    std::ranges::copy_if(classes_, std::back_inserter(classes),
                         [&](const auto& each) { return each->hash == hash; });
  }
  const auto found = std::ranges::find_if(
      classes, [&](const auto& each) { return jni.same(each->type(jni), type); });
  return found == classes.end() ? nullptr : *found;
}

std::shared_ptr<ChangedClass> CodeChanges::class_of(const jvm::Jni& jni, jclass type) {
  if (auto found = known(jni, type)) {
    return found;
  }
  auto added = std::make_shared<ChangedClass>();
  added->known = jni.weak(type);
  added->hash = env_.get_object_hash_code(type).value_or(0);
  for (CodeClient* const client : clients_) {
    client->begins(*added, type);
  }
  has_unneeded_ = true;  // a client may end up holding nothing in it
  const std::scoped_lock lock(mutex_);
  classes_.push_back(added);
  return added;
}

// Asks the clients in the reverse order of their registration, so that ProbeCalls, the first one,
// sees last whether its calls are still there.
void CodeChanges::sweep(Sweep how) {
  if (late_ == nullptr) {
    return;
  }
  for (CodeClient* const client : std::views::reverse(clients_)) {
    client->sweep(how);
  }
  forget_unneeded();
}

bool CodeChanges::needs_sweep() const {
  return late_ != nullptr && std::ranges::any_of(clients_, &CodeClient::needs_sweep);
}

void CodeChanges::forget_unneeded() {
  if (!has_unneeded_) {
    return;
  }
  const jvm::Jni jni = env_.jni();
  auto kept = classes_;
  std::vector<std::shared_ptr<ChangedClass>> gone;
  has_unneeded_ = false;
  std::erase_if(kept, [&](const auto& each) {
    const auto holds = [&](bool is_unloaded) {
      return std::ranges::any_of(clients_, [&](const CodeClient* client) {
        return is_unloaded ? client->holds_unloaded(*each) : client->holds(*each);
      });
    };
    const bool is_needed = holds(false) && (holds(true) || !each->known.collected(jni));
    if (!is_needed) {
      gone.push_back(each);
    }
    return !is_needed;
  });
  for (const auto& each : gone) {
    std::ranges::for_each(clients_, [&](CodeClient* client) { client->forget(*each); });
  }
  const std::scoped_lock lock(mutex_);
  classes_.swap(kept);
}

ClassInsertions CodeChanges::inserted_in(const jvm::Jni& jni, jclass type) const {
  const auto found = known(jni, type);
  const std::scoped_lock lock(mutex_);
  return found ? found->inserted : ClassInsertions();
}

bool CodeChanges::has_failed(const ChangedClass& of) const {
  const std::scoped_lock lock(mutex_);
  return !of.rewrite_error.empty();
}

// --- a change --------------------------------------------------------------------------------

Outcome CodeChanges::change(ChangedClass& of) {
  if (!of.type(env_.jni())) {
    return std::unexpected("the class was unloaded");
  }
  StackLook look;
  const std::array<ChangedClass*, 1> one{&of};
  auto done = change(one, look);
  const std::scoped_lock lock(mutex_);
  return of.rewrite_error.empty() ? done : std::unexpected(of.rewrite_error);
}

Outcome CodeChanges::change(std::span<ChangedClass* const> classes, StackLook& look) {
  const jvm::Jni jni = env_.jni();
  std::vector<jvm::LocalRef<jclass>> types;
  std::vector<ChangedClass*> changing;
  jvm::announce(jni.raw(), classes.size());
  for (ChangedClass* const of : classes) {
    if (auto type = of->type(jni)) {
      types.push_back(std::move(type));
      changing.push_back(of);
    }
  }
  if (types.empty()) {
    return {};
  }
  has_unneeded_ = true;
  // A change of the class makes the VM clear its breakpoints, and it must not clear these itself.
  const auto set_aside = users_.set_aside(types);
  if (!versions_.begin_change()) {
    return std::unexpected(kBusy);
  }
  const auto done = make_steps(jni, changing, types, look);
  versions_.end_change();
  for (const ChangedClass* const of : done ? changing : std::vector<ChangedClass*>{}) {
    const bool as_decided = !has_failed(*of);
    std::ranges::for_each(clients_, [&](CodeClient* each) { each->changed(*of, as_decided); });
  }
  if (!done && done.error() == kGivenUp) {
    return std::unexpected(kTransformerWaits);
  }
  return done ? Outcome{}
              : std::unexpected(because("the VM refuses the changed class", done.error()));
}

jvm::Result<void> CodeChanges::make_steps(const jvm::Jni& jni,
                                          std::span<ChangedClass* const> classes,
                                          std::span<const jvm::LocalRef<jclass>> types,
                                          StackLook& look) {
  const auto running = reports_breakpoints_ ? ThreadStacks{} : users_.stacks_or_known(jni);
  std::vector<Step> steps;
  for (std::size_t at = 0; at < types.size(); ++at) {
    ChangedClass& of = *classes[at];
    steps.push_back(
        {.of = &of, .type = types[at], .methods = decide(jni, running, of, types[at], look)});
    begin_steps(jni, steps.back());
  }
  {
    const std::scoped_lock lock(mutex_);
    std::ranges::for_each(classes, [](ChangedClass* of) { of->rewrite_error.clear(); });
  }
  const bool stays_on = is_any_on();
  const std::vector<jclass> plain(types.begin(), types.end());
  auto done = make(jni, plain, steps, stays_on);
  end_steps(jni, steps, stays_on, done.has_value());
  return done;
}

jvm::Result<void> CodeChanges::make(const jvm::Jni& jni, std::span<const jclass> types,
                                    std::span<const Step> steps, bool stays_on) {
  auto done = users_.while_changing([&] { return late_->rewrite(types, stays_on); });
  versions_.forget();
  const auto stacks = users_.stacks_or_known(jni);
  users_.code_changed(jni, stacks);
  for (const Step& each : done ? steps : std::span<const Step>{}) {
    older_versions_.note(jni, each.type, each.methods, each.before, each.is_unused);
    if (reports_breakpoints_) {
      note_change(jni, stacks, each.type, each.methods);
    }
  }
  return done;
}

// Counts every method that may change, because it is not known in advance which methods a client
// gives calls or takes calls from.
bool CodeChanges::would_change_all(const Step& step, const CodeMethods& all) const {
  if (!reports_breakpoints_ || vm_mixes_versions() || step.before == 0 || all.has_others) {
    return false;
  }
  return std::ranges::all_of(all.all, [&](jmethodID method) {
    if (step.methods.contains(method)) {
      return true;
    }
    const auto code = env_.get_actual_bytecodes(method);
    return code && std::ranges::any_of(clients_, [&](const CodeClient* each) {
             return each->may_change(*step.of, code->span());
           });
  });
}

// Prepares the first step, which makes the change itself.
void CodeChanges::begin_steps(const jvm::Jni& jni, Step& step) {
  step.before = jvm::redefinitions_of(jni, step.type);
  const CodeMethods all = CodeMethods::of(env_, step.type);
  std::set<std::string> deepened;
  if (all.all.size() > 1 && would_change_all(step, all)) {
    step.methods = all.all;
    step.last = *all.all.begin();
    deepened = names_of(all.all);
  }
  set_deepened(*step.of, std::move(deepened));
}

void CodeChanges::end_steps(const jvm::Jni& jni, std::span<const Step> steps, bool stays_on,
                            bool has_begun) {
  std::vector<Step> rest;
  std::ranges::copy_if(steps, std::back_inserter(rest),
                       [](const Step& each) { return each.last != nullptr; });
  for (const bool is_last : {false, true}) {
    std::vector<jclass> types;
    for (Step& each : rest) {
      std::set<jmethodID> deep;
      if (is_last) {
        each.methods = {each.last};
      } else {
        each.methods.erase(each.last);
        deep.insert(each.last);
      }
      each.before = jvm::redefinitions_of(jni, each.type);
      types.push_back(each.type);
      set_deepened(*each.of, names_of(deep));
    }
    if (has_begun && !types.empty()) {
      // If it fails, OlderVersions goes on to take the methods for ones with older versions of
      // other code.
      has_begun = make(jni, types, rest, stays_on).has_value();
    }
  }
}

void CodeChanges::set_deepened(ChangedClass& of, std::set<std::string> names) {
  const std::scoped_lock lock(mutex_);
  of.deepened = std::move(names);
}

// Has the clients decide, and returns the methods that the next code of the class changes.
std::set<jmethodID> CodeChanges::decide(const jvm::Jni& jni, const ThreadStacks& running,
                                        ChangedClass& of, jclass type, StackLook& look) {
  std::set<jmethodID> changed;
  for (CodeClient* const client : clients_) {
    changed.merge(client->decide(of, type, look));
  }
  std::set<jmethodID> renewed = methods_to_renew(running, of.type(jni));
  if (!reports_breakpoints_) {
    for (const CodeClient* const client : clients_) {
      renewed.merge(client->methods(of));
    }
  }
  std::set<std::string> names = names_of(renewed);
  changed.merge(renewed);
  const std::scoped_lock lock(mutex_);
  of.to_renew = std::move(names);
  return changed;
}

// Whether the hook has anything to do after the next change.
bool CodeChanges::is_any_on() const {
  return (swaps_ != nullptr && swaps_->has_bases()) ||
         std::ranges::any_of(clients_, [](const CodeClient* each) { return each->is_on(); });
}

std::set<std::string> CodeChanges::names_of(const std::set<jmethodID>& methods) const {
  std::set<std::string> names;
  for (jmethodID const method : methods) {
    if (const auto name = env_.get_method_name(method)) {
      names.insert(std::string(name->name.view()) + std::string(name->signature.view()));
    }
  }
  return names;
}

std::set<jmethodID> CodeChanges::methods_to_renew(const ThreadStacks& stacks, jclass type) const {
  std::set<jmethodID> methods;
  if (!reports_breakpoints_) {
    for (jmethodID const version : versions_in_use(env_, stacks, type)) {
      methods.insert(versions_.method(version)->shown);
    }
  } else if (vm_mixes_versions()) {
    if (const auto all = env_.get_class_methods(type)) {
      methods.insert(all->begin(), all->end());
    }
  } else if (const auto all = CodeMethods::of(env_, type); all.is_one()) {
    return all.all;
  }
  return methods;
}

bool CodeChanges::is_in_use(const jvm::Jni& jni, const ThreadStacks& stacks, jclass type,
                            jmethodID method, const std::function<bool(jmethodID)>& would_matter) {
  std::set<jmethodID> methods = methods_to_renew(stacks, type);
  methods.insert(method);
  return std::ranges::any_of(
      methods, [&](jmethodID each) { return would_matter(each) || kept_.has(jni, stacks, each); });
}

void CodeChanges::note_change(const jvm::Jni& jni, const ThreadStacks& stacks, jclass type,
                              const std::set<jmethodID>& changed) {
  if (!vm_mixes_versions()) {
    kept_.note(jni, stacks, type, changed);
    return;
  }
  std::erase_if(counted_, [&](const Counted& each) {
    const auto counted = each.type.lock(jni);
    return !counted || jni.same(counted, type);
  });
  counted_.push_back({.type = jni.weak(type), .times = jvm::redefinitions_of(jni, type)});
}

bool CodeChanges::vm_mixes_versions() const {
  constexpr jint kKeepsThemApart = 17;
  return reports_breakpoints_ && env_.feature_version() < kKeepsThemApart;
}

bool CodeChanges::was_changed_by_others(const jvm::Jni& jni, jclass type) const {
  if (!vm_mixes_versions()) {
    return false;
  }
  const auto ours = std::ranges::find_if(
      counted_, [&](const Counted& each) { return jni.same(each.type.lock(jni), type); });
  const auto times = jvm::redefinitions_of(jni, type);
  return times && *times != (ours == counted_.end() ? 0 : ours->times.value_or(0));
}

Outcome CodeChanges::renew(const jvm::Jni& jni, jclass type, const std::set<jmethodID>& methods,
                           bool unused) {
  std::vector<jvm::LocalRef<jclass>> types;
  types.push_back(jni.local(type));
  const auto set_aside = users_.set_aside(types);
  if (!versions_.begin_change()) {
    return std::unexpected(kBusy);
  }
  const auto of = class_of(jni, type);
  has_unneeded_ = true;
  const std::array<jclass, 1> plain{type};
  std::array<Step, 1> step{
      {{.of = of.get(), .type = type, .methods = methods, .is_unused = unused}}};
  jvm::Result<void> done;
  for (auto names : {names_of(methods), std::set<std::string>()}) {
    step.front().before = jvm::redefinitions_of(jni, type);
    std::ranges::for_each(clients_, [&](CodeClient* each) { each->keep(*of); });
    {
      const std::scoped_lock lock(mutex_);
      of->rewrite_error.clear();
      of->deepened = std::move(names);
    }
    if (done) {
      done = make(jni, plain, step, is_any_on());
    }
  }
  versions_.end_change();
  return done ? Outcome{}
              : std::unexpected(because("the VM refuses the changed class", done.error()));
}

void CodeChanges::replaced(const jvm::Jni& jni, jclass type, const CodeClient::Codes& kept) {
  const auto of = known(jni, type);
  if (!of) {
    return;
  }
  for (CodeClient* const client : clients_) {
    client->replaced(*of, type, kept);
  }
  has_unneeded_ = true;
  const std::scoped_lock lock(mutex_);
  std::erase_if(of->renewed, [&](const auto& name) { return !kept.contains(name); });
  std::erase_if(of->inserted, [&](const auto& each) { return !kept.contains(each.first); });
}

// --- the hook --------------------------------------------------------------------------------

// Answers the hook: the VM is about to take the bytes of a class, for us or for another agent.
std::optional<CodeChanges::Bytes> CodeChanges::rewrite(const jvm::Jni& jni, jclass type,
                                                       std::span<const std::uint8_t> bytes) {
  const auto found = known(jni, type);
  const bool is_swapping = swaps_ != nullptr && swaps_->is_swapping();
  if (is_swapping) {
    swaps_->note(jni, type, bytes);
  }
  if (!found) {
    return unchanged(bytes);
  }
  if (is_swapping) {
    auto stays = clients_;
    std::erase_if(stays, [&](const CodeClient* each) { return !each->stays_in(*found); });
    if (!stays.empty()) {
      auto made = instrumented(bytes, *found, stays, {});
      return made ? std::optional(std::move(made->class_file)) : std::nullopt;
    }
    auto kept = swaps_->swapped_in(jni, type, bytes);
    return kept ? std::move(kept) : unchanged(bytes);
  }
  auto made = rewrite(*found, bytes);
  bool is_partial = false;
  {
    const std::scoped_lock lock(mutex_);
    is_partial = made && !made->empty() && !found->rewrite_error.empty();
  }
  if (is_partial) {
    users_.run_soon([this] { versions_.forget(); });
  }
  return made;
}

std::optional<CodeChanges::Bytes> CodeChanges::rewrite(ChangedClass& of,
                                                       std::span<const std::uint8_t> bytes) const {
  const std::scoped_lock lock(mutex_);
  auto clients = clients_in(of);
  const auto renewed = of.renewed;
  const auto renewal = of.deepened.empty()
                           ? next_renewal(of, !clients.empty())
                           : Renewal{.methods = of.deepened, .words = kDepthWithoutCalls};
  if (clients.empty() && renewal.methods.empty()) {
    of.inserted.clear();
    return std::nullopt;
  }
  auto made = instrumented(bytes, of, clients, renewal);
  if (!made &&
      std::ranges::any_of(clients, [&](CodeClient* each) { return each->goes_without(of); })) {
    made = instrumented(bytes, of, clients_in(of), renewal);
  }
  if (!made) {
    of.rewrite_error = classfile::text(made.error());
    of.renewed = renewed;
    return Bytes{};  // has the VM refuse the class
  }
  if (!made->left_out.empty()) {
    of.rewrite_error = std::move(made->left_out);
  }
  of.inserted = std::move(made->inserted);
  return std::move(made->class_file);
}

std::optional<CodeChanges::Bytes> CodeChanges::unchanged(
    std::span<const std::uint8_t> bytes) const {
  return by_all(bytes, [](const CodeClient& client, std::span<const std::uint8_t> file) {
    return client.unchanged(file);
  });
}

std::optional<CodeChanges::Bytes> CodeChanges::loading(std::string_view name,
                                                       std::span<const std::uint8_t> bytes) const {
  return by_all(bytes, [&](const CodeClient& client, std::span<const std::uint8_t> file) {
    return client.loading(name, file);
  });
}

// Has each client make its class file from that of the one before. The last one that was added sees
// the program's own code, as Coverage needs it: what the others look for stays where it is.
std::optional<CodeChanges::Bytes> CodeChanges::by_all(
    std::span<const std::uint8_t> bytes,
    const std::function<std::optional<Bytes>(const CodeClient&, std::span<const std::uint8_t>)>&
        make) const {
  std::optional<Bytes> made;
  for (const CodeClient* const client : std::views::reverse(clients_)) {
    if (auto next = make(*client, made ? std::span<const std::uint8_t>(*made) : bytes)) {
      made = std::move(next);
    }
  }
  return made;
}

void CodeChanges::complete(classfile::ClassFile& file,
                           classfile::MethodInsertions& insertions) const {
  classfile::MethodInsertions added;
  for (const CodeClient* const client : clients_) {
    classfile::MethodInsertions more = insertions;  // what a client adds does not hinder the others
    client->complete(file, more);
    for (auto& [method, all] : more) {
      if (!insertions.contains(method)) {
        std::ranges::move(all, std::back_inserter(added[method]));
      }
    }
  }
  insertions.merge(added);
}

std::vector<CodeClient*> CodeChanges::clients_in(const ChangedClass& of) const {
  std::vector<CodeClient*> found;
  std::ranges::copy_if(clients_, std::back_inserter(found),
                       [&](const CodeClient* each) { return each->has_calls(of); });
  return found;
}

// Chooses how deep the operand stacks of the methods become that must differ. In a class without
// calls, methods that were renewed before get the depth that their compiler gave them, which
// already makes them differ. The caller holds the lock.
Renewal CodeChanges::next_renewal(ChangedClass& of, bool has_calls) {
  Renewal next{.methods = of.to_renew, .words = kDepthWithoutCalls};
  if (has_calls) {
    of.depth = static_cast<std::uint16_t>(of.depth % kDepths + 1);
    next.words = of.depth;
  } else {
    std::erase_if(next.methods, [&](const auto& name) { return of.renewed.contains(name); });
  }
  of.renewed = next.methods;
  return next;
}

}  // namespace jvmdebug::agent::code
