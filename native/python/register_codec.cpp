// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "codec/packet.h"
#include "codec/reader.h"
#include "codec/writer.h"
#include "python/byte_view.h"
#include "python/decoder.h"
#include "python/encoder.h"
#include "python/errors.h"
#include "python/layout.h"
#include "python/register.h"

namespace jvmdebug::python {

namespace py = pybind11;

namespace {

// The payloads of one VM: its id sizes, and the layouts compiled for them.
class Codec {
 public:
  explicit Codec(IdSizes sizes) : table_(sizes) {}

  [[nodiscard]] IdSizes sizes() const { return table_.sizes(); }

  py::bytes encode(const py::object& object) {
    const Layout& layout = table_.of(py::type::handle_of(object));
    codec::Writer writer;
    Encoder(table_, writer).encode(layout, object.ptr());
    return to_python(writer.bytes());
  }

  py::object decode(const py::object& python_class, const py::object& content) {
    const Layout& layout = table_.of(python_class);
    const ByteView view(content);
    codec::Reader reader(view.bytes());
    py::object object = Decoder(table_, reader).decode(layout);
    if (reader.remaining() > 0) {
      throw WireException(layout.name + ": " + std::to_string(reader.remaining()) +
                          " bytes follow that belong to nothing");
    }
    return object;
  }

 private:
  LayoutTable table_;
};

}  // namespace

void register_codec(py::module_& module) {
  py::class_<Codec>(module, "Codec", "Encodes and decodes payloads for one VM's id sizes.")
      .def(py::init<IdSizes>(), py::arg("sizes"))
      .def_property_readonly("sizes", &Codec::sizes)
      .def("encode", &Codec::encode, py::arg("message"),
           "The bytes of a generated dataclass. WireError: a value does not fit; TypeError: a "
           "value is of another type than its field.")
      .def("decode", &Codec::decode, py::arg("message_class"), py::arg("content"),
           "The object of this class that the bytes are. WireError: they are not one.");
}

}  // namespace jvmdebug::python
