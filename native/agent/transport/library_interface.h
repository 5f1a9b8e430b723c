// SPDX-License-Identifier: Apache-2.0
//
// The binary interface between a debug agent and a transport library, as documented for the
// JDK's agent: `jdwpTransport_OnLoad` makes an environment, whose first member is a table of
// functions. Declared here because the JDKs' headers differ (some do not compile as C++) and
// because the transports are built without JNI. A jint is std::int32_t, a jlong std::int64_t, a
// jboolean std::uint8_t, a JavaVM* void*.
#pragma once

#include <cstddef>
#include <cstdint>

namespace jvmdebug::agent::library_interface {

inline constexpr std::int32_t kVersion10 = 0x00010000;
inline constexpr std::int32_t kVersion11 = 0x00010001;

// What jdwpTransport_OnLoad returns.
inline constexpr std::int32_t kLoaded = 0;
inline constexpr std::int32_t kWrongVersion = -3;
inline constexpr std::int32_t kNoMemory = -4;
inline constexpr std::int32_t kExists = -5;

// What the functions of an environment return; other numbers are errors as well.
inline constexpr std::int32_t kNone = 0;
inline constexpr std::int32_t kInternal = 113;

// A packet whose numbers are in the machine's byte order.
struct Packet {
  std::int32_t length = 0;  // with the header; 0 after ReadPacket: the peer has disconnected
  std::int32_t id = 0;
  std::uint8_t flags = 0;
  std::uint8_t command_set = 0;  // of a command

  union {
    std::int16_t error = 0;  // of a reply
    std::uint8_t command;
  };

  std::uint8_t* data = nullptr;  // what ReadPacket gives was allocated by Callback::allocate
};

static_assert(offsetof(Packet, command_set) == 9 && offsetof(Packet, error) == 10);
static_assert(offsetof(Packet, data) == 12 + (sizeof(void*) == 8 ? 4 : 0));

struct Callback {
  void* (*allocate)(std::int32_t size);
  void (*free)(void* memory);
};

struct Configuration {
  const char* allowed_peers;  // null: all of them
};

struct Environment;

struct Functions {
  void* reserved;
  std::int32_t (*get_capabilities)(Environment*, void* capabilities);
  std::int32_t (*attach)(Environment*, const char* address, std::int64_t attach_timeout,
                         std::int64_t handshake_timeout);
  std::int32_t (*start_listening)(Environment*, const char* address, char** actual_address);
  std::int32_t (*stop_listening)(Environment*);
  std::int32_t (*accept)(Environment*, std::int64_t accept_timeout, std::int64_t handshake_timeout);
  std::uint8_t (*is_open)(Environment*);
  std::int32_t (*close)(Environment*);
  std::int32_t (*read_packet)(Environment*, Packet* packet);
  std::int32_t (*write_packet)(Environment*, const Packet* packet);
  std::int32_t (*get_last_error)(Environment*, char** message);
  // Missing in a table of version 1.0.
  std::int32_t (*set_transport_configuration)(Environment*, const Configuration* configuration);
};

struct Environment {
  const Functions* functions;
};

using LoadFunction = std::int32_t (*)(void* vm, const Callback* callback, std::int32_t version,
                                      Environment** environment);

}  // namespace jvmdebug::agent::library_interface
