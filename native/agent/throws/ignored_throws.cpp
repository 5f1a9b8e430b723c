// SPDX-License-Identifier: Apache-2.0
#include "agent/throws/ignored_throws.h"

#include <bit>

#include "agent/throws/throw_site.h"

namespace jvmdebug::agent::throws {
namespace {

// The number of frames that a cached decision has at most.
constexpr std::size_t kMostFrames = 128;

// The finalizer of MurmurHash3: each bit of the value changes half of the bits of the result.
std::uint64_t mixed(std::uint64_t value) {
  value ^= value >> 33U;
  value *= 0xff51afd7ed558ccdULL;
  value ^= value >> 33U;
  value *= 0xc4ceb9fe1a85ec53ULL;
  return value ^ (value >> 33U);
}

std::uint64_t initial(IgnoredThrows::Generation generation, std::uint32_t type_hash) {
  return mixed(mixed(generation) + type_hash);
}

std::uint64_t with(std::uint64_t hash, const jvmtiFrameInfo& frame) {
  const auto location = static_cast<std::uint64_t>(frame.location);
  return mixed(mixed(hash + std::bit_cast<std::uintptr_t>(frame.method)) + location);
}

// Distinguishes a stack that ends here from one with further frames.
std::uint64_t ended(std::uint64_t hash) {
  return mixed(hash + 1);
}

// Returns the hash for the table, where 0 marks a free entry.
std::uint64_t key(std::uint64_t hash) {
  return hash == 0 ? 1 : hash;
}

}  // namespace

bool IgnoredThrows::contains(Generation generation, std::uint32_t type_hash, Stack& stack,
                             std::size_t first) {
  std::uint64_t hash = initial(generation, type_hash);
  for (std::size_t depth = first; depth < first + kMostFrames; ++depth) {
    const jvmtiFrameInfo* const frame = stack.at(depth);
    if (frame == nullptr) {
      return has(ended(hash));
    }
    hash = with(hash, *frame);
    if (has(hash)) {
      return true;
    }
  }
  return false;
}

void IgnoredThrows::add(Generation generation, std::uint32_t type_hash, Stack& stack,
                        std::size_t first, std::size_t last) {
  if (last - first >= kMostFrames) {
    return;
  }
  std::uint64_t hash = initial(generation, type_hash);
  for (std::size_t depth = first; depth <= last; ++depth) {
    const jvmtiFrameInfo* const frame = stack.at(depth);
    if (frame == nullptr) {
      hash = ended(hash);
      break;
    }
    hash = with(hash, *frame);
  }
  const std::uint64_t wanted = key(hash);
  for (std::size_t attempt = 0; attempt < kTries; ++attempt) {
    std::uint64_t free = 0;
    auto& entry = hashes_[(wanted + attempt) % kSize];
    if (entry.compare_exchange_strong(free, wanted, std::memory_order_relaxed) || free == wanted) {
      return;
    }
  }
  // Replaces another entry, perhaps of an earlier generation. The hash alone selects it.
  hashes_[(wanted + (wanted >> 32U) % kTries) % kSize].store(wanted, std::memory_order_relaxed);
}

bool IgnoredThrows::has(std::uint64_t hash) const {
  const std::uint64_t wanted = key(hash);
  for (std::size_t attempt = 0; attempt < kTries; ++attempt) {
    if (hashes_[(wanted + attempt) % kSize].load(std::memory_order_relaxed) == wanted) {
      return true;
    }
  }
  return false;
}

}  // namespace jvmdebug::agent::throws
