// SPDX-License-Identifier: Apache-2.0
//
// The numbers of HPROF that the agent writes. See native/heap/records.h, which reads them.
#pragma once

#include <cstdint>

namespace jvmdebug::agent::heap {

inline constexpr std::uint32_t kIdSize = 8;   // bytes
inline constexpr std::uint32_t kNoTrace = 0;  // the stack trace of objects without one

}  // namespace jvmdebug::agent::heap

namespace jvmdebug::agent::heap::tags {

inline constexpr std::uint8_t kLoadClass = 0x02;
inline constexpr std::uint8_t kFrame = 0x04;
inline constexpr std::uint8_t kTrace = 0x05;
inline constexpr std::uint8_t kStartThread = 0x0A;
inline constexpr std::uint8_t kSegment = 0x1C;

inline constexpr std::uint8_t kRootUnknown = 0xFF;
inline constexpr std::uint8_t kRootJniGlobal = 0x01;
inline constexpr std::uint8_t kRootJniLocal = 0x02;
inline constexpr std::uint8_t kRootFrame = 0x03;
inline constexpr std::uint8_t kRootSystemClass = 0x05;
inline constexpr std::uint8_t kRootMonitor = 0x07;
inline constexpr std::uint8_t kRootThread = 0x08;
inline constexpr std::uint8_t kRootSlot = 0xF3;  // ours, only in dumps of references

inline constexpr std::uint8_t kClass = 0x20;
inline constexpr std::uint8_t kInstance = 0x21;
inline constexpr std::uint8_t kObjectArray = 0x22;
inline constexpr std::uint8_t kPrimitiveArray = 0x23;
inline constexpr std::uint8_t kArrayWithoutContents = 0xC3;  // only in dumps of references

}  // namespace jvmdebug::agent::heap::tags
