#include "core/report/trace/chakra_writer.h"

#include "core/run/trace_notes.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace meshslice {
namespace {

constexpr std::string_view schema_version = "0.0.4"; // as MLCommons' converters write it

/// A protobuf message as it grows.
class WireText {
  public:
    void number(unsigned member, std::uint64_t value) {
        varint(member << 3U);
        varint(value);
    }
    void bytes(unsigned member, std::string_view value) {
        varint((member << 3U) | 2U);
        varint(value.size());
        text_ += value;
    }
    void varint(std::uint64_t value) {
        for (; value >= 0x80U; value >>= 7U) {
            text_ += static_cast<char>(0x80U | (value & 0x7fU));
        }
        text_ += static_cast<char>(value);
    }
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    std::string text_;
};

// The members of an attribute that hold its value, by their types.
constexpr unsigned wire_int32 = 7, wire_int64 = 9, wire_uint64 = 13, wire_bool = 27, wire_string = 29;

void write_message(std::ostream& out, const std::string& message) {
    WireText size;
    size.varint(message.size());
    out << size.text() << message;
}

void attribute(WireText& node, std::string_view name, unsigned type, std::uint64_t value) {
    WireText made;
    made.bytes(1, name);
    made.number(type, value);
    node.bytes(10, made.text());
}

} // namespace

ChakraWriter::ChakraWriter(std::ostream& out) : out_(out) {
    WireText whole;
    whole.bytes(1, schema_version);
    WireText note;
    note.bytes(1, trace_notes::writer);
    note.bytes(wire_string, trace_notes::program);
    whole.bytes(2, note.text());
    write_message(out_, whole.text());
}

void ChakraWriter::add(const ChakraNode& node) {
    WireText made;
    made.number(1, node.id);
    made.bytes(2, node.name);
    made.number(3, static_cast<std::uint64_t>(node.kind));
    if (!node.after.empty()) {
        WireText list;
        for (const std::uint64_t id : node.after) {
            list.varint(id);
        }
        made.bytes(5, list.text());
    }
    if (node.start_us > 0) {
        made.number(6, node.start_us);
    }
    if (node.duration_us > 0) {
        made.number(7, node.duration_us);
    }
    attribute(made, "is_cpu_op", wire_bool, node.of_host ? 1 : 0);
    if (node.kind == ChakraKind::collective) {
        attribute(made, "comm_type", wire_int64, static_cast<std::uint64_t>(node.collective));
    }
    if (node.communicates()) {
        attribute(made, "comm_size", wire_int64, node.sent_bytes);
    } else {
        attribute(made, "num_ops", wire_int64, node.flop);
        attribute(made, "tensor_size", wire_uint64, node.memory_bytes);
    }
    if (node.kind == ChakraKind::send || node.kind == ChakraKind::receive) {
        attribute(made, "comm_src", wire_int32, node.from);
        attribute(made, "comm_dst", wire_int32, node.to);
        attribute(made, "comm_tag", wire_int32, node.tag);
    }
    if (!node.group.empty()) {
        WireText group;
        group.bytes(1, "pg_name");
        group.bytes(wire_string, node.group);
        made.bytes(10, group.text());
    }
    write_message(out_, made.text());
}

} // namespace meshslice
