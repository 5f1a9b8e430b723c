// SPDX-License-Identifier: Apache-2.0
#include "agent/code/outcome.h"

#include "agent/code/late_environment.h"

namespace jvmdebug::agent::code {

std::string because(std::string_view what, jvm::Error error) {
  return std::string(what) + " (JVM TI error " + std::to_string(error.code) + ")";
}

bool is_of_classes(const std::string& error) {
  return error != kBusy && error != kTransformerWaits;
}

}  // namespace jvmdebug::agent::code
