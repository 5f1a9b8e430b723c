// SPDX-License-Identifier: Apache-2.0
//
// The sizes of the ids of one VM in bytes, as its IDSizes command gives them.
#pragma once

#include <cstdint>

namespace jvmdebug::python {

struct IdSizes {
  std::uint8_t field = 8;
  std::uint8_t method = 8;
  std::uint8_t object = 8;
  std::uint8_t reference_type = 8;
  std::uint8_t frame = 8;

  bool operator==(const IdSizes&) const = default;
};

}  // namespace jvmdebug::python
