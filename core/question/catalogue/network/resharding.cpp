// One array that is brought from one sharding to another: the collectives that this takes (How to Scale Your
// Model, chapter 3).

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/text_table.h"
#include "core/cost/collective/resharding_paths.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/network/shard.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

struct CostedStep {
    std::string what;  ///< "AllToAll_{Y, I}"
    std::string makes; ///< "A[I, J_XY, K]"
    std::optional<ExchangeBound> exchange;
    double seconds = 0;            ///< with its launch; 0 of a step that sends nothing
    double received = 0, held = 0; ///< bytes of a chip
};

/// A way from one sharding to the other.
struct CostedWay {
    std::vector<CostedStep> steps;
    double seconds = 0;
    double received = 0; ///< bytes that reach one chip
    double held = 0;     ///< bytes that it holds at most: what a step is made of, and what it makes
};

CostedWay costed(const std::vector<ShardingStep>& steps, ShardedArray at, const ReshardingCosts& costs,
                 const Machine& machine) {
    CostedWay way;
    way.held = costs.held(at);
    for (const ShardingStep& step : steps) {
        CostedStep one{text(step, costs.mesh()), text(step.after, costs.mesh()), costs.exchange(step, at)};
        if (one.exchange) {
            one.seconds = one.exchange->seconds() + in_seconds(machine.launch[*step.sends].value);
        }
        one.received = costs.received(step, at);
        one.held = costs.held(step.after);
        way.seconds += one.seconds;
        way.received += one.received;
        way.held = std::max(way.held, costs.held(at) + one.held);
        way.steps.push_back(std::move(one));
        at = step.after;
    }
    return way;
}

std::string steps_text(const CostedWay& way) {
    std::string words;
    for (const CostedStep& step : way.steps) {
        words += (words.empty() ? "" : ", ") + step.what;
    }
    return words.empty() ? "nothing to do" : words;
}

AxisList all_axes(const NamedMesh& mesh) {
    AxisList axes;
    for (std::size_t axis = 0; axis < mesh.axes.size(); ++axis) {
        axes.push_back(axis);
    }
    return axes;
}

/// What everybody tries first: gather all of it, then keep what is wanted.
std::optional<CostedWay> through_the_whole(const ShardedArray& from, const ShardedArray& to,
                                           const ReshardingCosts& costs, const Machine& machine) {
    ShardedArray whole = from;
    whole.unreduced.clear();
    for (ArrayDimension& dimension : whole.dimensions) {
        dimension.axes.clear();
    }
    const AxisList all = all_axes(costs.mesh());
    const auto there = ReshardingPaths(from, Operand::left, costs, all).to(whole);
    const auto back = ReshardingPaths(whole, Operand::left, costs, all).to(to);
    if (!there || !back) {
        return std::nullopt;
    }
    std::vector<ShardingStep> steps = *there;
    steps.insert(steps.end(), back->begin(), back->end());
    return costed(steps, from, costs, machine);
}

Tree values_of(const CostedWay& way) {
    Tree out = {{"plan", steps_text(way)},
                {"time_in_s", way.seconds},
                {"received_bytes_per_chip", way.received},
                {"held_bytes_per_chip", way.held}};
    for (const CostedStep& step : way.steps) {
        Tree one = {{"step", step.what},
                    {"makes", step.makes},
                    {"received_bytes_per_chip", step.received},
                    {"held_after_bytes_per_chip", step.held}};
        if (step.exchange) {
            one["time_in_s"] = step.seconds;
            one["formula"] = plain_spaces(step.exchange->formula());
        }
        out["steps"].push_back(std::move(one));
    }
    return out;
}

} // namespace

Result<Answer> resharding_answer(const Asked& asked, const NamedMesh& mesh, const DimensionSizes& sizes,
                                 DataType type) {
    const std::string words = asked.text("sharding");
    const std::size_t arrow = words.find("->");
    std::array<ShardedArray, 2> ends;
    for (const auto& [which, begin, end] :
         {std::tuple(0U, std::size_t{0}, arrow), std::tuple(1U, arrow + 2, words.size())}) {
        Read<ShardedArray> array = parse_sharded_array(words.substr(begin, end - begin), mesh);
        if (!array) {
            NotationError error = array.error();
            error.begin += begin;
            return refuse(in_text(words, error));
        }
        ends[which] = in_order(*std::move(array));
    }
    auto& [from, to] = ends;
    const bool alike = std::ranges::equal(from.dimensions, to.dimensions, {}, &ArrayDimension::letter,
                                          &ArrayDimension::letter);
    if (!alike) {
        return refuse(
            say("{} and {} have other dimensions; moving an array keeps its letters, in their order.",
                text(from, mesh), text(to, mesh)));
    }
    to.name = from.name;
    for (const auto& [letter, size] : sizes) {
        if (dimension_of(from, letter) == nullptr) {
            return refuse(say("{} gives {} = {}, and {} has no dimension {}.", asked.called("sizes"), letter,
                              size, text(from, mesh), letter));
        }
    }
    for (const ShardedArray& one : ends) {
        if (const Result<Shards> its = shards(one, mesh, sizes, bits(type)); !its) {
            return refuse(its.error());
        }
    }
    const Result<Machine> machine = chip_of(asked);
    if (!machine) {
        return refuse(machine.error());
    }
    const Result<std::vector<MeshLinks>> links = links_of(mesh, *machine);
    if (!links) {
        return refuse(links.error());
    }
    const ReshardingCosts costs(mesh, sizes, bits(type), *links, in_seconds(machine->sync.value));
    const auto steps = ReshardingPaths(from, Operand::left, costs, all_axes(mesh)).to(to);
    if (!steps) {
        return refuse(say("No steps lead from {} to {}; without partial sums in the second there are some.",
                          text(from, mesh), text(to, mesh)));
    }
    const CostedWay best = costed(*steps, from, costs, *machine);
    const std::optional<CostedWay> whole = through_the_whole(from, to, costs, *machine);
    const std::string what =
        say("{} to {} on {} of {}", text(from, mesh), text(to, mesh), text(mesh), machine->title);
    Answer answer{values_of(best), say("{}: {}", steps_text(best), seconds_text(best.seconds)), what};
    answer.values.update({{"from", text(from, mesh)}, {"to", text(to, mesh)}});
    Paragraph lines{{}, {{"step", "", "makes", "time", "received", "holds", "formula"}}, 3};
    Table table{what, {"step", "makes", "time_s", "received_bytes", "held_bytes"}, {}};
    for (std::size_t k = 0; k < best.steps.size(); ++k) {
        const CostedStep& step = best.steps[k];
        lines.lines.push_back({std::to_string(k + 1), step.what, step.makes, seconds_text(step.seconds),
                               bytes_text(step.received), bytes_text(step.held),
                               step.exchange ? step.exchange->formula() : std::string()});
        table.rows.push_back({step.what, step.makes, step.seconds, step.received, step.held});
    }
    answer.words = {{fmt::format("{}\n\n{}: {}, with launches; a chip receives {} and holds {} at most\n\n",
                                 what, steps_text(best), seconds_text(best.seconds),
                                 bytes_text(best.received), bytes_text(best.held))},
                    std::move(lines)};
    if (whole && whole->held > best.held) {
        answer.values["through_the_whole"] = values_of(*whole);
        answer.words.push_back(
            {fmt::format("\nGathering all of it first, {}: {}; a chip receives {} and holds {} "
                         "at most\n",
                         steps_text(*whole), seconds_text(whole->seconds), bytes_text(whole->received),
                         bytes_text(whole->held))});
    }
    answer.tables.push_back(NamedTable::of("steps", std::move(table)));
    return answer;
}

} // namespace meshslice
