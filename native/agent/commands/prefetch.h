// SPDX-License-Identifier: Apache-2.0
//
// Prefetched replies: runs the function of a standard command and records request and reply as they
// would go over the wire. Replies that can never change are sent once per connection
// (PrefetchedKeys). Used by Agent.Stack and Agent.Page on the thread that runs commands, and by
// Agent.Shown on the one that sends events.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
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
  // What would be longer than `most` bytes in all is not recorded.
  Prefetch(Agent& agent, PrefetchedKeys& keys,
           std::size_t most = std::numeric_limits<std::size_t>::max())
      : agent_(agent), keys_(keys), most_(most) {}

  // Records the reply to this command as it is now, if there is room for it.
  template <class Request, class Reply>
  Result<Reply> add(Result<Reply> (*function)(Agent&, const Request&),
                    const std::type_identity_t<Request>& request) {
    codec::Writer content;
    request.write(content);
    return run(function, request, content.take(), answers_);
  }

  // The same for a reply that can never change, unless it was sent to this debugger before.
  template <class Request, class Reply>
  void add_constant(Result<Reply> (*function)(Agent&, const Request&),
                    const std::type_identity_t<Request>& request) {
    codec::Writer content;
    request.write(content);
    std::string key{static_cast<char>(Request::kCommandSet), static_cast<char>(Request::kCommand)};
    key.append(content.bytes().begin(), content.bytes().end());
    if (is_full_ || !keys_.add(key)) {
      return;
    }
    (void)run(function, request, content.take(), facts_);  // an error reply is recorded too
    if (is_full_) {
      keys_.remove(key);
    }
  }

  // Whether the class was not told about yet to this debugger, in what the caller names by `about`.
  [[nodiscard]] bool is_new(const char* about, protocol::ReferenceTypeId type) {
    return keys_.add(about + std::to_string(type.raw));
  }

  // Whether something had no room; then nothing more is recorded.
  [[nodiscard]] bool is_full() const { return is_full_; }

  // The number of bytes so far.
  [[nodiscard]] std::size_t size() const { return size_; }

  // All replies: those that can never change, then the others.
  [[nodiscard]] protocol::agent::StackReply take() {
    Answers all = std::move(facts_);
    std::ranges::move(answers_, std::back_inserter(all));
    return {.answers = std::move(all)};
  }

  // The replies that can never change.
  [[nodiscard]] protocol::agent::StackReply take_facts() { return {.answers = std::move(facts_)}; }

  // The other ones.
  [[nodiscard]] protocol::agent::StackReply take_answers() {
    return {.answers = std::move(answers_)};
  }

 private:
  using Answers = std::vector<protocol::agent::StackReply::Answer>;

  template <class Request, class Reply>
  Result<Reply> run(Result<Reply> (*function)(Agent&, const Request&), const Request& request,
                    std::vector<std::uint8_t>&& content, Answers& answers) {
    Result<Reply> result = function(agent_, request);
    codec::Writer writer;
    if (result) {
      result->write(writer);
    }
    const std::size_t more = content.size() + writer.size();
    if (is_full_ || more > most_ - size_) {
      is_full_ = true;
      return result;
    }
    size_ += more;
    answers.push_back({.command_set = static_cast<std::int8_t>(Request::kCommandSet),
                       .command = static_cast<std::int8_t>(Request::kCommand),
                       .request = std::move(content),
                       .error = result ? 0 : static_cast<std::int32_t>(result.error()),
                       .reply = writer.take()});
    return result;
  }

  Agent& agent_;
  PrefetchedKeys& keys_;
  Answers answers_;
  Answers facts_;
  std::size_t most_;
  std::size_t size_ = 0;
  bool is_full_ = false;
};

}  // namespace jvmdebug::agent::commands
