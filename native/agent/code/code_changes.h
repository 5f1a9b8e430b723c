// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: the one owner of the code that classes run.
//
// Several parts of the agent want calls in the code of classes: probes, and reports of exceptions.
// They are clients (code_client.h). No client changes a class itself. It decides which calls it
// wants and asks CodeChanges to change a set of classes; one retransformation then does what all
// clients want there.
//
// A change of a set of classes:
//
//     set aside      breakpoints that the VM must not clear itself are removed (code_users.h)
//     decide         each client decides which calls the next code of each class has
//     retransform    the VM asks the hook, after those of all other agents: rewrite() has the
//                    clients add their calls to what the others have made
//     look           all stacks are read: which frames run older versions now, and which run
//                    methods that the change left alone
//     tell           each client is told whether the classes run what it has decided
//
// The VM takes all classes of a set or none. If a class cannot have what is wanted, the hook has
// the VM refuse it (`rewrite_error`) and the whole set fails; the caller then tries smaller sets.
//
// How HotSpot treats older versions of methods (older_versions.h) limits how code may be changed:
//
// - Where the VM reports breakpoints, a method is not changed while a frame runs it that an earlier
//   change of its class left alone (kept_frames.h), or while hits in its frames would be lost.
//   Clients ask is_in_use() before they ask for a change.
// - Where the VM reports no breakpoints, every breakpoint is a call, and frames in older versions
//   reach none. There each change gives all methods that have calls, or that frames run, a new
//   version, by another depth of their operand stacks.
// - Up to JDK 16 each change gives all methods of a class a new version, and a class that another
//   agent has changed gets no calls.
// - From JDK 17 on no step of a change gives all methods of a class a new version if the class was
//   changed before, because HotSpot would forget which older versions are obsolete. Where all have
//   to change, two more steps follow. The first step makes all operand stacks deeper. The second
//   takes that away from all methods but one, which it leaves alone; the third from that one,
//   leaving the others alone. So each method was changed by a step that left another one alone, and
//   its older versions are obsolete.
//
// renew() uses two changes without any new call to rid methods of older versions that are not
// obsolete: the first makes their operand stacks deeper, the second undoes that.
//
// CodeChanges knows a class from its first change until no client holds anything in it
// (forget_unneeded()); a class that the VM has unloaded is forgotten too. Redefinitions by the
// debugger belong to Redefinitions, which takes part in the hook (swap_hook.h).
//
// Invariants:
//
// - No other part of the agent gives classes of the program other code by retransformation.
// - `inserted` of a class is what its newest code has, or during a change what the next code has.
// - The hook always adds what decide() has decided last, also when another agent changes the class
//   later.
//
// Threads: agent threads, one at a time, change classes. The hook runs on any thread, because other
// agents change classes too. The lock guards the list of classes and their contents. It is held
// while clients add calls, and never during a call into the VM.
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

// The number of classes to change at once. The program waits for all of them.
inline constexpr std::size_t kClassesAtOnce = 100;

class CodeChanges {
 public:
  using Late = std::function<jvm::Result<LateEnvironment*>()>;

  // `late` returns the environment in which classes are changed, and makes it at the first call.
  CodeChanges(const jvm::Env& env, CodeVersions& versions, CodeUsers& users, Late late,
              bool reports_breakpoints)
      : env_(env),
        versions_(versions),
        users_(users),
        make_late_(std::move(late)),
        reports_breakpoints_(reports_breakpoints),
        kept_(env),
        older_versions_(env) {}

  // Adds a client. Called before the first change.
  void add(CodeClient& client) { clients_.push_back(&client); }

  void set_swaps(SwapHook& swaps) { swaps_ = &swaps; }

  // --- agent threads, one at a time ----------------------------------------------------------
  [[nodiscard]] Outcome prepare();

  // Returns null before prepare().
  [[nodiscard]] LateEnvironment* late() const { return late_; }

  [[nodiscard]] std::shared_ptr<ChangedClass> class_of(const jvm::Jni& jni, jclass type);
  // Changes the class as the clients want it.
  [[nodiscard]] Outcome change(ChangedClass& of);
  // Changes several classes by one change: all of them, or none. The error is that of the VM.
  // Leaves out classes that were unloaded.
  [[nodiscard]] Outcome change(std::span<ChangedClass* const> classes, StackLook& look);
  // Whether the hook could not do all that was wanted of the class in its last change.
  [[nodiscard]] bool has_failed(const ChangedClass& of) const;
  // Rids these methods of older versions that are not obsolete. `unused`: no frame runs the class.
  [[nodiscard]] Outcome renew(const jvm::Jni& jni, jclass type, const std::set<jmethodID>& methods,
                              bool unused);
  // Notes that the debugger has redefined the class. `kept`: the methods that have kept their
  // calls.
  void replaced(const jvm::Jni& jni, jclass type, const CodeClient::Codes& kept);

  // Takes calls that are no longer wanted out of classes, and forgets the classes in which no
  // client holds anything.
  void sweep(Sweep how);
  [[nodiscard]] bool needs_sweep() const;

  // Notes that a client may no longer hold anything in some class.
  void note_unneeded() { has_unneeded_ = true; }

  // Whether frames of the method, or of methods that get a new version together with it, prevent a
  // change. `would_matter`: whether hits would be lost in frames of a method.
  [[nodiscard]] bool is_in_use(const jvm::Jni& jni, const ThreadStacks& stacks, jclass type,
                               jmethodID method,
                               const std::function<bool(jmethodID)>& would_matter);
  // Whether another agent has changed the class, in a VM in which that matters.
  [[nodiscard]] bool was_changed_by_others(const jvm::Jni& jni, jclass type) const;
  // Whether HotSpot sets breakpoints in older versions of a method even if those have other code.
  // It does up to JDK 16 (JDK-8266497).
  [[nodiscard]] bool vm_mixes_versions() const;
  // Returns the names of methods, each followed by its descriptor.
  [[nodiscard]] std::set<std::string> names_of(const std::set<jmethodID>& methods) const;
  // Returns what the agent has put into the class.
  [[nodiscard]] ClassInsertions inserted_in(const jvm::Jni& jni, jclass type) const;

  [[nodiscard]] KeptFrames& kept() { return kept_; }

  [[nodiscard]] OlderVersions& older_versions() { return older_versions_; }

  // --- any thread ----------------------------------------------------------------------------
  [[nodiscard]] bool reports_breakpoints() const { return reports_breakpoints_; }

  // Has the clients add calls to methods of a new class file that have none yet.
  void complete(classfile::ClassFile& file, classfile::MethodInsertions& insertions) const;
  // Returns null if the class was never changed.
  [[nodiscard]] std::shared_ptr<ChangedClass> known(const jvm::Jni& jni, jclass type) const;

 private:
  using Bytes = std::vector<std::uint8_t>;

  // A step of a change. `methods` get a new version. `before`: how often the class had been
  // changed. `last`: the method that the second step leaves to the third; null if there is one step
  // only. `is_unused`: no frame runs the class.
  struct Step {
    ChangedClass* of = nullptr;
    jclass type = nullptr;
    std::set<jmethodID> methods{};
    std::optional<jint> before{};
    jmethodID last = nullptr;
    bool is_unused = false;
  };

  // How often a class had been changed after the agent's last change of it; a higher count means
  // that another agent has changed it.
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
  [[nodiscard]] std::optional<Bytes> by_all(
      std::span<const std::uint8_t> bytes,
      const std::function<std::optional<Bytes>(const CodeClient&, std::span<const std::uint8_t>)>&
          make) const;
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
