// SPDX-License-Identifier: Apache-2.0
#include "agent/code/kept_parameters.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <future>
#include <string>
#include <string_view>
#include <utility>

#include "classfile/class_file.h"
#include "classfile/constant_pool.h"
#include "codec/reader.h"
#include "codec/writer.h"

namespace jvmdebug::agent::code {
namespace {

constexpr const char* kAttribute = "MethodParameters";

constexpr std::chrono::seconds kReflectionDeadline{2};

// Returns none if they cannot be read now.
std::optional<NamedParameters> parameters_of(const jvm::VmParameters& vm, const jvm::Env& env,
                                             jclass type) {
  const auto methods = env.get_class_methods(type);
  const auto parameters = methods ? vm.of(methods->span()) : std::nullopt;
  if (!parameters) {
    return std::nullopt;
  }
  NamedParameters all;
  if (std::ranges::none_of(*parameters, [](const auto& each) { return each.has_value(); })) {
    return all;
  }
  const auto raw = env.get_constant_pool(type);
  if (!raw) {
    return std::nullopt;
  }
  codec::Reader reader(raw->bytes.span());
  const auto pool =
      classfile::ConstantPool::read(reader, static_cast<std::size_t>(raw->entry_count));
  for (std::size_t number = 0; pool && number < parameters->size(); ++number) {
    const auto& of_method = (*parameters)[number];
    const auto name = env.get_method_name(methods->span()[number]);
    if (!of_method || !name) {
      continue;
    }
    std::vector<NamedParameter> named;
    for (const jvm::VmParameter& each : *of_method) {
      named.push_back(
          {.name = each.name == 0 ? std::nullopt : pool->utf8(each.name), .access = each.access});
    }
    all.emplace(std::string(name->name.view()) + std::string(name->signature.view()),
                std::move(named));
  }
  return all;
}

// Returns the content of the attribute.
std::optional<std::vector<std::uint8_t>> attribute(std::span<const NamedParameter> parameters,
                                                   classfile::ConstantPool& of_file) {
  codec::Writer writer;
  writer.write_unsigned(parameters.size(), 1);
  for (const NamedParameter& each : parameters) {
    std::uint16_t index = 0;
    if (each.name) {
      const auto added = of_file.add_utf8(*each.name);
      if (!added) {
        return std::nullopt;
      }
      index = *added;
    }
    writer.write_unsigned_short(index);
    writer.write_unsigned_short(each.access);
  }
  return writer.take();
}

void say_lost(const jvm::Env& env, jclass type) {
  const auto signature = env.get_class_signature_only(type);
  const std::string name(signature ? signature->view() : std::string_view("?"));
  std::fprintf(stderr,
               "jvmdebug: %s may lose the names of its parameters (MethodParameters, JDK-8240908): "
               "the memory of the VM is not read, and reflection does not tell them now\n",
               name.c_str());
}

}  // namespace

std::shared_ptr<const ToldParameters> KeptParameters::tell(const jvm::Env& env,
                                                           std::span<const jclass> types,
                                                           const Starter& starter) const {
  if (!jvm::VmParameters::are_needed(env)) {
    return nullptr;
  }
  const jvm::Jni jni = env.jni();
  auto told = std::make_shared<ToldParameters>();
  for (jclass const type : types) {
    const auto methods = env.get_class_methods(type);
    if (!methods || !parameters_.of(methods->span())) {
      told->emplace_back(jni.global(type), NamedParameters{});
    }
  }
  if (told->empty()) {
    return nullptr;
  }
  // Asked on a thread of its own: a thread that the debugger holds may keep the lock of a class
  // loader.
  auto done = std::make_shared<std::promise<void>>();
  auto ended = done->get_future();
  const bool has_begun = starter([&env, told, done] {
    const jvm::Jni own = env.jni();
    for (auto& [type, parameters] : *told) {
      auto found = reflected_parameters(env, own, type);
      if (!found) {
        say_lost(env, type);
      }
      parameters = std::move(found).value_or(NamedParameters{});
    }
    done->set_value();
  });
  if (has_begun && ended.wait_for(kReflectionDeadline) == std::future_status::ready) {
    return told;
  }
  std::ranges::for_each(*told, [&](const auto& each) { say_lost(env, each.first.get()); });
  return nullptr;
}

std::optional<std::vector<std::uint8_t>> KeptParameters::put_back(
    const jvm::Env& env, jclass type, std::span<const std::uint8_t> class_file,
    const ToldParameters* told) const {
  if (!jvm::VmParameters::are_needed(env)) {
    return std::nullopt;
  }
  const NamedParameters* all = nullptr;
  const auto read = parameters_of(parameters_, env, type);
  if (read) {
    all = &*read;
  } else if (told != nullptr) {
    const jvm::Jni jni = env.jni();
    const auto found = std::ranges::find_if(
        *told, [&](const auto& each) { return jni.same(each.first.get(), type); });
    all = found == told->end() ? nullptr : &found->second;
  }
  if (all == nullptr || all->empty()) {
    return std::nullopt;
  }
  auto file = classfile::ClassFile::read(class_file);
  if (!file) {
    return std::nullopt;
  }
  bool is_changed = false;
  for (const classfile::Method& method : file->methods()) {
    const auto found = all->find(file->pool().utf8(method.name).value_or("") +
                                 file->pool().utf8(method.descriptor).value_or(""));
    if (found == all->end() || file->has_attribute(method, kAttribute)) {
      continue;
    }
    auto content = attribute(found->second, file->pool());
    if (content && file->add_attribute(method, kAttribute, std::move(*content))) {
      is_changed = true;
    }
  }
  return is_changed ? std::optional(file->write()) : std::nullopt;
}

}  // namespace jvmdebug::agent::code
