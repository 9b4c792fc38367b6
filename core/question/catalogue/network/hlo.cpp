// What an operation of XLA says: its arrays, how they lie in memory, and who communicates with whom.

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/import/hlo_operation.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/sharding/notation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr const char* operation_key = "operation";
constexpr const char* hlo_mesh_key = "mesh";

using DeviceGroups = std::set<std::set<std::int64_t>>;

/// The devices that differ along these axes alone, numbered as jax.make_mesh does: the last axis fastest.
DeviceGroups groups_along(const NamedMesh& mesh, unsigned axes) {
    std::vector<std::set<std::int64_t>> by_rest(static_cast<std::size_t>(mesh.devices()));
    for (std::int64_t device = 0; device < mesh.devices(); ++device) {
        std::int64_t left = device, rest = 0, stride = 1;
        for (std::size_t k = mesh.axes.size(); k-- > 0;) {
            const std::int64_t at = left % mesh.axes[k].size;
            left /= mesh.axes[k].size;
            rest += (axes >> k & 1U) != 0 ? 0 : at * stride;
            stride *= mesh.axes[k].size;
        }
        by_rest[static_cast<std::size_t>(rest)].insert(device);
    }
    DeviceGroups made;
    for (std::set<std::int64_t>& one : by_rest) {
        if (!one.empty()) {
            made.insert(std::move(one));
        }
    }
    return made;
}

std::string axes_names(const NamedMesh& mesh, unsigned axes) {
    std::string words;
    for (std::size_t k = 0; k < mesh.axes.size(); ++k) {
        words += (axes >> k & 1U) != 0 ? std::string(1, mesh.axes[k].name) : std::string();
    }
    return words;
}

/// "Y": the fewest axes along which its groups lie; empty: none.
std::string axes_of(const HloOperation& operation, const NamedMesh& mesh) {
    DeviceGroups groups;
    for (const std::vector<std::int64_t>& one : operation.groups) {
        groups.insert({one.begin(), one.end()});
    }
    const unsigned all = (1U << mesh.axes.size()) - 1;
    const bool everybody = groups.size() == 1 && groups.begin()->empty();
    if (everybody && operation.pairs.empty()) {
        return axes_names(mesh, all);
    }
    std::string found;
    for (unsigned axes = 1; axes <= all && operation.pairs.empty(); ++axes) {
        const std::string names = axes_names(mesh, axes);
        if (groups_along(mesh, axes) == groups && (found.empty() || names.size() < found.size())) {
            found = names;
        }
    }
    for (unsigned axis = 1; axis <= all && !operation.pairs.empty() && found.empty(); axis *= 2) {
        const DeviceGroups along = groups_along(mesh, axis);
        const bool within = std::ranges::all_of(operation.pairs, [&](const auto& pair) {
            return std::ranges::any_of(along, [&](const std::set<std::int64_t>& one) {
                return one.contains(pair.first) && one.contains(pair.second);
            });
        });
        found = within ? axes_names(mesh, axis) : found;
    }
    return found;
}

std::string memory_name(std::int64_t space) {
    return space == 0   ? std::string("HBM")
           : space == 1 ? std::string("VMEM")
           : space == 5 ? said("host")
                        : say("memory space {}", space);
}

struct HloAsked {
    HloOperation operation;
    std::optional<NamedMesh> mesh;
    std::string axes = {}; ///< of the mesh, along which it communicates; empty: none, or no mesh
};

Result<HloAsked> hlo_asked(const Asked& asked) {
    Result<HloOperation> read = read_hlo_operation(asked.text(operation_key));
    if (!read) {
        return refuse(read.error());
    }
    HloAsked made{*std::move(read), {}};
    if (asked.has(hlo_mesh_key)) {
        const Read<NamedMesh> mesh = parse_named_mesh(asked.text(hlo_mesh_key));
        if (!mesh) {
            return refuse(say("{}: {}", asked.called(hlo_mesh_key), mesh.error().sentence));
        }
        constexpr std::int64_t most_devices = 1 << 20;
        if (mesh->devices() > most_devices) {
            return refuse(
                say("The mesh has {} devices; expected at most {}.", mesh->devices(), most_devices));
        }
        made.mesh = *mesh;
        made.axes = made.operation.collective.empty() ? std::string() : axes_of(made.operation, *mesh);
    }
    return made;
}

struct NamedShape {
    std::string what;
    const HloShape* shape;
};
std::vector<NamedShape> shapes_of(const HloOperation& operation) {
    std::vector<NamedShape> all;
    for (const HloShape& one : operation.results) {
        all.push_back({said("result"), &one});
    }
    for (const HloOperand& one : operation.operands) {
        if (one.shape) {
            all.push_back({one.name.empty() ? said("operand") : one.name, &*one.shape});
        }
    }
    return all;
}

std::string tiles_text(const HloShape& shape) {
    std::string words;
    for (const std::vector<std::int64_t>& tile : shape.tiles) {
        words += fmt::format("({})", fmt::join(tile, ","));
    }
    return words;
}

Tree shape_values(const HloShape& shape) {
    Tree tiles = Tree::array();
    for (const std::vector<std::int64_t>& tile : shape.tiles) {
        tiles.push_back(Tree(tile));
    }
    return {{"type", shape.type},
            {"shape", shape.sizes},
            {"minor_to_major", shape.minor_to_major},
            {"tiles", std::move(tiles)},
            {"memory_space", shape.memory_space},
            {"bytes", shape.bits() > 0 ? Tree(shape.bytes()) : Tree()},
            {"padded_shape", shape.padded_sizes()},
            {"padded_bytes", shape.bits() > 0 ? Tree(shape.padded_bytes()) : Tree()}};
}

double bytes_of_all(std::span<const HloShape> shapes) {
    double bytes = 0;
    for (const HloShape& one : shapes) {
        if (one.bits() == 0) {
            return 0;
        }
        bytes += one.bytes();
    }
    return bytes;
}

/// What one device has afterwards; 0: not known. A start's tuple holds its operands first, then the results,
/// then what the done needs; that of an all-reduce has the results alone.
double result_bytes(const HloOperation& operation) {
    const std::span<const HloShape> all = operation.results;
    const std::size_t operands = operation.operands.size();
    const bool both = operation.opcode.ends_with("-start") && operands > 0 && all.size() >= 2 * operands;
    return bytes_of_all(both ? all.subspan(operands, operands) : all);
}

/// Bytes as the question about collectives takes them, of the whole array over these devices: after a gather,
/// before a scatter; of an all-to-all the parts of all devices; of a permute what one sends. 0: not known.
double whole_bytes(const HloOperation& operation, std::int64_t devices) {
    const bool of_a_part = operation.collective == "reduce-scatter" || operation.collective == "all-to-all";
    return result_bytes(operation) * (of_a_part ? static_cast<double>(devices) : 1);
}

std::string hlo_headline(const HloAsked& one) {
    const HloOperation& operation = one.operation;
    const std::string made = operation.results.empty() ? std::string() : text(operation.results.front());
    if (operation.collective.empty()) {
        return say("{} makes {}.", operation.opcode, made);
    }
    return one.axes.empty()
               ? say("{}: {} makes {}.", operation.collective, operation.opcode, made)
               : say("{} along {}: {} makes {}.", operation.collective, one.axes, operation.opcode, made);
}

std::string communication_words(const HloAsked& one) {
    const HloOperation& operation = one.operation;
    if (operation.collective.empty()) {
        return operation.flop > 0 ? say("It multiplies: {}.", si_text(operation.flop, "FLOP")) + "\n"
                                  : std::string();
    }
    std::string words;
    if (!operation.pairs.empty()) {
        words += say("{} devices send, device {} to {} first.", operation.pairs.size(),
                     operation.pairs.front().first, operation.pairs.front().second);
    } else if (operation.groups.empty()) {
        words += say("The text does not say which devices do it together.");
    } else if (operation.groups.front().empty()) {
        words += say("All devices do it together.");
    } else {
        words += say("{} groups of {} devices, the first one {}.", operation.groups.size(),
                     operation.groups.front().size(),
                     shortened(fmt::format("{}", fmt::join(operation.groups.front(), ", "))));
    }
    if (one.mesh && one.axes.empty() && !(operation.groups.empty() && operation.pairs.empty())) {
        words += " " + say("They do not lie along axes of {}.", text(*one.mesh));
    }
    words += "\n";
    std::string axes;
    std::int64_t devices = 1;
    for (const MeshAxis& axis : one.mesh ? one.mesh->axes : std::vector<MeshAxis>()) {
        if (one.axes.find(axis.name) != std::string::npos) {
            axes += fmt::format("{}{}={}", axes.empty() ? "" : ",", axis.name, axis.size);
            devices *= axis.size;
        }
    }
    if (const double bytes = whole_bytes(operation, devices); !axes.empty() && bytes > 0) {
        const std::string what =
            operation.collective == "collective-permute" ? "send-recv" : operation.collective;
        words += say("What it costs: {}",
                     fmt::format("meshslice collective {} --bytes {:.0f} --axes {}", what, bytes, axes)) +
                 "\n";
    }
    return words;
}

Answer hlo_answer(const HloAsked& one) {
    const HloOperation& operation = one.operation;
    Tree results = Tree::array(), operands = Tree::array(), groups = Tree::array();
    for (const HloShape& shape : operation.results) {
        results.push_back(shape_values(shape));
    }
    for (const HloOperand& operand : operation.operands) {
        Tree values = operand.shape ? shape_values(*operand.shape) : Tree::object();
        values["name"] = operand.name;
        operands.push_back(std::move(values));
    }
    for (const std::vector<std::int64_t>& group : operation.groups) {
        groups.push_back(Tree(group));
    }
    Tree values = {{"name", operation.name},
                   {"opcode", operation.opcode},
                   {"collective", operation.collective.empty() ? Tree() : Tree(operation.collective)},
                   {"results", std::move(results)},
                   {"operands", std::move(operands)},
                   {"dimensions", operation.dimensions},
                   {"groups", std::move(groups)},
                   {"axes", one.axes.empty() ? Tree() : Tree(one.axes)},
                   {"flop", operation.flop > 0 ? Tree(operation.flop) : Tree()}};
    Answer answer{std::move(values), hlo_headline(one), operation.name, Confidence::exact};
    Paragraph lines{{},
                    {{say("array"), say("type"), say("shape"), say("minor axis first"), say("tiles"),
                      say("memory"), say("bytes"), say("with tiles filled"), say("filled up")}},
                    6,
                    false};
    Table table{said("Arrays"),
                {"array", "type", "shape", "minor_to_major", "tiles", "memory", "bytes", "padded_bytes"},
                {}};
    for (const auto& [what, shape] : shapes_of(operation)) {
        const std::string sizes = fmt::format("[{}]", fmt::join(shape->sizes, ","));
        const std::string layout = fmt::format("{{{}}}", fmt::join(shape->minor_to_major, ","));
        const double extra = shape->elements() > 0 ? shape->padded_elements() / shape->elements() - 1 : 0;
        const bool known = shape->bits() > 0;
        lines.lines.push_back({what, shape->type, sizes, layout, tiles_text(*shape),
                               memory_name(shape->memory_space),
                               known ? bytes_text(shape->bytes()) : std::string(),
                               known ? bytes_text(shape->padded_bytes()) : std::string(),
                               extra > 0 ? percent_text(extra) : std::string()});
        table.rows.push_back({what, shape->type, sizes, layout, tiles_text(*shape),
                              memory_name(shape->memory_space),
                              known ? Table::Cell(shape->bytes()) : Table::Cell(),
                              known ? Table::Cell(shape->padded_bytes()) : Table::Cell()});
    }
    answer.words = {{answer.headline + "\n"}, std::move(lines), {communication_words(one)}};
    answer.tables.push_back(NamedTable::of("arrays", std::move(table)));
    return answer;
}

} // namespace

Question hlo_question() {
    QuestionField operation =
        text_flag("--operation", "TEXT: a line of an HLO dump or of a profile, in quotes");
    operation.row.flag = "operation";
    operation.row.name = said("Operation");
    operation.row.label = said("Operation");
    operation.row.flag_help = "TEXT: a line of an HLO dump or of a profile, in quotes";
    operation.needed = true;
    QuestionField mesh = text_flag("--mesh", "X=4,Y=2: the mesh of the program, whose axes its groups are "
                                             "looked for; the last axis is numbered fastest");
    Question question{"hlo",
                      said("Operations of XLA"),
                      "",
                      said("Reads an operation of XLA's HLO: its arrays, layouts, tiles and what fills these "
                           "up, memory spaces, and the axes along which it communicates"),
                      {},
                      {std::move(operation), std::move(mesh)},
                      {},
                      [](const Asked& asked, const RunControl& /*control*/) {
                          return hlo_asked(asked).map([](const HloAsked& one) { return hlo_answer(one); });
                      }};
    question.examples = {
        "\"%a = bf16[64,4096]{1,0:T(8,128)(2,1)} all-gather(bf16[64,1024]{1,0} %x), "
        "replica_groups=[2,4]<=[8], dimensions={1}\" --mesh X=2,Y=4",
        "\"%f = bf16[32,32,4096]{2,1,0:T(8,128)(2,1)S(1)} fusion(bf16[32,32,8192]{2,1,0:T(8,128)(2,1)S(1)} "
        "%g), kind=kCustom, calls=%all-reduce-scatter.3\"",
        "\"%d = f32[8,100]{1,0:T(8,128)} dot(f32[8,64]{1,0} %a, f32[64,100]{1,0} %b), "
        "lhs_contracting_dims={1}, rhs_contracting_dims={0}\""};
    return question;
}

} // namespace meshslice
