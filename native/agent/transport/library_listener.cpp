// SPDX-License-Identifier: Apache-2.0
#include "agent/transport/library_listener.h"

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "agent/locks/ranked_mutex.h"

namespace jvmdebug::agent {
namespace {

class LibraryListener : public Listener {
 public:
  LibraryListener(std::shared_ptr<TransportLibrary> library, Address address,
                  ThreadStarter start_thread)
      : library_(std::move(library)),
        start_thread_(std::move(start_thread)),
        wanted_(std::move(address)),
        address_(wanted_) {}

  [[nodiscard]] Address address() const override {
    const std::scoped_lock lock(mutex_);
    return address_;
  }

  [[nodiscard]] std::expected<Greeting, TransportError> accept(
      const std::vector<Network>& allow, std::optional<std::chrono::milliseconds> timeout) override;
  [[nodiscard]] std::expected<void, TransportError> listen_again() override;
  void close() override;

  [[nodiscard]] std::expected<void, TransportError> listen();

 private:
  const std::shared_ptr<TransportLibrary> library_;
  const ThreadStarter start_thread_;
  const Address wanted_;
  mutable RankedMutex<Rank::kTransportLibrary> mutex_;
  Condition changed_;
  Address address_;
  std::shared_ptr<LibraryLink> link_;  // of the debugger that is connected, or was
  bool is_listening_ = false;
  bool is_closed_ = false;
};

std::expected<void, TransportError> LibraryListener::listen() {
  auto where =
      library_->start_listening(wanted_.text.empty() ? std::nullopt : std::optional(wanted_.text));
  if (!where) {
    return std::unexpected(std::move(where.error()));
  }
  const std::scoped_lock lock(mutex_);
  address_.text = *std::move(where);
  is_listening_ = true;
  changed_.notify_all();
  return {};
}

std::expected<void, TransportError> LibraryListener::listen_again() {
  std::shared_ptr<LibraryLink> link;
  {
    const std::scoped_lock lock(mutex_);
    link = std::exchange(link_, nullptr);
  }
  if (link) {
    link->wait_for_end();
  }
  return listen();
}

std::expected<Greeting, TransportError> LibraryListener::accept(
    const std::vector<Network>& /*allow*/, std::optional<std::chrono::milliseconds> timeout) {
  std::string where;
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_listening_ || is_closed_; });
    where = address_.text;
    if (is_closed_) {
      return std::unexpected(TransportError{.message = "the agent does not listen any more"});
    }
  }
  const auto accepted = library_->accept(timeout);
  library_->stop_listening();
  {
    const std::scoped_lock lock(mutex_);
    is_listening_ = false;
  }
  if (!accepted) {
    return std::unexpected(accepted.error());
  }
  auto link = LibraryLink::open(library_, library_->name() + ":" + where);
  if (!link) {
    return std::unexpected(std::move(link.error()));
  }
  if (auto started = (*link)->start(start_thread_); !started) {
    return std::unexpected(std::move(started.error()));
  }
  const std::scoped_lock lock(mutex_);
  link_ = *link;
  return Greeting{.peer = link_->take_peer(), .takes_over = false, .is_answered = true};
}

void LibraryListener::close() {
  {
    const std::scoped_lock lock(mutex_);
    is_closed_ = true;
    changed_.notify_all();
  }
  library_->stop_listening();
}

}  // namespace

std::expected<std::shared_ptr<Listener>, TransportError> listen_through_library(
    const Options& options, const LibraryHost& host, ThreadStarter start_thread) {
  auto library = TransportLibrary::load(options.address.library, host);
  if (!library) {
    return std::unexpected(std::move(library.error()));
  }
  if (auto allowed = (*library)->allow(options.allow_text); !allowed) {
    return std::unexpected(std::move(allowed.error()));
  }
  auto listener = std::make_shared<LibraryListener>(*std::move(library), options.address,
                                                    std::move(start_thread));
  if (auto listening = listener->listen(); !listening) {
    return std::unexpected(std::move(listening.error()));
  }
  return listener;
}

std::expected<std::shared_ptr<LibraryLink>, TransportError> connect_through_library(
    const Options& options, const LibraryHost& host) {
  auto library = TransportLibrary::load(options.address.library, host);
  if (!library) {
    return std::unexpected(std::move(library.error()));
  }
  if (auto attached = (*library)->attach(options.address.text, options.timeout); !attached) {
    return std::unexpected(std::move(attached.error()));
  }
  return LibraryLink::open(*std::move(library), options.address.text);
}

}  // namespace jvmdebug::agent
