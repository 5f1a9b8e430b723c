// SPDX-License-Identifier: Apache-2.0
//
// Reads any bytes as any message: the first byte chooses the message, the rest is its payload. A
// message that can be read must read the same after it was written.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "codec/generated/all_messages.h"
#include "codec/reader.h"
#include "codec/writer.h"

namespace {

using jvmdebug::codec::Reader;
using jvmdebug::codec::Writer;

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

template <class Message>
void read_and_write(std::span<const std::uint8_t> bytes) {
  Reader reader(bytes);
  const auto message = Message::read(reader);
  require(message.has_value() != reader.failed());
  if (!message) {
    return;
  }
  Writer writer;
  message->write(writer);
  require(writer.size() == bytes.size() - reader.remaining());
  Reader again(writer.bytes());
  const auto same = Message::read(again);
  require(same.has_value() && *same == *message && again.remaining() == 0);
}

using ReadAndWrite = void (*)(std::span<const std::uint8_t>);

template <class... Message>
constexpr std::array<ReadAndWrite, sizeof...(Message)> readers(
    jvmdebug::protocol::MessageList<Message...> /*messages*/) {
  return {read_and_write<Message>...};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* content, std::size_t size) {
  static constexpr auto kReaders = readers(jvmdebug::protocol::AllMessages{});
  if (size == 0) {
    return 0;
  }
  kReaders.at(content[0] % kReaders.size())(std::span(content, size).subspan(1));
  return 0;
}
