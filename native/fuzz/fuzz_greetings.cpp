// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as what a peer sends before its first packet, to an agent with a token and to one
// without, in pieces of any size. A piece begins with its length; 255 in its place sends the right
// proof for the challenge that has come. Only who has sent that is let in where there is a token.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/transport/greeting_dialog.h"
#include "agent/transport/handshakes.h"
#include "agent/transport/sha256.h"
#include "agent/transport/sockets.h"
#include "agent/transport/token_gate.h"

namespace {

namespace agent = jvmdebug::agent;
using State = agent::GreetingDialog::State;
using Bytes = std::span<const std::uint8_t>;

constexpr std::string_view kToken = "token";
constexpr std::string_view kDebugger("jvmdebug debugger\0", 18);
constexpr std::size_t kMostBytes = 4096;
constexpr std::uint8_t kProof = 255;

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// The file with the token, until the process ends.
class File {
 public:
  File() {
    const int descriptor = mkstemp(name_.data());
    require(descriptor >= 0 && write(descriptor, kToken.data(), kToken.size()) > 0);
    close(descriptor);
  }

  File(const File&) = delete;
  File& operator=(const File&) = delete;
  File(File&&) = delete;
  File& operator=(File&&) = delete;

  ~File() { unlink(name_.c_str()); }

  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_ = "/tmp/jvmdebug-greetings-XXXXXX";
};

std::string right_answer(std::string_view challenge) {
  std::string answer(agent::kFirstAnswerSize - agent::Digest{}.size(), '\0');
  answer[0] = 1;
  agent::HmacSha256 code(bytes_of(kToken));
  code.add(bytes_of(kDebugger));
  code.add(bytes_of(challenge));
  code.add(bytes_of(answer));
  for (const std::uint8_t each : code.finish()) {
    answer.push_back(static_cast<char>(each));
  }
  return answer;
}

void converse(agent::TokenGate* gate, Bytes script) {
  std::array<int, 2> ends{};
  require(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
  const agent::Socket ours(ends[0]);
  const agent::Socket theirs(ends[1]);
  agent::GreetingDialog dialog(gate);
  std::string received;
  std::string challenge;
  bool has_proof = false;
  State state = State::kWaiting;
  while (state == State::kWaiting && !script.empty()) {
    const std::size_t size = script[0];
    const bool is_proof = size == kProof && challenge.size() == agent::Challenge{}.size();
    script = script.subspan(1);
    std::string piece;
    if (is_proof) {
      piece = right_answer(challenge);
      has_proof = true;
    } else {
      const Bytes taken = script.first(std::min(size, script.size()));
      piece.assign(taken.begin(), taken.end());
      script = script.subspan(taken.size());
    }
    require(agent::write_at_once(theirs.descriptor(), piece));
    require(dialog.wanted() > received.size());
    state = agent::continue_dialog(ours.descriptor(), dialog, received);
    std::array<char, 256> bytes{};
    const auto got = recv(theirs.descriptor(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    challenge.assign(bytes.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
  }
  require(state != State::kDone || gate == nullptr || has_proof);
  require(dialog.farewell().size() <= 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* content, std::size_t size) {
  static const File file;
  static agent::TokenGate gate({{.path = file.name()}});
  const Bytes script(content, std::min(size, kMostBytes));
  converse(nullptr, script);
  converse(&gate, script);
  return 0;
}
