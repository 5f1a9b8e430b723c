// SPDX-License-Identifier: Apache-2.0
#include "agent/transport/library.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "agent/platform/dynamic_library.h"

namespace jvmdebug::agent {
namespace {

using library_interface::Callback;
using library_interface::Environment;
using library_interface::LoadFunction;
using library_interface::Packet;

constexpr const char* kEntry = "jdwpTransport_OnLoad";

void* allocate(std::int32_t size) {
  return size > 0 ? std::malloc(static_cast<std::size_t>(size)) : nullptr;
}

void release(void* memory) {
  std::free(memory);
}

constexpr Callback kCallback{.allocate = allocate, .free = release};

std::unexpected<TransportError> cannot_load(const std::string& name, std::string_view why,
                                            std::string jdk_message) {
  return std::unexpected(TransportError{
      .message = "cannot load the transport library of transport=" + name + ": " + std::string(why),
      .jdk_message = std::move(jdk_message)});
}

// Returns the library, or why each place has none: the system's own words, which name the file.
std::expected<void*, std::string> open_library(const std::string& name, std::string_view folders) {
  const std::string file = platform::library_name(name);
  std::string obstacles;
  const auto open = [&](const std::string& path) {
    const auto found = platform::load_library(path, platform::Binding::kWhenCalled);
    if (!found) {
      obstacles.append(obstacles.empty() ? "" : "; ").append(found.error());
    }
    return found.value_or(nullptr);
  };
  while (!folders.empty()) {
    const auto end = std::min(folders.find(platform::kFolderSeparator), folders.size());
    if (end > 0) {
      if (void* const found = open(std::string(folders.substr(0, end)) + "/" + file)) {
        return found;
      }
    }
    folders.remove_prefix(end < folders.size() ? end + 1 : end);
  }
  if (void* const found = open(file)) {
    return found;
  }
  return std::unexpected(std::move(obstacles));
}

std::string why_not_loaded(std::int32_t code) {
  switch (code) {
    case library_interface::kNoMemory:
      return "insufficient memory to complete initialization";
    case library_interface::kWrongVersion:
      return "transport doesn't recognize all supported versions: { 1_1, 1_0 }";
    case library_interface::kExists:
      return "transport doesn't support multiple environments";
    default:
      return "unrecognized error " + std::to_string(code) + " from transport";
  }
}

std::int64_t count_of(std::optional<std::chrono::milliseconds> timeout) {
  return timeout ? timeout->count() : 0;
}

}  // namespace

std::expected<std::shared_ptr<TransportLibrary>, TransportError> TransportLibrary::load(
    const std::string& name, const LibraryHost& host) {
  const auto library = open_library(name, host.folders);
  if (!library) {
    return cannot_load(name, library.error(), "transport library not found: " + name);
  }
  const auto on_load = reinterpret_cast<LoadFunction>(platform::function_of(*library, kEntry));
  if (on_load == nullptr) {
    return cannot_load(name, std::string("the library has no function ") + kEntry,
                       "transport library missing onLoad entry: " + name);
  }
  Environment* environment = nullptr;
  std::int32_t version = library_interface::kVersion11;
  std::int32_t code = on_load(host.vm, &kCallback, version, &environment);
  if (code == library_interface::kWrongVersion) {
    version = library_interface::kVersion10;
    code = on_load(host.vm, &kCallback, version, &environment);
  }
  if (code != library_interface::kLoaded) {
    const std::string why = why_not_loaded(code);
    return cannot_load(name, std::string(kEntry) + " has refused, " + why, why);
  }
  if (environment == nullptr || environment->functions == nullptr) {
    return cannot_load(name, std::string(kEntry) + " has given no table of functions", "");
  }
  return std::shared_ptr<TransportLibrary>(new TransportLibrary(name, environment, version));
}

std::string TransportLibrary::last_error() const {
  char* text = nullptr;
  (void)functions().get_last_error(environment_, &text);
  std::string message = text == nullptr ? "UNKNOWN" : text;
  release(text);
  return message;
}

std::unexpected<TransportError> TransportLibrary::failed(std::string_view what,
                                                         std::int32_t error) const {
  const std::string why = last_error();
  const std::string number = std::to_string(error);
  return std::unexpected(TransportError{.message = "transport=" + name_ + ": " + std::string(what) +
                                                   ": " + why + " (transport error " + number + ")",
                                        .jdk_message = "transport error " + number + ": " + why});
}

std::expected<void, TransportError> TransportLibrary::allow(const std::string& peers) {
  if (version_ < library_interface::kVersion11) {
    if (peers.empty()) {
      return {};
    }
    return std::unexpected(TransportError{
        .message = "transport=" + name_ +
                   ": the library has version 1.0 of the interface, which has no allow=; leave the "
                   "option out",
        .jdk_message = "Allow parameter is specified but transport doesn't support it"});
  }
  const library_interface::Configuration configuration{.allowed_peers =
                                                           peers.empty() ? nullptr : peers.c_str()};
  const auto error = functions().set_transport_configuration(environment_, &configuration);
  if (error != library_interface::kNone) {
    return failed("the library refuses " + (peers.empty() ? "its configuration" : "allow=" + peers),
                  error);
  }
  return {};
}

std::expected<std::string, TransportError> TransportLibrary::start_listening(
    const std::optional<std::string>& address) {
  char* actual = nullptr;
  const auto error =
      functions().start_listening(environment_, address ? address->c_str() : nullptr, &actual);
  if (error != library_interface::kNone) {
    return failed("cannot listen on " + address.value_or("an address of its own choice"), error);
  }
  std::string where = actual == nullptr ? address.value_or("") : actual;
  release(actual);
  return where;
}

void TransportLibrary::stop_listening() {
  // An error says that it does not listen.
  (void)functions().stop_listening(environment_);
}

std::expected<void, TransportError> TransportLibrary::accept(
    std::optional<std::chrono::milliseconds> timeout) {
  const auto error = functions().accept(environment_, count_of(timeout), 0);
  if (error != library_interface::kNone) {
    return failed("no debugger has connected", error);
  }
  return {};
}

std::expected<void, TransportError> TransportLibrary::attach(
    const std::string& address, std::optional<std::chrono::milliseconds> timeout) {
  const auto error = functions().attach(environment_, address.c_str(), count_of(timeout), 0);
  if (error != library_interface::kNone) {
    return failed("cannot connect to " + address, error);
  }
  return {};
}

std::expected<void, TransportError> TransportLibrary::read(Packet& packet) {
  const auto error = functions().read_packet(environment_, &packet);
  if (error != library_interface::kNone) {
    return failed("cannot read", error);
  }
  return {};
}

std::expected<void, TransportError> TransportLibrary::write(const Packet& packet) {
  const auto error = functions().write_packet(environment_, &packet);
  if (error != library_interface::kNone) {
    return failed("cannot write", error);
  }
  return {};
}

bool TransportLibrary::is_open() const {
  return functions().is_open(environment_) != 0;
}

void TransportLibrary::free(void* data) {
  release(data);
}

void TransportLibrary::close() {
  // An error says that there is no connection.
  (void)functions().close(environment_);
}

}  // namespace jvmdebug::agent
