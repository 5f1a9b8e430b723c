// SPDX-License-Identifier: Apache-2.0
//
// Primitive values of log records as Java's string conversion writes them: what
// jvmdebug/model/java_text.py does, for a million lines in a second.
#pragma once

#include <cstdint>
#include <string>

namespace jvmdebug::python {

// Adds the text of a number. `letter` is the type (Z B S I J F D), `bits` the value as the check
// has written it: an int widened, a float or a double as its bits.
void append_number(std::string& out, char letter, std::int64_t bits);

// As Double.toString, or Float.toString for a float that was widened.
void append_floating(std::string& out, double number, bool is_float);

}  // namespace jvmdebug::python
