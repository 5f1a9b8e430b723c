// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/given_objects.h"

#include <array>
#include <utility>

namespace jvmdebug::agent::probes {
namespace {

constexpr const char* kNoAccess = "the VM gives no access to a member that it uses";
constexpr const char* kLookup = "java/lang/invoke/MethodHandles$Lookup";

struct Factory {
  const char* name;
  const char* descriptor;
};

constexpr Factory kReader{
    .name = "unreflectGetter",
    .descriptor = "(Ljava/lang/reflect/Field;)Ljava/lang/invoke/MethodHandle;"};
constexpr Factory kWriter{
    .name = "unreflectSetter",
    .descriptor = "(Ljava/lang/reflect/Field;)Ljava/lang/invoke/MethodHandle;"};
constexpr Factory kCaller{
    .name = "unreflect",
    .descriptor = "(Ljava/lang/reflect/Method;)Ljava/lang/invoke/MethodHandle;"};
constexpr Factory kSuperCaller{
    .name = "unreflectSpecial",
    .descriptor = "(Ljava/lang/reflect/Method;Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;"};
constexpr Factory kMaker{
    .name = "unreflectConstructor",
    .descriptor = "(Ljava/lang/reflect/Constructor;)Ljava/lang/invoke/MethodHandle;"};

// Makes the objects with the lookup that java.lang.invoke itself uses, because no other one reaches
// all members of all classes in every module.
class Maker {
 public:
  explicit Maker(const jvm::Jni& jni) : jni_(jni), lookup_type_(jni.find_class(kLookup)) {
    const jfieldID field = lookup_type_
                               ? jni->GetStaticFieldID(lookup_type_, "IMPL_LOOKUP",
                                                       "Ljava/lang/invoke/MethodHandles$Lookup;")
                               : nullptr;
    if (!jni.clear_exception() && field != nullptr) {
      lookup_ = jni.adopt(jni->GetStaticObjectField(lookup_type_, field));
    }
  }

  // Returns null if the VM cannot make it.
  [[nodiscard]] jvm::LocalRef<jobject> make(const Given& given) const {
    switch (given.kind) {
      case GivenKind::kRead:
        return handle(kReader, field_of(given));
      case GivenKind::kWrite:
        return handle(kWriter, field_of(given));
      case GivenKind::kCall:
        return handle(kCaller, method_of(given));
      case GivenKind::kCallSuper:
        return handle(kSuperCaller, method_of(given), given.object);
      case GivenKind::kNew:
        return handle(kMaker, method_of(given));
      case GivenKind::kType:
        return jni_.local<jobject>(given.type.get());
      case GivenKind::kObject:
        return reference_to(given.object);
    }
    return {};
  }

 private:
  // Returns a reflected field. This way also reaches fields that reflection itself filters out.
  [[nodiscard]] jvm::LocalRef<jobject> field_of(const Given& given) const {
    return made(
        jni_->ToReflectedField(given.type, given.field, given.is_static ? JNI_TRUE : JNI_FALSE));
  }

  [[nodiscard]] jvm::LocalRef<jobject> method_of(const Given& given) const {
    return made(
        jni_->ToReflectedMethod(given.type, given.method, given.is_static ? JNI_TRUE : JNI_FALSE));
  }

  [[nodiscard]] jvm::LocalRef<jobject> handle(const Factory& factory,
                                              const jvm::LocalRef<jobject>& member,
                                              jobject caller = nullptr) const {
    const jmethodID method = lookup_ && member
                                 ? jni_->GetMethodID(lookup_type_, factory.name, factory.descriptor)
                                 : nullptr;
    if (jni_.clear_exception() || method == nullptr) {
      return {};
    }
    const std::array<jvalue, 2> arguments{{{.l = member.get()}, {.l = caller}}};
    return made(jni_->CallObjectMethodA(lookup_, method, arguments.data()));
  }

  [[nodiscard]] jvm::LocalRef<jobject> reference_to(jobject object) const {
    const auto type = jni_.find_class("java/lang/ref/WeakReference");
    const jmethodID constructor =
        type ? jni_->GetMethodID(type, "<init>", "(Ljava/lang/Object;)V") : nullptr;
    if (jni_.clear_exception() || constructor == nullptr) {
      return {};
    }
    const std::array<jvalue, 1> arguments{{{.l = object}}};
    return made(jni_->NewObjectA(type, constructor, arguments.data()));
  }

  [[nodiscard]] jvm::LocalRef<jobject> made(jobject object) const {
    auto owned = jni_.adopt(object);
    return jni_.clear_exception() ? jvm::LocalRef<jobject>() : std::move(owned);
  }

  const jvm::Jni& jni_;
  jvm::LocalRef<jclass> lookup_type_;
  jvm::LocalRef<jobject> lookup_;
};

// Whether a method of the class has called the native method that the thread runs.
bool is_caller(const jvm::Env& env, const jvm::Jni& jni, jclass check) {
  const auto frame = env.get_frame_location(nullptr, 1);
  if (!frame) {
    return false;
  }
  const auto type = env.get_method_declaring_class(frame->method);
  return type && jni.same(jni.adopt(*type), check);
}

// Returns the static field `cleared0`, `cleared1` and so on of a check, or null if it has fewer.
// These fields hold the given objects that can be replaced, because they could keep classes of
// other loaders alive.
jfieldID cleared_field(const jvm::Jni& jni, jclass check, std::size_t number) {
  const std::string name = "cleared" + std::to_string(number);
  const jfieldID found = jni->GetStaticFieldID(check, name.c_str(), "Ljava/lang/Object;");
  return jni.clear_exception() ? nullptr : found;
}

}  // namespace

std::expected<void, std::string> put_given(const jvm::Jni& jni, jclass check,
                                           std::span<const Given> given, std::size_t kept) {
  const Maker maker(jni);
  std::vector<std::pair<jfieldID, jvm::LocalRef<jobject>>> all;
  for (const Given& each : given) {
    const jfieldID field = cleared_field(jni, check, kept + all.size());
    auto object = maker.make(each);
    if (field == nullptr || !object) {
      return std::unexpected(field == nullptr ? "the check before has no place for it" : kNoAccess);
    }
    all.emplace_back(field, std::move(object));
  }
  for (const auto& [field, object] : all) {
    jni->SetStaticObjectField(check, field, object);
  }
  return {};
}

void clear_given(const jvm::Jni& jni, jclass check) {
  for (std::size_t number = 0;; ++number) {
    const jfieldID field = cleared_field(jni, check, number);
    if (field == nullptr) {
      return;
    }
    jni->SetStaticObjectField(check, field, nullptr);
  }
}

std::expected<void, std::string> GivenObjects::offer(const jvm::Jni& jni, jclass check,
                                                     std::span<const Given> given) {
  const auto object = jni.find_class("java/lang/Object");
  auto objects =
      object ? jni.adopt(jni->NewObjectArray(static_cast<jsize>(given.size()), object, nullptr))
             : jvm::LocalRef<jobjectArray>();
  if (jni.clear_exception() || !objects) {
    return std::unexpected("there is no memory for what the check uses");
  }
  const Maker maker(jni);
  jsize index = 0;
  for (const Given& each : given) {
    const auto made = maker.make(each);
    if (!made) {
      return std::unexpected(kNoAccess);
    }
    jni->SetObjectArrayElement(objects, index++, made);
  }
  Offer made{.to = std::this_thread::get_id(),
             .check = jni.global(check),
             .objects = jni.global(objects.get())};
  const std::scoped_lock lock(mutex_);
  std::swap(offer_, made);
  return {};
}

// Takes the offer away. The caller releases its references without the lock.
GivenObjects::Offer GivenObjects::withdraw() {
  const std::scoped_lock lock(mutex_);
  return offer_.to == std::this_thread::get_id() ? std::exchange(offer_, {}) : Offer{};
}

void GivenObjects::forget() {
  (void)withdraw();
}

jobjectArray GivenObjects::take(const jvm::Env& env, const jvm::Jni& jni) {
  const Offer offer = withdraw();
  if (!offer.check || !is_caller(env, jni, offer.check)) {
    return nullptr;
  }
  return jni.local<jobjectArray>(offer.objects).release();
}

}  // namespace jvmdebug::agent::probes
