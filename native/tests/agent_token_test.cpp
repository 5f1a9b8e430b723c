// SPDX-License-Identifier: Apache-2.0
//
// The token of a debugger: the hash, the dialog, and how long a peer waits that has failed.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "agent/transport/greeting_dialog.h"
#include "agent/transport/handshakes.h"
#include "agent/transport/sha256.h"
#include "agent/transport/sockets.h"
#include "agent/transport/token_file.h"
#include "agent/transport/token_gate.h"

namespace jvmdebug::agent {
namespace {

using State = GreetingDialog::State;

Digest sha256(std::span<const std::uint8_t> message) {
  Sha256 hash;
  hash.add(message);
  return hash.finish();
}

Digest hmac_sha256(std::span<const std::uint8_t> key, std::span<const std::uint8_t> message) {
  HmacSha256 code(key);
  code.add(message);
  return code.finish();
}

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
class File {
 public:
  explicit File(std::string_view content)
      : path_(std::filesystem::temp_directory_path() / ("token" + std::to_string(getpid()))) {
    write(content);
  }

  File(const File&) = delete;
  File& operator=(const File&) = delete;
  File(File&&) = delete;
  File& operator=(File&&) = delete;

  ~File() { std::filesystem::remove(path_); }

  void write(std::string_view content) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << content;
    set_mode(0600);
  }

  void set_mode(unsigned mode) const {
    std::filesystem::permissions(path_, static_cast<std::filesystem::perms>(mode));
  }

  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

// What a debugger claims: version, role, binding, and its random bytes, which are all 7.
std::string claims(char version = 1, char role = 0, char binding = 0) {
  return std::string{version, role} + std::string(32, binding) + std::string(32, '\7');
}

std::string proof(std::string_view token, std::string_view who, std::string_view challenge,
                  std::string_view claimed) {
  std::string message(who);
  message += '\0';
  message.append(challenge).append(claimed);
  const Digest made = hmac_sha256(bytes_of(token), bytes_of(message));
  return {made.begin(), made.end()};
}

// What a debugger with that token sends.
std::string answer(std::string_view token, std::string_view challenge,
                   const std::string& claimed = claims()) {
  return claimed + proof(token, "jvmdebug debugger", challenge, claimed);
}

// A connected peer that has sent this, and our end of its connection.
struct Caller {
  explicit Caller(std::string name, std::string_view sent) {
    std::array<int, 2> ends{};
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
    peer = {.socket = Socket(ends[0]), .name = std::move(name)};
    own = Socket(ends[1]);
    send_more(sent);
  }

  void send_more(std::string_view sent) const { REQUIRE(write_at_once(own.descriptor(), sent)); }

  // What has come until now.
  [[nodiscard]] std::string received() const {
    std::array<char, 256> bytes{};
    const auto got = recv(own.descriptor(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    return {bytes.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
  }

  [[nodiscard]] bool is_closed() const {
    return agent::platform::peer_has_closed(own.descriptor());
  }

  Peer peer;
  Socket own;
};

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

TEST_CASE("SHA-256 does not depend on how a message is cut") {
  std::vector<std::uint8_t> message;
  for (std::size_t size = 0; size < 200; ++size) {
    for (const std::size_t piece : {1U, 7U, 63U, 64U, 65U}) {
      Sha256 hash;
      for (auto rest = std::span<const std::uint8_t>(message); !rest.empty();
           rest = rest.subspan(std::min(piece, rest.size()))) {
        hash.add(rest.first(std::min(piece, rest.size())));
      }
      CHECK(hash.finish() == sha256(message));
    }
    message.push_back(static_cast<std::uint8_t>(size * 7));
  }
}

TEST_CASE("HMAC-SHA-256 has the values of RFC 4231") {
  CHECK(hex(hmac_sha256(std::vector<std::uint8_t>(20, 0x0b), bytes_of("Hi There"))) ==
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  CHECK(hex(hmac_sha256(bytes_of("Jefe"), bytes_of("what do ya want for nothing?"))) ==
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  CHECK(
      hex(hmac_sha256(std::vector<std::uint8_t>(20, 0xaa), std::vector<std::uint8_t>(50, 0xdd))) ==
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
  std::vector<std::uint8_t> counted;
  while (counted.size() < 25) {
    counted.push_back(static_cast<std::uint8_t>(counted.size() + 1));
  }
  CHECK(hex(hmac_sha256(counted, std::vector<std::uint8_t>(50, 0xcd))) ==
        "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b");
  const std::vector<std::uint8_t> long_key(131, 0xaa);
  CHECK(hex(hmac_sha256(long_key,
                        bytes_of("Test Using Larger Than Block-Size Key - Hash Key First"))) ==
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  CHECK(hex(hmac_sha256(long_key, bytes_of("This is a test using a larger than block-size key and "
                                           "a larger than block-size data. The key needs to be "
                                           "hashed before being used by the HMAC algorithm."))) ==
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2");
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
  const File file("right\n");
  TokenGate gate({{.path = file.path()}});
  GreetingDialog dialog(&gate);
  const std::string challenge = dialog.take("JDWP-Token-001");
  CHECK(challenge.size() == 33);
  CHECK(challenge.front() == 2);
  CHECK(dialog.wanted() == 98);
  const auto refused_with = [&dialog](char verdict) {
    CHECK(dialog.state() == State::kFailed);
    CHECK(dialog.farewell() == std::string(1, verdict));
  };
  SUBCASE("the right one") {
    CHECK(dialog.take(answer("right", challenge)) ==
          '\0' + proof("right", "jvmdebug agent", challenge, claims()));
    CHECK(dialog.state() == State::kWaiting);
    CHECK_FALSE(dialog.may_begin_with("JDWP-Tok"));
    CHECK(dialog.take("JDWP-Handshake").empty());
    CHECK(dialog.state() == State::kDone);
  }
  SUBCASE("a wrong one") {
    CHECK(dialog.take(answer("wrong", challenge)).empty());
    refused_with(1);
    CHECK(dialog.refusal() == "wrong token");
  }
  SUBCASE("the agent's proof, sent back") {
    CHECK(dialog.take(claims() + proof("right", "jvmdebug agent", challenge, claims())).empty());
    refused_with(1);
  }
  SUBCASE("claims that were changed on their way") {
    auto changed = answer("right", challenge);
    changed[1] = 1;
    CHECK(dialog.take(changed).empty());
    refused_with(1);
  }
  SUBCASE("an answer to another challenge") {
    GreetingDialog other(&gate);
    const std::string second = other.take("JDWP-Token-001");
    CHECK(second != challenge);
    CHECK(other.take(answer("right", challenge)).empty());
    CHECK(other.state() == State::kFailed);
  }
  SUBCASE("a new one is read at once") {
    file.write("new");
    CHECK_FALSE(dialog.take(answer("new", challenge)).empty());
  }
  SUBCASE("a file that is empty, or that others can read, lets nobody in") {
    file.write("\n");
    CHECK(dialog.take(answer("", challenge)).empty());
    refused_with(2);
    CHECK(dialog.refusal().empty());
    file.write("right");
    file.set_mode(0604);
    GreetingDialog other(&gate);
    CHECK(other.take(answer("right", other.take("JDWP-Token-001"))).empty());
    CHECK(other.farewell() == "\2");
  }
  SUBCASE("what this version does not know is refused by its own number") {
    CHECK(dialog.take(answer("right", challenge, claims(3))).empty());
    refused_with(3);
    GreetingDialog role(&gate);
    CHECK(role.take(answer("right", role.take("JDWP-Token-001"), claims(1, 1))).empty());
    CHECK(role.farewell() == "\4");
    GreetingDialog bound(&gate);
    CHECK(bound.take(answer("right", bound.take("JDWP-Token-001"), claims(1, 0, 9))).empty());
    CHECK(bound.farewell() == "\5");
  }
}

TEST_CASE("a token has a role, and the narrower one of it and of what was asked for is granted") {
  const File file("right\n");
  const auto granted = [&file](Role of_token, char asked) {
    TokenGate gate({{.path = file.path(), .role = of_token}});
    GreetingDialog dialog(&gate);
    const std::string challenge = dialog.take("JDWP-Token-001");
    const std::string claimed = claims(2, asked) + std::string(1, '\0');
    const std::string whole = answer("right", challenge, claimed);
    CHECK(whole.size() == 99);
    CHECK(dialog.take(std::string_view(whole).substr(0, dialog.wanted())).empty());
    CHECK(dialog.wanted() == 1);
    const std::string told = dialog.take(std::string_view(whole).substr(98));
    const std::string role(1, static_cast<char>(dialog.role()));
    CHECK(told == '\0' + role + proof("right", "jvmdebug agent", challenge, claimed + role));
    return dialog.role();
  };
  CHECK(granted(Role::kDebug, 0) == Role::kDebug);
  CHECK(granted(Role::kDebug, 2) == Role::kReadOnly);
  CHECK(granted(Role::kObserve, 0) == Role::kObserve);
  CHECK(granted(Role::kObserve, 2) == Role::kReadOnly);
  CHECK(granted(Role::kReadOnly, 0) == Role::kReadOnly);
}

TEST_CASE("an older debugger has the role of its token, and ends no session of others") {
  const File file("right\n");
  TokenGate gate({{.path = "nowhere"}, {.path = file.path(), .role = Role::kReadOnly}});
  GreetingDialog dialog(&gate);
  const std::string challenge = dialog.take("JDWP-Token-001");
  CHECK(dialog.take(answer("right", challenge)) ==
        '\0' + proof("right", "jvmdebug agent", challenge, claims()));
  CHECK(dialog.role() == Role::kReadOnly);
  SUBCASE("it comes in") {
    (void)dialog.take("JDWP-Handshake");
    CHECK(dialog.state() == State::kDone);
  }
  SUBCASE("it takes nothing over") {
    (void)dialog.take("JDWP-Take-Over");
    CHECK(dialog.state() == State::kFailed);
  }
}

TEST_CASE("a name of a program, and a role that there is none, are refused") {
  const File file("right\n");
  const auto refused = [&file](char role, char name) {
    TokenGate gate({{.path = file.path()}});
    GreetingDialog dialog(&gate);
    const std::string challenge = dialog.take("JDWP-Token-001");
    const std::string whole = answer("right", challenge, claims(2, role) + std::string(1, name));
    (void)dialog.take(std::string_view(whole).substr(0, 98));
    CHECK(dialog.take(std::string_view(whole).substr(98)).empty());
    return dialog.farewell();
  };
  CHECK(refused(3, '\0') == "\4");
  CHECK(refused(0, '\1') == "\5");
}

TEST_CASE("a debugger that gives no token is told that one is needed") {
  const File file("right");
  TokenGate gate({{.path = file.path()}});
  for (const std::string_view greeting : {"JDWP-Handshake", "JDWP-Take-Over"}) {
    GreetingDialog dialog(&gate);
    CHECK(dialog.take(greeting) == "JDWP-Token-needed\n");
    CHECK(dialog.state() == State::kFailed);
  }
}

TEST_CASE("who fails is closed later each time, and other hosts are not") {
  TokenGate gate({{.path = "nowhere"}});
  const auto now = Clock::now();
  const auto pause_of = [&](const std::string& peer, Clock::time_point when) {
    return gate.refused(peer, "wrong token", when);
  };
  const auto first = pause_of("10.0.0.1:1", now);
  CHECK(first == std::chrono::milliseconds{200});
  CHECK(pause_of("10.0.0.1:2", now) == 2 * first);
  CHECK(pause_of("10.0.0.2:1", now) == first);
  for (int count = 0; count < 40; ++count) {
    CHECK(pause_of("10.0.0.1:3", now) <= std::chrono::seconds{3});
  }
  CHECK(pause_of("10.0.0.1:4", now) == std::chrono::seconds{3});
  CHECK(pause_of("10.0.0.1:4", now + std::chrono::hours{1}) == first);
  gate.admitted("10.0.0.1:5");
  CHECK(pause_of("10.0.0.1:6", now) == first);
  for (int host = 0; host < 1000; ++host) {  // memory is bounded
    gate.refused("10.1." + std::to_string(host) + ".1:1", "wrong token", now);
  }
}

TEST_CASE("one machine has many addresses of IPv6") {
  CHECK(host_of("127.0.0.1:40000") == "127.0.0.1");
  CHECK(host_of("[::1]:40000") == "::1");
  CHECK(host_of("[2001:db8:1:2:3:4:5:6]:1") == "2001:db8:1:2::");
  CHECK(host_of("[2001:db8:1:2:ffff::9]:2") == host_of("[2001:db8:1:2:3:4:5:6]:1"));
  CHECK(host_of("[2001:db8:1:3::9]:2") != host_of("[2001:db8:1:2::9]:2"));
  CHECK(host_of("process 12") == "process 12");
}

TEST_CASE("a wrong token is told late, and keeps nobody else out") {
  const File file("right");
  TokenGate gate({{.path = file.path()}});
  Handshakes handshakes(&gate);
  const auto come = [&handshakes](Caller& caller, std::string_view token) {
    handshakes.add(std::move(caller.peer));
    CHECK_FALSE(handshakes.finished());
    caller.send_more(answer(token, caller.received()));
  };
  Caller stranger("10.0.0.1:1", "JDWP-Token-001");
  come(stranger, "wrong");
  CHECK_FALSE(handshakes.finished());
  CHECK(stranger.received().empty());
  CHECK_FALSE(stranger.is_closed());

  Caller owner("10.0.0.1:2", "JDWP-Token-001");
  come(owner, "right");
  owner.send_more("JDWP-Handshake");
  const auto greeting = handshakes.finished();
  CHECK((greeting ? greeting->peer.name : "nobody") == "10.0.0.1:2");

  const Socket nobody;
  const auto until = Clock::now() + std::chrono::seconds{10};
  while (!stranger.is_closed() && handshakes.wait(nobody, until)) {
    CHECK_FALSE(handshakes.finished());
  }
  CHECK(stranger.received() == "\1");
}

TEST_CASE("a flood of peers does not push out one of another host, or one that has no part in it") {
  const File file("right");
  TokenGate gate({{.path = file.path()}});
  Handshakes handshakes(&gate);
  Caller owner("10.0.0.9:1", "JDWP-Token-001");
  handshakes.add(std::move(owner.peer));
  CHECK_FALSE(handshakes.finished());
  const std::string challenge = owner.received();
  std::vector<std::unique_ptr<Caller>> strangers;
  SUBCASE("of silent ones from another host") {
    for (int count = 0; count < 200; ++count) {
      strangers.push_back(std::make_unique<Caller>("10.0.0.1:" + std::to_string(count), ""));
      handshakes.add(std::move(strangers.back()->peer));
    }
  }
  SUBCASE("of ones without a token from the same") {
    for (int count = 0; count < 200; ++count) {
      strangers.push_back(
          std::make_unique<Caller>("10.0.0.9:" + std::to_string(count), "JDWP-Handshake"));
      handshakes.add(std::move(strangers.back()->peer));
      CHECK_FALSE(handshakes.finished());
    }
  }
  owner.send_more(answer("right", challenge));
  owner.send_more("JDWP-Handshake");
  const auto greeting = handshakes.finished();
  CHECK((greeting ? greeting->peer.name : "nobody") == "10.0.0.9:1");
}

TEST_CASE("only a regular file has a token, and only if nobody else can read it") {
  const auto why_not = [](const std::string& file) { return read_token(file).error(); };
  CHECK(why_not("/dev/zero") == "it is no regular file");
  CHECK(why_not("/nowhere/at/all") == "it cannot be read: No such file or directory");
  CHECK(why_not("/") == "it is no regular file");
  const File file(" a token \r\n\n");
  CHECK(read_token(file.path()) == " a token");
  for (const unsigned mode : {0640U, 0620U, 0610U, 0604U, 0602U, 0601U, 0777U}) {
    file.set_mode(mode);
    CHECK(why_not(file.path()) == "others can read it; chmod 600 " + file.path());
  }
  file.set_mode(0400);
  CHECK(read_token(file.path()));
  file.write(std::string(4096, 'a') + "\n");
  CHECK(why_not(file.path()) == "it has more than 4096 bytes");
  file.write(std::string(4096, 'a'));
  CHECK(read_token(file.path()));
}

}  // namespace jvmdebug::agent
