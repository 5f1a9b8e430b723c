// SPDX-License-Identifier: Apache-2.0
//
// Memory that runs out at a chosen moment, on one thread: from then on every allocation of the
// agent fails there. The fake VM has its own memory. Takes effect only in a program that replaces
// operator new by one that asks allocation_fails(), as the C++ tests do (allocation.cpp).
#pragma once

namespace jvmdebug::fake {

// While this lives, all allocations of this thread fail but for the first `passing`.
class OutOfMemory {
 public:
  explicit OutOfMemory(int passing);
  OutOfMemory(const OutOfMemory&) = delete;
  OutOfMemory& operator=(const OutOfMemory&) = delete;
  OutOfMemory(OutOfMemory&&) = delete;
  OutOfMemory& operator=(OutOfMemory&&) = delete;
  ~OutOfMemory();

  // Whether an allocation has failed.
  [[nodiscard]] static bool happened();
};

// While this lives, allocations of this thread succeed: they are the fake VM's.
class OwnMemory {
 public:
  OwnMemory();
  OwnMemory(const OwnMemory&) = delete;
  OwnMemory& operator=(const OwnMemory&) = delete;
  OwnMemory(OwnMemory&&) = delete;
  OwnMemory& operator=(OwnMemory&&) = delete;
  ~OwnMemory();
};

[[nodiscard]] bool allocation_fails() noexcept;

}  // namespace jvmdebug::fake
