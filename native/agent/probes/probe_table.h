// SPDX-License-Identifier: Apache-2.0
//
// Breakpoint requests whose conditions the program checks itself. A check is a class of its own,
// made by the debugger; a static call of it is put in front of the instruction that the request is
// for. Where the check says so, it calls the agent: from there the thread runs by single steps to
// that instruction, so that it stops in the program's own frame as at a breakpoint of the VM.
//
// An agent that was loaded into a running VM gets neither breakpoints nor steps nor local variables
// of it. There the thread stays inside the check, which hands over the variables of its frame, and
// frames that run a version of the method from before report nothing.
//
// Elsewhere frames that run a version of the method from before the call was put there get a
// breakpoint of the VM, and report the request as without a probe. Whatever goes wrong leaves or
// puts back the breakpoint of the VM.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jvmti.h>

#include "agent/code/hot_swap.h"
#include "agent/code/kept_frames.h"
#include "agent/code/older_versions.h"
#include "agent/events/event_set.h"
#include "agent/events/request_table.h"
#include "agent/jvm/jni.h"
#include "agent/locks/ranked_mutex.h"
#include "agent/probes/check_frames.h"
#include "agent/probes/check_guard.h"
#include "agent/probes/given_objects.h"
#include "agent/probes/log_points.h"
#include "agent/probes/old_frames.h"
#include "agent/probes/probe_classes.h"
#include "agent/probes/probe_hits.h"
#include "agent/probes/probe_list.h"
#include "agent/probes/probe_specs.h"
#include "agent/probes/probed_class.h"
#include "agent/probes/running_checks.h"
#include "agent/probes/stored_values.h"

namespace jvmdebug::agent::code {
class LateEnvironment;
}

namespace jvmdebug::agent::probes {

class ProbeTable {
 public:
  explicit ProbeTable(Agent& agent);

  // --- agent threads, one at a time ----------------------------------------------------------
  // An error is the reason, for people; nothing has changed then.
  [[nodiscard]] Outcome install(const events::Request& request, const ProbeSpec& spec);
  // Puts in the deferred ones of these requests, by one change of each class if all can be.
  [[nodiscard]] std::vector<Refusal> complete(std::span<const std::int32_t> request_ids);
  // `calls_methods`: of the new check; `given`: what it finds in its static fields, behind `kept`.
  [[nodiscard]] Outcome change(const events::Request& request,
                               const std::vector<std::uint8_t>& class_file, bool calls_methods,
                               std::span<const Given> given, std::size_t kept);
  // Their checks do nothing any more.
  void silence(std::span<const events::Request> requests);
  // Ends the probe of a request, if it has one. The request is to be cleared or reported by the VM.
  void remove(const events::Request& request);
  [[nodiscard]] std::vector<ProbeUse> uses() const;
  // One more hit of a request that the program counts: which one it is; -1 if it counts none.
  [[nodiscard]] std::int64_t count_hit(std::int32_t request_id) const;
  // Of the checks that time the program, for one of their requests.
  [[nodiscard]] std::vector<ThreadTimes> times(const events::Request& request) const;
  // Whether stores into arrays can be told from others, by probes or by the operands.
  [[nodiscard]] bool can_watch_elements();
  // After requests have been removed: takes the calls out of the classes again. Gently: not out of
  // classes that threads run; there they stay, and do nothing, until one of the next times.
  void sweep(Sweep how = Sweep::kGently);

  // Has each constructor of java.lang.Throwable report new exceptions to ThrowWatch, or no more.
  // An error is the reason; the code is then as it was.
  [[nodiscard]] Outcome report_throws(bool on);
  // And classes what they throw and have not made there. Some that run stay as they are, until a
  // sweep; more than are wanted keep their calls. An agent that was loaded into a running VM
  // changes classes that are there only if all are wanted.
  void check_throws(CheckedClasses which);

  // A redefinition of classes by the debugger: they get the code that they are given, between the
  // other two. In steps, where one would change all methods of a class.
  void begin_redefinition(std::span<const jvmtiClassDefinition> classes);
  [[nodiscard]] jvm::Result<void> redefine_stepwise(std::span<const jvmtiClassDefinition> classes);
  void end_redefinition(std::span<const jvmtiClassDefinition> classes, bool done);
  // Before the VM is to have a breakpoint there: rids the method of older versions in which it
  // would do harm, see older_versions.h. An error is the reason why that is not possible now.
  [[nodiscard]] Outcome prepare_for_breakpoint(const events::CodeLocation& location);

  // --- any thread ----------------------------------------------------------------------------
  [[nodiscard]] const code::OlderVersions& older_versions() const { return older_versions_; }

  void breakpoint_set() const;

  // On agent threads only.
  void breakpoint_removed() const { old_frames_.breakpoint_removed(); }

  [[nodiscard]] const OldFrames& old_frames() const { return old_frames_; }

  // --- on the thread itself ------------------------------------------------------------------
  // To be held while it runs something for the debugger.
  [[nodiscard]] CheckGuard& guard() { return guard_; }

  // Whether a thread stays inside a check that holds, as the VM reports no breakpoints.
  [[nodiscard]] bool stops_in_check() const { return stops_in_check_; }

  // The debugger knows the agent, and has a probe put where it sets a breakpoint. Another one would
  // wait for it in vain. Any thread.
  void debugger_asks() { has_asked_ = true; }

  [[nodiscard]] bool takes_breakpoints() const { return stops_in_check() && has_asked_; }

  // The class of a check asks while it is initialized: an array, a local reference, or null.
  [[nodiscard]] jobjectArray given(const jvm::Jni& jni);

  // --- the parts -----------------------------------------------------------------------------
  [[nodiscard]] ProbeHits& hits() { return hits_; }

  [[nodiscard]] StoredValues& stored() { return stored_; }

  [[nodiscard]] LogPoints& log() { return log_; }

  [[nodiscard]] const RunningChecks& running() const { return running_; }

  // Whether the thread is in what a check has called, or in the check itself.
  [[nodiscard]] bool is_in_check() const { return frames_.is_in_check(); }

  // The same, faster; it runs that method.
  [[nodiscard]] bool is_in_check(jmethodID method) const { return frames_.is_in_check(method); }

 private:
  // Checks with the code that they are to have.
  struct NewChecks {
    std::vector<jvm::LocalRef<jclass>> types;  // for as long as the definitions name them
    std::vector<jvmtiClassDefinition> definitions;

    // Not one that was unloaded.
    void add(jvm::LocalRef<jclass> type, std::span<const std::uint8_t> class_file);
  };

  // How often a class was changed when the agent had changed it, where nobody else is to have.
  struct Changed {
    jvm::WeakRef type;
    std::optional<jint> times;
  };

  // What the debugger has redefined a class with, where the VM forgets that.
  struct Redefined {
    jvm::WeakRef type;
    std::vector<std::uint8_t> class_file;
  };

  // All stacks, read when they are needed first, and which methods may be changed by them.
  struct Look {
    std::optional<std::optional<code::ThreadStacks>> stacks;
    std::map<jmethodID, bool> may_change;
  };

  // Probes of one class that are to be put in, those of each request together.
  struct Entering {
    ProbedClass* of = nullptr;
    std::vector<Probes> groups;
    std::map<jmethodID, std::string> full;  // methods that have no room for more, and why
    std::vector<Refusal> refused;
  };

  // A step of a change: `methods` come out of it as others. `before`: how often the class had been
  // changed. `last`: is left for a step of its own, null if there is one step only. `is_unused`: no
  // frame runs the class.
  struct ClassChange {
    ProbedClass* of = nullptr;
    jclass type = nullptr;
    std::set<jmethodID> methods{};
    std::optional<jint> before{};
    jmethodID last = nullptr;
    bool is_unused = false;
  };

  // How a class is redefined, see renewing_redefinitions.cpp.
  struct Renewing {
    std::optional<jint> times{};                            // that it was changed before
    std::set<jmethodID> changed{};                          // those that come out as others, or may
    std::map<std::uint16_t, std::set<jmethodID>> depths{};  // that are deeper, by how many words
    std::vector<std::uint8_t> given{};                      // the class file
  };

  [[nodiscard]] jvm::Result<void> rewrite(const jvm::Jni& jni, std::span<const jclass> types,
                                          std::span<const ClassChange> changes, bool stays_on);
  void begin_stepwise(const jvm::Jni& jni, ClassChange& change) const;
  void end_stepwise(const jvm::Jni& jni, std::span<const ClassChange> changes, bool stays_on,
                    bool has_begun);
  [[nodiscard]] bool would_change_all(const ClassChange& change,
                                      const code::CodeMethods& all) const;
  [[nodiscard]] bool are_left_soon(const jvm::Jni& jni, jclass type,
                                   const std::set<jmethodID>& methods, bool all);
  [[nodiscard]] Outcome renew(const jvm::Jni& jni, jclass type, const std::set<jmethodID>& methods,
                              bool unused);
  [[nodiscard]] std::map<jmethodID, std::uint16_t> alike_in(const jvmtiClassDefinition& wanted,
                                                            const code::CodeMethods& all);
  [[nodiscard]] bool leaves_some(const jvm::Jni& jni, const jvmtiClassDefinition& wanted,
                                 const code::CodeMethods& all);
  [[nodiscard]] std::set<jmethodID> with_frames(const jvm::Jni& jni, jclass type,
                                                const std::set<jmethodID>& methods);
  [[nodiscard]] Renewing renewing(const jvm::Jni& jni, const jvmtiClassDefinition& wanted);
  [[nodiscard]] jvm::Result<void> redefine_renewing(std::span<const jvmtiClassDefinition> classes);
  [[nodiscard]] std::set<std::string> names_of(const std::set<jmethodID>& methods) const;
  [[nodiscard]] Outcome check_possible(jclass type) const;
  [[nodiscard]] Outcome prepare(const jvm::Jni& jni);
  [[nodiscard]] Outcome prepare_late_environment();
  [[nodiscard]] Outcome prepare_guard(const jvm::Jni& jni);
  void update_guard(const jvm::Jni& jni);
  [[nodiscard]] std::expected<std::shared_ptr<Probe>, std::string> make_probe(
      const jvm::Jni& jni, const events::Request& request, const CheckSpec& spec, jlocation index,
      const Probes& others, std::span<const Given> given = {}) const;
  [[nodiscard]] std::expected<Probes, std::string> make_probes(const jvm::Jni& jni,
                                                               const events::Request& request,
                                                               const ProbeSpec& spec) const;
  [[nodiscard]] Outcome prepare_for(const jvm::Jni& jni, const events::Request& request,
                                    const ProbeSpec& spec);
  void put_in(ProbedClass& of, const Probes& probes, const Probes& before);
  [[nodiscard]] static std::vector<Probes> deferred(const ProbedClass& of,
                                                    const std::set<std::int32_t>& wanted);
  static void note(std::span<const Probes> groups, ProbeEvent event);
  void complete(std::span<Entering> classes);
  [[nodiscard]] bool enter_together(std::span<Entering* const> classes);
  void refuse_used(std::span<Entering* const> classes);
  [[nodiscard]] std::set<jmethodID> used_methods(const jvm::Jni& jni,
                                                 const code::ThreadStacks& stacks,
                                                 std::span<Entering* const> classes);
  void enter(ProbedClass& of, std::span<const Probes> groups, Entering& entering);
  void refuse(ProbedClass& of, const Probes& probes, std::string reason, Entering& entering);
  void entered(std::span<const Probes> groups);
  [[nodiscard]] static std::vector<events::CodeLocation> locations_of(
      std::span<const Probes> groups);
  void take_back(ProbedClass& of, const Probes& probes, const Probes& before);
  [[nodiscard]] Outcome check_unused(const jvm::Jni& jni, jclass type, jmethodID method,
                                     std::span<const events::CodeLocation> entering = {});
  [[nodiscard]] Outcome check_unharmed(const jvm::Jni& jni, jclass type,
                                       std::span<const events::CodeLocation> entering);
  [[nodiscard]] static std::string why_in_use(bool is_known);
  [[nodiscard]] bool is_in_use(const jvm::Jni& jni, const code::ThreadStacks& stacks, jclass type,
                               jmethodID method);
  [[nodiscard]] bool vm_mixes_versions() const;
  [[nodiscard]] bool was_changed_by_others(const jvm::Jni& jni, jclass type) const;
  [[nodiscard]] std::uint16_t swap_depth(const jvm::Jni& jni, jclass type) const;
  [[nodiscard]] std::set<jmethodID> methods_to_renew(const code::ThreadStacks& stacks,
                                                     jclass type) const;
  void note_change(const jvm::Jni& jni, const code::ThreadStacks& stacks, jclass type,
                   const std::set<jmethodID>& changed);
  [[nodiscard]] Outcome retransform(ProbedClass& of);
  [[nodiscard]] Outcome retransform(std::span<ProbedClass* const> classes, Look& look);
  static void changed(ProbedClass& of, bool done);
  [[nodiscard]] std::set<jmethodID> decide_calls(ProbedClass& of, Look& look);
  [[nodiscard]] std::set<jmethodID> decide_renewal(const jvm::Jni& jni,
                                                   const code::ThreadStacks& stacks,
                                                   ProbedClass& of) const;
  [[nodiscard]] bool is_any_changed() const;
  [[nodiscard]] std::set<jmethodID> constructors_of(jclass type) const;
  [[nodiscard]] static Renewal next_renewal(ProbedClass& of, bool has_probes);
  [[nodiscard]] const std::optional<code::ThreadStacks>& stacks_of(Look& look) const;
  [[nodiscard]] bool is_run(ProbedClass& of, Look& look);
  [[nodiscard]] bool may_leave(ProbedClass& of, Sweep how, Look& look);
  void take_out(std::span<ProbedClass* const> classes, Look& look);
  void left(ProbedClass& of);
  [[nodiscard]] Probes probes_off() const;
  void sweep_throw_checks(Sweep how);
  [[nodiscard]] std::vector<ProbedClass*> changing_throw_checks(Sweep how, Look& look);
  void change_throw_checks(std::span<ProbedClass* const> classes, Look& look);
  [[nodiscard]] bool may_check_running(jclass type, std::span<const jmethodID> methods, Look& look);
  void forget_unloaded(const jvm::Jni& jni);
  [[nodiscard]] bool may_change(jmethodID method, Look& look);
  [[nodiscard]] bool may_change_now(jmethodID method, Look& look);
  void silence(std::span<const std::shared_ptr<Probe>> probes);
  void forget_replaced(ProbedClass& of, const Probes& before);
  [[nodiscard]] jvm::Result<void> redefine(std::span<const jvmtiClassDefinition> checks);
  [[nodiscard]] std::shared_ptr<ProbedClass> known_class(const jvm::Jni& jni, jclass type) const;
  [[nodiscard]] ProbedClass& class_of(const jvm::Jni& jni, jclass type);
  [[nodiscard]] std::optional<std::vector<std::uint8_t>> rewrite(
      const jvm::Jni& jni, jclass type, std::span<const std::uint8_t> bytes);
  [[nodiscard]] bool vm_forgets_redefinitions() const;
  void forget_probes(ProbedClass& of, const code::HotSwap::Class* swapped);
  void begin_swap(const jvm::Jni& jni, std::span<const jvmtiClassDefinition> classes);
  [[nodiscard]] std::optional<std::vector<std::uint8_t>> swapped_in(
      const jvm::Jni& jni, jclass type, std::span<const std::uint8_t> bytes, bool reports);
  void note_redefinition(const jvm::Jni& jni, jclass type, std::span<const std::uint8_t> bytes);
  void keep_redefined(const jvm::Jni& jni, jclass redefined, std::span<const std::uint8_t> bytes,
                      std::span<const Redefined> seen);
  [[nodiscard]] std::optional<std::vector<std::uint8_t>> redefined(const jvm::Jni& jni,
                                                                   jclass type) const;
  Agent& agent_;
  OldFrames old_frames_;
  code::HotSwap swap_;
  code::LateEnvironment* late_ = nullptr;
  jvm::GlobalRef<jclass> probes_class_;
  CheckGuard guard_;
  mutable GivenObjects given_;
  std::atomic<bool> redefining_ = false;
  ThrowCheckState throw_checks_;
  std::atomic<bool> has_asked_ = false;
  bool has_left_ = false;       // probes that are off are still in classes
  bool has_backtrace_ = false;  // Throwable, see ThrowReports
  bool joins_ = false;          // hits of several checks at one instruction are reported together
  code::KeptFrames kept_;
  code::OlderVersions older_versions_;
  std::vector<code::CodeMethods>
      stepwise_;                    // of the classes of the current redefinition; none: one step
  std::vector<Renewing> renewing_;  // the same up to JDK 16
  std::vector<Changed> changed_;
  const bool stops_in_check_;
  ProbeList list_;
  CheckFrames frames_;
  StoredValues stored_;
  ProbeHits hits_;
  LogPoints log_;
  RunningChecks running_;

  mutable RankedMutex<Rank::kProbes> mutex_;
  std::vector<std::shared_ptr<ProbedClass>> classes_;
  std::vector<std::shared_ptr<const Redefined>> redefined_;
  std::vector<Redefined> seen_;  // what other agents have made of the current redefinition
};

}  // namespace jvmdebug::agent::probes
