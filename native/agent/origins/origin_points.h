// SPDX-License-Identifier: Apache-2.0
//
// The places in the JDK and in libraries where tasks are submitted, and where they begin and end;
// and the calls for them. Makes bytes only; Origins puts them into classes.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "classfile/class_file.h"
#include "classfile/rewrite_error.h"

namespace jvmdebug::agent::origins {

// The class that is called: native/agent/java/java/lang/JvmdebugProbeOrigins.java.
inline constexpr const char* kOriginsClass = "java/lang/JvmdebugProbeOrigins";

// Whether a class has such places, by its name: a/b/C.
[[nodiscard]] bool has_points(std::string_view class_name);

// Adds the calls to a class that has such places, but not to the methods `without`, which are named
// with their descriptors. A method that the class lacks is left out.
[[nodiscard]] classfile::Rewritten<void> add_origin_calls(classfile::ClassFile& file,
                                                          const std::set<std::string>& without,
                                                          classfile::MethodInsertions& insertions);

// Returns what is done with a task at the place of that number, for people: "submitted to Timer".
// Empty for a number that is none.
[[nodiscard]] std::string_view done_at(std::size_t number);

}  // namespace jvmdebug::agent::origins
