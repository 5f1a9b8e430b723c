// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: what a hot swap does to methods whose own code stays the same.
//
// A class that the agent has changed contains two things: the program's own code, and the
// insertions of the agent. The debugger swaps the own code only. It sends a class file without
// insertions, and does not know that there are any.
//
// What HotSpot does: RedefineClasses compares each method of the new class file with the one that
// runs (MethodComparator). It looks at the instructions, the values of the constants that they use,
// the number of locals and the depth of the operand stack; not at the numbers of the constants, at
// line tables or at handlers. Two equal methods count as the same version (EMCP, "equivalent modulo
// constant pool"): frames of the method go on as frames of the new version, with its line table.
// Otherwise the old version becomes obsolete: the debugger learns only that its frames run code
// that is gone, without a name, lines or variables.
//
// So each swap of a class would make its methods with insertions obsolete, whether or not it
// changes them, because the new class file lacks the insertions. The same is true of methods whose
// operand stack the agent has made deeper (up to JDK 16 those are all methods of a class with
// probes). This class prevents that in two ways:
//
// 1. The insertions stay. While the VM redefines a class, the agent's hook sees the new class file
//    last. It puts the insertions that run now into each method whose own code stays the same, so
//    that HotSpot finds the two methods equal. Methods that change come without insertions.
// 2. Where that is not possible, and for frames that ran an older version before the swap, the
//    agent knows that the own code of the frame is still that of the class. It shows these frames
//    as frames of the current method, as it does after each change of its own (code_versions.h),
//    and does not tell the debugger that they are obsolete.
//
// The first way is not possible where a swap takes several steps, because one step would replace
// all methods of the class (redefinitions.h). Each step replaces most methods, so keeping
// insertions would gain nothing.
//
// What is known of a class:
//
// - Its own class file before the swap: what the VM and all other agents give for it when it is
//   retransformed. It is read once for each swap, and only for classes that were changed before;
//   others have no insertions and no older versions.
// - What the agent has put into each method (ClassInsertions), recorded by the hook when it makes
//   the code. Insertions are kept with the names of what they call (PortableInsertion), because the
//   new class file numbers its constants differently.
// - The new own class file, as the debugger sends it. Other agents may change it before the hook
//   sees it, so the hook compares what it sees, and the methods that it kept count.
//
// A method's own code "stays" only if is_same_code() is certain of it. In case of doubt, the method
// counts as changed, and its frames as frames of old code.
//
// States of a swap:
//
//     (none) --begin()--> begun --keep(), from the hook--> begun --end()--> (none)
//
// begin() may be called for several classes: they are swapped together, all of them or none. A swap
// that the VM refuses leaves nothing behind: end() drops what keep() has noted. The clients of
// CodeChanges decide what becomes of the calls that were kept: ProbeCalls silences their checks,
// since the requests end with the swap, and takes the calls out once no thread runs the method.
//
// Invariants:
//
// - A method is kept only with the code, the locals and the stack depth that run now; else HotSpot
//   would make another version of it, which the second way then shows.
// - Nothing is kept of a method that changes: the places of its insertions mean nothing in the new
//   code.
// - The rule that no change replaces all methods of a class (older_versions.h) does not rely on
//   kept methods, only on unchanged methods without insertions.
//
// Threads: begin() and end() are for agent threads, one redefinition at a time. keep() may run on
// any thread, because other agents change classes too; it keeps nothing for a class that is not
// being swapped. The list of classes has a lock of its own.
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

// Returns by how many words to make the operand stack of a method deeper so that a swap gives it a
// new version. `now`: by how many words it is deeper than in the new class file. Probes add up to
// five words to either depth, so none of them turns one depth into the other.
[[nodiscard]] constexpr std::uint16_t other_depth(std::uint16_t now) {
  constexpr std::uint16_t kOther = 17;
  return now == kSwapDepth ? kOther : kSwapDepth;
}

// Returns the methods, by name and descriptor, whose code is the same in both class files, and by
// how many words their operand stack is deeper in the first one.
[[nodiscard]] std::map<std::string, std::uint16_t> deeper_in(const classfile::ClassFile& one,
                                                             const classfile::ClassFile& other);

class HotSwap {
 public:
  explicit HotSwap(const jvm::Env& env) : env_(env) {}

  // What is known of a class during a swap, and what becomes of its methods.
  class Class {
   public:
    // Returns the methods whose own code stays, by name and descriptor.
    [[nodiscard]] const std::set<std::string>& unchanged() const { return unchanged_; }

    // Returns the methods that have kept their insertions, with their own code in the new class
    // file.
    [[nodiscard]] const std::map<std::string, std::vector<std::uint8_t>>& kept() const {
      return kept_;
    }

    // Whether a method had the same code before the swap, with an operand stack deeper by so much.
    [[nodiscard]] bool is_any_deeper_by(std::uint16_t words) const {
      return std::ranges::any_of(alike_, [&](const auto& each) { return each.second == words; });
    }

    // Whether frames of a version still run the own code of the class's method `name` (name and
    // descriptor) after the swap. A version that was not noted before is the one that was replaced.
    [[nodiscard]] bool stays(jmethodID version, const std::string& name) const {
      const auto before = versions_.find(version);
      return before == versions_.end() ? alike_.contains(name) : before->second;
    }

   private:
    friend class HotSwap;

    jvm::GlobalRef<jclass> type_;
    std::vector<std::uint8_t> own_;  // the class file before the swap
    ClassInsertions inserted_;
    bool keeps_ = true;
    std::set<std::string> unchanged_;
    std::map<std::string, std::uint16_t> alike_;  // by how many words operand stacks were deeper
    std::map<jmethodID, bool> versions_;          // noted before the swap: whether they stay
    std::map<std::string, std::vector<std::uint8_t>> kept_;
  };

  // Begins the swap of a class. `own`: its class file before, without insertions; `versions`: those
  // that frames run, each with the method of the class that it is shown as. Agent threads.
  void begin(const jvm::Jni& jni, const jvmtiClassDefinition& definition,
             std::vector<std::uint8_t> own, ClassInsertions inserted,
             std::span<const std::pair<jmethodID, jmethodID>> versions);
  // Keeps no insertions in the class, because it is swapped in several steps.
  void keep_nothing(const jvm::Jni& jni, jclass type);

  // Adds insertions to methods that are not in the map yet.
  using Completer =
      std::function<void(classfile::ClassFile& file, classfile::MethodInsertions& insertions)>;

  // Returns the class file to take in place of these bytes, which the VM is about to take for the
  // class; none if they are right as they are. Any thread.
  [[nodiscard]] std::optional<std::vector<std::uint8_t>> keep(const jvm::Jni& jni, jclass type,
                                                              std::span<const std::uint8_t> bytes,
                                                              const Completer& complete);

  // Returns null for a class that is not being swapped, or of which nothing is known. Any thread.
  [[nodiscard]] std::shared_ptr<Class> find(const jvm::Jni& jni, jclass type) const;

  [[nodiscard]] bool is_any_inserted() const;

  // Ends the swap and forgets its classes. Agent threads.
  void end();

 private:
  const jvm::Env& env_;
  mutable RankedMutex<Rank::kHotSwap> mutex_;
  std::vector<std::shared_ptr<Class>> classes_;
};

}  // namespace jvmdebug::agent::code
