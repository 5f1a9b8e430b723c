// SPDX-License-Identifier: Apache-2.0
//
// The token of a debugger: the hash, the dialog, and how long a peer waits that has failed.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "agent/transport/greeting_dialog.h"
#include "agent/transport/sha256.h"
#include "agent/transport/token_gate.h"

namespace jvmdebug::agent {
namespace {

using State = GreetingDialog::State;

std::vector<std::uint8_t> bytes_of(std::string_view text) {
  return {text.begin(), text.end()};
}

std::string hex(const Digest& digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t each : digest) {
    text += kDigits[each >> 4U];
    text += kDigits[each & 15U];
  }
  return text;
}

// A file that is removed at the end.
class TokenFile {
 public:
  explicit TokenFile(std::string_view content)
      : path_(std::filesystem::temp_directory_path() / ("token" + std::to_string(getpid()))) {
    write(content);
  }

  TokenFile(const TokenFile&) = delete;
  TokenFile& operator=(const TokenFile&) = delete;
  TokenFile(TokenFile&&) = delete;
  TokenFile& operator=(TokenFile&&) = delete;

  ~TokenFile() { std::filesystem::remove(path_); }

  void write(std::string_view content) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << content;
  }

  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

// What a debugger with that token sends, whose own random bytes are all 7.
std::string answer(std::string_view token, std::string_view nonce) {
  const std::string ours(Nonce{}.size(), '\7');
  std::string message = "jvmdebug debugger";
  message += '\0';
  message += std::string(nonce) + ours;
  const Digest proof = hmac_sha256(bytes_of(token), bytes_of(message));
  return ours + std::string(proof.begin(), proof.end());
}

}  // namespace

TEST_CASE("SHA-256 has the values of the standard") {
  CHECK(hex(sha256({})) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hex(sha256(bytes_of("abc"))) ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(hex(sha256(bytes_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"))) ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(hex(sha256(std::vector<std::uint8_t>(1'000'000, 'a'))) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("HMAC-SHA-256 has the values of RFC 4231") {
  CHECK(hex(hmac_sha256(std::vector<std::uint8_t>(20, 0x0b), bytes_of("Hi There"))) ==
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  CHECK(hex(hmac_sha256(bytes_of("Jefe"), bytes_of("what do ya want for nothing?"))) ==
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  const std::vector<std::uint8_t> long_key(131, 0xaa);
  CHECK(hex(hmac_sha256(long_key,
                        bytes_of("Test Using Larger Than Block-Size Key - Hash Key First"))) ==
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST_CASE("digests are equal or not") {
  CHECK(equal_in_constant_time(sha256({}), sha256({})));
  CHECK_FALSE(equal_in_constant_time(sha256({}), sha256(bytes_of("a"))));
  CHECK_FALSE(equal_in_constant_time({}, sha256({})));
}

TEST_CASE("without a token the greeting is the handshake") {
  GreetingDialog dialog(nullptr);
  CHECK(dialog.wanted() == 14);
  CHECK(dialog.may_begin_with("JDWP-Hand"));
  CHECK_FALSE(dialog.may_begin_with("JDWP-Tok"));
  CHECK_FALSE(dialog.may_begin_with("GET / HTTP"));
  CHECK(dialog.take("JDWP-Take-Over").empty());
  CHECK(dialog.state() == State::kDone);
  CHECK(dialog.takes_over());
}

TEST_CASE("a debugger with the token comes in, and one without does not") {
  const TokenFile file("right\n");
  TokenGate gate(file.path());
  GreetingDialog dialog(&gate);
  const std::string nonce = dialog.take("JDWP-Token-001");
  CHECK(nonce.size() == 32);
  CHECK(dialog.wanted() == 64);
  SUBCASE("the right one") {
    const std::string proof = dialog.take(answer("right", nonce));
    CHECK(proof.size() == 32);
    CHECK(dialog.state() == State::kWaiting);
    CHECK_FALSE(dialog.may_begin_with("JDWP-Tok"));
    CHECK(dialog.take("JDWP-Handshake").empty());
    CHECK(dialog.state() == State::kDone);
  }
  SUBCASE("a wrong one") {
    CHECK(dialog.take(answer("wrong", nonce)).empty());
    CHECK(dialog.state() == State::kFailed);
    CHECK(dialog.refusal() == "wrong token");
  }
  SUBCASE("an answer to another challenge") {
    GreetingDialog other(&gate);
    const std::string second = other.take("JDWP-Token-001");
    CHECK(second != nonce);
    CHECK(other.take(answer("right", nonce)).empty());
    CHECK(other.state() == State::kFailed);
  }
  SUBCASE("a new one is read at once") {
    file.write("new");
    CHECK_FALSE(dialog.take(answer("new", nonce)).empty());
  }
  SUBCASE("an empty file lets nobody in") {
    file.write("\n");
    CHECK(dialog.take(answer("", nonce)).empty());
    CHECK(dialog.state() == State::kFailed);
  }
}

TEST_CASE("a debugger that gives no token is told that one is needed") {
  const TokenFile file("right");
  TokenGate gate(file.path());
  for (const std::string_view greeting : {"JDWP-Handshake", "JDWP-Take-Over"}) {
    GreetingDialog dialog(&gate);
    CHECK(dialog.take(greeting) == "JDWP-Token-needed\n");
    CHECK(dialog.state() == State::kFailed);
  }
}

TEST_CASE("who fails waits longer each time, and others do not") {
  TokenGate gate("nowhere");
  const auto now = Clock::now();
  const auto wait_of = [&](const std::string& peer) { return gate.begins_at(peer, now) - now; };
  CHECK(wait_of("10.0.0.1:1") == Clock::duration::zero());
  gate.refused("10.0.0.1:1", "wrong token", now);
  const auto first = wait_of("10.0.0.1:2");
  CHECK(first > Clock::duration::zero());
  CHECK(wait_of("10.0.0.2:1") == Clock::duration::zero());
  for (int count = 0; count < 40; ++count) {
    gate.refused("10.0.0.1:3", "wrong token", now);
  }
  CHECK(wait_of("10.0.0.1:4") > first);
  CHECK(wait_of("10.0.0.1:4") <= std::chrono::seconds{5});
  CHECK(gate.begins_at("10.0.0.1:4", now + std::chrono::hours{1}) == now + std::chrono::hours{1});
  gate.admitted("10.0.0.1:5");
  CHECK(wait_of("10.0.0.1:6") == Clock::duration::zero());
  for (int host = 0; host < 1000; ++host) {  // memory is bounded
    gate.refused("10.1." + std::to_string(host) + ".1:1", "wrong token", now);
  }
}

TEST_CASE("only a regular file has a token") {
  CHECK(token_in("/dev/zero").empty());
  CHECK(token_in("/nowhere/at/all").empty());
  CHECK(token_in("/").empty());
  const TokenFile file(" a token \r\n\n");
  CHECK(token_in(file.path()) == " a token");
}

}  // namespace jvmdebug::agent
