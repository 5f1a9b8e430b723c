// SPDX-License-Identifier: Apache-2.0
//
// Ids as distinct types: a frame id cannot be passed where a thread id is expected. An id holds the
// value of the wire, 0 is null; the agent's tables tell whether it is known. A specific id converts
// to a general one implicitly (every ThreadId is an ObjectId), but the other way only explicitly,
// because that is a claim that must be checked.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace jvmdebug::protocol {

template <class Kind, class... Bases>
struct Id {
  std::uint64_t raw = 0;

  constexpr Id() = default;

  constexpr explicit Id(std::uint64_t value) : raw(value) {}

  template <class Base>
    requires(std::same_as<Base, Bases> || ...)
  constexpr explicit Id(Base base) : raw(base.raw) {}

  template <class Base>
    requires(std::same_as<Base, Bases> || ...)
  // NOLINTNEXTLINE(google-explicit-constructor): every specific id is also a general one
  constexpr operator Base() const {
    return Base(raw);
  }

  [[nodiscard]] constexpr bool is_null() const { return raw == 0; }

  friend constexpr auto operator<=>(const Id&, const Id&) = default;
};

using ObjectId = Id<struct ObjectKind>;
using ThreadId = Id<struct ThreadKind, ObjectId>;
using ThreadGroupId = Id<struct ThreadGroupKind, ObjectId>;
using StringId = Id<struct StringKind, ObjectId>;
using ClassLoaderId = Id<struct ClassLoaderKind, ObjectId>;
using ClassObjectId = Id<struct ClassObjectKind, ObjectId>;
using ArrayId = Id<struct ArrayKind, ObjectId>;
using ModuleId = Id<struct ModuleKind, ObjectId>;
using ReferenceTypeId = Id<struct ReferenceTypeKind, ObjectId>;
using ClassId = Id<struct ClassKind, ReferenceTypeId, ObjectId>;
using InterfaceId = Id<struct InterfaceKind, ReferenceTypeId, ObjectId>;
using ArrayTypeId = Id<struct ArrayTypeKind, ReferenceTypeId, ObjectId>;
using MethodId = Id<struct MethodKind>;
using FieldId = Id<struct FieldKind>;
using FrameId = Id<struct FrameKind>;

}  // namespace jvmdebug::protocol

template <class Kind, class... Bases>
struct std::hash<jvmdebug::protocol::Id<Kind, Bases...>> {
  std::size_t operator()(const jvmdebug::protocol::Id<Kind, Bases...>& id) const noexcept {
    return std::hash<std::uint64_t>{}(id.raw);
  }
};
