// SPDX-License-Identifier: Apache-2.0
//
// The class files that are recorded, each with its sites (classfile/recording_sites.h) and their
// numbers. A class file that several class loaders have loaded is one of them. A class file of
// which less is recorded later (recording_share.h) is another one, which adds the sites of the
// methods that differ. Numbers are never given twice. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/by_pattern/class_patterns.h"
#include "agent/locks/ranked_mutex.h"
#include "classfile/class_file.h"
#include "classfile/recording_sites.h"

namespace jvmdebug::agent::recording {

struct Plan {
  by_pattern::ClassPatterns classes;
  classfile::RecordingLevel level = classfile::RecordingLevel::kAll;
  // The method from whose beginning to whose end a thread is recorded; empty: all is recorded.
  std::string root_class;    // a/b/C
  std::string root_method;   // a name, or a name and a descriptor
  std::int32_t roots = 0;    // how often it is
  std::int64_t most = 0;     // records that may wait for the debugger
  int share = 0;             // percent of the processor time; 0: without a limit
  std::uint64_t number = 0;  // the same for equal plans

  // `volatiles`: fields, as a/b/C.name; the scope refers to it.
  [[nodiscard]] classfile::RecordingScope scope(std::string_view type,
                                                const std::set<std::string>& volatiles) const;
};

// The method of a class file, by its number in it, and what is recorded of it. `first`: the number
// of its first site.
struct RecordedMethod {
  std::size_t number = 0;
  std::string name;  // and its descriptor
  classfile::RecordingLevel level = classfile::RecordingLevel::kNone;
  std::uint32_t first = 0;
};

// What is recorded of methods, by their numbers, if it is less than the plan says.
using Levels = std::map<std::size_t, classfile::RecordingLevel>;

struct RecordedClass {
  std::string name;  // a/b/C
  std::vector<std::uint8_t> class_file;
  std::uint32_t first = 0;          // the number of the first one of its sites
  std::vector<std::uint8_t> sites;  // as on the wire, 8 bytes each
  std::vector<classfile::RecordingSite::Join> joins;
  std::vector<RecordedMethod> methods;
  // The volatile fields that it names, as a/b/C.name: its own, and those of classes that were seen
  // before it. The same for as long as the class lives, so that it always gets the same code.
  std::set<std::string> volatiles;
};

// What was recorded of a method at a level: records, and among the sites that these tell lines and
// those that the level kCalls has. `of`: the class file as the plan has it.
struct MethodRecords {
  std::shared_ptr<const RecordedClass> of;
  std::size_t method = 0;  // its number in the class file
  classfile::RecordingLevel level = classfile::RecordingLevel::kNone;
  std::int64_t records = 0;
  std::int64_t lines = 0;
  std::int64_t calls = 0;
};

class RecordedClasses {
 public:
  // Notes fields of a loaded class, by name: what other classes do with them orders threads.
  void know_volatiles(std::string type, std::string superclass, std::set<std::string> fields);

  // Returns the class file, which is added if it is not there yet. Null if there are no numbers
  // left. `file` must be as it was read; it gets constants.
  [[nodiscard]] std::shared_ptr<const RecordedClass> of(classfile::ClassFile& file,
                                                        const Plan& plan,
                                                        const Levels& thinned = {});
  // Returns those from a number on, in the order in which they were added.
  [[nodiscard]] std::vector<std::shared_ptr<const RecordedClass>> from(std::size_t number) const;

  // Adds the records that others tell (RecordingSite::Join), and replaces the values that are
  // references by what `object` returns for them.
  void complete(std::vector<std::uint32_t>& sites, std::vector<std::int64_t>& values,
                const std::function<std::int64_t(std::int64_t)>& object);

  // Returns what was recorded since the last call, and how many records there are in all, with
  // those that were dropped.
  [[nodiscard]] std::vector<MethodRecords> take_counts(std::int64_t& all);

  // Notes that a class or a method is not recorded, or not all of it: a/b/C, or a/b/C.method(I)V.
  void leave_out(std::string name, std::string why);
  void take_in(const std::string& name);
  void begin_run();
  [[nodiscard]] std::map<std::string, std::string> left_out() const;

 private:
  struct Key {
    std::string name;
    std::uint64_t content = 0;
    Levels thinned;
    auto operator<=>(const Key&) const = default;
  };

  static constexpr std::size_t kReserved = 16;  // numbers of records without a site

  struct Site {
    bool is_reference = false;
    classfile::RecordingSite::Join join = classfile::RecordingSite::Join::kNone;
    classfile::RecordingLevel level = classfile::RecordingLevel::kAll;  // the lowest that has it
    std::uint32_t method = 0;                                           // its place in counts_
  };

  struct Fields {
    std::string superclass;
    std::set<std::string> volatiles;  // its own
  };

  // The numbers of the first sites, by the numbers of methods and the levels.
  using Firsts = std::map<std::pair<std::size_t, classfile::RecordingLevel>, std::uint32_t>;

  // Makes it with the sites of methods that are not among those known. `added`: these, by their
  // places; their first sites are counted from 0 on.
  [[nodiscard]] std::shared_ptr<RecordedClass> made(classfile::ClassFile& file, const Plan& plan,
                                                    const Levels& thinned, const Firsts& known,
                                                    std::vector<std::size_t>& added);
  void add_sites(RecordedClass& to, const std::vector<std::size_t>& added,
                 const std::shared_ptr<const RecordedClass>& whole);
  [[nodiscard]] std::set<std::string> volatiles_of(const classfile::ClassFile& file);
  // Whether the field, which may be a superclass's, is known to be volatile. Locked by the caller.
  [[nodiscard]] bool is_volatile(const std::string& owner, const std::string& field) const;

  mutable RankedMutex<Rank::kProbes> mutex_;
  std::vector<std::shared_ptr<const RecordedClass>> all_;
  std::map<Key, std::shared_ptr<const RecordedClass>> by_content_;
  std::map<const RecordedClass*, Firsts> firsts_;  // by the class file as the plan has it
  std::map<std::string, std::string> left_out_;
  std::map<std::string, Fields> fields_;  // of the classes that were seen, by name
  std::vector<Site> sites_ = std::vector<Site>(kReserved);  // by the number of a site
  std::vector<MethodRecords> counts_ = std::vector<MethodRecords>(1);
  std::int64_t records_ = 0;  // since take_counts(), with those that were dropped
};

}  // namespace jvmdebug::agent::recording
