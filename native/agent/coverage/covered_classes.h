// SPDX-License-Identifier: Apache-2.0
//
// The class files that have flags, each with its sites and the range of its flags. A class file
// that several class loaders have loaded is one of them: they share its flags. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "agent/coverage/flag_blocks.h"
#include "agent/coverage/flag_stores.h"
#include "agent/locks/ranked_mutex.h"
#include "classfile/class_file.h"

namespace jvmdebug::agent::coverage {

struct CoveredClass {
  std::string name;  // a/b/C
  std::vector<std::uint8_t> class_file;
  ClassSites sites;
  FlagRange range;
};

class CoveredClasses {
 public:
  explicit CoveredClasses(FlagBlocks& blocks) : blocks_(blocks) {}

  // Returns the class file, which is added if it is not there yet. Null if there are no flags left.
  // `file` must be as it was read.
  [[nodiscard]] std::shared_ptr<const CoveredClass> of(const classfile::ClassFile& file,
                                                       bool has_branches);
  // Returns those from a number on, in the order in which they were added.
  [[nodiscard]] std::vector<std::shared_ptr<const CoveredClass>> from(std::size_t number) const;

  // Notes that a class or a method has no flags: a/b/C, or a/b/C.method(I)V.
  void leave_out(std::string name, std::string why);
  // Notes that it has some, after all.
  void take_in(const std::string& name);
  // Forgets what earlier runs have left out.
  void begin_run();
  [[nodiscard]] std::map<std::string, std::string> left_out() const;

 private:
  using Key = std::pair<std::string, std::uint64_t>;

  FlagBlocks& blocks_;
  mutable RankedMutex<Rank::kProbes> mutex_;
  std::vector<std::shared_ptr<const CoveredClass>> all_;
  std::map<Key, std::shared_ptr<const CoveredClass>> by_content_;
  std::map<std::string, std::string> left_out_;
};

}  // namespace jvmdebug::agent::coverage
