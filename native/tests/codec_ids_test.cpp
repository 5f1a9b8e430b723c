// SPDX-License-Identifier: Apache-2.0
#include <concepts>
#include <doctest/doctest.h>
#include <type_traits>
#include <unordered_set>

#include "codec/ids.h"

namespace jvmdebug::tests {

using protocol::ClassId;
using protocol::FrameId;
using protocol::MethodId;
using protocol::ObjectId;
using protocol::ReferenceTypeId;
using protocol::ThreadId;

// A specific id converts to a general one implicitly; the other way only explicitly.
static_assert(std::convertible_to<ThreadId, ObjectId>);
static_assert(std::convertible_to<ClassId, ReferenceTypeId>);
static_assert(std::convertible_to<ClassId, ObjectId>);
static_assert(!std::convertible_to<ObjectId, ThreadId>);
static_assert(std::constructible_from<ThreadId, ObjectId>);
static_assert(!std::constructible_from<ThreadId, FrameId>);
static_assert(!std::convertible_to<ReferenceTypeId, ThreadId>);
static_assert(!std::convertible_to<std::uint64_t, ObjectId>);
static_assert(!std::constructible_from<ObjectId, MethodId>);
static_assert(std::is_trivially_copyable_v<ThreadId> && sizeof(ThreadId) == 8);

TEST_CASE("ids convert and compare by what they hold") {
  const ThreadId thread(7);
  const ObjectId object = thread;
  CHECK(object.raw == 7);
  CHECK(ThreadId(object) == thread);
  CHECK(ObjectId() < object);
  CHECK(ObjectId().is_null());
  CHECK(!object.is_null());
}

TEST_CASE("ids can be keys") {
  std::unordered_set<ThreadId> threads{ThreadId(1), ThreadId(2), ThreadId(1)};
  CHECK(threads.size() == 2);
  CHECK(threads.contains(ThreadId(2)));
}

}  // namespace jvmdebug::tests
