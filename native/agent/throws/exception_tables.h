// SPDX-License-Identifier: Apache-2.0
//
// Finds where an exception that is thrown in some frames will be caught. JVM TI does not give
// exception tables, so they are read from the class files, each class once, and kept. A handler
// that only throws the exception again (finally, synchronized) does not count as catching it; but
// if an outer one catches it, the first handler is named as the place, as the VM does. What cannot
// be read, such as a hidden class, is judged by its code: parts that normal control flow does not
// reach are handlers. Any thread; the lock is not held during calls into the VM.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <jvmti.h>

#include "agent/code/late_environment.h"
#include "agent/events/code_location.h"
#include "agent/events/event_set.h"
#include "agent/jvm/env.h"
#include "agent/locks/ranked_mutex.h"
#include "agent/throws/throw_site.h"
#include "classfile/class_file.h"

namespace jvmdebug::agent::throws {

class ExceptionTables {
 public:
  ExceptionTables(const jvm::Env& env, const code::LateEnvironment& late)
      : env_(env), late_(late) {}

  // The names of the classes of an exception: a/b/C.
  using Names = std::vector<std::string>;

  [[nodiscard]] Names names_of(const jvm::Jni& jni, jthrowable exception) const;

  // Finds where an exception is caught that is thrown in the frame at a depth. Fills in that part
  // of the occurrence, and returns the depth of the deepest frame that decides it.
  std::size_t find_catch(const jvm::Jni& jni, const Names& names, Stack& stack, std::size_t depth,
                         events::Occurrence& thrown);

  // A handler that may throw again what it has caught.
  struct Rethrow {
    std::size_t depth = 0;
    jlocation handler = 0;
    std::vector<jlocation> sites;  // the instructions that throw it again; not empty
  };

  // Returns the first handler for an exception that is thrown in the frame at a depth, if that
  // handler may throw it again.
  [[nodiscard]] std::optional<Rethrow> find_rethrow(const jvm::Jni& jni, const Names& names,
                                                    Stack& stack, std::size_t depth,
                                                    jlocation index);

  // Forgets what it has read, because classes have been redefined.
  void forget();

 private:
  struct Handler {
    std::uint16_t start = 0;
    std::uint16_t end = 0;
    std::uint16_t handler = 0;
    std::string type;                   // the class that it catches; empty for everything
    std::vector<std::uint16_t> throws;  // the instructions that throw the exception again
    bool only_throws = false;           // whether it does nothing else with the exception
  };

  using Handlers = std::vector<Handler>;

  struct Method {
    std::shared_ptr<const jvm::WeakRef> type;  // compared, since the VM reuses ids of methods
    jlocation last_index = 0;                  // of the code to which the handlers belong
    std::shared_ptr<const Handlers> handlers;
  };

  // Whether a frame catches an exception of these classes that is thrown at its location. `first`:
  // set to the first handler for it, if it is not set yet.
  [[nodiscard]] bool is_caught_in(const jvm::Jni& jni, const Names& names,
                                  const jvmtiFrameInfo& frame,
                                  std::optional<events::CodeLocation>& first);
  [[nodiscard]] std::shared_ptr<const Handlers> handlers_of(const jvm::Jni& jni, jmethodID method);
  void read_class(const jvm::Jni& jni, jclass type);
  void guess(const jvm::Jni& jni, jclass type, jmethodID method);
  void keep(jmethodID method, Method found);
  [[nodiscard]] static std::shared_ptr<const Handlers> handlers_in(const classfile::ClassFile& file,
                                                                   const classfile::Code& code);
  [[nodiscard]] const Handler* find(const Handlers& handlers, jlocation index,
                                    const Names& names) const;

  const jvm::Env& env_;
  const code::LateEnvironment& late_;
  RankedMutex<Rank::kExceptionTables> mutex_;
  std::unordered_map<jmethodID, Method> methods_;
};

}  // namespace jvmdebug::agent::throws
