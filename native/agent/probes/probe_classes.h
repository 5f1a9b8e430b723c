// SPDX-License-Identifier: Apache-2.0
//
// The class files of probes: the class that checks call when they hit, and classes of the program
// with calls of checks in their methods. Knows bytes and no VM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/rewrite_error.h"

namespace jvmdebug::agent::probes {

// The class that checks call when they hold. It is in java.lang, which every class may use; its
// source is native/agent/java/java/lang/JvmdebugProbes.java. main.cpp has its native methods:
//
//   void hit(int number, int outcome, long count)   a hit: the thread goes on, and stops behind the
//                                                   check
//   void store(int number, int index, long bits, Object reference)
//                                                   the same, with what an instruction is about to
//                                                   store into an array
//   void write(int number, int outcome, long count, Object object, long bits, Object reference)
//                                                   the same, with what is about to be written to a
//                                                   field
//   Object[] given()                                what the class of a check is given while it is
//                                                   initialized: given_objects.h
//
// Where the VM reports no breakpoints, checks call methods in which the thread stays:
//
//   void stop(int number, int outcome, long count, Object[] references, long[] others)
//                                                   a hit
//   void arrive()                                   called behind all checks in front of one
//                                                   instruction, for the hits that stop() let pass
//
// stop() calls the native method enter(), and arrive() calls arrived(). A virtual thread that has
// to wait parks in Java, and calls waits() to ask whether it has to wait on.
inline constexpr const char* kProbesClass = "java/lang/JvmdebugProbes";
inline constexpr const char* kStoreDescriptor = "(IIJLjava/lang/Object;)V";
inline constexpr const char* kWriteDescriptor = "(IIJLjava/lang/Object;JLjava/lang/Object;)V";
inline constexpr const char* kStopDescriptor = "(IIJ[Ljava/lang/Object;[J)V";

// The number of frames above the frame of the program while hit(), store() or write() runs: that
// method, and the check's method c().
inline constexpr std::size_t kCheckFrames = 2;
// The same while enter() runs: enter(), stop() and c().
inline constexpr std::size_t kStopFrames = 3;
// The same while arrived() runs: arrived() and arrive().
inline constexpr std::size_t kArriveFrames = 2;

// What enter() and arrived() return: go on; wait; go on, and arrive() has something to report.
inline constexpr int kGoOn = 0;
inline constexpr int kWait = 1;
inline constexpr int kArrive = 2;

// The number that calls of arrive() have in the code.
inline constexpr std::uint16_t kArrival = 0;

// The class of the ring of log points, see log_ring.h. Its static field `ring` has the ring or
// null. The fields of a ring: long[] values and published, Object[] objects, AtomicLong head and
// tail.
inline constexpr const char* kLogClass = "java/lang/JvmdebugProbeLog";
inline constexpr const char* kRingType = "Ljava/lang/JvmdebugProbeLog;";
inline constexpr const char* kLongArray = "[J";
inline constexpr const char* kObjectArray = "[Ljava/lang/Object;";
inline constexpr const char* kCounterClass = "java/util/concurrent/atomic/AtomicLong";
inline constexpr const char* kCounterType = "Ljava/util/concurrent/atomic/AtomicLong;";

// The arrays of the ring have two to the power of this many elements.
inline constexpr std::uint8_t kLogSizePower = 18;

// The class that knows which threads are in a check that calls methods of the program, see
// check_guard.h. Its fields: static int calling, static final ThreadLocal running.
inline constexpr const char* kGuardClass = "java/lang/JvmdebugCheckGuard";
inline constexpr const char* kThreadLocalType = "Ljava/lang/ThreadLocal;";

// An argument of a check: a local variable, or the value on top of the operand stack, which stays
// there and is the first argument. For an instruction that stores into an array, the first three
// arguments are array, index and value; for one that writes a field, the first two are object and
// value.
struct Load {
  char type = 'I';         // I J F D A, kArrayStore or kFieldStore
  std::uint16_t slot = 0;  // for kArrayStore and kFieldStore: the type of the value, I J F D A
};

inline constexpr char kArrayStore = 'E';
inline constexpr char kFieldStore = 'P';

inline constexpr std::uint16_t kOperand = UINT16_MAX;  // in place of a slot number

// A call of a check in front of an instruction of a method.
struct CheckCall {
  std::uint16_t number = 0;
  std::string method;  // name and descriptor
  std::size_t index = 0;
  std::string check;  // a/b/C
  std::string descriptor;
  std::vector<Load> loads;
  // The method's code when the call was first put into it, noted then. The index means nothing in
  // other code, so the call is left out there.
  std::vector<std::uint8_t> code;
};

// Whether a check may call code that is not the agent's. True in case of doubt.
[[nodiscard]] bool calls_others(std::span<const std::uint8_t> class_file);

// Returns the class file of a check with a method that does nothing.
[[nodiscard]] classfile::Rewritten<std::vector<std::uint8_t>> silent_check(
    std::span<const std::uint8_t> class_file);

// Adds the calls. With `joins`, several calls in front of one instruction are followed by a call of
// arrive(). Returns why some calls are left out, or an empty text.
[[nodiscard]] classfile::Rewritten<std::string> add_calls(classfile::ClassFile& file,
                                                          std::span<CheckCall* const> calls,
                                                          bool joins,
                                                          classfile::MethodInsertions& insertions);

}  // namespace jvmdebug::agent::probes
