#include "core/plan/inside/collective_run.h"

#include "core/draw/exchange_program.h"
#include "core/run/listed_run.h"
#include "core/step/program_step.h"
#include "core/step/step_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr double element_bytes = 2;     // bytes
constexpr std::int64_t most_drawn = 64; ///< chips of a ring; the others do the same

/// Simulated on a torus of the group's own: rings that share their links with others' are simulated alone.
Result<RunPtr> simulated(const PlanAndModel& plan, const CollectiveOfGroup& collective,
                         const RunControl& control) {
    std::vector<TorusAxis> axes;
    for (const AlongAxis& axis : collective.group.along) {
        if (axis.chips > 1) {
            axes.push_back({axis.chips, axis.ring});
        }
    }
    const Result<Torus> torus = Torus::create(axes);
    if (!torus) {
        return refuse(torus.error());
    }
    // Rows are cut along the first axis, columns along the others; both divide by all chips.
    const std::int64_t chips = torus->chips();
    const std::int64_t columns = axes.size() > 1 ? chips : 1;
    const auto elements = static_cast<std::int64_t>(std::ceil(collective.bytes / element_bytes));
    const std::int64_t rows = (elements + columns * chips - 1) / (columns * chips) * chips;
    const bool gathers = collective.what == Collective::all_gather;
    const Result<Program> program =
        exchange_program(collective.what, *torus, gathers ? rows / chips : rows, columns);
    if (!program) {
        return refuse(program.error());
    }
    Result<TrainingStep> step = program_step(*program, collective_name(collective.what), Schedule{},
                                             plan.model.hardware(), Depth::simulate, control);
    if (!step) {
        return refuse(step.error());
    }
    return RunPtr(std::make_shared<const StepRun>(std::make_shared<const TrainingStep>(*std::move(step))));
}

/// What a port does in one step of a ring.
struct PortStep {
    double latency = 0, transfer = 0;

    [[nodiscard]] double time() const { return latency + transfer; }
};

/// A ring behind switches, as GroupNetwork::seconds() has it: chips - 1 steps, of which those that reach
/// another domain pay the outer network's latency; in each every chip sends its part over its port of the
/// domain, and what leaves the domain goes over the network ports. Twice for an all-reduce.
class RingOfPorts {
  public:
    RingOfPorts(const GroupNetwork& network, const CollectiveOfGroup& collective)
        : chips_(collective.group.chips), near_(collective.group.near) {
        const double tiny = 1e-9; // bytes: what is left is latency
        const double inner = network.seconds_to_one(tiny, true);
        const double outer = network.seconds_to_one(tiny, false);
        const bool whole = collective.what == Collective::broadcast || collective.what == Collective::reduce;
        const double share = whole ? 1 : static_cast<double>(chips_ - 1) / static_cast<double>(chips_);
        const double each = collective.bytes * share / static_cast<double>(chips_ - 1); // bytes of a step
        near_step_ = {inner, network.seconds_to_one(each, true) - inner};
        far_step_ = {outer, (network.seconds_to_one(each, false) - outer) / static_cast<double>(near_)};
    }

    [[nodiscard]] bool inside() const { return near_ > 1; }
    [[nodiscard]] bool leaves() const { return near_ < chips_; }
    /// Step k of chips - 1, from 1.
    [[nodiscard]] double latency(std::int64_t k) const {
        return !leaves() ? near_step_.latency : k % near_ == 0 ? far_step_.latency : near_step_.latency;
    }
    [[nodiscard]] double domain_transfer() const { return inside() ? near_step_.transfer : 0; }
    [[nodiscard]] double network_transfer() const { return leaves() ? far_step_.transfer : 0; }
    [[nodiscard]] double time(std::int64_t k) const {
        return latency(k) + std::max(domain_transfer(), network_transfer());
    }

  private:
    std::int64_t chips_, near_;
    PortStep near_step_, far_step_;
};

Result<RunPtr> drawn(const PlanAndModel& plan, const CollectiveOfGroup& collective) {
    const RingOfPorts ring(plan.model.network(), collective);
    const std::int64_t chips = collective.group.chips;
    const std::string whole = collective_name(collective.what);
    auto run = std::make_shared<ListedRun>(whole, RunReading::estimated);
    const std::vector<std::string> rounds = collective.what == Collective::all_reduce
                                                ? std::vector<std::string>{"reduce-scatter", "all-gather"}
                                                : std::vector<std::string>{whole};
    for (std::int64_t chip = 0; chip < std::min(chips, most_drawn); ++chip) {
        const auto add_lane = [&](const char* name, int number) {
            Lane lane;
            lane.place = fmt::format("chip {} of {}", chip + 1, chips);
            lane.name = name;
            lane.at = static_cast<std::size_t>(chip);
            lane.number = lane.order = number;
            return run->add_lane(lane);
        };
        const auto port = ring.inside() ? std::optional(add_lane("domain port", 0)) : std::nullopt;
        const auto network = ring.leaves() ? std::optional(add_lane("network ports", 1)) : std::nullopt;
        double at = 0;
        for (const std::string& round : rounds) {
            for (std::int64_t k = 1; k < chips; ++k) {
                const std::string name = fmt::format("{}, step {} of {}", round, k, chips - 1);
                const auto draw = [&](std::optional<std::size_t> lane, double transfer, Role role) {
                    const double begin = at + ring.latency(k);
                    if (!lane) {
                        return;
                    }
                    if (seconds(begin) > seconds(at)) {
                        run->add(
                            *lane,
                            {seconds(at), seconds(begin), Role::sync, {name + ": latency", "sync", {}}, {}});
                    }
                    if (seconds(begin + transfer) > seconds(begin)) {
                        run->add(
                            *lane,
                            {seconds(begin), seconds(begin + transfer), role, {name, "transfer", {}}, {}});
                    }
                };
                draw(port, ring.domain_transfer(), Role::transferHorizontal);
                draw(network, ring.network_transfer(), Role::transferThird);
                at += ring.time(k);
            }
        }
    }
    run->bind(ring.network_transfer() > ring.domain_transfer() ? "network ports" : "domain port");
    return RunPtr(run);
}

} // namespace

std::string collective_name(Collective what) {
    return std::string(name(what));
}

RunKey collective_key(const PlanPtr& plan, const CollectiveOfGroup& collective, double seconds) {
    RunKey key;
    key.key = fmt::format("{} {} {} {}", collective_name(collective.what), collective.bytes,
                          collective.group.chips, collective.group.near);
    for (const AlongAxis& axis : collective.group.along) {
        key.key += fmt::format(" {}:{}:{}", axis.chips, axis.stride, axis.ring);
    }
    key.title = collective_name(collective.what);
    key.seconds = seconds;
    key.make = [plan, collective](const RunControl& control) {
        return plan->model.torus() ? simulated(*plan, collective, control) : drawn(*plan, collective);
    };
    return key;
}

} // namespace meshslice
