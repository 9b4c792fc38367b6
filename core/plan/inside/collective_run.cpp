#include "core/plan/inside/collective_run.h"

#include "core/base/say.h"
#include "core/draw/exchange_program.h"
#include "core/run/listed_run.h"
#include "core/step/program_step.h"
#include "core/step/run/step_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
Result<RunPtr> simulated(const Machine& machine, const CollectiveOfGroup& collective,
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
    // Rows are cut along the first axis, columns along the others, and of an all-to-all along each; both
    // divide by all chips.
    const std::int64_t chips = torus->chips();
    const std::int64_t columns = axes.size() > 1 || collective.what == Collective::all_to_all ? chips : 1;
    const auto elements = static_cast<std::int64_t>(std::ceil(collective.bytes / element_bytes));
    const std::int64_t rows = (elements + columns * chips - 1) / (columns * chips) * chips;
    const bool gathers = collective.what == Collective::all_gather;
    const Result<Program> program =
        exchange_program(collective.what, *torus, gathers ? rows / chips : rows, columns);
    if (!program) {
        return refuse(program.error());
    }
    Result<TrainingStep> step = program_step(*program, collective_name(collective.what), Schedule{}, machine,
                                             Depth::simulate, control);
    if (!step) {
        return refuse(step.error());
    }
    return RunPtr(std::make_shared<const StepRun>(std::make_shared<const TrainingStep>(*std::move(step))));
}

/// What the ports of a chip to one level do in a collective; seconds.
struct PortsOfLevel {
    std::string name; ///< "ports to the switch of 8"
    Role role = Role::transferHorizontal;
    bool reduces = false;    ///< as part of this collective, in one step
    std::int64_t places = 1; ///< that the level joins
    double transfer = 0;     ///< of each step, whichever level it crosses
    double latency = 0;      ///< of a step that crosses this level
    double waits = 0;        ///< of all those
};

/// A collective behind switches, as LevelLaws has it: steps, each of which pays the latency of the level that
/// it crosses, while the ports to all levels carry their part. There, and of an all-reduce back again.
class StepsOverPorts {
  public:
    StepsOverPorts(const Machine& machine, const LevelLaws& laws, const CollectiveOfGroup& its) {
        const std::vector<Level>& levels = machine.network.levels;
        for (const LevelTakes& takes : laws.takes(its.what, its.bytes, its.group)) {
            const Level& level = levels[takes.level];
            PortsOfLevel made{say("ports to the {}", title(level)), Role::transferVertical};
            made.role = level.units.value == 0 ? Role::transferThird
                        : takes.level == 0     ? Role::transferHorizontal
                                               : Role::transferVertical;
            made.reduces = level.reduces && its.what == Collective::all_reduce;
            made.places = takes.places;
            made.transfer = takes.transfer;
            made.waits = takes.waits;
            ports_.push_back(std::move(made));
        }
        if (its.what == Collective::all_reduce) {
            rounds_ = {collective_name(Collective::reduce_scatter), collective_name(Collective::all_gather)};
        } else {
            rounds_ = {collective_name(its.what)};
        }
        if (its.what == Collective::all_to_all || its.what == Collective::send_receive) {
            const auto longest = std::ranges::max_element(ports_, {}, &PortsOfLevel::waits);
            steps_.push_back(static_cast<std::size_t>(longest - ports_.begin()));
        } else {
            add_steps(ports_.size());
        }
        for (std::size_t k = 0; k < ports_.size(); ++k) {
            const auto rounds = static_cast<double>(rounds_.size());
            const auto crossing = static_cast<double>(std::ranges::count(steps_, k));
            ports_[k].latency = crossing > 0 ? ports_[k].waits / (crossing * rounds) : 0;
            ports_[k].transfer /= static_cast<double>(steps_.size()) * rounds;
        }
    }

    [[nodiscard]] const std::vector<PortsOfLevel>& ports() const { return ports_; }
    [[nodiscard]] const std::vector<std::string>& rounds() const { return rounds_; }
    [[nodiscard]] std::size_t steps() const { return steps_.size(); } ///< of each round
    /// Of a step of a round, both from 0: the way back is the way there in the other direction.
    [[nodiscard]] double latency(std::size_t round, std::size_t step) const {
        return ports_[steps_[round == 0 ? step : steps() - 1 - step]].latency;
    }
    [[nodiscard]] const PortsOfLevel& slowest() const {
        return *std::ranges::max_element(ports_, {}, &PortsOfLevel::transfer);
    }

  private:
    /// A ring passes the places of a level one after the other, all of what is within each first.
    void add_steps(std::size_t levels) {
        if (levels == 0) {
            return;
        }
        const PortsOfLevel& outer = ports_[levels - 1];
        add_steps(levels - 1);
        for (std::int64_t place = 1; place < (outer.reduces ? 2 : outer.places); ++place) {
            steps_.push_back(levels - 1);
            if (!outer.reduces) {
                add_steps(levels - 1);
            }
        }
    }

    std::vector<PortsOfLevel> ports_; ///< of the levels that the group spans, from the inside out
    std::vector<std::string> rounds_;
    std::vector<std::size_t> steps_; ///< of a round: the number of the ports whose level each crosses
};

Result<RunPtr> drawn(const Machine& machine, const LevelLaws& laws, const CollectiveOfGroup& collective) {
    const StepsOverPorts steps(machine, laws, collective);
    const std::int64_t chips = collective.group.chips;
    auto run = std::make_shared<ListedRun>(collective_name(collective.what), RunReading::estimated);
    const auto add = [&](std::size_t lane, double from, double to, Role role, RunLabel label) {
        if (seconds(to) > seconds(from)) {
            run->add(lane, {seconds(from), seconds(to), role, std::move(label), {}});
        }
    };
    for (std::int64_t chip = 0; chip < std::min(chips, most_drawn); ++chip) {
        std::vector<std::size_t> lanes;
        for (const PortsOfLevel& ports : steps.ports()) {
            Lane lane;
            lane.place = say("chip {} of {}", chip + 1, chips);
            lane.name = ports.name;
            lane.at = static_cast<std::size_t>(chip);
            lane.number = lane.order = static_cast<int>(lanes.size());
            lanes.push_back(run->add_lane(lane));
        }
        double at = 0;
        for (std::size_t round = 0; round < steps.rounds().size(); ++round) {
            for (std::size_t k = 0; k < steps.steps(); ++k) {
                const std::string name =
                    say("{}, step {} of {}", steps.rounds()[round], k + 1, steps.steps());
                const double begin = at + steps.latency(round, k);
                for (std::size_t level = 0; level < lanes.size(); ++level) {
                    const PortsOfLevel& ports = steps.ports()[level];
                    add(lanes[level], at, begin, Role::sync, {say("{}: latency", name), "sync", {}});
                    add(lanes[level], begin, begin + ports.transfer, ports.role, {name, "transfer", {}});
                }
                at = begin + steps.slowest().transfer;
            }
        }
    }
    run->bind(steps.slowest().name);
    return RunPtr(run);
}

/// Of a group on several tori, as LevelLaws has it: along the links of each torus and through the network
/// that joins them, one after the other; what is gathered comes from outside first.
Result<RunPtr> on_tori(const PlanAndModel& plan, const CollectiveOfGroup& collective) {
    auto run = std::make_shared<ListedRun>(collective_name(collective.what), RunReading::estimated);
    std::vector<LevelTakes> levels =
        plan.model.network().takes(collective.what, collective.bytes, collective.group);
    if (collective.what == Collective::all_gather) {
        std::ranges::reverse(levels);
    }
    const std::int64_t chips = std::min(collective.group.chips, most_drawn);
    std::string slowest;
    double longest = 0;
    for (std::int64_t chip = 0; chip < chips; ++chip) {
        double at = 0;
        for (std::size_t k = 0; k < levels.size(); ++k) {
            const LevelTakes& takes = levels[k];
            const Level& level = plan.model.hardware().network.levels[takes.level];
            const bool rings = level.kind == LevelKind::rings;
            Lane lane;
            lane.place = say("chip {} of {}", chip + 1, collective.group.chips);
            lane.name = rings ? say("links of the {}", title(level)) : say("ports to the {}", title(level));
            lane.at = static_cast<std::size_t>(chip);
            lane.number = lane.order = static_cast<int>(k);
            const std::size_t to = run->add_lane(lane);
            const std::string name = collective_name(collective.what);
            run->add(to, {seconds(at),
                          seconds(at + takes.waits),
                          Role::sync,
                          {say("{}: latency", name), "sync", {}},
                          {}});
            at += takes.waits;
            run->add(to, {seconds(at),
                          seconds(at + takes.transfer),
                          rings ? Role::transferHorizontal : Role::transferThird,
                          {name, "transfer", {}},
                          {}});
            at += takes.transfer;
            if (takes.transfer > longest) {
                longest = takes.transfer;
                slowest = lane.name;
            }
        }
    }
    run->bind(slowest);
    return RunPtr(run);
}

} // namespace

std::string collective_name(Collective what) {
    return said(name(what));
}

namespace {

RunKey key_of(const CollectiveOfGroup& collective, double seconds) {
    RunKey key;
    key.key = fmt::format("{} {} {} {}", name(collective.what), collective.bytes, collective.group.chips,
                          fmt::join(collective.group.within, ":"));
    for (const AlongAxis& axis : collective.group.along) {
        key.key += fmt::format(" {}:{}:{}", axis.chips, axis.stride, axis.ring);
    }
    key.title = collective_name(collective.what);
    key.seconds = seconds;
    return key;
}

} // namespace

RunKey collective_key(const PlanPtr& plan, const CollectiveOfGroup& collective, double seconds) {
    RunKey key = key_of(collective, seconds);
    key.make = [plan, collective](const RunControl& control) {
        const PlanModel& model = plan->model;
        if (!model.torus()) {
            return drawn(model.hardware(), model.network(), collective);
        }
        return collective.group.within.front() < collective.group.chips
                   ? on_tori(*plan, collective)
                   : simulated(model.hardware(), collective, control);
    };
    return key;
}

RunKey collective_key(std::shared_ptr<const Machine> machine, const CollectiveOfGroup& collective,
                      double seconds) {
    RunKey key = key_of(collective, seconds);
    key.make = [machine = std::move(machine), collective](const RunControl& control) -> Result<RunPtr> {
        if (machine->network.torus_axes() > 0) {
            return simulated(*machine, collective, control);
        }
        const Result<LevelLaws> laws = LevelLaws::of(*machine, ModelRules::exact);
        return laws ? drawn(*machine, *laws, collective) : Result<RunPtr>(refuse(laws.error()));
    };
    return key;
}

} // namespace meshslice
