// SPDX-License-Identifier: Apache-2.0
#include "agent/transport/sha256.h"

#include <algorithm>
#include <bit>

namespace jvmdebug::agent {
namespace {

constexpr std::size_t kBlock = 64;
constexpr std::size_t kRounds = 64;

using State = std::array<std::uint32_t, 8>;

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, kRounds> kConstants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t big_endian(std::span<const std::uint8_t> bytes) {
  return std::uint32_t{bytes[0]} << 24U | std::uint32_t{bytes[1]} << 16U |
         std::uint32_t{bytes[2]} << 8U | std::uint32_t{bytes[3]};
}

std::uint32_t mixed(std::uint32_t word, int first, int second, unsigned shift) {
  return std::rotr(word, first) ^ std::rotr(word, second) ^ (word >> shift);
}

std::array<std::uint32_t, kRounds> schedule_of(std::span<const std::uint8_t> block) {
  std::array<std::uint32_t, kRounds> words{};
  for (std::size_t index = 0; index < 16; ++index) {
    words[index] = big_endian(block.subspan(4 * index, 4));
  }
  for (std::size_t index = 16; index < kRounds; ++index) {
    words[index] = words[index - 16] + mixed(words[index - 15], 7, 18, 3) + words[index - 7] +
                   mixed(words[index - 2], 17, 19, 10);
  }
  return words;
}

void add_block(State& state, std::span<const std::uint8_t> block) {
  const auto words = schedule_of(block);
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t round = 0; round < kRounds; ++round) {
    const std::uint32_t sum_of_e = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t chosen = (e & f) ^ (~e & g);
    const std::uint32_t first = h + sum_of_e + chosen + kConstants[round] + words[round];
    const std::uint32_t sum_of_a = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + sum_of_a + majority;
  }
  const State added = {a, b, c, d, e, f, g, h};
  for (std::size_t index = 0; index < state.size(); ++index) {
    state[index] += added[index];
  }
}

}  // namespace

void Sha256::add(std::span<const std::uint8_t> piece) {
  added_ += piece.size();
  while (!piece.empty()) {
    const std::size_t taken = std::min(piece.size(), block_.size() - used_);
    std::ranges::copy(piece.first(taken), block_.begin() + static_cast<std::ptrdiff_t>(used_));
    used_ += taken;
    piece = piece.subspan(taken);
    if (used_ == block_.size()) {
      add_block(state_, block_);
      used_ = 0;
    }
  }
}

Digest Sha256::finish() {
  // A one bit, zeros, and the length in bits at the end of a block.
  constexpr std::size_t kLengthSize = 8;
  const std::uint64_t bits = added_ * 8;
  block_[used_++] = 0x80;
  if (used_ + kLengthSize > block_.size()) {
    std::fill(block_.begin() + static_cast<std::ptrdiff_t>(used_), block_.end(), std::uint8_t{0});
    add_block(state_, block_);
    used_ = 0;
  }
  std::fill(block_.begin() + static_cast<std::ptrdiff_t>(used_), block_.end(), std::uint8_t{0});
  for (std::size_t index = 0; index < kLengthSize; ++index) {
    block_[block_.size() - 1 - index] = static_cast<std::uint8_t>(bits >> (8 * index));
  }
  add_block(state_, block_);
  Digest digest{};
  for (std::size_t index = 0; index < digest.size(); ++index) {
    digest[index] = static_cast<std::uint8_t>(state_[index / 4] >> (24 - 8 * (index % 4)));
  }
  return digest;
}

HmacSha256::HmacSha256(std::span<const std::uint8_t> key) {
  constexpr std::uint8_t kInner = 0x36;
  constexpr std::uint8_t kOuter = 0x5c;
  std::array<std::uint8_t, kBlock> block{};
  if (key.size() > kBlock) {
    Sha256 hash;
    hash.add(key);
    std::ranges::copy(hash.finish(), block.begin());
  } else {
    std::ranges::copy(key, block.begin());
  }
  std::array<std::uint8_t, kBlock> padded{};
  std::ranges::transform(block, padded.begin(), [](std::uint8_t each) { return each ^ kInner; });
  inner_.add(padded);
  std::ranges::transform(block, padded.begin(), [](std::uint8_t each) { return each ^ kOuter; });
  outer_.add(padded);
}

Digest HmacSha256::finish() {
  outer_.add(inner_.finish());
  return outer_.finish();
}

bool equal_in_constant_time(std::span<const std::uint8_t> left,
                            std::span<const std::uint8_t> right) {
  if (left.size() != right.size()) {
    return false;
  }
  unsigned difference = 0;
  for (std::size_t index = 0; index < left.size(); ++index) {
    difference |= static_cast<unsigned>(left[index] ^ right[index]);
  }
  return difference == 0;
}

}  // namespace jvmdebug::agent
