// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: the one owner of the code that classes run.
//
// Several parts of the agent want calls in the code of classes: probes, and reports of exceptions.
// They are clients (code_client.h). None of them changes a class: it decides what it wants, and
// asks for a change of a set of classes. One retransformation then does everything that is wanted
// of all of them.
//
// A change of a set of classes:
//
//     decide         each client says what the next code of each class has
//     set aside      breakpoints that must not be in the classes are removed (code_users.h)
//     retransform    the VM asks the hook, last of all agents: rewrite() has the clients add their
//                    calls to what the others have made
//     look           all stacks are read: which frames run older versions now, and which were kept
//     tell           each client hears whether the classes run what it has decided
//
// The VM takes all classes of a set or none. Where a class cannot have what is wanted, the hook
// refuses it (`rewrite_error`) and the set fails; who asked tries less then.
//
// What HotSpot does to older versions of methods decides how code may be changed
// (older_versions.h):
//
// - Where the VM reports breakpoints, a method is not changed while frames run it that a change of
//   its class has left alone (kept_frames.h): in frames of another version the thread would have to
//   step. The clients ask is_in_use() before they want a change.
// - Where it reports none, every breakpoint needs a call. There methods with calls, and those that
//   frames run, come out of each change as others, with operand stacks of another depth.
// - Up to JDK 16 all methods of a class come out of each change as others, and a class that
//   somebody else has changed gets no calls.
// - From JDK 17 on never all of them in one step, if the class was changed before: HotSpot would
//   forget then which older versions are obsolete. It is reminded by two more steps. The new code
//   comes with deeper operand stacks in all methods; then in one of them only, which this step
//   leaves as it was; then in none, which leaves the others. So each method was changed once by a
//   step that has left another alone.
//
// renew() makes two changes without any new call, by which methods lose all older versions that are
// not obsolete: they get a deeper operand stack, and lose it.
//
// A class is known here from its first change until no client holds anything in it; that of a class
// which the VM has unloaded goes too (forget_unneeded()). Redefinitions by the debugger are the
// business of Redefinitions, which takes part in the hook (swap_hook.h).
//
// Invariants:
//
// - No other part of the agent retransforms classes of the program.
// - `inserted` of a class is what its newest code has, or the next one if a change goes on.
// - What the clients know and what the hook puts in are the same: the hook adds what decide() has
//   decided, also when another agent changes the class later.
//
// Threads: agent threads, one at a time, change classes. The hook runs on any thread, as other
// agents change classes too. The lock guards the list of classes and what is in it. It is held
// while clients add calls, and over no call into the VM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jvmti.h>

#include "agent/code/changed_class.h"
#include "agent/code/code_client.h"
#include "agent/code/code_users.h"
#include "agent/code/instrumented.h"
#include "agent/code/kept_frames.h"
#include "agent/code/older_versions.h"
#include "agent/code/outcome.h"
#include "agent/code/swap_hook.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/locks/ranked_mutex.h"

namespace jvmdebug::agent::code {

class CodeVersions;
class LateEnvironment;

// How many classes to change at once: the program waits for all of them.
inline constexpr std::size_t kClassesAtOnce = 100;

class CodeChanges {
 public:
  using Late = std::function<jvm::Result<LateEnvironment*>()>;

  // `late` makes the environment in which classes are changed, or gives it.
  CodeChanges(const jvm::Env& env, CodeVersions& versions, CodeUsers& users, Late late,
              bool reports_breakpoints)
      : env_(env),
        versions_(versions),
        users_(users),
        make_late_(std::move(late)),
        reports_breakpoints_(reports_breakpoints),
        kept_(env),
        older_versions_(env) {}

  // Adds a client, before the first change.
  void add(CodeClient& client) { clients_.push_back(&client); }

  void set_swaps(SwapHook& swaps) { swaps_ = &swaps; }

  // --- agent threads, one at a time ----------------------------------------------------------
  [[nodiscard]] Outcome prepare();

  // Null before that.
  [[nodiscard]] LateEnvironment* late() const { return late_; }

  [[nodiscard]] std::shared_ptr<ChangedClass> class_of(const jvm::Jni& jni, jclass type);
  // Has the VM take the code of the class with all that is wanted.
  [[nodiscard]] Outcome change(ChangedClass& of);
  // The same for several, by one change: all of them, or none. An error is that of the VM. Those
  // that were unloaded are left out.
  [[nodiscard]] Outcome change(std::span<ChangedClass* const> classes, StackLook& look);
  // Whether the last change of the class has failed in the hook, or left something out.
  [[nodiscard]] bool has_failed(const ChangedClass& of) const;
  // Rids these methods of older versions that are not obsolete. `unused`: no frame runs the class.
  [[nodiscard]] Outcome renew(const jvm::Jni& jni, jclass type, const std::set<jmethodID>& methods,
                              bool unused);
  // The debugger has redefined the class. `kept`: the methods that have kept their calls.
  void replaced(const jvm::Jni& jni, jclass type, const CodeClient::Codes& kept);

  // After something ended to be wanted: takes calls out of classes, and forgets the classes in
  // which no client holds anything.
  void sweep(Sweep how);

  // A client may hold nothing in some class any more.
  void note_unneeded() { has_unneeded_ = true; }

  // Whether frames of the method, or of what comes out as another with it, bar a change.
  // `would_matter`: whether those of one do, by the breakpoints that are set.
  [[nodiscard]] bool is_in_use(const jvm::Jni& jni, const ThreadStacks& stacks, jclass type,
                               jmethodID method,
                               const std::function<bool(jmethodID)>& would_matter);
  // Whether another agent has changed the class, in a VM in which that matters.
  [[nodiscard]] bool was_changed_by_others(const jvm::Jni& jni, jclass type) const;
  // Up to JDK 16: breakpoints are set in older versions of a method, whatever it becomes.
  [[nodiscard]] bool vm_mixes_versions() const;
  // Name and descriptor.
  [[nodiscard]] std::set<std::string> names_of(const std::set<jmethodID>& methods) const;
  // What the agent has put into the class.
  [[nodiscard]] ClassInsertions inserted_in(const jvm::Jni& jni, jclass type) const;

  [[nodiscard]] KeptFrames& kept() { return kept_; }

  [[nodiscard]] OlderVersions& older_versions() { return older_versions_; }

  // --- any thread ----------------------------------------------------------------------------
  [[nodiscard]] bool reports_breakpoints() const { return reports_breakpoints_; }

  // Has the clients add calls to methods of a new class file that have none yet.
  void complete(classfile::ClassFile& file, classfile::MethodInsertions& insertions) const;
  // Null if it was never changed.
  [[nodiscard]] std::shared_ptr<ChangedClass> known(const jvm::Jni& jni, jclass type) const;

 private:
  using Bytes = std::vector<std::uint8_t>;

  // A step of a change: `methods` come out of it as others. `before`: how often the class had been
  // changed. `last`: is left for a step of its own, null if there is one step only. `is_unused`: no
  // frame runs the class.
  struct Step {
    ChangedClass* of = nullptr;
    jclass type = nullptr;
    std::set<jmethodID> methods{};
    std::optional<jint> before{};
    jmethodID last = nullptr;
    bool is_unused = false;
  };

  // How often a class was changed when the agent had changed it, where nobody else is to have.
  struct Counted {
    jvm::WeakRef type;
    std::optional<jint> times;
  };

  void forget_unneeded();
  [[nodiscard]] jvm::Result<void> make_steps(const jvm::Jni& jni,
                                             std::span<ChangedClass* const> classes,
                                             std::span<const jvm::LocalRef<jclass>> types,
                                             StackLook& look);
  [[nodiscard]] jvm::Result<void> make(const jvm::Jni& jni, std::span<const jclass> types,
                                       std::span<const Step> steps, bool stays_on);
  void begin_steps(const jvm::Jni& jni, Step& step);
  void end_steps(const jvm::Jni& jni, std::span<const Step> steps, bool stays_on, bool has_begun);
  [[nodiscard]] bool would_change_all(const Step& step, const CodeMethods& all) const;
  [[nodiscard]] std::set<jmethodID> decide(const jvm::Jni& jni, const ThreadStacks& running,
                                           ChangedClass& of, jclass type, StackLook& look);
  [[nodiscard]] std::set<jmethodID> methods_to_renew(const ThreadStacks& stacks, jclass type) const;
  void note_change(const jvm::Jni& jni, const ThreadStacks& stacks, jclass type,
                   const std::set<jmethodID>& changed);
  [[nodiscard]] bool is_any_on() const;
  void set_deepened(ChangedClass& of, std::set<std::string> names);
  [[nodiscard]] std::optional<Bytes> rewrite(const jvm::Jni& jni, jclass type,
                                             std::span<const std::uint8_t> bytes);
  [[nodiscard]] std::optional<Bytes> rewrite(ChangedClass& of,
                                             std::span<const std::uint8_t> bytes) const;
  [[nodiscard]] std::optional<Bytes> unchanged(std::span<const std::uint8_t> bytes) const;
  [[nodiscard]] std::optional<Bytes> loading(std::string_view name,
                                             std::span<const std::uint8_t> bytes) const;
  [[nodiscard]] std::vector<CodeClient*> clients_in(const ChangedClass& of) const;
  [[nodiscard]] static Renewal next_renewal(ChangedClass& of, bool has_calls);

  const jvm::Env& env_;
  CodeVersions& versions_;
  CodeUsers& users_;
  const Late make_late_;
  const bool reports_breakpoints_;
  std::vector<CodeClient*> clients_;
  SwapHook* swaps_ = nullptr;
  LateEnvironment* late_ = nullptr;
  KeptFrames kept_;
  OlderVersions older_versions_;
  std::vector<Counted> counted_;
  bool has_unneeded_ = false;

  mutable RankedMutex<Rank::kCodeChanges> mutex_;
  std::vector<std::shared_ptr<ChangedClass>> classes_;
};

}  // namespace jvmdebug::agent::code
