// SPDX-License-Identifier: Apache-2.0
//
// Tells where an exception would be caught, and whether a request may match it there. On the thread
// that throws it.
#pragma once

#include <cstddef>
#include <memory>

#include <jvmti.h>

#include "agent/code/late_environment.h"
#include "agent/events/event_set.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/throws/exception_tables.h"
#include "agent/throws/throw_site.h"

namespace jvmdebug::agent::events {
class RequestTable;
}

namespace jvmdebug::agent::threads {
class ThreadRegistry;
}

namespace jvmdebug::agent::throws {

class ThrowOutlook {
 public:
  // An exception thrown in a frame, and the deepest frame that decides where it is caught.
  struct Thrown {
    events::Occurrence occurrence;
    std::size_t decided_by = 0;
  };

  // Whether one of the ways out of a method may be a throw that a request matches, and the deepest
  // frame that decides it.
  struct Ways {
    bool requested = false;
    std::size_t decided_by = 0;
  };

  ThrowOutlook(const jvm::Env& env, events::RequestTable& requests,
               threads::ThreadRegistry& threads)
      : env_(env), requests_(requests), threads_(threads) {}

  // Called on agent threads: begin() before anything else is asked, forget() when classes have been
  // redefined.
  void begin(const code::LateEnvironment& late);
  void forget();

  // The tables of handlers.
  [[nodiscard]] ExceptionTables& tables() { return *tables_; }

  // Makes the event of an exception that is thrown in a frame.
  [[nodiscard]] Thrown thrown_at(const jvm::Jni& jni, jobject exception, Stack& stack,
                                 std::size_t depth, jlocation index);
  [[nodiscard]] Ways ways(const jvm::Jni& jni, jobject exception, Stack& stack, const Exits& exits);
  // Whether a request may match, as far as that is known. Changes no counts.
  [[nodiscard]] bool may_be_requested(const jvm::Jni& jni, const events::Occurrence& occurrence,
                                      bool is_location_known);

 private:
  const jvm::Env& env_;
  events::RequestTable& requests_;
  threads::ThreadRegistry& threads_;
  std::unique_ptr<ExceptionTables> tables_;
};

}  // namespace jvmdebug::agent::throws
