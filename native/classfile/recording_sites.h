// SPDX-License-Identifier: Apache-2.0
//
// Finds what of a method's code a recording notes, and makes the calls that note it. A site is one
// such record: what happens, where, and with which value. The calls lead to a class of the agent
// (native/agent/java/java/lang/JvmdebugRecorder.java).
//
// A method that is recorded has three more local variables: the thread's recorder, which is null
// where nothing is recorded; the number of the method's first site; and the depth of the frame.
// They get their values where the method begins. What is stored is noted before it is stored, so
// that no other way leads to the call. A handler at the end notes that an exception leaves the
// frame, and throws it again. A method that can only run to its end (leaf_code.h) needs no handler
// and no depth: most of what an accessor costs is its frame.
//
// Not every site has a record of its own, since records are what costs. What has no value, such as
// that a line begins, is told by the record of the next site if nothing can be seen in between
// (straight_code.h); a call is told by the record of its last argument.
//
// The time is noted where threads are put in order (thread_order.h). That is no site: it is the
// same record everywhere.
//
// Nothing is noted in an exception handler that covers its own code, as that of synchronized code
// does: there an error in a call, such as a StackOverflowError, would lead back to the call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/relocation.h"
#include "classfile/rewrite_error.h"
#include "classfile/thread_order.h"

namespace jvmdebug::classfile {

inline constexpr const char* kRecorderClass = "java/lang/JvmdebugRecorder";

struct RecordingSite {
  // The numbers are those of the wire.
  enum class Kind : std::uint8_t {
    kEnter = 1,
    kLine = 2,
    kLocal = 3,
    kObject = 4,
    kIndex = 5,
    kField = 6,
    kElement = 7,
    kExit = 8,
    kThrown = 9,
    kCaught = 10,
    kCall = 11,
    kArgument = 12,
    kReturned = 13,
    kThrows = 14,
  };

  // The record that tells it.
  enum class Join : std::uint8_t {
    kNone = 0,  // its own
    kWithNext = 1,
    kWithPrevious = 2,
  };

  Kind kind = Kind::kEnter;
  Join join = Join::kNone;
  char type = 'V';          // the first character of the value's descriptor
  std::uint16_t index = 0;  // of the instruction
  std::uint16_t detail = 0;
};

// How much is recorded. Each has what the one before has.
enum class RecordingLevel : std::uint8_t {
  kNone = 0,
  kCalls = 1,
  kLines = 2,
  kAll = 3,
};

struct RecordingScope {
  // Whether a class is recorded, by its name: a/b/C. Of the others the calls are.
  std::function<bool(std::string_view name)> is_recorded;
  // Whether recording begins in the method, by name and descriptor.
  std::function<bool(std::string_view method)> is_root;
  // Whether a field is volatile, as far as that is known.
  IsVolatile is_volatile;
};

struct RecordedCode {
  std::vector<RecordingSite> sites;  // in the order of the records; first, the method is entered
  std::vector<Insertion> insertions;
  std::size_t size = 0;  // bytes of the method's code with them
};

// Returns the sites of a method and the code for them. `first`: the number of its first site; it
// changes neither the sites nor the size. `file` gets the constants.
[[nodiscard]] Rewritten<RecordedCode> recorded_code(ClassFile& file, const Method& method,
                                                    RecordingLevel level,
                                                    const RecordingScope& scope,
                                                    std::uint32_t first);

}  // namespace jvmdebug::classfile
