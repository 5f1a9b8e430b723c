// SPDX-License-Identifier: Apache-2.0
//
// The operator new of the agent's tests: it throws where a test has memory run out. See
// fake_vm/failures.h.
#include <cstddef>
#include <cstdlib>
#include <new>

#include "tests/fake_vm/failures.h"

// NOLINTBEGIN(cppcoreguidelines-no-malloc, cppcoreguidelines-owning-memory): this is operator new

void* operator new(std::size_t size) {
  if (!jvmdebug::fake::allocation_fails()) {
    if (void* const memory = std::malloc(size == 0 ? 1 : size)) {
      return memory;
    }
  }
  throw std::bad_alloc();
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}

// NOLINTEND(cppcoreguidelines-no-malloc, cppcoreguidelines-owning-memory)
