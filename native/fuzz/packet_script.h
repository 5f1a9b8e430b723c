// SPDX-License-Identifier: Apache-2.0
//
// The meaning of a fuzz input of the packet target: a script of commands to the agent and of
// actions of the program's threads, run against the real agent in the fake VM. Ids in commands are
// named by small numbers and put in as the debugger would have got them, so that mutated inputs
// still hit; literal bytes are there as well. Any bytes are a script, and seeds can be read by
// people.
//
// With JVMDEBUG_FUZZ_TRACE in the environment each command's outcome is told on stderr.
//
//   !TAX     thread T does action A with argument X (see do_action)
//   #        garbage is collected
//   SCx...\n command C of set S (as letters: A is 1), and its payload in pieces:
//            0 null id         o object X         t class X          T thread X
//            m class+method X  M method X         f class+field X    F field X
//            L location XY     d thread+frame XY  D frame XY         S string  A array X
//            G loader          U module           P thread group     r request X back
//            b byte X          h byte XY (hex)    i int X            n int -X
//            l long X          w 4 bytes          q 8 bytes          s string of X bytes
//            z known name X    v value of type X
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/writer.h"
#include "tests/fake_vm/debuggee.h"

namespace jvmdebug::fuzz {

class PacketScript {
 public:
  PacketScript(fake::Debuggee& debuggee, std::span<const std::uint8_t> script)
      : debuggee_(debuggee), rest_(script) {}

  // Connects, runs the script and disconnects. Ends the program when the agent did something wrong:
  // see tests/fake_vm/vm.h; also when a command did not get exactly one reply, or a thread was left
  // suspended.
  void run();

 private:
  struct Sent {
    std::uint32_t id = 0;
    std::uint8_t set = 0;
    std::uint8_t command = 0;
  };

  void run_records();
  [[nodiscard]] std::uint8_t next();

  [[nodiscard]] std::uint8_t number() { return next() & 0x3fU; }

  void run_command(std::uint8_t first);
  void run_action();
  void do_action(fake::Thread& thread, std::uint8_t action, std::uint8_t argument);
  void write_piece(std::uint8_t kind, codec::Writer& payload);
  [[nodiscard]] bool write_id(std::uint8_t kind, codec::Writer& payload);
  void write_value(codec::Writer& payload);
  void write_text(codec::Writer& payload, std::size_t size);
  [[nodiscard]] std::uint64_t id_of(fake::Object& object);
  [[nodiscard]] std::uint64_t id_of_type(std::string_view signature);
  [[nodiscard]] std::uint64_t frame(const fake::Thread& thread, std::uint8_t depth);
  void check_replies();

  fake::Debuggee& debuggee_;
  std::span<const std::uint8_t> rest_;
  std::vector<Sent> sent_;
};

}  // namespace jvmdebug::fuzz
