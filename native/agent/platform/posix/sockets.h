// SPDX-License-Identifier: Apache-2.0
//
// The differences between the sockets of Linux and macOS. Used by the implementations only.
#pragma once

#include <array>
#include <cstdint>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "agent/platform/net.h"

namespace jvmdebug::agent::platform {

#ifdef __linux__
inline constexpr int kNoSignal = MSG_NOSIGNAL;
inline constexpr int kKeepAliveIdle = TCP_KEEPIDLE;
#else
inline constexpr int kNoSignal = 0;  // an option of each socket
inline constexpr int kKeepAliveIdle = TCP_KEEPALIVE;
#endif

enum class Blocking : std::uint8_t { kNo, kYes };

// A stream socket that other programs do not inherit and that raises no signal; kNoSocket with
// errno if there is none.
[[nodiscard]] SocketHandle new_socket(int family, Blocking blocking);
[[nodiscard]] SocketHandle accept_from(SocketHandle listening, sockaddr* peer, socklen_t* size);
[[nodiscard]] bool make_blocking(SocketHandle socket);
// A pipe to read from and to write to, of which neither end blocks.
[[nodiscard]] bool open_pipe(std::array<int, 2>& ends);

}  // namespace jvmdebug::agent::platform
