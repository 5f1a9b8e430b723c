// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/kept_parameters.h"

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "classfile/class_file.h"
#include "classfile/constant_pool.h"
#include "codec/reader.h"
#include "codec/writer.h"

namespace jvmdebug::agent::probes {
namespace {

constexpr const char* kAttribute = "MethodParameters";

// By name and descriptor of the method.
using AllParameters = std::map<std::string, std::vector<jvm::VmParameter>>;

AllParameters parameters_of(const jvm::VmParameters& vm, const jvm::Env& env, jclass type) {
  AllParameters all;
  const auto methods = env.get_class_methods(type);
  if (!methods) {
    return all;
  }
  auto parameters = vm.of(methods->span());
  for (std::size_t number = 0; number < parameters.size(); ++number) {
    auto& of_method = parameters[number];
    if (!of_method) {
      continue;
    }
    if (const auto name = env.get_method_name(methods->span()[number])) {
      all.emplace(std::string(name->name.view()) + std::string(name->signature.view()),
                  std::move(*of_method));
    }
  }
  return all;
}

// The content of the attribute in a file that may have other constants than the class.
std::optional<std::vector<std::uint8_t>> attribute(std::span<const jvm::VmParameter> parameters,
                                                   const classfile::ConstantPool& of_class,
                                                   classfile::ConstantPool& of_file) {
  codec::Writer writer;
  writer.write_unsigned(parameters.size(), 1);
  for (const jvm::VmParameter& each : parameters) {
    std::uint16_t index = 0;
    if (each.name != 0) {
      const auto name = of_class.utf8(each.name);
      const auto added = name ? of_file.add_utf8(*name)
                              : classfile::Rewritten<std::uint16_t>(
                                    std::unexpected(classfile::RewriteError::kMalformed));
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

}  // namespace

std::optional<std::vector<std::uint8_t>> KeptParameters::put_back(
    const jvm::Env& env, jclass type, std::span<const std::uint8_t> class_file) const {
  if (!parameters_.are_needed()) {
    return std::nullopt;
  }
  const AllParameters all = parameters_of(parameters_, env, type);
  if (all.empty()) {
    return std::nullopt;
  }
  const auto raw = env.get_constant_pool(type);
  if (!raw) {
    return std::nullopt;
  }
  codec::Reader reader(raw->bytes.span());
  const auto of_class =
      classfile::ConstantPool::read(reader, static_cast<std::size_t>(raw->entry_count));
  auto file = classfile::ClassFile::read(class_file);
  if (!of_class || !file) {
    return std::nullopt;
  }
  bool is_changed = false;
  for (const classfile::Method& method : file->methods()) {
    const auto found = all.find(file->pool().utf8(method.name).value_or("") +
                                file->pool().utf8(method.descriptor).value_or(""));
    if (found == all.end() || file->has_attribute(method, kAttribute)) {
      continue;
    }
    auto content = attribute(found->second, *of_class, file->pool());
    if (content && file->add_attribute(method, kAttribute, std::move(*content))) {
      is_changed = true;
    }
  }
  return is_changed ? std::optional(file->write()) : std::nullopt;
}

}  // namespace jvmdebug::agent::probes
