// SPDX-License-Identifier: Apache-2.0
//
// The part of HeapDump during the walk. HotSpot reports the references of one object after the
// other: first its class, then its fields or elements. The VM is stopped, so neither JNI nor JVM TI
// is called.
#include <algorithm>
#include <cstring>

#include "agent/heap/heap_dump.h"
#include "agent/heap/hprof_tags.h"
#include "codec/big_endian.h"

namespace jvmdebug::agent::heap {
namespace {

constexpr jint kDone = -1;  // an array of objects that was written
constexpr unsigned kBitsOfByte = 8;
constexpr std::size_t kLongestArray = 0xFFFF'0000;  // bytes
constexpr std::size_t kArrayHeader = 1 + 8 + 4 + 4 + 1;
constexpr std::uint32_t kElementsAtOnce = 1U << 16U;

std::size_t width_of(jvmtiPrimitiveType type) {
  return size_in_dump(static_cast<char>(type));
}

// Returns the bits of a value of the type.
std::uint64_t bits_of(jvalue value, jvmtiPrimitiveType type) {
  switch (width_of(type)) {
    case 1:
      return static_cast<std::uint8_t>(value.b);
    case 2:
      return static_cast<std::uint16_t>(value.s);
    case 4:
      return static_cast<std::uint32_t>(value.i);
    default:
      return static_cast<std::uint64_t>(value.j);
  }
}

void put(std::vector<std::uint8_t>& record, std::uint32_t offset, std::uint64_t value,
         std::size_t width) {
  if (offset + width > record.size()) {
    return;
  }
  const std::uint64_t wire = codec::big_endian(value << (kBitsOfByte * (sizeof value - width)));
  std::memcpy(&record[offset], &wire, width);
}

// Converts a JVM TI type to HPROF's number.
std::uint8_t basic_type(jvmtiPrimitiveType type) {
  switch (type) {
    case JVMTI_PRIMITIVE_TYPE_BOOLEAN:
      return 4;
    case JVMTI_PRIMITIVE_TYPE_CHAR:
      return 5;
    case JVMTI_PRIMITIVE_TYPE_FLOAT:
      return 6;
    case JVMTI_PRIMITIVE_TYPE_DOUBLE:
      return 7;
    case JVMTI_PRIMITIVE_TYPE_BYTE:
      return 8;
    case JVMTI_PRIMITIVE_TYPE_SHORT:
      return 9;
    case JVMTI_PRIMITIVE_TYPE_INT:
      return 10;
    default:
      return 11;
  }
}

}  // namespace

jint HeapDump::visit(jlong class_tag, const jlong* tag) const {
  if (!stream_->is_wanted()) {
    return JVMTI_VISIT_ABORT;
  }
  // See jvm::HeapWalk: HotSpot crashes at a virtual thread that is not built yet.
  const bool half_built = virtual_threads_ != 0 && class_tag == virtual_threads_ && *tag == 0;
  return half_built || left_out_.contains(*tag) ? 0 : JVMTI_VISIT_OBJECTS;
}

// JVM TI prescribes the parameters of the callbacks.
// NOLINTBEGIN(readability-non-const-parameter)

jint JNICALL HeapDump::on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo* info,
                                    jlong class_tag, jlong /*referrer_class_tag*/, jlong /*size*/,
                                    jlong* tag, jlong* referrer_tag, jint length, void* context) {
  auto& self = *static_cast<HeapDump*>(context);
  const jint answer = self.visit(class_tag, tag);
  if (answer != JVMTI_VISIT_OBJECTS) {
    return answer;
  }
  const jlong before = *tag;
  const std::uint64_t id = self.identity_.of(tag);
  self.found(id, class_tag, before, length);
  if (referrer_tag == nullptr) {
    self.write_root(kind, info, id, before);
  } else if (ClassLayout* owner = self.classes_.with_tag(*referrer_tag)) {
    self.add_to_class(*owner, kind, info, id);
  } else if (kind == JVMTI_HEAP_REFERENCE_CLASS) {
    self.begin(self.identity_.of_referrer(referrer_tag, tag), *tag);
  } else if (info != nullptr) {
    self.add_to_object(kind, *info, id);
  }
  return self.stream_->is_wanted() ? JVMTI_VISIT_OBJECTS : JVMTI_VISIT_ABORT;
}

jint JNICALL HeapDump::on_primitive(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo* info,
                                    jlong /*class_tag*/, jlong* tag, jvalue value,
                                    jvmtiPrimitiveType type, void* context) {
  auto& self = *static_cast<HeapDump*>(context);
  const auto index = static_cast<std::size_t>(info->field.index);
  const std::uint64_t bits = bits_of(value, type);
  if (kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD) {
    if (ClassLayout* owner = self.classes_.with_tag(*tag)) {
      const auto field = self.classes_.field(*owner, index);
      if (field.type != 0 && field.place < owner->static_values.size()) {
        owner->static_values[field.place] = bits;
      }
    }
  } else if (self.current_.type != nullptr) {
    const auto field = self.classes_.field(*self.current_.type, index);
    if (field.type != 0) {
      put(self.current_.fields, field.place, bits, width_of(type));
    }
  }
  return 0;
}

jint JNICALL HeapDump::on_array(jlong /*class_tag*/, jlong /*size*/, jlong* /*tag*/, jint count,
                                jvmtiPrimitiveType type, const void* elements, void* context) {
  auto& self = *static_cast<HeapDump*>(context);
  Current& current = self.current_;
  if (current.is_written) {
    return 0;
  }
  current.is_written = true;
  HprofStream& stream = *self.stream_;
  const bool has_contents = self.contents_ != Contents::kReferences;
  const std::size_t width = width_of(type);
  // The length of the record must fit into four bytes.
  const auto length = static_cast<std::uint32_t>(
      std::min<std::size_t>(static_cast<std::size_t>(count), kLongestArray / width));
  const bool is_long = has_contents && length * width > HprofStream::kPart;
  if (is_long) {
    stream.begin_long_record(static_cast<std::uint32_t>(kArrayHeader + length * width));
  }
  stream.u1(has_contents ? tags::kPrimitiveArray : tags::kArrayWithoutContents);
  stream.id(current.id);
  stream.u4(kNoTrace);
  stream.u4(length);
  stream.u1(basic_type(type));
  const auto* bytes = static_cast<const std::uint8_t*>(elements);
  for (std::uint32_t at = 0; has_contents && at < length && stream.is_wanted();) {
    const std::uint32_t some = std::min(length - at, kElementsAtOnce);
    if (self.contents_ == Contents::kAll) {
      stream.numbers(std::span(bytes + at * width, some * width), width);
    } else {
      stream.zeros(some * width);
    }
    at += some;
    if (is_long) {
      stream.send_what_is_there();
    }
  }
  if (is_long) {
    stream.end_long_record();
  } else {
    stream.settled();
  }
  ++self.object_count_;
  return stream.is_wanted() ? 0 : JVMTI_VISIT_ABORT;
}

// NOLINTEND(readability-non-const-parameter)

void HeapDump::add_to_class(ClassLayout& type, jvmtiHeapReferenceKind kind,
                            const jvmtiHeapReferenceInfo* info, std::uint64_t id) {
  if (kind == JVMTI_HEAP_REFERENCE_CLASS_LOADER) {
    type.loader = id;
  } else if (kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD && info != nullptr) {
    const auto field = classes_.field(type, static_cast<std::size_t>(info->field.index));
    if (field.type != 0 && field.place < type.static_values.size()) {
      type.static_values[field.place] = id;
    }
  }
}

void HeapDump::add_to_object(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo& info,
                             std::uint64_t id) {
  if (kind == JVMTI_HEAP_REFERENCE_FIELD && current_.type != nullptr) {
    const auto field = classes_.field(*current_.type, static_cast<std::size_t>(info.field.index));
    if (field.type != 0) {
      put(current_.fields, field.place, id, size_in_dump('L'));
    }
  } else if (kind == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT) {
    const auto index = static_cast<std::size_t>(info.array.index);
    if (index < current_.elements.size()) {
      current_.elements[index] = id;
    }
  }
}

// Notes an object. The VM tells the length of an array with a reference to it, but it is needed
// when the array itself is written.
void HeapDump::found(std::uint64_t id, jlong class_tag, jlong tag, jint length) {
  if (const ClassLayout* type = classes_.with_tag(class_tag);
      type != nullptr && type->is_object_array) {
    array_lengths_.try_emplace(id, length);
  } else if (class_tag == class_class_ && classes_.with_tag(tag) == nullptr &&
             array_lengths_.try_emplace(id, kDone).second) {
    write_class_object(id);
  }
}

// Writes a class object that is not of a loaded class, such as int.class; the walk does not visit
// it.
void HeapDump::write_class_object(std::uint64_t id) {
  const std::uint32_t size = classes_.with_tag(class_class_)->record_size;
  stream_->u1(tags::kInstance);
  stream_->id(id);
  stream_->u4(kNoTrace);
  stream_->id(ObjectIdentity::of_tag(class_class_));
  stream_->u4(size);
  stream_->zeros(size);
  stream_->settled();
  ++object_count_;
}

void HeapDump::begin(std::uint64_t id, jlong class_tag) {
  end();
  const ClassLayout* type = classes_.with_tag(class_tag);
  current_.type = type;
  current_.id = id;
  current_.class_id = ObjectIdentity::of_tag(class_tag);
  current_.is_written = type == nullptr;  // its class was loaded later
  current_.fields.clear();
  current_.elements.clear();
  if (type == nullptr) {
    return;
  }
  if (type->is_object_array) {
    const auto length = array_lengths_.find(id);
    if (length == array_lengths_.end() || length->second == kDone) {
      current_.is_written = true;
      return;
    }
    current_.elements.resize(static_cast<std::size_t>(length->second));
    length->second = kDone;
  } else if (!type->is_array) {
    current_.fields.resize(type->record_size);
  }
}

void HeapDump::end() {
  if (current_.is_written) {
    return;
  }
  current_.is_written = true;
  if (current_.type->is_array && !current_.type->is_object_array) {
    return;  // its elements were not reported
  }
  HprofStream& stream = *stream_;
  const bool is_array = current_.type->is_object_array;
  stream.u1(is_array ? tags::kObjectArray : tags::kInstance);
  stream.id(current_.id);
  stream.u4(kNoTrace);
  if (is_array) {
    stream.u4(static_cast<std::uint32_t>(current_.elements.size()));
    stream.id(current_.class_id);
    const std::span elements(current_.elements);
    stream.numbers({reinterpret_cast<const std::uint8_t*>(elements.data()), elements.size_bytes()},
                   sizeof(std::uint64_t));
  } else {
    stream.id(current_.class_id);
    stream.u4(static_cast<std::uint32_t>(current_.fields.size()));
    stream.bytes(current_.fields);
  }
  stream.settled();
  ++object_count_;
}

std::uint32_t HeapDump::serial_of_thread(jlong tag) {
  const auto found = serials_.find(tag);
  return found == serials_.end() ? 0 : found->second;
}

void HeapDump::write_root(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo* info,
                          std::uint64_t id, jlong tag) {
  HprofStream& stream = *stream_;
  switch (kind) {
    case JVMTI_HEAP_REFERENCE_STACK_LOCAL:
      write_local(info->stack_local, id);
      return;
    case JVMTI_HEAP_REFERENCE_JNI_LOCAL:
      stream.u1(tags::kRootJniLocal);
      stream.id(id);
      stream.u4(serial_of_thread(info->jni_local.thread_tag));
      stream.u4(static_cast<std::uint32_t>(info->jni_local.depth));
      return;
    case JVMTI_HEAP_REFERENCE_JNI_GLOBAL:
      if (known_.erase(tag) != 0) {
        return;  // the agent's own
      }
      stream.u1(tags::kRootJniGlobal);
      stream.id(id);
      stream.id(id);
      return;
    case JVMTI_HEAP_REFERENCE_THREAD:
      // The object is identified by its tag: it was tagged, or the thread began later.
      if (const auto serial = serial_of_thread(static_cast<jlong>(id / ObjectIdentity::of_tag(1)));
          serial != 0) {
        stream.u1(tags::kRootThread);
        stream.id(id);
        stream.u4(serial);
        stream.u4(serial);
        return;
      }
      break;
    default:
      break;
  }
  const bool is_class = kind == JVMTI_HEAP_REFERENCE_SYSTEM_CLASS;
  const bool is_monitor = kind == JVMTI_HEAP_REFERENCE_MONITOR;
  stream.u1(is_class ? tags::kRootSystemClass
                     : (is_monitor ? tags::kRootMonitor : tags::kRootUnknown));
  stream.id(id);
}

void HeapDump::write_local(const jvmtiHeapReferenceInfoStackLocal& local, std::uint64_t id) {
  HprofStream& stream = *stream_;
  const std::uint32_t serial = serial_of_thread(local.thread_tag);
  const auto depth = static_cast<std::size_t>(std::max<jint>(local.depth, 0));
  if (serial != 0) {
    // The walk knows the thread's location better than the earlier read of its stack.
    auto& frames = threads_[serial - 1].frames;
    frames.resize(std::max(frames.size(), depth + 1));
    frames[depth] = {.method = local.method, .location = local.location};
  }
  const bool has_slot = contents_ == Contents::kReferences;
  stream.u1(has_slot ? tags::kRootSlot : tags::kRootFrame);
  stream.id(id);
  stream.u4(serial);
  stream.u4(static_cast<std::uint32_t>(depth));
  if (has_slot) {
    stream.u4(static_cast<std::uint32_t>(local.slot));
  }
}

}  // namespace jvmdebug::agent::heap
