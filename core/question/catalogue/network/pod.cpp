// What a slice of a pod adds up to, and which of its axes are rings.

#include "core/machine/pod.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/torus/torus.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

std::vector<QuestionField> pod_fields() {
    std::vector<QuestionField> fields;
    fields.push_back({.row = {.key = "mesh",
                              .name = said("Mesh"),
                              .label = said("Mesh"),
                              .help = said("The chips along each axis of the slice"),
                              .flag = "mesh",
                              .flag_help = "ROWSxCOLUMNS[xLAYERS]: the chips of the slice, such as 16x20x28"},
                      .needed = true,
                      .shown = "8x16"});
    fields.push_back({.row = {.key = "data_type",
                              .name = said("Data type"),
                              .label = said("Data type"),
                              .help = said("Whose peak is added up"),
                              .flag = "--data-type",
                              .flag_help = "bf16|int8: whose peak is added up (default bf16)",
                              .kind = FieldKind::choice,
                              .choices = {{"bf16", {}}, {"int8", {}}}},
                      .first = "bf16"});
    fields.push_back(chip_field(ChipsOffered::tori, said("Whose cores, peak and memory count")));
    return fields;
}

/// What was asked, read, and its answer.
struct SliceOfPod {
    std::vector<std::int32_t> mesh;
    Machine chip;
    DataType type = DataType::bf16;
    PodSliceSums sums;
};

Result<SliceOfPod> find_slice(const Asked& asked) {
    Result<Machine> chip = chip_of(asked);
    if (!chip) {
        return refuse(chip.error());
    }
    if (chip->network.torus_axes() == 0) {
        return refuse(
            say("\"{}\" is not a torus; {} is one.", chip->title, asked.setting("hardware", "tpu-v5p")));
    }
    const Result<DataType> type = parse_data_type(asked.text("data_type"));
    if (!type) {
        return refuse(type.error());
    }
    const auto mesh = parse_mesh(asked.text("mesh"));
    if (!mesh) {
        return refuse(mesh.error());
    }
    return slice_sums(*mesh, *chip, *type).map([&](const PodSliceSums& sums) {
        return SliceOfPod{*mesh, *std::move(chip), *type, sums};
    });
}

Tree values_of(const Asked& asked, const SliceOfPod& one) {
    const PodSliceSums& sums = one.sums;
    return {{"hardware", one.chip.name},
            {"mesh", asked.text("mesh")},
            {"chips", sums.chips},
            {"hosts", sums.hosts > 0 ? Tree(sums.hosts) : Tree()},
            {"cubes", sums.cubes},
            {"cores", sums.cores},
            {"flop_per_s", sums.flop_per_s},
            {"hbm_bytes", sums.hbm_bytes},
            {"hbm_bytes_per_s", sums.hbm_bytes_per_s},
            {"rings", sums.rings}};
}

Answer answer_of(const Asked& asked, const SliceOfPod& one) {
    const PodSliceSums& sums = one.sums;
    std::vector<std::string> rings;
    for (std::size_t axis = 0; axis < one.mesh.size(); ++axis) {
        rings.push_back(fmt::format("{} {}", one.mesh[axis], sums.rings[axis] ? "closed" : "open"));
    }
    Paragraph lines{
        {},
        {{"chips", std::to_string(sums.chips), ""},
         {"hosts", sums.hosts > 0 ? std::to_string(sums.hosts) : std::string("not known"),
          sums.hosts > 0 ? fmt::format("of {} chips", one.chip.pod.host.value) : std::string()},
         {"cores", std::to_string(sums.cores), fmt::format("{} in a chip", one.chip.cores.value)},
         {"peak", si_text(sums.flop_per_s, "FLOP/s"), fmt::format("in {}", name(one.type))},
         {"HBM", si_text(sums.hbm_bytes, "B"), ""},
         {"HBM rate", si_text(sums.hbm_bytes_per_s, "B/s"), ""},
         {"axes", fmt::format("{}", fmt::join(rings, ", ")),
          one.chip.pod.ring_axis.value == 0 ? "which are rings is not known: all are taken as such" : ""}}};
    if (one.chip.pod.ring_mesh.value > 0) {
        lines.lines.insert(lines.lines.begin() + 2,
                           {"cubes", std::to_string(sums.cubes),
                            fmt::format("whole ones of {} chips", one.chip.pod.ring_mesh.value)});
    }
    const std::string what = fmt::format("{} of {}", fmt::join(one.mesh, "x"), one.chip.title);
    Answer answer{values_of(asked, one), what, what, Confidence::exact};
    Table table{what, {"what", "value", "of"}, {}};
    for (const std::vector<std::string>& line : lines.lines) {
        table.rows.emplace_back(line.begin(), line.end());
    }
    answer.words = {{what + "\n"}, std::move(lines)};
    answer.tables.push_back(NamedTable::of("sums", std::move(table)));
    return answer;
}

} // namespace

Question pod_question() {
    Question question{
        "pod",
        said("Slices of a pod"),
        "",
        said("Summarizes a pod slice: chips, hosts, cubes, cores, FLOP/s and memory, and which axes are "
             "rings"),
        {},
        pod_fields(),
        {},
        [](const Asked& asked, const RunControl& /*control*/) {
            return find_slice(asked).map([&](const SliceOfPod& one) { return answer_of(asked, one); });
        }};
    question.examples = {"8x16", "16x20x28 --machine tpu-v5p", "4x4 --data-type int8 --json"};
    return question;
}

} // namespace meshslice
