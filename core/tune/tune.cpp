#include "core/tune/tune.h"

#include "core/estimate/condensed.h"
#include "core/estimate/stream_costs.h"
#include "core/estimate/stream_links.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <span>
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

/// What is searched for: the options of one algorithm for one GEMM.
struct Question {
    const Algorithm& algorithm;
    const GemmShape& shape;
    Dataflow dataflow;
    const Torus& torus;
    const GemmOptions& given;
    std::optional<std::int64_t> slices; ///< given; none: open

    [[nodiscard]] Result<std::vector<std::int64_t>> values(const OptionSpec& option,
                                                           const GemmOptions& options) const {
        return values_to_try(option, shape, dataflow, torus, options,
                             option.id == OptionId::slices ? slices : value(given, option.id));
    }
    /// The packets to try; none where they are given, or there are no streams. They do not change the program
    /// otherwise, so it is written once for all of them.
    [[nodiscard]] std::vector<std::int64_t> packets() const {
        const OptionSpec* streams = option(algorithm, OptionId::packets);
        return streams && given.packets == 0 ? values(*streams, given).value_or(std::vector<std::int64_t>())
                                             : std::vector<std::int64_t>();
    }
};

/// One choice of all options but the packets, written but not yet estimated.
struct Written {
    GemmOptions options; ///< packets still open where they are tried
    CondensedProgram program;
    OperationTimes times; ///< of its operations; where packets are tried, the least of any number of them
    Time at_least;        ///< whatever the packets
};

/// All that work, in the order in which equals are preferred; the first options that work even if they take
/// too long; what was objected to.
struct Writings {
    std::vector<Written> all;
    std::optional<GemmOptions> first;
    double first_seconds = 0; ///< that those could take
    Error objection;
};

/// The search over one GEMM's options.
class Search {
  public:
    Search(const Question& question, const Machine& hardware, const Schedule& schedule)
        : question_(question)
        , hardware_(hardware)
        , schedule_(schedule)
        , packets_(question.packets())
        , stream_costs_(hardware, schedule) {}

    Result<Writings> write(const std::stop_token& stop);
    /// Nothing where there is nothing.
    std::optional<TunedGemm> best(std::vector<Written>& all);

  private:
    struct Timed {
        std::size_t place; ///< in the order of the writings
        GemmOptions options;
        LoopTime loop;
    };
    /// Of all options; nothing where there is nothing.
    [[nodiscard]] std::optional<Timed> fastest(std::vector<Written>& all);
    /// What takes hardly longer with fewer slices than the fastest.
    [[nodiscard]] Timed with_fewest_slices(std::vector<Written>& all, Timed fastest);
    /// Writes every choice of the options from the `next`-th on. Refused only when cancelled.
    Result<void> write_all(std::size_t next, const GemmOptions& options, const std::stop_token& stop,
                           Writings& writings);
    void write_one(const GemmOptions& options, Writings& writings);
    void time_all_packets(Written& written, std::size_t place, std::vector<Timed>& timed, Time& bar);
    /// What is best when waves of streams are counted, and its time: the best without them, or where these
    /// take long, another slice count. `further`: places that are not timed yet, by their least times, and
    /// each longer than `bar`. What takes longer than `most` need not be distinguished: nothing may be
    /// found.
    [[nodiscard]] std::optional<Timed> with_waves(std::vector<Written>& all, const std::vector<Timed>& timed,
                                                  const Timed& without, Time most,
                                                  std::span<const std::size_t> further, Time bar);
    /// Nothing where waves make it longer than `most`.
    [[nodiscard]] std::optional<LoopTime> follow_waves(CondensedProgram& program, const Timed& one,
                                                       Time most);

    /// What must take longer, without waves, cannot be among the best with them: those of 32x8 chips take up
    /// to an eighth of the time.
    [[nodiscard]] static Time reach(const Written& written, Time bar) {
        return bar < nothing_yet && follows_streams(written.program) ? bar + Time(bar.value() / 8) : bar;
    }
    static constexpr Time nothing_yet{std::numeric_limits<std::int64_t>::max()};
    [[nodiscard]] std::size_t tries() const { return packets_.empty() ? 1 : packets_.size(); }

    const Question& question_;
    const Machine& hardware_;
    const Schedule& schedule_;
    std::vector<std::int64_t> packets_; ///< that are tried
    StreamCosts stream_costs_;
    /// What following waves has found, by place: the time, or none where it is longer than that.
    struct Followed {
        std::optional<LoopTime> loop;
        Time longer_than;
    };
    std::map<std::size_t, Followed> followed_;
};

Result<Writings> Search::write(const std::stop_token& stop) {
    Writings writings;
    if (const Result<void> done = write_all(0, question_.given, stop, writings); !done) {
        return refuse(done.error());
    }
    if (!writings.first && writings.objection.sentence.empty()) {
        write_one(question_.given, writings); // There is nothing to vary.
    }
    if (!writings.first) {
        return refuse(writings.objection);
    }
    return writings;
}

Result<void> Search::write_all(std::size_t next, const GemmOptions& options, const std::stop_token& stop,
                               Writings& writings) {
    const auto& specs = question_.algorithm.options;
    if (next == specs.size()) {
        if (stop.stop_requested()) {
            return cancelled();
        }
        write_one(options, writings);
        return {};
    }
    const OptionSpec& spec = specs.begin()[next];
    if (!spec.values || spec.id == OptionId::packets) {
        return write_all(next + 1, options, stop, writings);
    }
    const auto values = question_.values(spec, options);
    if (!values) {
        writings.objection = values.error();
        return {};
    }
    writings.all.reserve(writings.all.size() + values->size());
    for (const std::int64_t value : *values) {
        GemmOptions with = options;
        set_value(with, spec.id, value);
        if (Result<void> done = write_all(next + 1, with, stop, writings); !done) {
            return done;
        }
    }
    return {};
}

void Search::write_one(const GemmOptions& options, Writings& writings) {
    GemmOptions one_packet = options;
    one_packet.packets = packets_.empty() ? options.packets : 1;
    Result<Program> program =
        question_.algorithm.write(question_.shape, question_.dataflow, question_.torus, one_packet);
    if (!program) {
        writings.objection = program.error();
        return;
    }
    Written& written = writings.all.emplace_back(Written{options, condensed(*std::move(program)), {}, {}});
    written.times = packets_.empty() ? operation_times(written.program, hardware_, schedule_)
                                     : least_times_of_any_packets(written.program, stream_costs_);
    const double seconds = longest_seconds(written.program, written.times);
    if (!writings.first) {
        writings.first = options;
        writings.first_seconds = seconds;
    }
    if (seconds > most_countable_seconds) {
        writings.all.pop_back();
    } else {
        written.at_least = least_total_time(written.program, written.times, schedule_.prefetch);
    }
}

/// `bar`: the least time plus its rounding so far; what must take longer cannot be among the equals.
void Search::time_all_packets(Written& written, std::size_t place, std::vector<Timed>& timed, Time& bar) {
    std::optional<std::vector<Dependency>> needs; // The same whatever the packets; mostly nobody asks.
    Time most = reach(written, bar);
    for (std::size_t which = 0; which < tries(); ++which) {
        GemmOptions options = written.options;
        if (!packets_.empty()) {
            options.packets = packets_[which];
            cut_streams(written.program, options.packets, stream_costs_, written.times);
            if (longest_seconds(written.program, written.times) > most_countable_seconds ||
                least_total_time(written.program, written.times, schedule_.prefetch) > most) {
                continue;
            }
        }
        if (!needs) {
            needs = condensed_dependencies(written.program, schedule_.prefetch);
        }
        const LoopTime loop =
            loop_time(written.program, written.times, *needs, hardware_, schedule_, Waves::left_out);
        timed.push_back({place * tries() + which, options, loop});
        bar = std::min(bar, loop.total + Time(options.slices));
        most = std::min(most, loop.total + Time(options.slices));
    }
}

std::optional<LoopTime> Search::follow_waves(CondensedProgram& program, const Timed& one, Time most) {
    const auto known = followed_.find(one.place);
    if (known != followed_.end() && (known->second.loop || most <= known->second.longer_than)) {
        const std::optional<LoopTime>& loop = known->second.loop;
        return loop && loop->total <= most ? loop : std::nullopt;
    }
    if (!packets_.empty()) {
        set_packets(program, one.options.packets);
    }
    // What takes hardly longer is asked for again where it has fewer slices.
    const Time followed_to = most < nothing_yet ? most_with_fewer_slices(most) : most;
    const std::optional<LoopTime> loop =
        loop_time_within(program, operation_times(program, hardware_, schedule_),
                         condensed_dependencies(program, schedule_.prefetch), hardware_, schedule_,
                         Waves::followed, followed_to);
    followed_[one.place] = {loop, followed_to};
    return loop && loop->total <= most ? loop : std::nullopt;
}

std::optional<Search::Timed> Search::with_waves(std::vector<Written>& all, const std::vector<Timed>& timed,
                                                const Timed& without, Time most,
                                                std::span<const std::size_t> further, Time bar) {
    if (schedule_.prefetch.depth == 0 || !follows_streams(all[without.place / tries()].program)) {
        return without; // Without a buffer to run ahead waves are counted all along.
    }
    // Of each way of writing it the packets that are best without waves.
    std::vector<Timed> each;
    const auto add = [&](const std::vector<Timed>& those) {
        std::size_t last = 0; // of a way of writing it
        for (const Timed& one : those) {
            if (last == 0 || each.back().place / tries() != one.place / tries()) {
                each.push_back(one);
                last = each.size();
            } else if (one.loop.total < each.back().loop.total) {
                each.back() = one;
            }
        }
    };
    add(timed);
    const bool alone = each.size() == 1 && further.empty();
    std::optional<Timed> found;
    while (true) { // The best of these first.
        const auto next = std::ranges::min_element(each, {}, [](const Timed& one) { return one.loop.total; });
        const Time its = next != each.end() ? next->loop.total : nothing_yet;
        const Time others = !further.empty() ? all[further.front()].at_least : nothing_yet;
        if (std::min(its, others) == nothing_yet || (found && found->loop.total < std::min(its, others))) {
            return found; // Waves make it no better: hardly anything is shorter with them.
        }
        if (others <= its) {
            std::vector<Timed> its_packets;
            time_all_packets(all[further.front()], further.front(), its_packets, bar);
            add(its_packets);
            further = further.subspan(1);
            continue;
        }
        // Of several the first, however long it takes, says where to stop.
        const Time shorter = found ? found->loop.total - Time(1) : alone ? most : nothing_yet;
        if (const auto loop = follow_waves(all[next->place / tries()].program, *next, shorter)) {
            found = *next;
            found->loop = *loop;
        }
        each.erase(next);
    }
}

std::optional<Search::Timed> Search::fastest(std::vector<Written>& all) {
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t place) { return all[place].at_least; });
    std::vector<Timed> timed;
    Time bar = nothing_yet;
    auto next = order.begin();
    for (; next != order.end() && all[*next].at_least <= bar; ++next) {
        time_all_packets(all[*next], *next, timed, bar);
    }
    // None of the others is among the equals, but with waves it may be.
    const auto last = std::find_if(
        next, order.end(), [&](std::size_t place) { return all[place].at_least > reach(all[place], bar); });
    std::optional<Timed> found;
    for (const Timed& one : timed) {
        if (one.loop.total <= bar && (!found || one.place < found->place)) {
            found = one;
        }
    }
    if (!found) {
        return std::nullopt;
    }
    return with_waves(all, timed, *found, nothing_yet, std::span(next, last), bar);
}

Search::Timed Search::with_fewest_slices(std::vector<Written>& all, Timed fastest) {
    const Time most = most_with_fewer_slices(fastest.loop.total);
    std::map<std::int64_t, std::vector<std::size_t>> by_slices; // places in the order of the writings
    for (std::size_t place = 0; place < all.size(); ++place) {
        if (all[place].options.slices < fastest.options.slices &&
            all[place].at_least <= reach(all[place], most)) {
            by_slices[all[place].options.slices].push_back(place);
        }
    }
    for (const auto& [slices, places] : by_slices) {
        std::vector<Timed> timed;
        for (const std::size_t place : places) {
            Time bar = most; // Of each its own best: waves may turn the order round.
            time_all_packets(all[place], place, timed, bar);
        }
        if (timed.empty()) {
            continue;
        }
        const std::optional<Timed> best = with_waves(
            all, timed, *std::ranges::min_element(timed, {}, [](const Timed& one) { return one.loop.total; }),
            most, {}, most);
        if (best && best->loop.total <= most) {
            return *best;
        }
    }
    return fastest;
}

std::optional<TunedGemm> Search::best(std::vector<Written>& all) {
    std::optional<Timed> found = fastest(all);
    if (!found) {
        return std::nullopt;
    }
    if (!question_.slices) {
        found = with_fewest_slices(all, *std::move(found));
    }
    CondensedProgram& program = all[found->place / tries()].program;
    if (!packets_.empty()) {
        set_packets(program, found->options.packets);
    }
    return TunedGemm{found->options, estimate(program, found->loop, hardware_, schedule_),
                     memory_per_chip(program.program, schedule_)};
}

} // namespace

Time most_with_fewer_slices(Time fastest) {
    return fastest + Time(fastest.value() / 100);
}

Result<TunedGemm> tune(const Algorithm& algorithm, const GemmShape& shape, Dataflow dataflow,
                       const Torus& torus, const GemmOptions& given, std::optional<std::int64_t> slices,
                       const Machine& hardware, const Schedule& schedule, std::stop_token stop) {
    const Question question{algorithm, shape, dataflow, torus, given, slices};
    Search search(question, hardware, schedule);
    Result<Writings> writings = search.write(stop);
    if (!writings) {
        return refuse(writings.error());
    }
    std::optional<TunedGemm> best = search.best(writings->all);
    if (!best) {
        return refuse(too_long(shape, writings->first_seconds));
    }
    return *std::move(best);
}

Result<GemmOptions> best_options(const Algorithm& algorithm, const GemmShape& shape, Dataflow dataflow,
                                 const Torus& torus, const GemmOptions& given,
                                 std::optional<std::int64_t> slices, const Machine& hardware,
                                 const Schedule& schedule, std::stop_token stop) {
    const Question question{algorithm, shape, dataflow, torus, given, slices};
    Search search(question, hardware, schedule);
    Result<Writings> writings = search.write(stop);
    if (!writings) {
        return refuse(writings.error());
    }
    const std::optional<TunedGemm> best = search.best(writings->all);
    return best ? best->options : *writings->first;
}

} // namespace meshslice
