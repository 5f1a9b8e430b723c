// SPDX-License-Identifier: Apache-2.0
#include "agent/transport/sha256.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

namespace jvmdebug::agent {
namespace {

constexpr std::size_t kBlock = 64;
constexpr std::size_t kRounds = 64;
constexpr std::size_t kLengthSize = 8;

using State = std::array<std::uint32_t, 8>;

// The first 32 bits of the fractional parts of the square roots of the first 8 primes.
constexpr State kFirstState = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

// The same of the cube roots of the first 64 primes.
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

Digest sha256(std::span<const std::uint8_t> message) {
  State state = kFirstState;
  auto rest = message;
  for (; rest.size() >= kBlock; rest = rest.subspan(kBlock)) {
    add_block(state, rest.first(kBlock));
  }
  // What is left, a one bit, zeros, and the length in bits at the end of a block.
  std::vector<std::uint8_t> last(rest.begin(), rest.end());
  last.push_back(0x80);
  const bool has_room = last.size() + kLengthSize <= kBlock;
  last.resize((has_room ? kBlock : 2 * kBlock) - kLengthSize);
  const std::uint64_t bits = std::uint64_t{message.size()} * 8;
  for (unsigned shift = 64; shift > 0; shift -= 8) {
    last.push_back(static_cast<std::uint8_t>(bits >> (shift - 8)));
  }
  for (auto padded = std::span(std::as_const(last)); !padded.empty();
       padded = padded.subspan(kBlock)) {
    add_block(state, padded.first(kBlock));
  }
  Digest digest{};
  for (std::size_t index = 0; index < digest.size(); ++index) {
    digest[index] = static_cast<std::uint8_t>(state[index / 4] >> (24 - 8 * (index % 4)));
  }
  return digest;
}

Digest hmac_sha256(std::span<const std::uint8_t> key, std::span<const std::uint8_t> message) {
  constexpr std::uint8_t kInner = 0x36;
  constexpr std::uint8_t kOuter = 0x5c;
  const Digest short_key = key.size() > kBlock ? sha256(key) : Digest{};
  std::vector<std::uint8_t> inner(key.begin(), key.end());
  if (key.size() > kBlock) {
    inner.assign(short_key.begin(), short_key.end());
  }
  inner.resize(kBlock);
  std::vector<std::uint8_t> outer = inner;
  std::ranges::for_each(inner, [](std::uint8_t& each) { each ^= kInner; });
  std::ranges::for_each(outer, [](std::uint8_t& each) { each ^= kOuter; });
  inner.insert(inner.end(), message.begin(), message.end());
  const Digest inside = sha256(inner);
  outer.insert(outer.end(), inside.begin(), inside.end());
  return sha256(outer);
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
