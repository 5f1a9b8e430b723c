// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: what a hot swap does to methods whose own code stays.
//
// A class that the agent has changed runs two things: the program's own code, and what the agent
// has put into it, the insertions. The debugger swaps the own code only. It sends a class file that
// has no insertions and does not know that there are any.
//
// What HotSpot does. RedefineClasses compares each method of the new class file with the one that
// runs (MethodComparator): the same instructions, with the same constants behind them, the same
// number of locals and the same depth of the operand stack. The numbers of the constants do not
// matter, nor do line tables and handlers. A method that is the same is taken for the same version
// (EMCP, "equivalent modulo constant pool"): its frames go on as frames of the new version, with
// its line table. Any other becomes obsolete: the debugger learns of its frames only that they run
// code which is gone, without a name, lines or variables.
//
// So a method with insertions becomes obsolete by each swap of its class, whether or not the swap
// changes it: the new class file lacks the insertions. So does one whose operand stack the agent
// has made deeper (up to JDK 16 that is every method of a class with probes). This is what this
// class is there to prevent, in two ways:
//
// 1. The insertions stay. While the VM redefines a class, the agent's hook sees the new class file
//    last. It puts into each method whose own code stays exactly what runs in it now, so that
//    HotSpot finds the method the same. Methods that change come without insertions.
// 2. Where that is not possible, and for frames that ran an older version before the swap, the
//    agent knows that the own code of the frame is the code that the class still has. It goes on to
//    show these frames as frames of the current method, as it does after each change of its own
//    (code_versions.h), and does not tell the debugger that they are obsolete.
//
// Where 1 is not possible: where the swap takes several steps, because one would replace all
// methods of the class (redefinitions.h). Each step replaces most of them, so nothing
// would be won.
//
// What is known of a class:
//
// - Its own class file before the swap: what the VM and all other agents give for it when it is
//   retransformed. Read once for each swap, and only for classes that were changed before: others
//   hold no insertions, and run no older versions.
// - What runs in each method (ClassInsertions): recorded by the hook when it makes the code. The
//   insertions are kept by the names of what they call (PortableInsertion), as the new class file
//   numbers its constants in its own way.
// - The new own class file, as the debugger sends it. Other agents may change it before the hook
//   sees it: so the hook compares what it sees, and the set that it kept counts.
//
// A method's own code "stays" if is_same_code() says so: certainly, by content. Where it is in
// doubt, the method counts as changed, and its frames as frames of old code.
//
// States of a swap:
//
//     (none) --begin()--> begun --keep(), from the hook--> begun --end()--> (none)
//
// begin() may be called for several classes: they are swapped together, all of them or none. A swap
// that the VM refuses ends without a trace: end() drops what keep() has noted. What calls the
// insertions belong to, and what becomes of these afterwards, is the client's: ProbeCalls silences
// the checks, since the requests end with the swap, and takes the calls out once no thread runs the
// method.
//
// Invariants:
//
// - A kept method has the code, the locals and the stack depth that run, or else HotSpot takes it
//   for another one. Then it is as without this class: an older version, shown by way 2.
// - Nothing is kept of a method that changes: the places of its insertions have no meaning in the
//   new code.
// - The rule that no change replaces all methods of a class (older_versions.h) does not count on
//   kept methods: only on those without any insertions.
//
// Threads: begin() and end() are for agent threads, one redefinition at a time. keep() may run on
// any thread, as other agents change classes too: for such a change there is nothing to keep unless
// it is of the same class at the same time. The list of classes has a lock of its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <jvmti.h>

#include "agent/code/class_insertions.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/locks/ranked_mutex.h"
#include "classfile/class_file.h"

namespace jvmdebug::agent::code {

inline constexpr std::uint16_t kSwapDepth = 7;

// Returns by how many words to make the operand stack of a method deeper that a swap must not leave
// alone. `now`: by how many it is deeper than in the new class file. Probes add up to five words to
// either depth, so none of them gives the other.
[[nodiscard]] constexpr std::uint16_t other_depth(std::uint16_t now) {
  constexpr std::uint16_t kOther = 17;
  return now == kSwapDepth ? kOther : kSwapDepth;
}

// Returns the methods, by name and descriptor, whose code is the same in both class files, and by
// how many words the operand stack is deeper in the first one.
[[nodiscard]] std::map<std::string, std::uint16_t> deeper_in(const classfile::ClassFile& one,
                                                             const classfile::ClassFile& other);

class HotSwap {
 public:
  explicit HotSwap(const jvm::Env& env) : env_(env) {}

  // What becomes of a class.
  class Class {
   public:
    // The methods whose own code stays, by name and descriptor.
    [[nodiscard]] const std::set<std::string>& unchanged() const { return unchanged_; }

    // Those of them that have kept their insertions, and their own code in the new class file.
    [[nodiscard]] const std::map<std::string, std::vector<std::uint8_t>>& kept() const {
      return kept_;
    }

    // Whether a method had, before the swap, the same code with an operand stack deeper by so much.
    [[nodiscard]] bool is_any_deeper_by(std::uint16_t words) const {
      return std::ranges::any_of(alike_, [&](const auto& each) { return each.second == words; });
    }

    // Whether frames of that version of a method, whose name and descriptor is `name`, go on to run
    // the own code of the class. A version that was not there before is the one that was replaced.
    [[nodiscard]] bool stays(jmethodID version, const std::string& name) const {
      const auto before = versions_.find(version);
      return before == versions_.end() ? alike_.contains(name) : before->second;
    }

   private:
    friend class HotSwap;

    jvm::GlobalRef<jclass> type_;
    std::vector<std::uint8_t> own_;  // class file, before
    ClassInsertions inserted_;
    bool keeps_ = true;
    std::set<std::string> unchanged_;
    std::map<std::string, std::uint16_t> alike_;  // with how much deeper operand stacks
    std::map<jmethodID, bool> versions_;          // before the swap; whether they stay
    std::map<std::string, std::vector<std::uint8_t>> kept_;
  };

  // Agent threads. `own`: the class file that the class has now, without insertions; `versions`:
  // those that frames run, each with the method of the class that it is shown as.
  void begin(const jvm::Jni& jni, const jvmtiClassDefinition& definition,
             std::vector<std::uint8_t> own, ClassInsertions inserted,
             std::span<const std::pair<jmethodID, jmethodID>> versions);
  // Nothing stays in the class: it is swapped in several steps.
  void keep_nothing(const jvm::Jni& jni, jclass type);

  // Puts more into methods that are not in the map.
  using Completer =
      std::function<void(classfile::ClassFile& file, classfile::MethodInsertions& insertions)>;

  // Any thread: the VM is about to take these bytes for the class. None if they stay as they are.
  [[nodiscard]] std::optional<std::vector<std::uint8_t>> keep(const jvm::Jni& jni, jclass type,
                                                              std::span<const std::uint8_t> bytes,
                                                              const Completer& complete);

  // Any thread; null for a class that is not swapped, or of which nothing is known.
  [[nodiscard]] std::shared_ptr<Class> find(const jvm::Jni& jni, jclass type) const;

  [[nodiscard]] bool is_any_inserted() const;

  // Agent threads.
  void end();

 private:
  const jvm::Env& env_;
  mutable RankedMutex<Rank::kHotSwap> mutex_;
  std::vector<std::shared_ptr<Class>> classes_;
};

}  // namespace jvmdebug::agent::code
