// SPDX-License-Identifier: Apache-2.0
//
// Where an exception that is thrown in some frames will be caught. JVM TI does not give exception
// tables: they are read from the class files, each class once, and kept. A handler that only
// throws the exception again (finally, synchronized) does not catch it, but if another one does, it
// is named, as the VM names it. What cannot be read, such
// as a hidden class, is judged by its code: what normal control flow does not reach handles
// exceptions. On any thread; takes its lock over no call into the VM.
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

  // The classes of an exception, by name: a/b/C.
  using Names = std::vector<std::string>;

  [[nodiscard]] Names names_of(const jvm::Jni& jni, jthrowable exception) const;

  // Where an exception is caught that is thrown in the frame at a depth: fills in that part of the
  // occurrence, and gives the depth of the deepest frame that decides it.
  std::size_t find_catch(const jvm::Jni& jni, const Names& names, Stack& stack, std::size_t depth,
                         events::Occurrence& thrown);

  // A handler that may throw what it has caught again.
  struct Rethrow {
    std::size_t depth = 0;
    jlocation handler = 0;
    std::vector<jlocation> sites;  // of the instructions that do; not empty
  };

  // The handler to which an exception goes first that is thrown in the frame at a depth, if it may
  // throw that again.
  [[nodiscard]] std::optional<Rethrow> find_rethrow(const jvm::Jni& jni, const Names& names,
                                                    Stack& stack, std::size_t depth,
                                                    jlocation index);

  // Classes have been redefined.
  void forget();

 private:
  struct Handler {
    std::uint16_t start = 0;
    std::uint16_t end = 0;
    std::uint16_t handler = 0;
    std::string type;                   // empty: everything
    std::vector<std::uint16_t> throws;  // where it throws it again
    bool only_throws = false;           // and does nothing else with it
  };

  using Handlers = std::vector<Handler>;

  struct Method {
    std::shared_ptr<const jvm::WeakRef> type;  // ids of methods are used again for other classes
    jlocation last_index = 0;                  // of the code that the handlers belong to
    std::shared_ptr<const Handlers> handlers;
  };

  // Where a frame catches an exception of these classes that is thrown there, or in what it calls.
  // `first`: the handler to which it goes, if there is none yet.
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
