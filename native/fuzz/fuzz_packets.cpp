// SPDX-License-Identifier: Apache-2.0
//
// Runs any script of packets and of actions of the program against the real dispatcher and all
// commands of an agent in the fake VM. The first byte chooses the VM: an old one, a new one with
// virtual threads, or one in the fast mode.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "fuzz/packet_script.h"

namespace {

using jvmdebug::fake::Debuggee;

Debuggee& debuggee(std::uint8_t choice) {
  static const std::array<Debuggee*, 3> kDebuggees = {&Debuggee::start(17), &Debuggee::start(25),
                                                      &Debuggee::start(25, true)};
  return *kDebuggees.at(choice % kDebuggees.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* content, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const auto script = std::span(content, size).subspan(1);
  jvmdebug::fuzz::PacketScript(debuggee(content[0]), script).run();
  return 0;
}
