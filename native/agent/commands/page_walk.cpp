// SPDX-License-Identifier: Apache-2.0
#include "agent/commands/page_walk.h"

#include <algorithm>
#include <string>
#include <utility>

#include "agent/commands/values.h"

namespace jvmdebug::agent::commands {

namespace {

using protocol::Error;

constexpr std::uint32_t kStaticMember = 0x0008;
// Deeper than any balanced tree that fits into memory.
constexpr std::size_t kDeepestTree = 128;
// The limit of slots and nodes for one request: some seconds, in which the agent does nothing else.
constexpr std::int64_t kMostSteps = 100'000'000;

// Detects a circle of nodes, which a program may leave when it changes a collection without a lock.
// Compares each node with one kept node, and keeps a later one whenever the walk has become twice
// as long (Brent). Checks only each sixteenth node, which costs next to nothing.
class CircleCheck {
 public:
  explicit CircleCheck(const jvm::Jni& jni) : jni_(jni) {}

  [[nodiscard]] bool is_closed_by(jobject node) {
    if (++length_ % kStride != kStride - 1) {
      return false;
    }
    if (kept_ && jni_.same(node, kept_)) {
      return true;
    }
    if (length_ >= keep_at_) {
      kept_ = jni_.local(node);
      keep_at_ = 2 * length_;
    }
    return false;
  }

 private:
  static constexpr std::int64_t kStride = 16;

  const jvm::Jni& jni_;
  jvm::LocalRef<jobject> kept_;
  std::int64_t length_ = 0;
  std::int64_t keep_at_ = 0;
};

Result<std::string> signature_of(const jvm::Env& env, jclass type) {
  JVMDEBUG_ASSIGN(const auto signature, env.get_class_signature_only(type));
  return std::string(signature.view());
}

bool is_array_of_objects(std::string_view signature) {
  return signature.starts_with("[L") || signature.starts_with("[[");
}

}  // namespace

PageWalk::PageWalk(Agent& agent, const Request& request)
    : agent_(agent), jni_(agent.jni()), request_(request) {}

Result<std::vector<PageWalk::Entry>> PageWalk::run() {
  JVMDEBUG_ASSIGN(auto root, follow_path());
  if (!root) {
    return std::move(entries_);
  }
  JVMDEBUG_ASSIGN(const auto signature,
                  signature_of(agent_.jvmti(), jni_.object_class(root.get())));
  if (is_array_of_objects(signature)) {
    const auto array = std::move(root).as<jobjectArray>();
    JVMDEBUG_CHECK(slots(array));
  } else if (signature.starts_with('[') || request_.parts.empty()) {
    return fail(Error::kInvalidFieldid);
  } else {
    JVMDEBUG_CHECK(nodes(std::move(root), Known::kNo));
  }
  return std::move(entries_);
}

// Finds an instance field by name, in the class or its nearest superclass that has one.
Result<ids::Field> PageWalk::field(jclass type, std::string_view name) const {
  const jvm::Env& env = agent_.jvmti();
  for (auto current = jni_.local(type); current; current = jni_.superclass(current)) {
    JVMDEBUG_ASSIGN(const auto declared, env.get_class_fields(current));
    for (auto* const id : declared) {
      const auto modifiers = env.get_field_modifiers(current, id);
      if (!modifiers || (static_cast<std::uint32_t>(*modifiers) & kStaticMember) != 0) {
        continue;
      }
      const auto names = env.get_field_name(current, id);
      if (names && names->name.view() == name) {
        return ids::Field{.declaring = std::move(current),
                          .id = id,
                          .signature = std::string(names->signature.view())};
      }
    }
  }
  return fail(Error::kInvalidFieldid);
}

// Returns the class in which the path begins: subclasses of the program may have fields with the
// same names.
Result<jvm::LocalRef<jclass>> PageWalk::first_class(jobject object) const {
  auto type = jni_.object_class(object);
  if (request_.of.empty()) {
    return type;
  }
  while (type) {
    JVMDEBUG_ASSIGN(const auto signature, signature_of(agent_.jvmti(), type));
    if (signature == request_.of) {
      return type;
    }
    type = jni_.superclass(type);
  }
  return fail(Error::kInvalidFieldid);
}

// Returns the object that the path leads to; empty when it is null.
Result<jvm::LocalRef<jobject>> PageWalk::follow_path() const {
  JVMDEBUG_ASSIGN(auto object, agent_.objects().object(request_.object));
  JVMDEBUG_ASSIGN(auto type, first_class(object));
  for (const std::string& name : request_.path) {
    if (!object) {
      break;
    }
    if (!type) {
      type = jni_.object_class(object);
    }
    JVMDEBUG_ASSIGN(const auto next, field(type, name));
    if (!protocol::is_object(tag_of_signature(next.signature))) {
      return fail(Error::kInvalidFieldid);
    }
    object = jni_.adopt(jni_->GetObjectField(object, next.id));
    type = {};
  }
  return object;
}

Result<void> PageWalk::slots(jobjectArray array) {
  const jsize length = jni_->GetArrayLength(array);
  const jsize size = std::max(request_.slot_size, 1);
  const jsize count = length / size;
  if (count == 0) {
    return {};
  }
  if (request_.first < 0 || request_.first >= count) {
    return fail(Error::kInvalidIndex);
  }
  const bool is_direct = request_.parts.empty() && !request_.skips_null;
  const jsize begin = is_direct ? std::min<jsize>(request_.skip, count) : 0;
  skipped_ = begin;
  for (jsize index = begin; index < count && !is_done(); ++index) {
    JVMDEBUG_CHECK(step());
    const auto at = static_cast<jsize>((std::int64_t{request_.first} + index) % count);
    JVMDEBUG_CHECK(slot(array, (request_.is_backwards ? count - 1 - at : at) * size));
  }
  return {};
}

// Reads the entries of one slot: a chain of nodes, or the elements themselves.
Result<void> PageWalk::slot(jobjectArray array, jsize at) {
  auto head = jni_.adopt(jni_->GetObjectArrayElement(array, at));
  if (!request_.parts.empty()) {
    return head ? enter_chain(std::move(head)) : Result<void>();
  }
  if (request_.skips_null && !head) {
    return {};
  }
  if (skipped_ < request_.skip) {
    ++skipped_;
    return {};
  }
  Entry entry;
  entry.values.push_back(protocol::Value::of_object(agent_.objects().tagged_id(head)));
  for (jsize next = 1; next < request_.slot_size; ++next) {
    const auto element = jni_.adopt(jni_->GetObjectArrayElement(array, at + next));
    entry.values.push_back(protocol::Value::of_object(agent_.objects().tagged_id(element)));
  }
  entries_.push_back(std::move(entry));
  return {};
}

// Enters a chain. A redirect leads to the first node; the class of a head seldom is that of the
// previous one.
Result<void> PageWalk::enter_chain(jvm::LocalRef<jobject> head) {
  if (request_.redirects.empty()) {
    return nodes(std::move(head), Known::kNo);
  }
  auto type = jni_.object_class(head);
  if (plain_head_ && jni_.same(type, plain_head_)) {
    return nodes(std::move(head), Known::kYes);
  }
  JVMDEBUG_ASSIGN(const auto signature, signature_of(agent_.jvmti(), type));
  const auto redirect =
      std::ranges::find(request_.redirects, signature, &Request::Redirect::signature);
  if (redirect != request_.redirects.end()) {
    JVMDEBUG_ASSIGN(const auto inside, field(type, redirect->field));
    return nodes(jni_.adopt(jni_->GetObjectField(head, inside.id)), Known::kNo);
  }
  JVMDEBUG_CHECK(learn(head));
  plain_head_ = std::move(type);
  return nodes(std::move(head), Known::kYes);
}

// Walks a tree in order; a chain is a tree without left children.
Result<void> PageWalk::nodes(jvm::LocalRef<jobject> root, Known is_root_known) {
  std::vector<jvm::LocalRef<jobject>> above;
  CircleCheck circle(jni_);
  auto node = std::move(root);
  bool is_known = is_root_known == Known::kYes;
  while ((node || !above.empty()) && !is_done()) {
    if (node && !std::exchange(is_known, false)) {
      JVMDEBUG_CHECK(learn(node));
    }
    if (node && node_.before) {
      if (above.size() >= kDeepestTree) {
        return fail(Error::kInvalidFieldid);  // not a tree: it is being changed
      }
      auto before = linked(node, node_.before);
      above.push_back(std::move(node));
      node = std::move(before);
      continue;
    }
    if (!node) {
      node = std::move(above.back());
      above.pop_back();
    }
    JVMDEBUG_CHECK(step());
    if (circle.is_closed_by(node)) {
      return fail(Error::kInvalidFieldid);
    }
    visit(node);
    node = linked(node, node_.after);
  }
  return {};
}

Result<void> PageWalk::learn(jobject node) {
  if (node_.type && jni_.instance_of(node, node_.type)) {
    return {};
  }
  const auto type = jni_.object_class(node);
  Node learned;
  const auto take = [&](const std::string& name) -> Result<ids::Field> {
    JVMDEBUG_ASSIGN(auto found, field(type, name));
    // The lowest class that declares one of the fields; its subclasses have all of them.
    if (!learned.type || jni_.assignable(found.declaring, learned.type)) {
      learned.type = jni_.local(found.declaring.get());
    }
    return found;
  };
  for (const auto& [name, link] : {std::pair{&request_.before, &learned.before},
                                   {&request_.after, &learned.after},
                                   {&request_.holds, &learned.holds}}) {
    if (!name->empty()) {
      JVMDEBUG_ASSIGN(*link, take(*name));
      if (!protocol::is_object(tag_of_signature((*link)->signature))) {
        return fail(Error::kInvalidFieldid);
      }
    }
  }
  for (const std::string& name : request_.parts) {
    JVMDEBUG_ASSIGN(auto part, take(name));
    learned.parts.push_back(std::move(part));
  }
  node_ = std::move(learned);
  plain_head_ = {};
  return {};
}

Result<void> PageWalk::step() {
  if (++steps_ > kMostSteps) {
    return fail(Error::kIllegalArgument);
  }
  return {};
}

void PageWalk::visit(jobject node) {
  if (!is_counted(node)) {
    return;
  }
  if (skipped_ < request_.skip) {
    ++skipped_;
    return;
  }
  Entry entry{.node = agent_.objects().tagged_id(node), .values = {}};
  entry.values.reserve(node_.parts.size());
  for (const ids::Field& part : node_.parts) {
    entry.values.push_back(read_field(agent_, node, part));
  }
  entries_.push_back(std::move(entry));
}

// Whether a node counts: a removed node holds nothing, or itself.
bool PageWalk::is_counted(jobject node) const {
  if (!node_.holds) {
    return true;
  }
  const auto held = jni_.adopt(jni_->GetObjectField(node, node_.holds->id));
  return held && !jni_.same(held, node);
}

// Follows a link to the next node; an unlinked node may lead to itself.
jvm::LocalRef<jobject> PageWalk::linked(jobject node, const std::optional<ids::Field>& link) const {
  if (!link) {
    return {};
  }
  auto next = jni_.adopt(jni_->GetObjectField(node, link->id));
  return node_.holds && next && jni_.same(next, node) ? jvm::LocalRef<jobject>() : std::move(next);
}

}  // namespace jvmdebug::agent::commands
