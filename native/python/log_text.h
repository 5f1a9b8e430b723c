// SPDX-License-Identifier: Apache-2.0
//
// Writes primitive values of log records like Java's string conversion. Does the same as
// jvmdebug/model/java_text.py, but for a million lines in a second.
#pragma once

#include <cstdint>
#include <string>

namespace jvmdebug::python {

// Adds the text of a number. `letter` is the type (Z B S I J F D), `bits` the value as the check
// has written it: an int widened, a float or a double as its bits.
void append_number(std::string& out, char letter, std::int64_t bits);

// Adds a number like Double.toString, or like Float.toString for a float that was widened.
void append_floating(std::string& out, double number, bool is_float);

}  // namespace jvmdebug::python
