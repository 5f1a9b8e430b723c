// SPDX-License-Identifier: Apache-2.0
//
// Lets memory run out at a chosen moment, on one thread: from then on every allocation of the agent
// fails there. The fake VM is not affected. Works only in a program whose operator new calls
// allocation_fails(), as in the C++ tests (allocation.cpp).
#pragma once

namespace jvmdebug::fake {

// During its lifetime all allocations of this thread fail, except the first `passing`.
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

// During its lifetime allocations of this thread succeed, because the fake VM makes them.
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
