// SPDX-License-Identifier: Apache-2.0
//
// The text of help, made from the option table.
#include <algorithm>
#include <cstddef>

#include "agent/options/option_table.h"

namespace jvmdebug::agent {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kIndent = 24;

// Appends `text` in lines that begin at column kIndent; the first one continues after `column`.
void append_wrapped(std::string& out, std::string_view text, std::size_t column) {
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    if (column + 1 + end > kWidth) {
      out.append("\n").append(kIndent, ' ');
      column = kIndent;
    }
    if (column > kIndent) {
      out.push_back(' ');
      ++column;
    }
    out.append(text.substr(0, end));
    column += end;
    text.remove_prefix(end < text.size() ? end + 1 : end);
  }
}

}  // namespace

std::string usage() {
  std::string text =
      "jvmdebug: a JDWP server inside the VM, a drop-in replacement for the JDK's jdwp agent\n"
      "\n"
      "  java -agentpath:/path/to/libjvmdebug.so=transport=dt_socket,server=y,address=5005 ...\n"
      "\n"
      "option=value,...        meaning (default)\n"
      "----------------        -----------------\n";
  for (const OptionEntry& entry : option_table()) {
    if (entry.meaning.empty()) {
      continue;  // listed below
    }
    text.append(entry.name).append(kIndent - entry.name.size(), ' ');
    append_wrapped(text, entry.value, kIndent);
    text.append("\n").append(kIndent, ' ');
    append_wrapped(text, entry.meaning, kIndent);
    text.append(" (").append(entry.fallback).append(")\n");
  }
  text.append("help").append(kIndent - 4, ' ').append("print this\n\n");
  text.append(
      "Accepted and without effect, or refused because every agent has dropped it:\n"
      "  assert, coredump, debugflags, errorexit, logfile, logflags, stdalloc,\n"
      "  strict; exitpause, precrash\n"
      "Options in the environment variable _JAVA_JDWP_OPTIONS are added at the end.\n"
      "The address is bound to loopback unless a host or * is given: whoever can\n"
      "connect can run code in the program.\n");
  return text;
}

}  // namespace jvmdebug::agent
