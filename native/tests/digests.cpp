// SPDX-License-Identifier: Apache-2.0
//
// Reads lines of two hexadecimal words from the standard input, a key and a message, and prints for
// each the SHA-256 of the message and its HMAC-SHA-256. Run by compare_digests.py.
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "agent/transport/sha256.h"

namespace {

using jvmdebug::agent::HmacSha256;
using jvmdebug::agent::Sha256;

// `text` has two digits for each byte; `-` has none.
std::vector<std::uint8_t> bytes_of(const std::string& text) {
  constexpr int kBase = 16;
  std::vector<std::uint8_t> bytes;
  for (std::size_t index = 0; index + 1 < text.size(); index += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoi(text.substr(index, 2), nullptr, kBase)));
  }
  return bytes;
}

void print(std::span<const std::uint8_t> digest, char end) {
  for (const unsigned each : digest) {
    std::printf("%02x", each);
  }
  std::printf("%c", end);
}

}  // namespace

int main() {
  std::string key;
  std::string message;
  while (std::cin >> key >> message) {
    const auto bytes = bytes_of(message);
    Sha256 hash;
    hash.add(bytes);
    HmacSha256 code(bytes_of(key));
    code.add(bytes);
    print(hash.finish(), ' ');
    print(code.finish(), '\n');
  }
  return 0;
}
