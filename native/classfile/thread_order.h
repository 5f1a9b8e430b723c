// SPDX-License-Identifier: Apache-2.0
//
// Says where a recording notes the time, so that what two threads did is put into its order: behind
// each instruction by which a thread may come to see what another one has done, and in front of
// each by which others may come to see what it has done. All clocks of a VM are one, so what was
// done before a monitor is left has an earlier time than what is done after it was entered.
//
// These are monitors, volatile fields, and calls of java.util.concurrent, of a VarHandle, and of
// Thread and Object where they order. A monitor that an exception of the VM leaves is not among
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "classfile/class_file.h"
#include "classfile/code.h"
#include "classfile/constant_pool.h"

namespace jvmdebug::classfile {

[[nodiscard]] bool is_synchronized(const Method& method);
// Whether a field is, by its access flags.
[[nodiscard]] bool is_volatile(std::uint32_t access);
// Whether a call of the method orders threads.
[[nodiscard]] bool orders_threads(const MemberReference& called);

using IsVolatile = std::function<bool(std::string_view owner, std::string_view field)>;

// What an instruction does. One that does neither returns a default.
struct Ordering {
  bool acquires = false;  // what others have done can be seen behind it
  bool releases = false;  // others may see what was done in front of it
};

[[nodiscard]] Ordering ordering(const ClassFile& file, const Code& code, std::size_t at,
                                const IsVolatile& is_volatile);

}  // namespace jvmdebug::classfile
