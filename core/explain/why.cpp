#include "core/explain/why.h"

#include "core/base/concurrently.h"
#include "core/base/run_control.h"
#include "core/base/say.h"
#include "core/explain/bottleneck_with_faults.h"
#include "core/gemm/algorithms.h"
#include "core/scenario/choices.h"
#include "core/simulate/engine/simulate.h"
#include "core/simulate/record/memory_reserve.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace meshslice {
namespace {

PathShares shares_of(const PhaseTimes& times) {
    PathShares shares{};
    const CauseTimes all = all_phases(times);
    for (std::size_t place = 0; place < resource_count; ++place) {
        shares[place] = ratio(all.of(static_cast<Place>(place)), all.total());
    }
    return shares;
}

/// How fast what a row stands for still is.
double speed_of(const Conditions& conditions, const Torus& torus, const Row& row) {
    return row.is_core ? conditions.core(row.chip)
                       : conditions.link(torus, row.chip, link_slot(row.axis, row.direction));
}

bool in_one_ring(const Torus& torus, const Row& one, const Row& other) {
    bool same = one.axis == other.axis;
    for (int a = 0; a < torus.axis_count(); ++a) {
        const auto axis = static_cast<Axis>(a);
        same = same &&
               (axis == one.axis || torus.coordinate(one.chip, axis) == torus.coordinate(other.chip, axis));
    }
    return same;
}

/// Whether a part that is slow or dead slows what a row records: that of its own, and on links what goes
/// round over it because its own link is dead or missing, or makes room for what goes round because of it.
bool slows(const Row& part, const Row& row, const Conditions& conditions, const Torus& torus) {
    if (part == row || part.is_core || row.is_core) {
        return part == row;
    }
    const bool goes_round = speed_of(conditions, torus, part) == 0 || speed_of(conditions, torus, row) == 0 ||
                            torus.missing({row.chip, row.axis, row.direction});
    return goes_round && part.direction != row.direction && in_one_ring(torus, part, row);
}

Part kind_of(const Row& row) {
    return row.is_core
               ? Part::compute
               : static_cast<Part>(static_cast<int>(Part::vertical_links) + static_cast<int>(row.axis));
}

/// Whether a saving is worth a sentence, and no part twice as fast would count more.
/// `of`: the part that the saving is one of, which is that of all chips and so counts half.
bool saves_most(double share, Bottleneck bottleneck, std::optional<Part> of) {
    if (of) {
        bottleneck.saves[static_cast<std::size_t>(*of)] /= 2; // As counted() has those of all axes.
    }
    return share >= worth_telling && std::ranges::all_of(all_parts, [&](Part part) {
               return share >= counted(part, bottleneck.saves[static_cast<std::size_t>(part)]);
           });
}

/// A fault with the row that it stands for.
struct FaultOfRow {
    FaultOnPath fault;
    Row row;
};

/// Repairs are tried of so many parts of a GEMM at most, those with most of the path.
constexpr std::size_t most_repairs = 4;

/// The slow and dead parts on the path, the one that has most of it first; all of them where none is known.
std::vector<FaultOfRow> faults_on(const CriticalPath& path, const Timeline& timeline,
                                  const Conditions& conditions) {
    std::map<std::int32_t, Time> on_path;
    for (const CriticalEvent& event : path.events) {
        if (event.row >= 0) {
            on_path[event.row] += event.end - event.start;
        }
    }
    std::vector<FaultOfRow> found;
    for (const Row& part : timeline.rows()) {
        const double speed = speed_of(conditions, timeline.torus(), part);
        if (speed == 1) {
            continue;
        }
        Time slowed;
        for (const auto& [index, time] : on_path) {
            const Row& row = timeline.rows()[static_cast<std::size_t>(index)];
            slowed += slows(part, row, conditions, timeline.torus()) ? time : Time(0);
        }
        if (slowed > Time(0) || path.events.empty()) {
            Row itself = part;
            itself.round = false; // The part, not what goes round because it is dead.
            found.push_back({{part_name(timeline.torus(), itself), kind_of(part), speed, slowed, {}}, part});
        }
    }
    std::ranges::stable_sort(found, std::ranges::greater{},
                             [](const FaultOfRow& one) { return one.fault.time; });
    found.resize(std::min(found.size(), most_repairs));
    return found;
}

/// Where nothing else is slow or dead the conditions are those of a run without any such part, in which chips
/// that are alike are simulated once.
Conditions repaired(Conditions conditions, const Torus& torus, const Row& row) {
    if (row.is_core) {
        conditions.core_speed[static_cast<std::size_t>(row.chip)] = 1;
    } else {
        conditions.link_speed[static_cast<std::size_t>(row.chip * torus.link_slots() +
                                                       link_slot(row.axis, row.direction))] = 1;
    }
    for (std::vector<double>* const speeds : {&conditions.core_speed, &conditions.link_speed}) {
        if (std::ranges::all_of(*speeds, [](double speed) { return speed == 1; })) {
            speeds->clear();
        }
    }
    return conditions;
}

/// When a GEMM ends under other conditions.
Result<Time> end_of(const GemmResult& result, const Scenario& scenario, const Conditions& conditions,
                    const RunControl& control) {
    return simulate(*result.program, scenario.hardware, scenario.assume.schedule, conditions, control)
        .map([](const auto& timeline) { return timeline->end(); });
}

/// The faults on the path, with what the repair of each saves.
Result<std::vector<FaultOnPath>> tried_repairs(const GemmResult& result, const Scenario& scenario,
                                               const Conditions& conditions, const CriticalPath& path,
                                               const RunControl& control, unsigned threads) {
    std::vector<FaultOnPath> tried;
    if (conditions.core_speed.empty() && conditions.link_speed.empty()) {
        return tried;
    }
    const Timeline& timeline = *result.timeline;
    std::vector<FaultOfRow> faults = faults_on(path, timeline, conditions);
    std::vector<Result<Time>> ends(faults.size());
    const auto repair = [&](std::size_t k) {
        ends[k] = end_of(result, scenario, repaired(conditions, timeline.torus(), faults[k].row), control);
        return ends[k].has_value();
    };
    if (!for_each_concurrently(faults.size(), threads, repair)) {
        return refuse(std::ranges::find_if(ends, [](const auto& end) { return !end; })->error());
    }
    for (std::size_t k = 0; k < faults.size(); ++k) {
        faults[k].fault.saves = timeline.end() - *ends[k];
        tried.push_back(std::move(faults[k].fault));
    }
    return tried;
}

/// The fault whose repair saves most; none where that is little, or less than another part twice as fast
/// saves: then the path only happens to lead over it.
std::optional<FaultOnPath> fault_that_bounds(const std::vector<FaultOnPath>& tried, Time time,
                                             const Bottleneck& bottleneck) {
    const auto worst = std::ranges::max_element(tried, {}, &FaultOnPath::saves);
    const bool bounds =
        worst != tried.end() && saves_most(ratio(worst->saves, time), bottleneck, worst->kind);
    return bounds ? std::optional(*worst) : std::nullopt;
}

/// Of one copy: without anything wrong, without slow and dead parts, and without jitter.
Result<void> run_without_faults(ProductWhy& product, const GemmResult& result, const Scenario& scenario,
                                const Conditions& conditions, const RunControl& control) {
    if (conditions.healthy()) {
        return {};
    }
    Conditions repaired;
    repaired.jitter = conditions.jitter;
    repaired.seed = conditions.seed;
    Conditions steady = conditions;
    steady.jitter = Time(0);
    const bool both = conditions.jitter > Time(0) && !steady.healthy();
    const auto end = [&](const Conditions& with) { return end_of(result, scenario, with, control); };
    const Time now = result.timeline->end();
    const Result<Time> healthy = end({});
    const Result<Time> in_parts = both ? end(repaired) : healthy;
    const Result<Time> in_time = both ? end(steady) : healthy;
    for (const Result<Time>* const one : {&healthy, &in_parts, &in_time}) {
        if (!*one) {
            return refuse(one->error());
        }
    }
    product.healthy = *healthy;
    product.repaired = steady.healthy() ? now : *in_parts;
    product.steady = conditions.jitter > Time(0) ? *in_time : now;
    return {};
}

/// Of one copy, with a memory in which neither the GEMM nor communication holds up the other.
Result<Time> uncontended_time(const GemmResult& result, const Scenario& scenario, const RunControl& control) {
    Schedule ideal = scenario.assume.schedule;
    ideal.arbitration = MemoryPolicy::ideal;
    return simulate(*result.program, scenario.hardware, ideal, {}, control).map([](const auto& timeline) {
        return timeline->end();
    });
}

/// What of the faults bounds a run that takes `time`: jitter, where all repairs together save less than its
/// absence; else one of those that were tried, else several together.
void find_fault(Bound& bound, const std::vector<FaultOnPath>& tried, Time time, const Faults& faults) {
    if (!bound.healthy) {
        return;
    }
    const double by_steadiness = ratio(time - *bound.steady, time);
    const double by_repair = ratio(time - *bound.repaired, time);
    if (by_steadiness > by_repair) {
        bound.jitter = saves_most(by_steadiness, bound.bottleneck, std::nullopt);
        return;
    }
    bound.fault = fault_that_bounds(tried, time, bound.bottleneck);
    bound.faults_together =
        !bound.fault && faults.parts.size() > 1 && saves_most(by_repair, bound.bottleneck, std::nullopt);
}

/// The faults of all GEMMs, each part once.
std::vector<FaultOnPath> tried_repairs(const TrainingStep& step, const StepWhy& why) {
    std::vector<FaultOnPath> parts;
    for (std::size_t k = 0; k < step.gemms.size(); ++k) {
        for (const FaultOnPath& fault : why.products[k].repairs) {
            const auto same = std::ranges::find(parts, fault.part, &FaultOnPath::part);
            FaultOnPath& part =
                same != parts.end()
                    ? *same
                    : parts.emplace_back(FaultOnPath{fault.part, fault.kind, fault.speed, {}, {}});
            part.time += fault.time * step.gemms[k].gemm.copies;
            part.saves += fault.saves * step.gemms[k].gemm.copies;
        }
    }
    return parts;
}

/// Where by estimate no GEMM alone is faster with a slower part, all together are not.
std::optional<SlowerPart> slower_part_of(const TrainingStep& step, const StepWhy& why,
                                         const Scenario& scenario, const std::stop_token& stop) {
    const auto helped = [](const ProductWhy& product) { return product.remedies.slower.has_value(); };
    if (why.products.size() == 1) {
        return why.products.front().remedies.slower;
    }
    if (std::ranges::none_of(why.products, helped)) {
        return std::nullopt;
    }
    std::vector<const GemmResult*> gemms;
    for (const GemmResult& result : step.gemms) {
        gemms.push_back(&result);
    }
    return slower_part(gemms, scenario, stop);
}

/// All copies of a GEMM, where its time is known.
void add(std::optional<Time>& all, const std::optional<Time>& one, std::int64_t copies) {
    if (one) {
        all = all.value_or(Time(0)) + *one * copies;
    }
}

/// What bounds the GEMMs together, weighed by the time that each takes.
Bottleneck of_all(const TrainingStep& step, const StepWhy& why) {
    std::vector<TimedBottleneck> runs;
    for (std::size_t k = 0; k < step.gemms.size(); ++k) {
        runs.push_back({why.products[k].bottleneck, step.gemms[k].time});
    }
    return together(runs);
}

/// Why one GEMM does. `control` reaches its experiments, `threads` of which run at a time (0: one per core);
/// `done` hears after each of its `parts_of_product` long parts.
constexpr double parts_of_product = 3; // its path and what bounds it, its repairs, its remedies
Result<ProductWhy> product_why(const GemmResult& result, const Algorithm& algorithm, const Scenario& scenario,
                               const Conditions& conditions, const RunControl& control, unsigned threads,
                               const std::function<void()>& done) {
    const bool in_stages = staged(scenario.assume.schedule, scenario.hardware);
    ProductWhy product;
    product.path = std::make_shared<const CriticalPath>(
        in_stages ? CriticalPath()
                  : critical_path(*result.program, scenario.hardware, scenario.assume.schedule, conditions,
                                  *result.timeline, control));
    if (control.stop.stop_requested()) {
        return cancelled();
    }
    done();
    product.shares = shares_of(product.path->times);
    if (const auto run = run_without_faults(product, result, scenario, conditions, control); !run) {
        return refuse(run.error());
    }
    product.bottleneck = result.bottleneck;
    if (product.healthy) { // With the faults, which no other answer knows.
        const auto found =
            bottleneck_with_faults(result, algorithm, scenario, conditions, *product.path, control, threads);
        if (!found) {
            return refuse(found.error());
        }
        product.bottleneck = *found;
    }
    if (in_stages) { // No path says it.
        product.bottleneck.links_busy = result.bottleneck.links_busy;
    }
    auto repairs = tried_repairs(result, scenario, conditions, *product.path, control, threads);
    if (!repairs) {
        return refuse(repairs.error());
    }
    product.repairs = *std::move(repairs);
    find_fault(product, product.repairs, result.timeline->end(), scenario.assume.faults);
    done();
    product.remedies = remedies(result, scenario, algorithm, control.stop);
    if (control.stop.stop_requested()) {
        return cancelled();
    }
    product.slicing = slicing_cost(result, scenario, algorithm);
    if (in_stages && conditions.healthy() && scenario.assume.schedule.arbitration != MemoryPolicy::ideal) {
        const auto found = uncontended_time(result, scenario, control);
        if (!found) {
            return refuse(found.error());
        }
        product.uncontended = *found;
    }
    done();
    return product;
}

/// Of each GEMM the first that shares its run.
std::vector<std::size_t> first_of_run(const TrainingStep& step) {
    std::vector<std::size_t> first;
    for (const GemmResult& result : step.gemms) {
        const auto same = std::ranges::find(step.gemms, result.timeline, &GemmResult::timeline);
        first.push_back(static_cast<std::size_t>(same - step.gemms.begin()));
    }
    return first;
}

/// Why each of the GEMMs `own` does, several at a time where their paths fit into memory together.
Result<std::vector<ProductWhy>> product_whys(const TrainingStep& step, const std::vector<std::size_t>& own,
                                             const Algorithm& algorithm, const Scenario& scenario,
                                             const Conditions& conditions, const std::stop_token& stop,
                                             std::atomic<double>* progress) {
    std::size_t intervals = 0;
    for (const std::size_t k : own) {
        intervals += step.gemms[k].timeline->stored_intervals();
    }
    const bool together = own.size() > 1 && intervals <= most_explained_intervals;
    // What experiments record is forgotten at once, so that the next takes its memory.
    const RunControl control{stop, nullptr,
                             std::make_shared<MemoryReserve>(most_explained_intervals * sizeof(Interval))};
    std::atomic<int> parts = 0;
    const auto done = [&] {
        const double share = ++parts / (parts_of_product * static_cast<double>(own.size()));
        for (double before = progress != nullptr ? progress->load() : share; before < share;) {
            if (progress->compare_exchange_weak(before, share)) {
                break;
            }
        }
    };
    std::vector<Result<ProductWhy>> found(own.size());
    const auto explain = [&](std::size_t place) {
        found[place] = product_why(step.gemms[own[place]], algorithm, scenario, conditions, control,
                                   together ? 1 : 0, done);
        return found[place].has_value();
    };
    if (!for_each_concurrently(own.size(), together ? 0 : 1, explain)) {
        if (stop.stop_requested()) {
            return cancelled();
        }
        return refuse(std::ranges::find_if(found, [](const auto& one) { return !one; })->error());
    }
    std::vector<ProductWhy> products;
    for (Result<ProductWhy>& one : found) {
        products.push_back(*std::move(one));
    }
    return products;
}

} // namespace

Result<StepWhy> why(const TrainingStep& step, const Scenario& scenario, const std::stop_token& stop,
                    std::atomic<double>* progress) {
    const Result<const Algorithm*> algorithm = meshslice::algorithm(step.algorithm);
    if (!algorithm) {
        return refuse(algorithm.error());
    }
    const Result<Conditions> conditions = conditions_of(scenario, **algorithm);
    if (!conditions) {
        return refuse(conditions.error());
    }
    for (const GemmResult& result : step.gemms) {
        if (!result.timeline) {
            return refuse("The step was estimated, not simulated; only a simulation has a critical path.");
        }
        if (result.timeline->stored_intervals() > most_explained_intervals) {
            return refuse(say("{} recorded {} busy intervals; a critical path is looked for in up to {}.",
                              result.title(), result.timeline->stored_intervals(), most_explained_intervals));
        }
    }
    if (stop.stop_requested()) {
        return cancelled();
    }
    const std::vector<std::size_t> first = first_of_run(step);
    std::vector<std::size_t> own;
    for (std::size_t k = 0; k < first.size(); ++k) {
        if (first[k] == k) {
            own.push_back(k);
        }
    }
    auto found = product_whys(step, own, **algorithm, scenario, *conditions, stop, progress);
    if (!found) {
        return refuse(found.error());
    }
    StepWhy why;
    for (std::size_t k = 0; k < step.gemms.size(); ++k) {
        const auto place = std::ranges::lower_bound(own, first[k]) - own.begin();
        const ProductWhy& product = (*found)[static_cast<std::size_t>(place)];
        const std::int64_t copies = step.gemms[k].gemm.copies;
        for (std::size_t phase = 0; phase < phase_count; ++phase) {
            why.times[phase] += product.path->times[phase] * copies;
            why.exposed[phase] += product.path->exposed[phase] * copies;
        }
        if (product.slicing) {
            why.slicing_cost += product.slicing->cost() * copies;
        }
        add(why.uncontended, product.uncontended, copies);
        add(why.healthy, product.healthy, copies);
        add(why.repaired, product.repaired, copies);
        add(why.steady, product.steady, copies);
        why.products.push_back(product);
    }
    if (!why.products.empty()) {
        why.shares = shares_of(why.times);
        why.bottleneck = why.healthy ? of_all(step, why) : step.bottleneck;
        find_fault(why, tried_repairs(step, why), step.time, scenario.assume.faults);
        why.slower = slower_part_of(step, why, scenario, stop);
        if (stop.stop_requested()) {
            return cancelled();
        }
    }
    return why;
}

} // namespace meshslice
