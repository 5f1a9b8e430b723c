// SPDX-License-Identifier: Apache-2.0
#include "agent/throws/exception_tables.h"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <utility>

#include "classfile/code_flow.h"
#include "classfile/handler_flow.h"
#include "classfile/opcodes.h"

namespace jvmdebug::agent::throws {
namespace {

// The number of methods that are remembered at most.
constexpr std::size_t kTablesKept = 200'000;

std::vector<std::uint16_t> rethrows(std::span<const std::uint8_t> code, std::size_t handler) {
  std::vector<std::uint16_t> found;
  for (const std::size_t at : classfile::rethrow_sites(code, handler)) {
    found.push_back(static_cast<std::uint16_t>(at));
  }
  return found;
}

}  // namespace

bool ExceptionTables::is_caught_in(const jvm::Jni& jni, const Names& names,
                                   const jvmtiFrameInfo& frame,
                                   std::optional<events::CodeLocation>& first) {
  const auto handlers = frame.location < 0 ? nullptr : handlers_of(jni, frame.method);
  if (!handlers || handlers->empty()) {
    return false;
  }
  jlocation index = frame.location;
  // A handler that throws the exception again may lie inside other handlers, but not inside itself.
  for (std::size_t left = handlers->size(); left > 0; --left) {
    const Handler* const handler = find(*handlers, index, names);
    if (handler == nullptr) {
      break;
    }
    if (!first) {
      first = events::CodeLocation{.method = frame.method, .index = handler->handler};
    }
    if (!handler->only_throws) {
      return true;
    }
    index = handler->throws.front();
  }
  return false;
}

std::optional<ExceptionTables::Rethrow> ExceptionTables::find_rethrow(
    const jvm::Jni& jni, const Names& names, Stack& stack, std::size_t depth, jlocation index) {
  for (const jvmtiFrameInfo* frame = stack.at(depth); frame != nullptr;
       frame = stack.at(++depth), index = frame == nullptr ? -1 : frame->location) {
    const auto handlers = index < 0 ? nullptr : handlers_of(jni, frame->method);
    const Handler* const handler = handlers ? find(*handlers, index, names) : nullptr;
    if (handler == nullptr) {
      continue;
    }
    if (handler->throws.empty()) {
      break;
    }
    return Rethrow{.depth = depth,
                   .handler = handler->handler,
                   .sites = {handler->throws.begin(), handler->throws.end()}};
  }
  return std::nullopt;
}

const ExceptionTables::Handler* ExceptionTables::find(const Handlers& handlers, jlocation index,
                                                      const Names& names) const {
  const auto found = std::ranges::find_if(handlers, [&](const Handler& handler) {
    return jlocation{handler.start} <= index && index < jlocation{handler.end} &&
           (handler.type.empty() || std::ranges::find(names, handler.type) != names.end());
  });
  return found == handlers.end() ? nullptr : &*found;
}

// Returns the names of the exception's class and its superclasses.
ExceptionTables::Names ExceptionTables::names_of(const jvm::Jni& jni, jthrowable exception) const {
  Names names;
  for (auto type = jni.object_class(exception); type; type = jni.superclass(type)) {
    const auto signature = env_.get_class_signature_only(type);
    const std::string_view text = signature ? signature->view() : std::string_view();
    if (text.size() > 2) {
      names.emplace_back(text.substr(1, text.size() - 2));
    }
  }
  return names;
}

std::shared_ptr<const ExceptionTables::Handlers> ExceptionTables::handlers_of(const jvm::Jni& jni,
                                                                              jmethodID method) {
  const auto raw = env_.get_method_declaring_class(method);
  const auto extent = env_.get_method_location(method);
  if (!raw || !extent) {
    return nullptr;
  }
  const auto type = jni.adopt(*raw);
  const auto known = [&] -> std::shared_ptr<const Handlers> {
    Method found;
    {
      const std::scoped_lock lock(mutex_);
      const auto entry = methods_.find(method);
      if (entry == methods_.end()) {
        return nullptr;
      }
      found = entry->second;
    }
    const auto owner = found.type->lock(jni);
    return jni.same(owner, type) && found.last_index == extent->last ? found.handlers : nullptr;
  };
  if (auto found = known()) {
    return found;
  }
  read_class(jni, type);
  if (auto found = known()) {
    return found;
  }
  guess(jni, type, method);
  return known();
}

// Reads all methods of the class at once.
void ExceptionTables::read_class(const jvm::Jni& jni, jclass type) {
  const auto bytes = late_.class_bytes(type);
  const auto file = bytes ? classfile::ClassFile::read(*bytes)
                          : std::unexpected(classfile::RewriteError::kMalformed);
  const auto ids = env_.get_class_methods(type);
  if (!file || !ids) {
    return;
  }
  std::map<std::string, jmethodID, std::less<>> by_name;
  for (auto* const id : *ids) {
    if (const auto names = env_.get_method_name(id)) {
      by_name.emplace(std::string(names->name.view()) + std::string(names->signature.view()), id);
    }
  }
  const auto weak = std::make_shared<const jvm::WeakRef>(jni.weak(type));
  for (const auto& method : file->methods()) {
    const auto code = file->code_of(method);
    const auto id = by_name.find(file->pool().utf8(method.name).value_or("") +
                                 file->pool().utf8(method.descriptor).value_or(""));
    if (code && id != by_name.end()) {
      keep(id->second, {.type = weak,
                        .last_index = static_cast<jlocation>(code->bytes.size()) - 1,
                        .handlers = handlers_in(*file, *code)});
    }
  }
}

std::shared_ptr<const ExceptionTables::Handlers> ExceptionTables::handlers_in(
    const classfile::ClassFile& file, const classfile::Code& code) {
  Handlers handlers;
  for (const classfile::ExceptionHandler& each : code.handlers) {
    handlers.push_back({.start = each.start,
                        .end = each.end,
                        .handler = each.handler,
                        .type = file.pool().class_name(each.catch_type).value_or(""),
                        .throws = rethrows(code.bytes, each.handler),
                        .only_throws = classfile::only_rethrows(code.bytes, each.handler)});
  }
  return std::make_shared<const Handlers>(std::move(handlers));
}

// Takes each part of the code that normal control flow does not reach for a handler that catches
// everything in front of it.
void ExceptionTables::guess(const jvm::Jni& jni, jclass type, jmethodID method) {
  const auto code = env_.get_bytecodes(method);
  if (!code) {
    return;
  }
  Handlers handlers;
  for (const std::size_t block : classfile::exception_blocks(code->span())) {
    handlers.push_back({.start = 0,
                        .end = static_cast<std::uint16_t>(block),
                        .handler = static_cast<std::uint16_t>(block),
                        .type = "",
                        .throws = rethrows(code->span(), block),
                        .only_throws = classfile::only_rethrows(code->span(), block)});
  }
  keep(method, {.type = std::make_shared<const jvm::WeakRef>(jni.weak(type)),
                .last_index = static_cast<jlocation>(code->size()) - 1,
                .handlers = std::make_shared<const Handlers>(std::move(handlers))});
}

void ExceptionTables::keep(jmethodID method, Method found) {
  std::unordered_map<jmethodID, Method> old;  // released after the lock, since that calls the VM
  Method replaced;
  const std::scoped_lock lock(mutex_);
  if (methods_.size() >= kTablesKept) {
    old = std::exchange(methods_, {});
  }
  replaced = std::exchange(methods_[method], std::move(found));
}

std::size_t ExceptionTables::find_catch(const jvm::Jni& jni, const Names& names, Stack& stack,
                                        std::size_t depth, events::Occurrence& thrown) {
  thrown.catch_method = nullptr;
  thrown.catch_index = 0;
  jvmtiFrameInfo frame{.method = thrown.method, .location = thrown.index};
  std::optional<events::CodeLocation> first;
  for (;;) {
    if (is_caught_in(jni, names, frame, first) && first) {
      thrown.catch_method = first->method;
      thrown.catch_index = first->index;
      return depth;
    }
    const jvmtiFrameInfo* const next = stack.at(++depth);
    if (next == nullptr) {
      return depth;
    }
    frame = *next;
  }
}

void ExceptionTables::forget() {
  std::unordered_map<jmethodID, Method> old;
  const std::scoped_lock lock(mutex_);
  old = std::exchange(methods_, {});
}

}  // namespace jvmdebug::agent::throws
