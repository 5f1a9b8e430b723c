// SPDX-License-Identifier: Apache-2.0
//
// The class files of probes: the class that checks call when the debugger is to hear of a hit, and
// a class of the program with calls of checks in its methods. Knows bytes and no VM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/rewrite_error.h"

namespace jvmdebug::agent::probes {

// In java.lang, which every class may use. What checks call where they hold, see main.cpp for the
// native methods:
//   native void hit(int number, int outcome, long count)     the thread goes on, and stops behind
//   native void store(int number, int index, long bits, Object reference)
//                                                            the same, with what an instruction is
//                                                            about to store into an array
//   native Object[] given()                                  to the class of a check that is
//                                                            initialized: given_objects.h
//   native void write(int number, int outcome, long count, Object object, long bits,
//                     Object reference)      as hit, with what is about to be written to a field
//   void stop(int number, int outcome, long count, Object[] references, long[] others)
//                                                            the thread stays in here
//   void arrive()      behind all checks that are in front of one instruction: it stays in here for
//                      those that stop() has let pass
// stop() asks enter() whether the thread is to wait in Java, parked, and then waits() whether
// still; arrive() asks arrived().
inline constexpr const char* kProbesClass = "java/lang/JvmdebugProbes";
inline constexpr const char* kStoreDescriptor = "(IIJLjava/lang/Object;)V";
inline constexpr const char* kWriteDescriptor = "(IIJLjava/lang/Object;JLjava/lang/Object;)V";
inline constexpr const char* kStopDescriptor = "(IIJ[Ljava/lang/Object;[J)V";

// How many frames are above the one of the program while hit(), store() or write() runs: hit, c; or
// enter, stop, c.
inline constexpr std::size_t kCheckFrames = 2;
inline constexpr std::size_t kStopFrames = 3;
// Or arrived, arrive.
inline constexpr std::size_t kArriveFrames = 2;

// What enter() and arrived() say: go on; wait; go on, and arrive() has something to report.
inline constexpr int kGoOn = 0;
inline constexpr int kWait = 1;
inline constexpr int kArrive = 2;

// The number, in the code, of what calls arrive().
inline constexpr std::uint16_t kArrival = 0;

// The ring of log points, see log_ring.h: static final long[] values and published, Object[]
// objects, AtomicLong head and tail, made when the class is initialized.
inline constexpr const char* kLogClass = "java/lang/JvmdebugProbeLog";
inline constexpr const char* kLongArray = "[J";
inline constexpr const char* kObjectArray = "[Ljava/lang/Object;";
inline constexpr const char* kCounterType = "Ljava/util/concurrent/atomic/AtomicLong;";

// Its arrays have two to the power of this many elements.
inline constexpr std::uint8_t kLogSizePower = 18;

// Which threads are in a check that calls methods of the program, see check_guard.h: static int
// calling, static final ThreadLocal running.
inline constexpr const char* kGuardClass = "java/lang/JvmdebugCheckGuard";
inline constexpr const char* kThreadLocalType = "Ljava/lang/ThreadLocal;";

// What a check takes: a local variable, or the value on top of the operand stack, which stays
// there. That one is the first argument. Or array, index and value of an instruction that stores
// into an array, as the first three; or object and value of one that writes a field, as the first
// two.
struct Load {
  char type = 'I';         // I J F D A, kArrayStore or kFieldStore
  std::uint16_t slot = 0;  // of the last two: the type of the value, I J F D A
};

inline constexpr char kArrayStore = 'E';
inline constexpr char kFieldStore = 'P';

inline constexpr std::uint16_t kOperand = UINT16_MAX;  // in place of a slot: none has that number

// A call of a check in front of an instruction of a method.
struct CheckCall {
  std::uint16_t number = 0;
  std::string method;  // name and descriptor
  std::size_t index = 0;
  std::string check;  // a/b/C
  std::string descriptor;
  std::vector<Load> loads;
  // The method's code when the call was put into it first; filled then. The index has no meaning in
  // another code: there the call is left out.
  std::vector<std::uint8_t> code;
};

// Whether a check may come to other code than that of the agent; true when in doubt.
[[nodiscard]] bool calls_others(std::span<const std::uint8_t> class_file);

// The class of a check, which does nothing any more.
[[nodiscard]] classfile::Rewritten<std::vector<std::uint8_t>> silent_check(
    std::span<const std::uint8_t> class_file);

// Adds the calls. With `joins`, several calls in front of one instruction are followed by one of
// arrive(). Returns why some are left out; empty if none is.
[[nodiscard]] classfile::Rewritten<std::string> add_calls(classfile::ClassFile& file,
                                                          std::span<CheckCall* const> calls,
                                                          bool joins,
                                                          classfile::MethodInsertions& insertions);

}  // namespace jvmdebug::agent::probes
