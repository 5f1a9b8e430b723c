// SPDX-License-Identifier: Apache-2.0
//
// Parses any text as an option string, an address and a list of networks. Parsing has one of three
// outcomes, gives the same result twice, and explains a refusal.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "agent/options/options.h"

namespace {

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* content, std::size_t size) {
  namespace agent = jvmdebug::agent;
  const std::string_view text(reinterpret_cast<const char*>(content), size);
  const auto parsed = agent::parse_options(text);
  require(!(parsed.options && parsed.error));
  require(!parsed.error || !parsed.error->message.empty());
  const auto again = agent::parse_options(text);
  require(parsed.options.has_value() == again.options.has_value());
  require(parsed.error.has_value() == again.error.has_value());
  const auto address = agent::parse_address(text);
  require(address || !address.error().message.empty());
  const auto networks = agent::parse_allow(text);
  require(networks || !networks.error().message.empty());
  if (networks) {
    for (const auto& network : *networks) {
      require(network.prefix_bits >= 0 && network.prefix_bits <= 128);
      require(network.contains(network.address));
    }
  }
  return 0;
}
