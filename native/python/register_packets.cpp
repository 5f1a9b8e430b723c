// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include "codec/packet.h"
#include "python/byte_view.h"
#include "python/errors.h"
#include "python/register.h"

namespace jvmdebug::python {

namespace py = pybind11;

namespace {

struct PythonPacket {
  codec::Header header;
  py::bytes payload;
  bool is_cut = false;
};

[[noreturn]] void refuse(codec::FramingError error) {
  throw WireException(std::string(codec::describe(error)));
}

py::bytes checked(const std::expected<std::vector<std::uint8_t>, codec::FramingError>& packet) {
  if (!packet) {
    refuse(packet.error());
  }
  return to_python(*packet);
}

py::bytes pack_command(std::uint32_t id, std::uint8_t command_set, std::uint8_t command,
                       const py::object& payload) {
  const ByteView view(payload);
  return checked(codec::pack_command(id, command_set, command, view.bytes()));
}

py::bytes pack_reply(std::uint32_t id, std::uint16_t error, const py::object& payload) {
  const ByteView view(payload);
  return checked(codec::pack_reply(id, static_cast<protocol::Error>(error), view.bytes()));
}

// Returns the whole packets of a framer, and raises where the boundaries of packets are lost.
class PacketIterator {
 public:
  explicit PacketIterator(py::object framer) : framer_(std::move(framer)) {}

  PythonPacket next() {
    auto packet = framer_.cast<codec::Framer&>().next();
    if (!packet) {
      refuse(packet.error());
    }
    if (!*packet) {
      throw py::stop_iteration();
    }
    return {(*packet)->header, to_python((*packet)->payload), (*packet)->is_cut};
  }

 private:
  py::object framer_;
};

std::string describe_packet(const PythonPacket& packet) {
  const codec::Header& header = packet.header;
  const std::string what = header.is_reply()
                               ? "error=" + std::to_string(static_cast<int>(header.error))
                               : "command_set=" + std::to_string(header.command_set) +
                                     ", command=" + std::to_string(header.command);
  return "Packet(id=" + std::to_string(header.id) + ", " + what + ", " +
         std::to_string(header.payload_size()) + " bytes)";
}

void register_packet(py::module_& module) {
  py::class_<PythonPacket>(module, "Packet", "One packet. A reply has an error, a command numbers.")
      .def_property_readonly("id", [](const PythonPacket& packet) { return packet.header.id; })
      .def_property_readonly("flags",
                             [](const PythonPacket& packet) { return packet.header.flags; })
      .def_property_readonly("is_reply",
                             [](const PythonPacket& packet) { return packet.header.is_reply(); })
      .def_property_readonly("command_set",
                             [](const PythonPacket& packet) { return packet.header.command_set; })
      .def_property_readonly("command",
                             [](const PythonPacket& packet) { return packet.header.command; })
      .def_property_readonly(
          "error", [](const PythonPacket& packet) { return static_cast<int>(packet.header.error); })
      .def_property_readonly("payload", [](const PythonPacket& packet) { return packet.payload; })
      .def_property_readonly("is_cut", [](const PythonPacket& packet) { return packet.is_cut; })
      .def_property_readonly("length",
                             [](const PythonPacket& packet) { return packet.header.length; })
      .def("__repr__", &describe_packet);
}

}  // namespace

void register_packets(py::module_& module) {
  module.attr("HANDSHAKE") = py::bytes(codec::kHandshake.data(), codec::kHandshake.size());
  module.attr("REJOIN") = py::bytes(codec::kRejoin.data(), codec::kRejoin.size());
  module.attr("NOT_REJOINED") = py::bytes(codec::kNotRejoined.data(), codec::kNotRejoined.size());
  module.attr("TAKE_OVER") = py::bytes(codec::kTakeOver.data(), codec::kTakeOver.size());
  module.attr("BUSY") = py::bytes(codec::kBusy.data(), codec::kBusy.size());
  module.attr("TOKEN_GREETING") =
      py::bytes(codec::kTokenGreeting.data(), codec::kTokenGreeting.size());
  module.attr("TOKEN_NEEDED") = py::bytes(codec::kTokenNeeded.data(), codec::kTokenNeeded.size());
  module.attr("MAXIMUM_PACKET_SIZE") = codec::kMaximumPacketSize;
  module.attr("HEADER_SIZE") = codec::kHeaderSize;
  module.def("pack_command", &pack_command, py::arg("id"), py::arg("command_set"),
             py::arg("command"), py::arg("payload") = py::bytes(),
             "A whole command packet. WireError: it would be longer than 2 GiB.");
  module.def("pack_reply", &pack_reply, py::arg("id"), py::arg("error"),
             py::arg("payload") = py::bytes(),
             "A whole reply packet. WireError: it would be longer than 2 GiB.");
  register_packet(module);
  py::class_<PacketIterator>(module, "PacketIterator")
      .def("__iter__", [](py::object iterator) { return iterator; })
      .def("__next__", &PacketIterator::next);
  py::class_<codec::Framer>(module, "Framer", "Cuts a stream into packets; does no I/O.")
      .def(py::init<std::size_t>(), py::arg("longest_kept") = codec::kMaximumPacketSize)
      .def(
          "feed",
          [](codec::Framer& framer, const py::object& bytes) {
            const ByteView view(bytes);
            framer.feed(view.bytes());
          },
          py::arg("content"), "Takes the next bytes of the stream.")
      .def(
          "packets", [](py::object framer) { return PacketIterator(std::move(framer)); },
          "The packets that are whole. Raises WireError after them if the stream is broken, and "
          "then always.")
      .def(
          "next",
          [](codec::Framer& framer) -> py::object {
            auto packet = framer.next();
            if (!packet) {
              refuse(packet.error());
            }
            if (!*packet) {
              return py::none();
            }
            return py::cast(
                PythonPacket{(*packet)->header, to_python((*packet)->payload), (*packet)->is_cut});
          },
          "The next packet that is whole, None when there is none. What `packets` does without its "
          "end, which costs more than a packet. Raises WireError where the stream is broken.")
      .def_property_readonly("pending", &codec::Framer::pending);
}

}  // namespace jvmdebug::python
