// SPDX-License-Identifier: Apache-2.0
//
// Listens and connects out through a transport library, as the JDK's agent does: the library
// listens until one debugger has connected, and again when that one has left. So there is no
// second debugger that could be told who is connected, or take over. Used by session.
#pragma once

#include <expected>
#include <memory>

#include "agent/options/options.h"
#include "agent/transport/library.h"
#include "agent/transport/library_link.h"
#include "agent/transport/transport.h"

namespace jvmdebug::agent {

// Loads the library that the options name, and listens. The threads are started when the first
// debugger has connected.
[[nodiscard]] std::expected<std::shared_ptr<Listener>, TransportError> listen_through_library(
    const Options& options, const LibraryHost& host, ThreadStarter start_thread);

// Loads the library that the options name, and connects to a listening debugger. The caller starts
// the link.
[[nodiscard]] std::expected<std::shared_ptr<LibraryLink>, TransportError> connect_through_library(
    const Options& options, const LibraryHost& host);

}  // namespace jvmdebug::agent
