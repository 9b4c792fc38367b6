#include "core/cost/sharded_plans.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/cost/collective/resharding_paths.h"
#include "core/cost/mesh_links.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>

namespace meshslice {
namespace {

constexpr std::size_t most_letters = 8;
constexpr double alike = 1e-3; ///< times that differ by less are the same

bool contains(const AxisList& axes, std::size_t axis) {
    return std::ranges::find(axes, axis) != axes.end();
}

ShardedArray bare(ShardedArray array) {
    array.unreduced.clear();
    for (ArrayDimension& dimension : array.dimensions) {
        dimension.axes.clear();
    }
    return array;
}

/// How the three arrays lie when the devices multiply.
struct Multiplication {
    ShardedArray left, right, result;
};

void add_axis(ShardedArray& array, char letter, std::size_t axis, std::size_t place) {
    const auto dimension = std::ranges::find(array.dimensions, letter, &ArrayDimension::letter);
    if (dimension != array.dimensions.end()) {
        dimension->axes.insert(dimension->axes.begin() + static_cast<std::ptrdiff_t>(place), axis);
    }
}

/// The next axis, from `axis` on, takes each part it can in the multiplication.
void give_parts(std::size_t axis, const ShardedGemm& gemm, const NamedMesh& mesh,
                const std::vector<GemmLetter>& letters, const Multiplication& sofar,
                std::vector<Multiplication>& all) {
    if (axis == mesh.axes.size()) {
        all.push_back(sofar);
        return;
    }
    give_parts(axis + 1, gemm, mesh, letters, sofar, all);
    for (const Operand which : {Operand::left, Operand::right}) {
        if (contains(gemm.operand(which).unreduced, axis)) {
            Multiplication next = sofar;
            (which == Operand::left ? next.left : next.right).unreduced.push_back(axis);
            next.result.unreduced.push_back(axis);
            give_parts(axis + 1, gemm, mesh, letters, next, all);
        }
    }
    if (mesh.axes[axis].size == 1) {
        return; // whatever it splits stays whole
    }
    for (const GemmLetter& one : letters) {
        const ArrayDimension* split = dimension_of(sofar.left, one.letter);
        split = split != nullptr ? split : dimension_of(sofar.right, one.letter);
        for (std::size_t place = 0; place <= split->axes.size(); ++place) {
            Multiplication next = sofar;
            add_axis(next.left, one.letter, axis, place);
            add_axis(next.right, one.letter, axis, place);
            add_axis(next.result, one.letter, axis, place);
            if (one.role == LetterRole::contracted) {
                next.result.unreduced.push_back(axis);
            }
            give_parts(axis + 1, gemm, mesh, letters, next, all);
        }
    }
}

/// How the arrays of a GEMM get from one state to another.
class Ways {
  public:
    Ways(const ShardedGemm& gemm, const ReshardingCosts& costs) : gemm_(gemm), costs_(costs) {
        const std::size_t axes = costs.mesh().axes.size();
        for (std::size_t set = 0; set < std::size_t{1} << axes; ++set) {
            AxisList moved;
            for (std::size_t axis = 0; axis < axes; ++axis) {
                if ((set >> axis & 1) != 0) {
                    moved.push_back(axis);
                }
            }
            left_.emplace_back(in_order(gemm.left), Operand::left, costs, moved);
            right_.emplace_back(in_order(gemm.right), Operand::right, costs, moved);
            result_.emplace_back(in_order(gemm.result), Operand::result, costs, moved);
        }
    }

    /// None where one of the arrays cannot get there; `direct`: moving only what has to be moved.
    [[nodiscard]] std::optional<ShardedPlan> through(const Multiplication& one, bool direct) const {
        const auto which = [&](const ShardedArray& from, const ShardedArray& to) {
            if (!direct) {
                return left_.size() - 1; // all axes
            }
            std::size_t set = 0;
            for (const std::size_t axis : moved_axes(from, to, costs_.mesh())) {
                set |= std::size_t{1} << axis;
            }
            return set;
        };
        const auto left = left_[which(gemm_.left, one.left)].to(one.left);
        const auto right = right_[which(gemm_.right, one.right)].to(one.right);
        const auto after = result_[which(one.result, gemm_.result)].from(one.result);
        if (!left || !right || !after) {
            return std::nullopt;
        }
        ShardedPlan plan{*left};
        plan.steps.insert(plan.steps.end(), right->begin(), right->end());
        plan.steps.push_back({std::nullopt, Operand::result, {}, 0, 0, one.result});
        plan.steps.insert(plan.steps.end(), after->begin(), after->end());
        return plan;
    }

  private:
    const ShardedGemm& gemm_;
    const ReshardingCosts& costs_;
    std::vector<ReshardingPaths> left_, right_; ///< by the axes that they move, as bits
    std::vector<ReshardingPathsTo> result_;
};

/// Puts numbers to plans of one GEMM.
class Costing {
  public:
    Costing(const ShardedGemm& gemm, const NamedMesh& mesh, const DimensionSizes& sizes,
            const ReshardingCosts& costs, const Machine& hardware, double peak)
        : gemm_(gemm), mesh_(mesh), sizes_(sizes), costs_(costs), hardware_(hardware), peak_(peak) {}

    [[nodiscard]] CostedPlan of(ShardedPlan plan) const {
        CostedPlan out;
        out.plan = std::move(plan);
        const double given = costs_.held(gemm_.left) + costs_.held(gemm_.right);
        out.held = given;
        for (std::size_t k = 0; k < out.plan.steps.size(); ++k) {
            const ShardingStep& step = out.plan.steps[k];
            out.steps.push_back(step_cost(out.plan, k, given, out.held));
            out.received += out.steps.back().received;
            if (const std::optional<ExchangeBound>& exchange = out.steps.back().exchange) {
                out.latency_s += exchange->bound_by_latency() ? exchange->seconds() : 0;
            }
            if (step.multiplies()) {
                multiply(out, k);
            }
        }
        out.exchange_s = in_turn(out, Counted::exchanges);
        judge(out);
        out.time_s = in_turn(out, Counted::all);
        return out;
    }

  private:
    enum class Counted : std::uint8_t { exchanges, all };
    /// The time of the steps in their order, each as early as it can be: of the exchanges alone, or with
    /// launches and the GEMM.
    [[nodiscard]] double in_turn(const CostedPlan& out, Counted counted) const {
        const bool all = counted == Counted::all;
        std::array<double, all_operands.size()> there{}; // When an array is as the steps so far have made it.
        std::vector<double> free(mesh_.axes.size());     // When the links along an axis are.
        double& result = there[static_cast<std::size_t>(Operand::result)];
        for (std::size_t k = 0; k < out.steps.size(); ++k) {
            const ShardingStep& step = out.plan.steps[k];
            double& mine = there[static_cast<std::size_t>(step.which)];
            if (step.multiplies()) {
                result = *std::ranges::max_element(there);
                result +=
                    all ? std::max(out.compute_s, out.memory_s) + in_seconds(hardware_.launch.multiply.value)
                        : 0;
            } else if (out.steps[k].exchange) {
                for (const std::size_t axis : step.axes) {
                    mine = std::max(mine, free[axis]);
                }
                mine += out.steps[k].exchange->seconds();
                mine += all ? in_seconds(hardware_.launch[*step.sends].value) : 0;
                for (const std::size_t axis : step.axes) {
                    free[axis] = mine;
                }
            }
        }
        return result;
    }

    /// Also raises the most that is held: while a step runs, a chip has what it is made of and what it makes.
    StepCost step_cost(const ShardedPlan& plan, std::size_t k, double given, double& most) const {
        const ShardingStep& step = plan.steps[k];
        StepCost cost;
        double held = 0;
        const auto multiplied = [](const ShardingStep& one) { return one.multiplies(); };
        const auto end = plan.steps.begin() + static_cast<std::ptrdiff_t>(k);
        const bool copies_go = std::any_of(plan.steps.begin(), end, multiplied);
        for (const Operand which : all_operands) {
            if (copies_go && which != Operand::result) {
                continue;
            }
            const ShardedArray before = plan.state(gemm_, which, k);
            const ShardedArray after = plan.state(gemm_, which, k + 1);
            const bool copied = which == Operand::result ? !after.dimensions.empty()
                                                         : after != in_order(gemm_.operand(which));
            const double now = copied ? costs_.held(after) : 0;
            cost.held_after += now;
            const bool replaced = which == step.which && !step.multiplies() &&
                                  (which == Operand::result || before != in_order(gemm_.operand(which)));
            held += now + (replaced ? costs_.held(before) : 0);
        }
        cost.held_after += given;
        most = std::max(most, held + given);
        if (!step.multiplies()) {
            const ShardedArray before = plan.state(gemm_, step.which, k);
            cost.bytes = costs_.whole(step, before);
            cost.received = costs_.received(step, before);
            cost.exchange = costs_.exchange(step, before);
        }
        return cost;
    }

    void multiply(CostedPlan& out, std::size_t k) const {
        double parts = 1;
        AxisList used = out.plan.steps[k].after.unreduced;
        for (const ArrayDimension& dimension : out.plan.steps[k].after.dimensions) {
            used.insert(used.end(), dimension.axes.begin(), dimension.axes.end());
        }
        // What holds partial sums of an operand splits no letter: all along it multiply as much.
        for (const std::size_t axis : used) {
            const bool sums = contains(out.plan.state(gemm_, Operand::left, k).unreduced, axis) ||
                              contains(out.plan.state(gemm_, Operand::right, k).unreduced, axis);
            parts *= sums ? 1.0 : static_cast<double>(mesh_.axes[axis].size);
        }
        out.flop = flop_of(gemm_, sizes_) / parts;
        out.compute_s = out.flop / peak_;
        for (const Operand which : all_operands) {
            out.memory_bytes += costs_.held(out.plan.state(gemm_, which, k + 1));
        }
        out.memory_s = out.memory_bytes / hardware_.hbm_bandwidth.value.value();
    }

    static void judge(CostedPlan& out) {
        std::array<double, 3> times = {out.compute_s, out.memory_s, out.exchange_s};
        const auto longest = std::ranges::max_element(times) - times.begin();
        out.bound = longest == 0                         ? ShardedBound::compute
                    : longest == 1                       ? ShardedBound::memory
                    : out.latency_s > out.exchange_s / 2 ? ShardedBound::latency
                                                         : ShardedBound::links;
        std::ranges::sort(times);
        out.margin = times[1] > 0 ? times[2] / times[1] : std::numeric_limits<double>::infinity();
    }

    const ShardedGemm& gemm_;
    const NamedMesh& mesh_;
    const DimensionSizes& sizes_;
    const ReshardingCosts& costs_;
    const Machine& hardware_;
    double peak_;
};

} // namespace

std::string_view name(ShardedBound bound) {
    constexpr std::array names = {std::string_view("compute"), std::string_view("HBM"),
                                  std::string_view("links"), std::string_view("latency")};
    return names[static_cast<std::size_t>(bound)];
}

double CostedPlan::least_s() const {
    return std::max({compute_s, memory_s, exchange_s});
}

double CostedPlan::most_s() const {
    return std::max(compute_s, memory_s) + exchange_s;
}

void rank(std::vector<CostedPlan>& plans) {
    // Times in steps of a thousandth, so that "as fast as" is one relation for all.
    const auto grade = [](const CostedPlan& plan) {
        return plan.time_s > 0 ? std::llround(std::log(plan.time_s) / std::log1p(alike)) : std::int64_t{0};
    };
    std::ranges::stable_sort(plans, {}, [&](const CostedPlan& plan) {
        return std::tuple(grade(plan), plan.received, plan.held, plan.plan.steps.size());
    });
}

Result<ShardedPlans> sharded_plans(const ShardedGemm& gemm, const NamedMesh& mesh,
                                   const DimensionSizes& sizes, DataType kind, const Machine& hardware) {
    const std::vector<GemmLetter> letters = letters_of(gemm);
    if (letters.size() > most_letters || mesh.axes.size() > 3) {
        return refuse(say("Plans are made for up to {} letters on meshes of up to three axes; here are {} "
                          "letters and {} axes.",
                          most_letters, letters.size(), mesh.axes.size()));
    }
    for (const Operand which : all_operands) {
        if (const Result<Shards> found = shards(gemm.operand(which), mesh, sizes, bits(kind)); !found) {
            return refuse(found.error());
        }
    }
    const Result<std::vector<MeshLinks>> links = links_of(mesh, hardware);
    if (!links) {
        return refuse(links.error());
    }
    const DataType multiplied = hardware.multiplies_as(kind);
    const double peak = hardware.peak_rate(multiplied).value();
    if (!(peak > 0)) {
        return refuse(say("{} does not multiply {}; bf16 works.", hardware.title, name(multiplied)));
    }
    const ReshardingCosts costs(mesh, sizes, bits(kind), *links, in_seconds(hardware.sync.value));
    const Ways ways(gemm, costs);
    std::vector<Multiplication> all;
    give_parts(0, gemm, mesh, letters, {bare(gemm.left), bare(gemm.right), bare(gemm.result)}, all);
    ShardedPlans found{{}, flop_of(gemm, sizes), static_cast<double>(hardware.hbm.value.value())};
    const Costing costing(gemm, mesh, sizes, costs, hardware, peak);
    for (const Multiplication& one : all) {
        const std::optional<ShardedPlan> direct = ways.through(one, true);
        if (direct) {
            found.plans.push_back(costing.of(*direct));
        }
        if (const std::optional<ShardedPlan> any = ways.through(one, false)) {
            CostedPlan plan = costing.of(*any);
            if (!direct || plan.exchange_s < found.plans.back().exchange_s) {
                found.plans.push_back(std::move(plan));
            }
        }
    }
    if (found.plans.empty()) {
        return refuse(
            say("No steps lead to {}; without partial sums in it there are some.", text(gemm.result, mesh)));
    }
    rank(found.plans);
    return found;
}

std::string verdict(const CostedPlan& plan) {
    const std::string times = number_text(plan.margin);
    const double other = std::max(plan.compute_s, plan.memory_s);
    switch (plan.bound) {
    case ShardedBound::compute: {
        const bool links_second = plan.exchange_s > plan.memory_s;
        return links_second
                   ? say("Bound by compute: multiplying takes {}, {}x as long as exchanging.",
                         seconds_text(plan.compute_s), times)
                   : say("Bound by compute: multiplying takes {}, {}x as long as reading and writing "
                         "the matrices.",
                         seconds_text(plan.compute_s), times);
    }
    case ShardedBound::memory:
        return plan.exchange_s > plan.compute_s
                   ? say("Bound by HBM: reading and writing the matrices takes {}, {}x as long as "
                         "exchanging.",
                         seconds_text(plan.memory_s), times)
                   : say("Bound by HBM: reading and writing the matrices takes {}, {}x as long as "
                         "multiplying.",
                         seconds_text(plan.memory_s), times);
    case ShardedBound::links:
        return say("Bound by the links: exchanging takes {}, {}x as long as the GEMM of a chip ({}).",
                   seconds_text(plan.exchange_s), times, seconds_text(other));
    case ShardedBound::latency:
        return say("Bound by latency: the hops take {}, {}x as long as the GEMM of a chip ({}).",
                   seconds_text(plan.exchange_s), times, seconds_text(other));
    }
    return {};
}

} // namespace meshslice
