// SPDX-License-Identifier: Apache-2.0
//
// Prefetched replies: runs the function of a standard command and records request and reply as they
// would go over the wire. Replies that can never change are sent once per connection
// (PrefetchedKeys). Used by Agent.Stack and Agent.Page, on the thread that runs commands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "agent/commands/generated/handlers.h"
#include "agent/commands/prefetched_keys.h"
#include "codec/result.h"
#include "codec/writer.h"

namespace jvmdebug::agent::commands {

class Prefetch {
 public:
  Prefetch(Agent& agent, PrefetchedKeys& keys) : agent_(agent), keys_(keys) {}

  // Records the reply to this command as it is now.
  template <class Request, class Reply>
  Result<Reply> add(Result<Reply> (*function)(Agent&, const Request&),
                    const std::type_identity_t<Request>& request) {
    codec::Writer content;
    request.write(content);
    return run(function, request, content.take());
  }

  // The same for a reply that can never change, unless it was sent to this debugger before.
  template <class Request, class Reply>
  void add_constant(Result<Reply> (*function)(Agent&, const Request&),
                    const std::type_identity_t<Request>& request) {
    codec::Writer content;
    request.write(content);
    std::string key{static_cast<char>(Request::kCommandSet), static_cast<char>(Request::kCommand)};
    key.append(content.bytes().begin(), content.bytes().end());
    if (keys_.add(std::move(key))) {
      (void)run(function, request, content.take());  // an error reply is recorded too
    }
  }

  // Whether the class was not told about yet to this debugger, in what the caller names by `about`.
  [[nodiscard]] bool is_new(const char* about, protocol::ReferenceTypeId type) {
    return keys_.add(about + std::to_string(type.raw));
  }

  // The number of bytes so far.
  [[nodiscard]] std::size_t size() const { return size_; }

  [[nodiscard]] protocol::agent::StackReply take() { return std::move(reply_); }

 private:
  template <class Request, class Reply>
  Result<Reply> run(Result<Reply> (*function)(Agent&, const Request&), const Request& request,
                    std::vector<std::uint8_t>&& content) {
    Result<Reply> result = function(agent_, request);
    codec::Writer writer;
    if (result) {
      result->write(writer);
    }
    size_ += content.size() + writer.size();
    reply_.answers.push_back({.command_set = static_cast<std::int8_t>(Request::kCommandSet),
                              .command = static_cast<std::int8_t>(Request::kCommand),
                              .request = std::move(content),
                              .error = result ? 0 : static_cast<std::int32_t>(result.error()),
                              .reply = writer.take()});
    return result;
  }

  Agent& agent_;
  PrefetchedKeys& keys_;
  protocol::agent::StackReply reply_;
  std::size_t size_ = 0;
};

}  // namespace jvmdebug::agent::commands
