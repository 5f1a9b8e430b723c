// SPDX-License-Identifier: Apache-2.0
#include "heap/graph.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace jvmdebug::heap {
Graph::Graph(const Dump& dump, const Progress& progress) : dump_(dump) {
  collect(progress);
  invert();
  root_of_.assign(dump.object_count(), kNone);
  for (std::uint32_t index = 0; index < dump.roots().size(); ++index) {
    std::uint32_t& first = root_of_[dump.roots()[index].object];
    // A root in the frame of a thread is more useful than one of the VM itself.
    if (first == kNone || dump.roots()[first].frame < dump.roots()[index].frame) {
      first = index;
    }
  }
}

void Graph::collect(const Progress& progress) {
  std::unordered_map<std::uint64_t, std::vector<Object>> classes_of;  // by their loader
  for (const ClassOf& type : dump_.classes()) {
    if (const Object mirror = dump_.find(type.id); type.loader_id != 0 && mirror != kNone) {
      classes_of[type.loader_id].push_back(mirror);
    }
  }
  const std::size_t count = dump_.object_count();
  out_starts_.reserve(count + 1);
  for (Object object = 0; object < count; ++object) {
    if (object % kBetweenReports == 0 && progress &&
        !progress(static_cast<double>(object) / static_cast<double>(count))) {
      throw CancelledError();
    }
    out_starts_.push_back(out_.size());
    for_each_reference(dump_, object, [&](std::uint64_t id, std::uint32_t /*via*/) {
      if (const Object target = dump_.find(id); target != kNone) {
        out_.push_back(target);
      }
    });
    if (!classes_of.empty()) {
      const auto loaded = classes_of.find(dump_.id_of(object));
      if (loaded != classes_of.end()) {
        out_.insert(out_.end(), loaded->second.begin(), loaded->second.end());
      }
    }
  }
  out_starts_.push_back(out_.size());
  out_.shrink_to_fit();
}

void Graph::invert() {
  const std::size_t count = dump_.object_count();
  in_starts_.assign(count + 1, 0);
  for (const Object target : out_) {
    ++in_starts_[target + 1];
  }
  for (std::size_t index = 0; index < count; ++index) {
    in_starts_[index + 1] += in_starts_[index];
  }
  in_.resize(out_.size());
  // Fills each slice from its end by moving its start, so that the start is right afterwards.
  for (Object object = 0; object < count; ++object) {
    for (const Object target : from(object)) {
      in_[in_starts_[target]++] = object;
    }
  }
  for (std::size_t index = count; index > 0; --index) {
    in_starts_[index] = in_starts_[index - 1];
  }
  in_starts_[0] = 0;
}

std::string Graph::name_of(Object from, Object to) const {
  const std::uint64_t wanted = dump_.id_of(to);
  std::string name;
  const Shape shape = dump_.shape_of(from);
  for_each_reference(dump_, from, [&](std::uint64_t id, std::uint32_t via) {
    if (id != wanted || !name.empty()) {
      return;
    }
    if (shape == Shape::kObjectArray) {
      name = "[" + std::to_string(via) + "]";
    } else if (shape == Shape::kClass) {
      const ClassOf& type = dump_.classes()[dump_.class_of_mirror(from)];
      name = "." + std::string(type.statics[via].name);
    } else {
      const auto& references = dump_.class_of(from).references;
      const auto found =
          std::ranges::find(references, via, [](const auto& each) { return each.offset; });
      name = "." + std::string(found->name);
    }
  });
  return name.empty() ? ".<classes>" : name;
}

std::vector<Graph::Path> Graph::paths_to_roots(Object object, std::size_t most) const {
  if (search(object, 1, false).empty()) {
    return {};  // its class may also be garbage
  }
  return search(object, most, dump_.shape_of(object) != Shape::kClass);
}

// Searches breadth first from the object to its referrers: the first roots that are found are the
// nearest.
std::vector<Graph::Path> Graph::search(Object object, std::size_t most, bool ends_at_class) const {
  std::unordered_map<Object, Object> next_of;  // towards the object
  std::vector<Object> level{object};
  next_of[object] = kNone;
  std::vector<Path> paths;
  while (!level.empty() && paths.size() < most) {
    std::vector<Object> next_level;
    for (const Object each : level) {
      const bool is_class = ends_at_class && dump_.shape_of(each) == Shape::kClass;
      if (is_class || root_of_[each] != kNone) {
        Path path{.root = root_of_[each], .objects = {}};
        for (Object step = each; step != kNone; step = next_of[step]) {
          path.objects.push_back(step);
        }
        paths.push_back(std::move(path));
        if (paths.size() == most) {
          break;
        }
        continue;  // paths beyond a root are longer
      }
      for (const Object referrer : to(each)) {
        if (next_of.try_emplace(referrer, each).second) {
          next_level.push_back(referrer);
        }
      }
    }
    level = std::move(next_level);
  }
  return paths;
}

}  // namespace jvmdebug::heap
