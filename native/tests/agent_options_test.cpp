// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <doctest/doctest.h>
#include <string>
#include <string_view>

#include "agent/options/options.h"

namespace jvmdebug::tests {

using agent::Network;
using agent::Options;
using agent::parse_allow;
using agent::parse_options;

namespace {

// Parses options after a transport and server=y.
Options accepted(const std::string& more) {
  const auto parsed = parse_options("transport=dt_socket,server=y" + more);
  return parsed.options.value_or(Options());
}

// Returns the reason for refusing; empty when the text was accepted.
std::string reason(std::string_view text) {
  const auto parsed = parse_options(text);
  return parsed.error ? parsed.error->message : "";
}

bool refuses(std::string_view text, std::string_view word) {
  return reason(text).find(word) != std::string::npos;
}

bool contains(std::string_view networks, std::array<std::uint8_t, 4> peer) {
  std::array<std::uint8_t, 16> mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  std::ranges::copy(peer, mapped.begin() + 12);
  const auto parsed = parse_allow(networks);
  if (!parsed) {
    return false;
  }
  for (const Network& network : *parsed) {
    if (network.contains(mapped)) {
      return true;
    }
  }
  return false;
}

TEST_CASE("the options have libjdwp's defaults") {
  const Options options = accepted("");
  CHECK((options.server && options.suspend && !options.quiet && !options.modified_utf8));
  CHECK((options.begins_with_vm() && !options.timeout && options.allow.empty()));
  CHECK((options.address.host.empty() && options.address.port == 0));
}

TEST_CASE("an address comes in many forms") {
  CHECK(accepted(",address=8000").address.port == 8000);
  CHECK(accepted(",address=*:0").address.host == "*");
  CHECK(accepted(",address=[::1]:80").address.host == "::1");
  CHECK(accepted(",address=::1:80").address.host == "::1");
  CHECK(accepted(",address=[fe80::1%lo]:80").address.host == "fe80::1%lo");
  CHECK(accepted(",address=a.b:65535").address.port == 65535);
  CHECK(accepted(",address=").server);
}

TEST_CASE("what comes last counts, and a comma may end it") {
  CHECK(!accepted(",suspend=n,").suspend);
  CHECK(accepted(",quiet=n,quiet=y").quiet);
  CHECK(accepted(",timeout=250").timeout == std::chrono::milliseconds{250});
  CHECK(!accepted(",timeout=250,timeout=0").timeout);
  CHECK(!accepted(",timeout=-1").timeout);
}

TEST_CASE("the memory of the VM is read unless that is switched off") {
  CHECK(accepted("").vm_reads);
  CHECK(accepted(",vmreads=y").vm_reads);
  CHECK_FALSE(accepted(",vmreads=n").vm_reads);
}

TEST_CASE("a value may hold blanks and equals signs") {
  CHECK(accepted(",launch=/bin/x -a b=c").launch == "/bin/x -a b=c");
}

TEST_CASE("when debugging begins") {
  CHECK(accepted(",launch=x,onthrow=java.io.IOException").on_throw == "Ljava/io/IOException;");
  CHECK(accepted(",launch=x,onuncaught=y").on_uncaught);
  CHECK(!accepted(",launch=x,onuncaught=y").begins_with_vm());
  CHECK(accepted(",launch=x").begins_with_vm());
  CHECK((accepted(",onjcmd=y").on_jcmd && !accepted(",onjcmd=y").suspend));
}

TEST_CASE("a socket file is an address") {
  const auto parsed = parse_options("address=/tmp/a,transport=unix,server=y");
  CHECK((parsed.options && parsed.options->address.is_unix()));
  CHECK((parsed.options && parsed.options->address.announced() == "/tmp/a"));
  CHECK(parse_options("transport=unix,address=/tmp/a").options);
}

TEST_CASE("old options are accepted") {
  CHECK(reason("transport=dt_socket,server=y,strict=y,stdalloc=n,coredump=y,errorexit=n,"
               "datadump=y,assert=fatal,debugflags=1,logfile=x,logflags=0xfff")
            .empty());
}

TEST_CASE("what is wrong is named") {
  CHECK(refuses("", "transport"));
  CHECK(refuses("transport=,server=y", "dt_socket, unix or"));
  CHECK(refuses("transport=dt_shmem", "library understands"));
  CHECK(reason("transport=dt_shmem,server=y,allow=a b").empty());
  CHECK(refuses("transport=dt_socket,transport=unix", "one transport"));
  CHECK(refuses("transport=dt_socket,,server=y", "unknown"));
  CHECK(refuses("transport=dt_socket,server", "needs a value"));
  CHECK(refuses("transport=dt_socket,server=yes", "y or n"));
  CHECK(refuses("transport=dt_socket,server=y,timeout=1s", "milliseconds"));
  CHECK(refuses("transport=dt_socket,server=y,precrash=y", "removed"));
  CHECK(refuses("transport=dt_socket,server=y,pause=1", "y or n"));
}

TEST_CASE("addresses that cannot be had") {
  for (const char* text : {"a", "a:", "*", "[::1]", "[::1]80", "65536", "-1", "+1", "0x1"}) {
    CHECK(refuses("transport=dt_socket,server=y,address=" + std::string(text), "65535"));
  }
  CHECK(refuses("transport=dt_socket", "server=y to listen"));
  CHECK(refuses("transport=dt_socket,address=*:1", "every host"));
  CHECK(refuses("transport=unix,server=y", "path"));
  CHECK(refuses("transport=unix,server=y,address=" + std::string(108, 'x'), "at most 107"));
  CHECK(reason("transport=unix,server=y,address=" + std::string(107, 'x')).empty());
}

TEST_CASE("options that do not go together") {
  CHECK(refuses("transport=dt_socket,server=y,onthrow=x", "launch"));
  CHECK(refuses("transport=dt_socket,server=y,onuncaught=y", "launch"));
  CHECK(refuses("transport=dt_socket,address=1,onjcmd=y", "server=y"));
  CHECK(refuses("transport=dt_socket,server=y,onjcmd=y,launch=x", "combined"));
  CHECK(refuses("transport=dt_socket,server=y,onthrow=x,launch=x,mode=fast", "mode=full"));
  CHECK(refuses("transport=unix,server=y,address=/x,allow=127.0.0.1", "networks"));
}

TEST_CASE("networks contain what they say") {
  CHECK(contains("10.0.0.0/8", {10, 1, 2, 3}));
  CHECK(!contains("10.0.0.0/8", {11, 1, 2, 3}));
  CHECK(contains("1.2.3.4+192.168.4.0/22", {192, 168, 7, 1}));
  CHECK(!contains("1.2.3.4+192.168.4.0/22", {192, 168, 8, 1}));
  CHECK(contains("::ffff:10.0.0.1", {10, 0, 0, 1}));
  CHECK(contains("0.0.0.0/0", {8, 8, 8, 8}));
  CHECK(!contains("::1", {127, 0, 0, 1}));
}

TEST_CASE("networks that are none") {
  for (const char* text : {"", "+", "1.2.3.4+", "1.2.3.4++1.2.3.5", "1.2.3.4/33", "1.2.3.4/-1",
                           "1.2.3.4/", "::1/129", "localhost", "1.2.3.4+*"}) {
    CHECK(!parse_allow(text));
  }
  CHECK((parse_allow("*") && parse_allow("*")->empty()));
}

}  // namespace

TEST_CASE("help tells of every option") {
  const auto parsed = parse_options("transport=dt_socket,help");
  CHECK((!parsed.options && !parsed.error));
  CHECK(agent::usage().find("includevirtualthreads") != std::string::npos);
}

}  // namespace jvmdebug::tests
