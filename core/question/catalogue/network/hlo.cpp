// What an operation of XLA says: its arrays, how they lie in memory, and who communicates with whom.

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/figure/chart.h"
#include "core/import/hlo/hlo_operation.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/network/hlo_collective.h"
#include "core/question/catalogue/network/hlo_program.h"
#include "core/question/catalogue/questions.h"
#include "core/sharding/notation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr const char* operation_key = "operation";
constexpr const char* hlo_mesh_key = "mesh";
constexpr const char* hlo_machine_key = "hardware";

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
    HloCost cost = {};
};

/// None where it is not said.
Result<std::optional<NamedMesh>> hlo_mesh(const Asked& asked) {
    if (!asked.has(hlo_mesh_key)) {
        return std::optional<NamedMesh>();
    }
    const Read<NamedMesh> mesh = parse_named_mesh(asked.text(hlo_mesh_key));
    if (!mesh) {
        return refuse(say("{}: {}", asked.called(hlo_mesh_key), mesh.error().sentence));
    }
    constexpr std::int64_t most_devices = 1 << 20;
    if (mesh->devices() > most_devices) {
        return refuse(say("The mesh has {} devices; expected at most {}.", mesh->devices(), most_devices));
    }
    return std::optional<NamedMesh>(*mesh);
}

/// As it was asked for: the name of a preset, or a file.
std::string asked_chip(const Asked& asked) {
    return asked.has(hlo_machine_key)
               ? text(asked.question.field(hlo_machine_key)->row, asked.value(hlo_machine_key))
               : std::string();
}

/// An operation has "=" behind its name; the name of a file does not.
bool names_a_file(const std::string& words) {
    return words.find(" = ") == std::string::npos &&
           (words.find('/') != std::string::npos || words.find('.') != std::string::npos) &&
           words.find('(') == std::string::npos;
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

std::string hlo_headline(const HloAsked& one) {
    const HloOperation& operation = one.operation;
    const std::span<const HloShape> arrays = hlo_made(operation);
    const std::string made = arrays.empty() ? std::string() : text(arrays.front());
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
        words += said("The text does not say which devices do it together.");
    } else if (operation.groups.front().empty()) {
        words += say("All devices do it together.");
    } else {
        const std::string first = shortened(fmt::format("{}", fmt::join(operation.groups.front(), ", ")));
        const std::size_t its = operation.groups.front().size();
        words += its == 1 ? say("Each of {} groups is one device.", operation.groups.size())
                 : operation.groups.size() == 1
                     ? say("One group of {} devices: {}.", its, first)
                     : say("{} groups of {} devices, the first one {}.", operation.groups.size(), its, first);
    }
    if (one.mesh && one.axes.empty() && !(operation.groups.empty() && operation.pairs.empty())) {
        words += " " + say("They do not lie along axes of {}.", text(*one.mesh)) + " " +
                 why_no_hlo_axes(operation, *one.mesh);
    }
    words += "\n";
    if (one.cost.seconds) {
        const std::string closed = seconds_text(*one.cost.seconds);
        words += (one.cost.expected
                      ? say("What it costs: {} by measured runs, {} by the closed form; see {}",
                            seconds_text(*one.cost.expected), closed, one.cost.command)
                      : say("What it costs: {} by the closed form; see {}", closed, one.cost.command)) +
                 "\n";
    } else if (!one.cost.command.empty()) {
        words += say("What it costs: {}", one.cost.command) + "\n";
    }
    return words;
}

/// For each array the bytes of its elements, and of what fills up its tiles; none where no size is known.
std::optional<Chart> tile_chart(const HloOperation& operation) {
    ChartPanel panel;
    panel.x = {.label = said("memory"), .unit = ChartUnit::bytes};
    panel.y.label = said("array");
    ChartSeries own{said("elements"), SeriesKind::stack},
        filled{said("what fills up tiles"), SeriesKind::stack};
    own.role = Role::compute;
    filled.role = Role::waits;
    double bytes = 0, all = 0;
    for (const auto& [what, shape] : shapes_of(operation)) {
        if (shape->bits() == 0) {
            continue;
        }
        panel.y.categories.push_back(fmt::format("{} {}", what, text(*shape)));
        own.values.emplace_back(shape->bytes());
        filled.values.emplace_back(shape->padded_bytes() - shape->bytes());
        bytes += shape->bytes();
        all += shape->padded_bytes();
    }
    if (panel.y.categories.empty()) {
        return std::nullopt;
    }
    panel.series = {std::move(own), std::move(filled)};
    return Chart{all > bytes ? say("{} of elements take {} once tiles are filled up", bytes_text(bytes),
                                   bytes_text(all))
                             : say("{} of elements, which fill their tiles", bytes_text(bytes)),
                 {std::move(panel)}};
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
                   {"time_in_s", Tree(one.cost.seconds)},
                   {"expected_in_s", Tree(one.cost.expected)},
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
    if (std::optional<Chart> chart = tile_chart(operation)) {
        answer.charts.push_back({"tiles", *std::move(chart)});
    }
    return answer;
}

/// Why naming a chip has no effect on an operation; empty where it has one.
std::string why_no_effect(const HloAsked& one, const Asked& asked) {
    const std::string chip = asked.called(hlo_machine_key), mesh = asked.called(hlo_mesh_key);
    if (one.operation.collective.empty()) {
        return say(
            "{} has no effect on this operation; it applies to a collective along axes of {}, and to a "
            "program in a file.",
            chip, mesh);
    }
    if (!one.mesh) {
        return say("{} has no effect without {}, such as X=2,Y=4, whose axes say which chips do it together.",
                   chip, mesh);
    }
    return one.cost.why_not.empty() ? std::string() : say("{} has no effect. {}", chip, one.cost.why_not);
}

Result<Answer> operation_answer(const Asked& asked, const std::optional<NamedMesh>& mesh,
                                const HloChip& chip) {
    return read_hlo_operation(asked.text(operation_key)).and_then([&](HloOperation read) -> Result<Answer> {
        HloAsked one{std::move(read), mesh};
        if (mesh && !one.operation.collective.empty()) {
            one.axes = hlo_axes_of(one.operation, *mesh);
            one.cost = hlo_cost(one.operation, *mesh, one.axes, chip);
        }
        if (chip.machine) {
            if (const std::string why = why_no_effect(one, asked); !why.empty()) {
                return refuse(why);
            }
        }
        return hlo_answer(one);
    });
}

Result<Answer> answer_about_hlo(const Asked& asked, const RunControl& control) {
    const Result<std::optional<NamedMesh>> mesh = hlo_mesh(asked);
    if (!mesh) {
        return refuse(mesh.error());
    }
    HloChip chip;
    if (asked.has(hlo_machine_key)) {
        Result<Machine> read = chip_of(asked);
        if (!read) {
            return refuse(read.error());
        }
        chip = {asked_chip(asked), asked.value(hlo_machine_key), *std::move(read)};
    }
    return names_a_file(asked.text(operation_key))
               ? hlo_program_answer(asked.text(operation_key), *mesh, chip, control)
               : operation_answer(asked, *mesh, chip);
}

} // namespace

Question hlo_question() {
    constexpr const char* help =
        "TEXT|FILE: a line of an HLO dump or of a profile, in quotes, or the file of a whole dump";
    QuestionField operation = text_flag("--operation", help);
    operation.row.flag = "operation";
    operation.row.name = said("Operation");
    operation.row.label = said("Operation");
    operation.row.flag_help = help;
    operation.needed = true;
    QuestionField mesh = text_flag("--mesh", "X=4,Y=2: the mesh of the program, whose axes its groups are "
                                             "looked for; the last axis is numbered fastest");
    QuestionField machine = chip_field(ChipsOffered::any, {});
    machine.row.flag_help = "NAME|FILE.json: the chip whose memory a program has to fit into, and whose "
                            "links what it costs is asked for";
    machine.first.clear();
    Question question{
        "hlo",
        said("Operations of XLA"),
        "",
        said("Reads an operation of XLA's HLO, its arrays, layouts, tiles and what fills these up, "
             "memory spaces, and the axes along which it communicates; or a whole program, and "
             "what it holds in memory while it runs"),
        {},
        {std::move(operation), std::move(mesh), std::move(machine)},
        {},
        answer_about_hlo};
    question.files = {{AnswerFile::Of::chart,
                       {},
                       "--svg",
                       "FILE: draws the memory of a program while it runs, or what fills up the tiles of an "
                       "operation's arrays"}};
    question.says_fit = true;
    question.examples = {
        "\"%a = bf16[64,4096]{1,0:T(8,128)(2,1)} all-gather(bf16[64,1024]{1,0} %x), "
        "replica_groups=[2,4]<=[8], dimensions={1}\" --mesh X=2,Y=4",
        "\"%f = bf16[32,32,4096]{2,1,0:T(8,128)(2,1)S(1)} fusion(bf16[32,32,8192]{2,1,0:T(8,128)(2,1)S(1)} "
        "%g), kind=kCustom, calls=%all-reduce-scatter.3\"",
        "\"%d = f32[8,100]{1,0:T(8,128)} dot(f32[8,64]{1,0} %a, f32[64,100]{1,0} %b), "
        "lhs_contracting_dims={1}, rhs_contracting_dims={0}\"",
        "module.after_optimizations.txt --machine tpu-v5e --svg memory.svg"};
    return question;
}

} // namespace meshslice
