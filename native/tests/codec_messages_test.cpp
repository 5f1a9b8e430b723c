// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <doctest/doctest.h>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "codec/generated/event.h"
#include "codec/generated/event_request.h"
#include "codec/generated/events.h"
#include "codec/generated/object_reference.h"
#include "codec/generated/thread_reference.h"
#include "codec/generated/virtual_machine.h"
#include "codec/reader.h"
#include "codec/writer.h"

namespace jvmdebug::tests {

using codec::Reader;
using codec::Writer;
using protocol::Error;

namespace {

template <class Message>
std::vector<std::uint8_t> written(const Message& message) {
  Writer writer;
  message.write(writer);
  return writer.take();
}

// Writes, reads and compares a message; every shorter packet must be an error.
template <class Message>
void check_round_trip(const Message& message) {
  const auto bytes = written(message);
  Reader reader(bytes);
  const auto read = Message::read(reader);
  CHECK((read.has_value() && *read == message));
  CHECK(reader.remaining() == 0);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    Reader shorter{std::span(bytes).first(length)};
    CHECK(Message::read(shorter) == fail(Error::kInternal));
  }
}

constexpr protocol::Location kLocation{protocol::TypeTag::kInterface, protocol::ReferenceTypeId(3),
                                       protocol::MethodId(4), -1};

TEST_CASE("lists of structs") {
  protocol::thread_reference::FramesReply reply;
  reply.frames.push_back({protocol::FrameId(1), kLocation});
  reply.frames.push_back({protocol::FrameId(2), kLocation});
  check_round_trip(reply);
}

TEST_CASE("modifiers") {
  protocol::event_request::SetRequest request;
  request.event_kind = protocol::EventKind::kBreakpoint;
  request.suspend_policy = protocol::SuspendPolicy::kEventThread;
  request.modifiers.emplace_back(protocol::CountModifier{3});
  request.modifiers.emplace_back(protocol::ClassMatchModifier{"java.*"});
  request.modifiers.emplace_back(protocol::LocationOnlyModifier{kLocation});
  request.modifiers.emplace_back(protocol::PlatformThreadsOnlyModifier{});
  check_round_trip(request);
  auto bytes = written(request);
  bytes.at(6) = 77;  // the tag of the first modifier
  Reader reader(bytes);
  CHECK(protocol::event_request::SetRequest::read(reader) == fail(Error::kIllegalArgument));
}

TEST_CASE("event sets") {
  protocol::event::Composite composite;
  composite.suspend_policy = protocol::SuspendPolicy::kAll;
  composite.events.emplace_back(protocol::VmDeathEvent{0});
  composite.events.emplace_back(protocol::MethodExitWithReturnValueEvent{
      5, protocol::ThreadId(1), kLocation, protocol::Value::of_double(2.5)});
  check_round_trip(composite);
  CHECK(std::holds_alternative<protocol::VmDeathEvent>(composite.events.at(0)));
}

TEST_CASE("untagged values") {
  Writer content;
  content.write_id(protocol::FieldId(8));
  content.write_untagged(protocol::Value::of_int(-9));
  protocol::object_reference::SetValuesRequest request;
  request.object = protocol::ObjectId(1);
  request.values = {1, Reader(content.bytes())};
  const auto bytes = written(request);
  Reader reader(bytes);
  auto read = protocol::object_reference::SetValuesRequest::read(reader);
  CHECK((read.has_value() && *read == request));
  CHECK(read->values.count == 1);
  CHECK(read->values.reader.read_id<protocol::FieldId>() == protocol::FieldId(8));
  CHECK(read->values.reader.read_untagged(protocol::Tag::kInt).as_int() == -9);
  CHECK(read->values.reader.read_untagged(protocol::Tag::kInt).bits == 0);
  CHECK(read->values.reader.failed());
}

TEST_CASE("strings and bytes") {
  check_round_trip(
      protocol::virtual_machine::CreateStringRequest{std::string("a\0\xED\xA0\x80", 5)});
  protocol::virtual_machine::RedefineClassesRequest request;
  request.classes.push_back({protocol::ReferenceTypeId(1), {0xCA, 0xFE}});
  check_round_trip(request);
  check_round_trip(protocol::virtual_machine::VersionRequest{});
}

TEST_CASE("flags and names") {
  using protocol::ClassStatus;
  constexpr ClassStatus kReady = ClassStatus::kVerified | ClassStatus::kPrepared;
  CHECK(protocol::has(kReady, ClassStatus::kPrepared));
  CHECK(!protocol::has(kReady, ClassStatus::kError));
  CHECK(protocol::name(Error::kInvalidFrameid) == "INVALID_FRAMEID");
  CHECK(protocol::name(static_cast<Error>(9999)) == "?");
}

}  // namespace

}  // namespace jvmdebug::tests
