// SPDX-License-Identifier: Apache-2.0
#include "agent/jvm/class_name.h"

#include <string_view>

namespace jvmdebug::agent::jvm {

std::string internal_name(const Env& env, jclass type) {
  const auto signature = env.get_class_signature_only(type);
  const std::string_view text = signature ? signature->view() : std::string_view();
  return text.size() > 2 && text.front() == 'L' ? std::string(text.substr(1, text.size() - 2)) : "";
}

}  // namespace jvmdebug::agent::jvm
