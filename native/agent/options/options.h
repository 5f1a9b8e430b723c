// SPDX-License-Identifier: Apache-2.0
//
// The option string of -agentpath:...=OPTIONS. It has the syntax and names of the JDK's own agent,
// so a tool that builds an option string for that agent can build one for ours. Parsing needs no VM
// and touches nothing. Called by main (Agent_OnLoad); read by start-up, session and transport.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/options/address.h"
#include "agent/options/role.h"

namespace jvmdebug::agent {

// What the agent may cost while it is idle. full: all of JDWP, as the JDK's own agent; the VM then
// throws exceptions slowly for the whole run. fast: without the three JVM TI capabilities that
// cause this (see jvm::Capabilities), so without exception and method exit events.
enum class Mode : std::uint8_t { kFull, kFast };

struct Options {
  bool server = false;  // listen for the debugger (y) or connect out to it (n)
  bool suspend = true;  // hold the program at its start until the debugger resumes it
  bool quiet = false;   // do not print the `Listening for transport` line
  bool include_virtual_threads = false;  // AllThreads lists virtual threads as well
  bool probes = true;                    // code of the program may be changed for breakpoints
  bool vm_reads = true;                  // the VM's memory may be read, see jvm/vm_memory.h
  bool modified_utf8 = false;            // strings are sent in the VM's encoding
  Mode mode = Mode::kFull;
  Address address;
  std::optional<std::chrono::milliseconds> timeout;  // for accepting, or for connecting out
  std::vector<Network> allow;                        // empty: every peer that can reach the socket
  std::vector<TokenFile> tokens;                     // empty: no token is asked for
  std::chrono::milliseconds longest_stop{2000};      // of the program, by a role with a limit
  bool insecure = false;                             // strangers may connect over the network
  std::string allow_text;                            // as given, for a transport library

  // The moments at which debugging begins, if not with the VM.
  std::string on_throw;      // at an exception of this class: its signature, Ljava/io/IOException;
  bool on_uncaught = false;  // at an uncaught exception
  bool on_jcmd = false;      // when jcmd says VM.start_java_debugging
  std::string launch;        // run when the agent listens, with transport and address appended

  // The agent is loaded into a running VM, for one debugger. Not an option: Agent_OnAttach sets it.
  bool is_late = false;

  // Options for debugging the agent itself.
  bool pause = false;      // wait for a native debugger
  bool data_dump = false;  // print which threads are suspended when the VM is asked for its data
  std::string unused_log;  // a log that was asked for and is not written

  [[nodiscard]] bool begins_with_vm() const { return on_throw.empty() && !on_uncaught && !on_jcmd; }
};

// The outcome of parsing is one of three: options, a request for help, or an error.
struct ParsedOptions {
  std::optional<Options> options;
  std::optional<OptionError> error;  // neither: help was asked for
};

[[nodiscard]] ParsedOptions parse_options(std::string_view text);

// Returns the text that `help` prints.
[[nodiscard]] std::string usage();

}  // namespace jvmdebug::agent
