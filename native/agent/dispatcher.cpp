// SPDX-License-Identifier: Apache-2.0
#include "agent/dispatcher.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <utility>

#include "agent/commands/generated/handlers.h"
#include "agent/jvm/jni.h"
#include "agent/permits.h"
#include "agent/reply_to.h"
#include "codec/reader.h"

namespace jvmdebug::agent {
namespace {

const commands::CommandEntry* find(const codec::Header& header) {
  const auto table = commands::command_table();
  const auto wanted = std::pair(header.command_set, header.command);
  const auto entry =
      std::ranges::lower_bound(table, wanted, {}, [](const commands::CommandEntry& candidate) {
        return std::pair(candidate.command_set, candidate.command);
      });
  if (entry == table.end() || std::pair(entry->command_set, entry->command) != wanted) {
    return nullptr;
  }
  return &*entry;
}

}  // namespace

bool dispatch(Agent& agent, const std::shared_ptr<Connection>& connection,
              const codec::Packet& packet) {
  if (packet.header.is_reply()) {
    return false;  // the agent sends no commands that get a reply
  }
  ReplyTo reply(connection, packet.header.id);
  const commands::CommandEntry* entry = find(packet.header);
  if (entry == nullptr) {
    reply.fail(protocol::Error::kNotImplemented);
    return false;
  }
  if (connection->role() != Role::kDebug &&
      !may(connection->role(), role_needed(*entry, connection->reader(packet.payload)))) {
    reply.fail(protocol::Error::kAccessDenied);
    return true;
  }
  if (agent.vm_is_dead()) {
    reply.fail(protocol::Error::kVmDead);
    return false;
  }
  agent.begins_command(static_cast<std::int32_t>(packet.header.id));
  const jvm::LocalFrame frame(agent.jni());
  codec::Reader reader = connection->reader(packet.payload);
  // The top of the loop: no failure of a command may end the VM. A reply that was not sent answers
  // INTERNAL when it is destroyed.
  try {
    entry->run(agent, reader, std::move(reply));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "jvmdebug: %.*s failed: %s\n", static_cast<int>(entry->name.size()),
                 entry->name.data(), error.what());
  }
  return true;
}

}  // namespace jvmdebug::agent
