// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: a record of what code of the program does.
//
// Recording is a client of code::CodeChanges. It puts calls into classes
// (classfile/recording_sites.h), which note what happens in arrays of the running thread
// (JvmdebugRecorder.java): a site, and a value. It returns these records, what the sites stand for,
// and what is known of the objects that are values. It decides nothing about them; the debugger
// writes them into a file.
//
// How classes get the calls, and lose them: by_pattern/code_by_pattern.h.
//
// - A frame that has begun before its method got the calls is not recorded.
// - A method that HotSpot would no longer compile (8,000 bytes) has fewer calls: lines, then calls
//   only. One that would be longer than the format allows has none.
// - Records wait in the program until the debugger reads them. If more wait than the plan allows, a
//   thread waits a while for room, and then drops what it has recorded. The number of dropped
//   records is itself a record.
// - What a thread has recorded in a chunk that is not full is read after a safepoint, behind which
//   all of it is in memory.
//
// A recording that takes more of the processor than the plan allows is thinned, method by method
// (recording_share.h): the classes of these methods get other code, with other sites. A method that
// threads run all the time cannot change; so threads do not wait for room in such a recording.
//
// Threads are put in order by their times, which are noted where the program orders them
// (classfile/thread_order.h). The records between two clocks of a thread have no time of their own.
//
// Objects are numbered and described when they are read, which may be later than they were
// recorded: an array, a collection or a text that has changed meanwhile is told as it is then.
//
// Invariants:
//
// - A number of a site belongs to one site of one class file for as long as the agent lives.
// - The records of a thread are returned in their order, each once.
// - No code of the program is called: not for a description either.
//
// Threads: agent threads, one at a time, start, read and stop; the hook asks on any thread. The
// locks are of rank kProbes, and none is held during a call into the VM or into CodeChanges.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/atomic_shared.h"
#include "agent/by_pattern/code_by_pattern.h"
#include "agent/by_pattern/renewals.h"
#include "agent/recording/recorded_classes.h"
#include "agent/recording/recorded_things.h"
#include "agent/recording/recorder_link.h"
#include "agent/recording/recording_share.h"

namespace jvmdebug::agent::recording {

struct RecordedThread {
  std::int32_t number = 0;
  std::string name;
  bool is_virtual = false;
};

// Records of one thread, one after the other.
struct RecordedChunk {
  std::int32_t thread = 0;
  std::int64_t start = 0;  // nanoseconds since the recording began
  std::int64_t end = 0;
  std::vector<std::uint32_t> sites;
  std::vector<std::int64_t> values;
};

struct Read {
  std::vector<RecordedThread> threads;
  std::vector<RecordedThing> objects;
  std::vector<RecordedChunk> chunks;
  bool has_more = false;
  bool is_over = false;
};

class Recording : public by_pattern::CodeByPattern {
 public:
  explicit Recording(Uses uses);

  // --- agent threads, one at a time ----------------------------------------------------------
  // Begins a recording in place of the current one. The error is the reason.
  [[nodiscard]] code::Outcome start(Plan plan);
  // Ends it. What was recorded can still be read.
  void stop();
  // Ends it, and lets go what was not read.
  void forget();
  // Returns what was recorded since the last call, as much as goes into one reply. `all`: also of
  // chunks that are not full. When all of an ended recording was returned, it is forgotten.
  [[nodiscard]] Read read(bool all);

  // Gives the calls to classes that threads ran before.
  void look_again() { try_again(); }

  // Has objects described again, under their numbers, when they are next recorded.
  void describe_again() { things_.describe_again(); }

  [[nodiscard]] bool is_running() const { return plan_.load() != nullptr; }

  [[nodiscard]] std::vector<std::shared_ptr<const RecordedClass>> classes(std::size_t from) const {
    return classes_.from(from);
  }

  [[nodiscard]] std::map<std::string, std::string> left_out() const { return classes_.left_out(); }

  // --- CodeClient ----------------------------------------------------------------------------
  void replaced(const code::ChangedClass& of, jclass type, const Codes& kept) override;
  void forget(const code::ChangedClass& of) override;

 private:
  // What the code of a class lacks. `of`: its class file as the plan has it.
  struct Thin {
    std::shared_ptr<const RecordedClass> of;
    Levels levels;

    bool operator==(const Thin& other) const { return levels == other.levels; }
  };

  using Thinned = by_pattern::Renewals<Thin>;
  // The methods to thin, with their next levels.
  using Thinning = std::map<std::shared_ptr<const RecordedClass>, Levels>;

  [[nodiscard]] bool is_wanted() const override { return is_running(); }

  [[nodiscard]] bool includes(std::string_view name) const override;
  [[nodiscard]] classfile::Rewritten<void> add_code(
      const code::ChangedClass* of, classfile::ClassFile& file,
      const std::set<std::string>& without, classfile::MethodInsertions& insertions) const override;

  void leave_out(std::string name, std::string why) const override {
    classes_.leave_out(std::move(name), std::move(why));
  }

  void take_in(const std::string& name) const override { classes_.take_in(name); }

  [[nodiscard]] bool is_renewed(const code::ChangedClass& of) const override {
    return thinned_.is_renewed(of);
  }

  void settle(const code::ChangedClass& of, bool is_taken) override;

  // Notes the volatile fields of the classes of a plan that are loaded: one of them may get its
  // calls before the one whose field it reads.
  void know_volatile_fields(const Plan& plan);
  void look();
  [[nodiscard]] Read taken(bool all);
  void keep_share(std::chrono::nanoseconds reading);
  [[nodiscard]] bool thin(const Thinning& more);
  [[nodiscard]] bool decide_to_thin(const code::ChangedClass& of, const std::string& name,
                                    const std::set<std::string>& fixed, const Thinning& more);
  // Returns what is recorded of the class file in the next code of the class.
  [[nodiscard]] std::shared_ptr<const RecordedClass> next_of(const code::ChangedClass* of,
                                                             classfile::ClassFile& file,
                                                             const Plan& plan) const;
  void tell_thinned(const Thin& thin, const Levels& before) const;
  [[nodiscard]] std::size_t append(Taken taken, Read& read);

  mutable RecordedClasses classes_;  // shared with the hook
  mutable Thinned thinned_;
  RecordingShare share_;
  std::chrono::steady_clock::time_point began_;
  RecorderLink link_;
  RecordedThings things_;
  AtomicShared<const Plan> plan_;
  bool has_begun_ = false;  // whether there may be something to read
  bool is_taking_ = false;  // whether the threads' chunks have been looked at, but not all taken
};

}  // namespace jvmdebug::agent::recording
