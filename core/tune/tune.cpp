#include "core/tune/tune.h"

#include "core/cost/operation_cost.h"
#include "core/estimate/estimate.h"
#include "core/estimate/total_time.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

namespace meshslice {

Stationary largest_matrix_stays(const FullyConnectedLayer& layer) {
    // Y is tokens x out, X tokens x in, W in x out.
    const std::int64_t y = layer.tokens * layer.out;
    const std::int64_t x = layer.tokens * layer.in;
    const std::int64_t w = layer.in * layer.out;
    if (y >= x && y >= w) {
        return Stationary::Y;
    }
    return x >= w ? Stationary::X : Stationary::W;
}

namespace {

Result<std::vector<std::int64_t>> slice_candidates(const Algorithm& algorithm, const GemmShape& shape,
                                                   Dataflow dataflow, const Torus& torus,
                                                   const GemmOptions& options,
                                                   std::optional<std::int64_t> slices) {
    if (algorithm.slices && slices && !algorithm.unrolls) {
        return std::vector<std::int64_t>{*slices};
    }
    auto counts = algorithm.slice_counts(shape, dataflow, torus, options);
    if (counts && algorithm.unrolls && slices) {
        const auto above = std::ranges::upper_bound(*counts, *slices);
        return std::vector<std::int64_t>{above == counts->begin() ? counts->front() : *std::prev(above)};
    }
    return counts;
}

constexpr std::array<std::int64_t, 9> packet_counts = {1, 2, 4, 8, 16, 32, 64, 128, most_packets_tried};

bool tries_packets(const Algorithm& algorithm, const GemmOptions& given) {
    return algorithm.streams && given.packets == 0;
}

std::vector<std::optional<Axis>> axis_candidates(const Algorithm& algorithm, const GemmOptions& given) {
    if (!algorithm.decomposes || given.decomposed) {
        return {given.decomposed};
    }
    return {Axis::horizontal, Axis::vertical};
}

/// One slice count on one axis, written but not yet estimated.
struct Written {
    GemmOptions options; ///< packets still open where they are tried
    CondensedProgram program;
    std::vector<Time> times; ///< of its operations; where packets are tried, the least of any number of them
    Time at_least;           ///< whatever the packets
};

/// All that work, in the order in which equals are preferred; the first options that work even if they take
/// too long; what was objected to.
struct Writings {
    std::vector<Written> all;
    std::optional<GemmOptions> first;
    Error objection;
};

/// The search over one product's options.
class Search {
  public:
    Search(const Algorithm& algorithm, const Hardware& hardware, const Schedule& schedule, bool packets)
        : algorithm_(algorithm), hardware_(hardware), schedule_(schedule), packets_(packets) {}

    Result<Writings> write(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                           const GemmOptions& given, std::optional<std::int64_t> slices,
                           const std::stop_token& stop) const;
    /// Nothing where there is nothing.
    std::optional<TunedGemm> best(std::vector<Written>& all) const;

  private:
    struct Timed {
        std::size_t place; ///< in the order of the writings
        GemmOptions options;
        Time time;
    };
    void time_all_packets(Written& written, std::size_t place, std::vector<Timed>& timed, Time& bar) const;
    TunedGemm details(CondensedProgram& program, const GemmOptions& options, Time time) const;

    const Algorithm& algorithm_;
    const Hardware& hardware_;
    const Schedule& schedule_;
    bool packets_; ///< are tried
};

Result<Writings> Search::write(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                               const GemmOptions& given, std::optional<std::int64_t> slices,
                               const std::stop_token& stop) const {
    Writings writings;
    for (const std::optional<Axis> axis : axis_candidates(algorithm_, given)) {
        GemmOptions options = given;
        options.decomposed = axis;
        const auto counts = slice_candidates(algorithm_, shape, dataflow, torus, options, slices);
        if (!counts) {
            writings.objection = counts.error();
            continue;
        }
        writings.all.reserve(writings.all.size() + counts->size());
        for (const std::int64_t count : *counts) {
            if (stop.stop_requested()) {
                return cancelled();
            }
            options.slices = count;
            GemmOptions one_packet = options;
            one_packet.packets = packets_ ? 1 : options.packets;
            Result<Program> program = algorithm_.write(shape, dataflow, torus, one_packet);
            if (!program) {
                writings.objection = program.error();
                continue;
            }
            writings.first = writings.first.value_or(options);
            Written& written =
                writings.all.emplace_back(Written{options, condensed(*std::move(program)), {}, {}});
            written.times = packets_ ? least_times_of_any_packets(written.program, hardware_, schedule_)
                                     : operation_times(written.program, hardware_, schedule_);
            if (longest_seconds(written.program, written.times) > most_countable_seconds) {
                writings.all.pop_back();
            } else {
                written.at_least = least_total_time(written.program, written.times);
            }
        }
    }
    if (!writings.first && !writings.objection.sentence.empty()) {
        return refuse(writings.objection);
    }
    return writings;
}

/// `bar`: the least time plus its rounding so far; what must take longer cannot be among the equals.
void Search::time_all_packets(Written& written, std::size_t place, std::vector<Timed>& timed,
                              Time& bar) const {
    std::optional<std::vector<Dependency>> needs; // The same whatever the packets; mostly nobody asks.
    const std::size_t tries = packets_ ? packet_counts.size() : 1;
    for (std::size_t which = 0; which < tries; ++which) {
        GemmOptions options = written.options;
        if (packets_) {
            options.packets = packet_counts[which];
            set_packets(written.program, options.packets);
            renew_stream_times(written.program, hardware_, schedule_, written.times);
            if (longest_seconds(written.program, written.times) > most_countable_seconds ||
                least_total_time(written.program, written.times) > bar) {
                continue;
            }
        }
        if (!needs) {
            needs = condensed_dependencies(written.program, schedule_.prefetch);
        }
        const Time time = total_time(written.program, written.times, *needs,
                                     slower_times(written.program, hardware_, schedule_));
        timed.push_back({place * tries + which, options, time});
        bar = std::min(bar, time + Time(options.slices));
    }
}

TunedGemm Search::details(CondensedProgram& condensed, const GemmOptions& options, Time time) const {
    if (packets_) {
        set_packets(condensed, options.packets);
    }
    const Program& program = condensed.program;
    TunedGemm tuned{options, time, {}, {}, memory_per_chip(program, schedule_)};
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        const OperationCost cost = longest_cost(program, program.operations[id], hardware_, schedule_);
        const std::int64_t runs = program.runs(id) * condensed.times[id];
        const std::size_t engine = engine_of(program.operations[id]);
        if (engine == core_engine) {
            tuned.compute += cost.total() * runs;
        } else if (engine < core_engine) {
            tuned.links[engine] +=
                LinkTime{cost.all_launch(), cost.all_sync(), cost.all_transfer(), cost.all_copying()} * runs;
        }
    }
    for (const Time slower : slower_times(condensed, hardware_, schedule_)) {
        tuned.compute += slower * (program.iterations - 1);
    }
    return tuned;
}

std::optional<TunedGemm> Search::best(std::vector<Written>& all) const {
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t place) { return all[place].at_least; });
    std::vector<Timed> timed;
    Time bar = Time(std::numeric_limits<std::int64_t>::max());
    for (const std::size_t place : order) {
        if (all[place].at_least > bar) {
            break;
        }
        time_all_packets(all[place], place, timed, bar);
    }
    const Timed* first = nullptr;
    for (const Timed& one : timed) {
        if (one.time <= bar && (!first || one.place < first->place)) {
            first = &one;
        }
    }
    if (!first) {
        return std::nullopt;
    }
    const std::size_t tries = packets_ ? packet_counts.size() : 1;
    return details(all[first->place / tries].program, first->options, first->time);
}

} // namespace

LinkTime& LinkTime::operator+=(const LinkTime& other) {
    launch += other.launch;
    sync += other.sync;
    transfer += other.transfer;
    copy += other.copy;
    return *this;
}

LinkTime operator*(LinkTime part, std::int64_t times) {
    return {part.launch * times, part.sync * times, part.transfer * times, part.copy * times};
}

Result<std::optional<TunedGemm>> tune(const Algorithm& algorithm, const GemmShape& shape, Dataflow dataflow,
                                      const Torus& torus, const GemmOptions& given,
                                      std::optional<std::int64_t> slices, const Hardware& hardware,
                                      const Schedule& schedule, std::stop_token stop) {
    const Search search(algorithm, hardware, schedule, tries_packets(algorithm, given));
    Result<Writings> writings = search.write(shape, dataflow, torus, given, slices, stop);
    if (!writings) {
        return refuse(writings.error());
    }
    return search.best(writings->all);
}

Result<GemmOptions> best_options(const Algorithm& algorithm, const GemmShape& shape, Dataflow dataflow,
                                 const Torus& torus, const GemmOptions& given,
                                 std::optional<std::int64_t> slices, const Hardware& hardware,
                                 const Schedule& schedule, std::stop_token stop) {
    const Search search(algorithm, hardware, schedule, tries_packets(algorithm, given));
    Result<Writings> writings = search.write(shape, dataflow, torus, given, slices, stop);
    if (!writings) {
        return refuse(writings.error());
    }
    const std::optional<TunedGemm> best = search.best(writings->all);
    return best ? best->options : writings->first.value_or(given);
}

} // namespace meshslice
