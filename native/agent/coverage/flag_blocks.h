// SPDX-License-Identifier: Apache-2.0
//
// The flags: byte arrays in static final fields of classes that the agent defines in java.lang,
// each of the same size. Compiled code stores a flag without loading the field or checking an
// index. The classes are defined in advance, because none is defined while the VM loads another
// class.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/locks/ranked_mutex.h"

namespace jvmdebug::agent::coverage {

// A range of flags in one block.
struct FlagRange {
  std::size_t block = 0;
  std::size_t first = 0;
  std::size_t count = 0;
};

class FlagBlocks {
 public:
  static constexpr std::size_t kSize = std::size_t{1} << 15U;  // flags of a block
  static constexpr std::size_t kMost = 10'000;                 // as many as the names have numbers
  static constexpr const char* kField = "FLAGS";

  explicit FlagBlocks(const jvm::Env& env) : env_(env) {}

  // Returns the name of the class of a block: a/b/C.
  [[nodiscard]] static std::string class_name(std::size_t block);

  // Defines blocks until so many flags are free, and returns whether there are. Agent threads,
  // which wait for each other.
  [[nodiscard]] bool provide(const jvm::Jni& jni, std::size_t flags);
  // Takes a range that nothing has had; none if there is no room. Any thread.
  [[nodiscard]] std::optional<FlagRange> take(std::size_t count);
  // The number of flags that are free. Any thread.
  [[nodiscard]] std::size_t free() const;
  // Returns the flags of a block. `reset`: clears those that it returns, and no others, which the
  // program may set meanwhile. Agent threads.
  [[nodiscard]] std::vector<std::int8_t> read(const jvm::Jni& jni, std::size_t block,
                                              bool reset) const;
  void clear(const jvm::Jni& jni, std::size_t block) const;
  // The number of blocks. Any thread.
  [[nodiscard]] std::size_t count() const;

 private:
  [[nodiscard]] bool define(const jvm::Jni& jni);
  [[nodiscard]] jbyteArray array(std::size_t block) const;

  const jvm::Env& env_;
  std::atomic<bool> is_providing_ = false;  // not a lock: classes are defined meanwhile
  mutable RankedMutex<Rank::kProbes> mutex_;
  std::vector<jvm::GlobalRef<jbyteArray>> arrays_;  // live as long as the agent
  std::size_t block_ = 0;                           // the first one with free flags
  std::size_t used_ = 0;                            // flags of it
};

}  // namespace jvmdebug::agent::coverage
