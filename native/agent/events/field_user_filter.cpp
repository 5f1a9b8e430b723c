// SPDX-License-Identifier: Apache-2.0
#include "agent/events/field_user_filter.h"

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <span>
#include <string>
#include <utility>

#include "agent/events/event_request.h"
#include "agent/jvm/strings.h"
#include "classfile/constant_pool.h"

namespace jvmdebug::agent::events {
namespace {

bool has_text(const jvm::Env& env, jclass type, const std::string& text) {
  const auto raw = env.get_constant_pool(type);
  if (!raw) {
    return true;
  }
  codec::Reader reader(raw->bytes.span());
  const auto pool =
      classfile::ConstantPool::read(reader, static_cast<std::size_t>(raw->entry_count));
  return !pool ||
         std::ranges::any_of(std::views::iota(std::size_t{1}, pool->size()),
                             [&](std::size_t index) { return pool->is_utf8(index, text); });
}

bool has_native_method(const jvm::Env& env, jclass type) {
  const auto methods = env.get_class_methods(type);
  return !methods || std::ranges::any_of(methods->span(), [&](jmethodID method) {
    return env.is_method_native(method).value_or(true);
  });
}

class FieldUserFilter : public Filter {
 public:
  explicit FieldUserFilter(std::string name) : name_(std::move(name)) {}

  bool passes(Match& match) override {
    auto* const type = match.type();
    const jvm::Env& env = match.env();
    return type != nullptr && (has_text(env, type, name_) || has_native_method(env, type));
  }

 private:
  std::string name_;  // in modified UTF-8
};

}  // namespace

Result<std::unique_ptr<Filter>> make_field_user_filter(
    const EventRequest& request, const protocol::FieldUserModifier& modifier) {
  if (request.kind != protocol::EventKind::kClassPrepare) {
    return fail(protocol::Error::kIllegalArgument);
  }
  return std::make_unique<FieldUserFilter>(jvm::modified_from_utf8(modifier.name));
}

}  // namespace jvmdebug::agent::events
