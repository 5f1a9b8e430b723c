// SPDX-License-Identifier: Apache-2.0
//
// The numbers of HPROF: records, and the parts of the heap's records. Our agent writes those that
// are marked as ours only for its own use, never to a file for other tools.
#pragma once

#include <cstdint>

namespace jvmdebug::heap::tags {

// Records.
inline constexpr std::uint8_t kText = 0x01;
inline constexpr std::uint8_t kLoadClass = 0x02;
inline constexpr std::uint8_t kFrame = 0x04;
inline constexpr std::uint8_t kTrace = 0x05;
inline constexpr std::uint8_t kStartThread = 0x0A;
inline constexpr std::uint8_t kHeap = 0x0C;
inline constexpr std::uint8_t kHeapSegment = 0x1C;
inline constexpr std::uint8_t kHeapEnd = 0x2C;  // behind the last segment

// Roots in a record of the heap.
inline constexpr std::uint8_t kRootUnknown = 0xFF;
inline constexpr std::uint8_t kRootJniGlobal = 0x01;
inline constexpr std::uint8_t kRootJniLocal = 0x02;
inline constexpr std::uint8_t kRootFrame = 0x03;
inline constexpr std::uint8_t kRootNativeStack = 0x04;
inline constexpr std::uint8_t kRootSystemClass = 0x05;
inline constexpr std::uint8_t kRootThreadBlock = 0x06;
inline constexpr std::uint8_t kRootMonitor = 0x07;
inline constexpr std::uint8_t kRootThread = 0x08;
inline constexpr std::uint8_t kRootSlot =
    0xF3;  // ours: a frame's root with the slot of the variable

// Objects in a record of the heap.
inline constexpr std::uint8_t kClass = 0x20;
inline constexpr std::uint8_t kInstance = 0x21;
inline constexpr std::uint8_t kObjectArray = 0x22;
inline constexpr std::uint8_t kPrimitiveArray = 0x23;
inline constexpr std::uint8_t kArrayWithoutContents = 0xC3;  // of primitives; Android writes it too

}  // namespace jvmdebug::heap::tags
