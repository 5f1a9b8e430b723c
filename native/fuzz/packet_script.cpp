// SPDX-License-Identifier: Apache-2.0
#include "fuzz/packet_script.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "agent/ids/frame_ids.h"
#include "codec/ids.h"

namespace jvmdebug::fuzz {
namespace {

// The limit of a script: longer ones find nothing that two short ones do not.
constexpr std::size_t kMostRecords = 120;
constexpr std::size_t kMostPayload = 400;
// A short time, because a thread whose event is held back does not become idle before it is
// released.
constexpr int kIdleTimeout_ms = 3;
// The command that ends the VM.
constexpr auto kExit = std::pair<std::uint8_t, std::uint8_t>(1, 10);

constexpr std::array<std::string_view, 16> kNames = {"Lshop/Item;",
                                                     "shop.Item",
                                                     "shop.*",
                                                     "*Item",
                                                     "java.lang.Object",
                                                     "*",
                                                     "",
                                                     "Page",
                                                     "*.page",
                                                     "Item.java",
                                                     "[I",
                                                     "Lshop/Priced;",
                                                     "I",
                                                     "a\xc3\xa4",
                                                     "\xed\xa0",
                                                     "Ljava/lang/String;"};

constexpr std::string_view kTags = "ZBCSIJFDLs[tglcV";

// Whether the reply may be missing: invocations answer when the method has returned, which may be
// never.
bool is_deferred(std::uint8_t set, std::uint8_t command) {
  constexpr std::array<std::pair<int, int>, 4> kDeferred = {{{3, 3}, {3, 4}, {5, 1}, {9, 6}}};
  constexpr std::uint8_t kFirstOwnSet = 128;
  return set >= kFirstOwnSet ||
         std::ranges::find(kDeferred, std::pair<int, int>(set, command)) != kDeferred.end();
}

template <class Items>
auto& pick(Items& items, std::uint8_t index) {
  return items[index % items.size()];
}

}  // namespace

std::uint8_t PacketScript::next() {
  if (rest_.empty()) {
    return 0;
  }
  const std::uint8_t value = rest_.front();
  rest_ = rest_.subspan(1);
  return value;
}

void PacketScript::run() {
  debuggee_.connect();
  debuggee_.on_agent_thread([this] { run_records(); });
  if (!debuggee_.disconnect()) {
    fake::refuse("PacketScript", "the agent did not take everything back");
  }
  check_replies();
}

void PacketScript::run_records() {
  for (std::size_t count = 0; count < kMostRecords && !rest_.empty(); ++count) {
    switch (const std::uint8_t first = next()) {
      case '\n':
        break;
      case '!':
        run_action();
        break;
      case '#':
        debuggee_.vm().collect();
        break;
      default:
        run_command(first);
        break;
    }
  }
}

void PacketScript::check_replies() {
  const bool told = std::getenv("JVMDEBUG_FUZZ_TRACE") != nullptr;
  for (const Sent& sent : sent_) {
    const std::size_t replies = debuggee_.client().replies(sent.id);
    if (told) {
      const auto reply = debuggee_.client().reply(sent.id, 0);
      const auto outcome = reply ? protocol::name(reply->header.error) : "no reply";
      std::fprintf(stderr, "%d.%d %.*s\n", sent.set, sent.command, static_cast<int>(outcome.size()),
                   outcome.data());
    }
    if (replies > 1 || (replies == 0 && !is_deferred(sent.set, sent.command))) {
      fake::refuse("PacketScript", replies == 0 ? "a command without a reply"
                                                : "a command with more than one reply");
    }
  }
}

// --- what threads do ---------------------------------------------------------------------------

void PacketScript::run_action() {
  auto& thread = *pick(debuggee_.world().threads(), number());
  const std::uint8_t action = number();
  const std::uint8_t argument = number();
  constexpr std::uint8_t kBegin = 'B' & 0x3f;
  if (thread.life == fake::Life::kTerminated ||
      (thread.life == fake::Life::kNew && action != kBegin)) {
    return;
  }
  (void)debuggee_.act(
      thread, [=, this, &thread] { do_action(thread, action, argument); }, kIdleTimeout_ms);
}

void PacketScript::do_action(fake::Thread& thread, std::uint8_t action, std::uint8_t argument) {
  fake::World& world = debuggee_.world();
  fake::Vm& vm = debuggee_.vm();
  if (thread.life == fake::Life::kTerminated) {
    return;
  }
  switch (action | 0x40U) {
    case 'A':
      return world.advance(thread);
    case 'B':
      return world.begin(thread);
    case 'C':
      return world.call(thread, *pick(vm.methods(), argument));
    case 'E':
      return world.end(thread);
    case 'L':
      return world.leave(thread);
    case 'M':
      return world.meet_monitor(thread, argument % 2 == 0);
    case 'P': {
      const auto classes = vm.classes();
      return world.prepare(thread, *pick(classes, argument));
    }
    case 'R':
    case 'W': {
      auto& fields = world.item().type->fields;
      return world.touch(thread, *pick(fields, argument), (action | 0x40U) == 'W');
    }
    case 'X':
      return world.raise(thread);
    default:
      return world.advance(thread);
  }
}

// --- commands ----------------------------------------------------------------------------------

void PacketScript::run_command(std::uint8_t first) {
  // The agent's own command sets begin at 0x30.
  constexpr std::uint8_t kOwn = 0x30;
  const std::uint8_t low = first & 0x3fU;
  const auto set = static_cast<std::uint8_t>(low < kOwn ? low : low - kOwn + 128);
  const std::uint8_t command = number();
  codec::Writer payload;
  while (!rest_.empty() && payload.size() < kMostPayload) {
    const std::uint8_t kind = next();
    if (kind == '\n') {
      break;
    }
    write_piece(kind, payload);
  }
  if (std::pair(set, command) != kExit) {
    sent_.push_back(
        {.id = debuggee_.send_here(set, command, payload.bytes()), .set = set, .command = command});
  }
}

std::uint64_t PacketScript::id_of(fake::Object& object) {
  const agent::jvm::LocalFrame frame(debuggee_.agent().jni());
  return debuggee_.agent().objects().object_id(debuggee_.vm().local(&object)).raw;
}

std::uint64_t PacketScript::id_of_type(std::string_view signature) {
  for (const auto& object : debuggee_.vm().objects()) {
    if (object->type->signature == signature) {
      return id_of(*object);
    }
  }
  return 0;
}

std::uint64_t PacketScript::frame(const fake::Thread& thread, std::uint8_t depth) {
  const agent::jvm::LocalFrame locals(debuggee_.agent().jni());
  return debuggee_.agent().frame_ids().id(debuggee_.vm().local(thread.object), depth % 8).raw;
}

// Writes a piece that is an id; false if it is another kind of piece.
bool PacketScript::write_id(std::uint8_t kind, codec::Writer& payload) {
  fake::Vm& vm = debuggee_.vm();
  const auto write = [&](std::uint64_t id) { payload.write_id(protocol::ObjectId{id}); };
  const auto& threads = debuggee_.world().threads();
  switch (kind) {
    case '0':
      write(0);
      return true;
    case 'o':
      write(id_of(*pick(vm.objects(), number())));
      return true;
    case 't': {
      const auto classes = vm.classes();
      write(id_of(*pick(classes, number())->mirror));
      return true;
    }
    case 'T':
      write(id_of(*pick(threads, number())->object));
      return true;
    case 'm':
    case 'M': {
      const fake::Method& method = *pick(vm.methods(), number());
      if (kind == 'm') {
        write(id_of(*method.declaring->mirror));
      }
      write(fake::Debuggee::id(method).raw);
      return true;
    }
    case 'f':
    case 'F': {
      const auto classes = vm.classes();
      const std::uint8_t index = number();
      const fake::Class& item = *debuggee_.world().item().type;
      const fake::Field& field = *pick(item.fields, index);
      if (kind == 'f') {
        write(id_of(*item.mirror));
      }
      write(fake::Debuggee::id(field).raw);
      return true;
    }
    case 'd':
    case 'D': {
      const fake::Thread& thread = *pick(threads, number());
      if (kind == 'd') {
        write(id_of(*thread.object));
      }
      write(frame(thread, number()));
      return true;
    }
    case 'S':
      write(id_of_type("Ljava/lang/String;"));
      return true;
    case 'A':
      write(id_of_type(std::string("[") + pick(kTags, number() % 8)));
      return true;
    case 'G':
      write(id_of_type("Lshop/Loader;"));
      return true;
    case 'U':
      write(id_of_type("Ljava/lang/Module;"));
      return true;
    case 'P':
      write(id_of_type("Ljava/lang/ThreadGroup;"));
      return true;
    default:
      return false;
  }
}

void PacketScript::write_text(codec::Writer& payload, std::size_t size) {
  const std::size_t length = std::min(size, rest_.size());
  payload.write_string({reinterpret_cast<const char*>(rest_.data()), length});
  rest_ = rest_.subspan(length);
}

void PacketScript::write_value(codec::Writer& payload) {
  const char tag = pick(kTags, number());
  payload.write_unsigned(static_cast<std::uint8_t>(tag), 1);
  switch (tag) {
    case 'V':
      return;
    case 'Z':
    case 'B':
      return payload.write_unsigned(number(), 1);
    case 'C':
    case 'S':
      return payload.write_unsigned(number(), 2);
    case 'I':
    case 'F':
      return payload.write_unsigned(number(), 4);
    case 'J':
    case 'D':
      return payload.write_unsigned(number(), 8);
    case 's':
      return (void)write_id('S', payload);
    case '[':
      return (void)write_id('A', payload);
    case 't':
      return (void)write_id('T', payload);
    default:
      return (void)write_id('o', payload);
  }
}

void PacketScript::write_piece(std::uint8_t kind, codec::Writer& payload) {
  if (write_id(kind, payload)) {
    return;
  }
  switch (kind) {
    case 'L': {
      const fake::Method& method = *pick(debuggee_.vm().methods(), number());
      payload.write_unsigned(1, 1);
      payload.write_unsigned(id_of(*method.declaring->mirror), 8);
      payload.write_unsigned(fake::Debuggee::id(method).raw, 8);
      return payload.write_unsigned(number(), 8);
    }
    case 'r':
      return payload.write_unsigned(debuggee_.last_request() - number(), 4);
    case 'b':
      return payload.write_unsigned(number(), 1);
    case 'h': {
      const auto high = static_cast<std::uint8_t>(next() << 4U);
      return payload.write_unsigned(high | (next() & 0x0fU), 1);
    }
    case 'i':
      return payload.write_unsigned(number(), 4);
    case 'n':
      return payload.write_unsigned(0U - number(), 4);
    case 'l':
      return payload.write_unsigned(number(), 8);
    case 'w':
    case 'q':
      for (int left = kind == 'w' ? 4 : 8; left > 0; --left) {
        payload.write_unsigned(next(), 1);
      }
      return;
    case 's':
      return write_text(payload, number());
    case 'z':
      return payload.write_string(pick(kNames, number()));
    case 'v':
      return write_value(payload);
    default:
      return payload.write_unsigned(kind, 1);
  }
}

}  // namespace jvmdebug::fuzz
