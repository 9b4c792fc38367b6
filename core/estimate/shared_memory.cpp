#include "core/estimate/shared_memory.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>

namespace meshslice {
namespace {

/// Flows that use a memory at the same time, by the rates that they want.
class Flows {
  public:
    void add(double rate, double weight) {
        std::size_t place = count_++;
        for (; place > 0 && flows_[place - 1].rate > rate; --place) {
            flows_[place] = flows_[place - 1];
        }
        flows_[place] = {rate, weight};
    }
    /// The rate that no flow exceeds, so that all fit into the memory together, max-min fair; infinite where
    /// they fit anyway.
    [[nodiscard]] double fair_level(double memory) const {
        double weight = 0;
        for (std::size_t k = 0; k < count_; ++k) {
            weight += flows_[k].weight;
        }
        for (std::size_t k = 0; k < count_; ++k) {
            // What flows below the level leave is shared by the others.
            if (flows_[k].rate * weight > memory) {
                return memory / weight;
            }
            memory -= flows_[k].rate * flows_[k].weight;
            weight -= flows_[k].weight;
        }
        return std::numeric_limits<double>::infinity();
    }

  private:
    struct Flow {
        double rate = 0;   ///< bytes/s
        double weight = 0; ///< bytes of the memory for each of those
    };
    std::array<Flow, engine_count> flows_{};
    std::size_t count_ = 0;
};

/// What moves at the same time, by engine; none where it does not move.
using Moving = std::array<const Stage*, engine_count>;

/// The rates at which stages move. A transfer waits for the busier of its ends; what is left there is the
/// others'.
std::array<double, engine_count> rates(const Moving& moving, double memory) {
    std::array<double, engine_count> rates{};
    for (std::size_t k = 0; k < engine_count; ++k) {
        rates[k] = moving[k] ? moving[k]->rate : 0;
    }
    const auto level = [&](const Stage* busier) {
        Flows flows;
        for (std::size_t k = 0; k < engine_count; ++k) {
            if (moving[k]) {
                flows.add(rates[k], moving[k] == busier ? busier->busier : moving[k]->weight);
            }
        }
        return flows.fair_level(memory);
    };
    std::array<double, engine_count> held = rates;
    for (std::size_t k = 0; k < engine_count; ++k) {
        if (moving[k] && moving[k]->busier > moving[k]->weight) {
            held[k] = std::min(rates[k], level(moving[k]));
        }
    }
    rates = held;
    const double here = level(nullptr);
    for (double& rate : rates) {
        rate = std::min(rate, here);
    }
    return rates;
}

/// What is done one after the other: an operation waits for what others move, then each of its stages begins
/// without memory and moves something.
enum class StagePart : std::uint8_t { waits, begins, moves };

/// The operations that an engine takes, and how far it is.
struct EngineAtWork {
    std::vector<OperationId> operations;
    std::size_t loop_begin = 0; ///< in these, as loop_end
    std::size_t loop_end = 0;

    std::size_t place = 0;
    std::int64_t iteration = 0;
    bool busy = false;
    std::size_t stage = 0;
    StagePart part = StagePart::waits;
    double left = 0; ///< ps of that, at its own pace
    Time begun;      ///< the operation
    Time alone;      ///< how long it would take

    [[nodiscard]] bool done() const { return place == operations.size(); }
    [[nodiscard]] bool in_loop() const { return place >= loop_begin && place < loop_end; }
    void advance(std::int64_t iterations) {
        ++place;
        if (place == loop_end && loop_begin != loop_end && iteration + 1 < iterations) {
            ++iteration;
            place = loop_begin;
        } else if (place == loop_end) {
            iteration = 0;
        }
    }
};

class ChipRun {
  public:
    ChipRun(const Program& program, const std::vector<Stages>& stages, const std::vector<Dependency>& needs,
            double memory);
    LoopTime run();

  private:
    /// How far an engine is, seen from the turn that has just begun to multiply.
    struct Seen {
        std::size_t place = 0;
        std::int64_t ahead = 0;
        bool busy = false;
        std::size_t stage = 0;
        StagePart part = StagePart::waits;
        double left = 0;
    };
    bool try_start(EngineAtWork& engine);
    void start_all();
    [[nodiscard]] double lasts(const EngineAtWork& engine, StagePart part) const;
    void begin(EngineAtWork& engine, StagePart part) const;
    [[nodiscard]] const Stage* moving(const EngineAtWork& engine) const;
    void end_part(EngineAtWork& engine);
    void finish(EngineAtWork& engine);
    /// Goes on to the next change; whether there is any.
    bool go_on();
    void begin_turn(std::int64_t iteration);
    bool as_seen_before(std::int64_t iteration, Time turn);
    void skip(std::int64_t iteration, Time turn);

    const Program& program_;
    const std::vector<Stages>& stages_;
    double memory_;
    std::vector<std::vector<Dependency>> needs_; ///< by the operation that waits
    std::array<EngineAtWork, engine_count> engines_;
    std::vector<std::int64_t> done_;          ///< runs, by operation
    std::array<Time, engine_count> slower_{}; ///< how much longer each works, all runs together
    std::optional<OperationId> first_product_;
    Time now_;
    std::optional<Time> first_begin_, last_begin_;
    std::array<Seen, engine_count> seen_{};
    std::array<Time, engine_count> slower_before_{};
    bool skipped_ = false;
};

ChipRun::ChipRun(const Program& program, const std::vector<Stages>& stages,
                 const std::vector<Dependency>& needs, double memory)
    : program_(program)
    , stages_(stages)
    , memory_(memory)
    , needs_(program.operations.size())
    , done_(program.operations.size()) {
    std::vector<bool> timed;
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        timed.push_back(!stages[id].stages.empty());
        if (!timed.back()) {
            continue;
        }
        const std::size_t which = engine_of(program.operations[id]);
        EngineAtWork& engine = engines_[which];
        engine.operations.push_back(id);
        engine.loop_begin += id < program.loop_begin ? 1 : 0;
        engine.loop_end += id < program.loop_end ? 1 : 0;
        if (which == core_engine && id >= program.loop_begin && !first_product_) {
            first_product_ = id;
        }
    }
    for (const Dependency& need : contracted(needs, timed)) {
        needs_[need.after].push_back(need);
    }
}

double ChipRun::lasts(const EngineAtWork& engine, StagePart part) const {
    const Stages& all = stages_[engine.operations[engine.place]];
    const Time waits = engine.iteration > 0 ? all.further_wait : all.wait;
    const double waits_for_others = static_cast<double>(waits.value()) * all.waiting_moves;
    const Stage& stage = all.stages[engine.stage];
    switch (part) {
    case StagePart::waits: return waits_for_others;
    case StagePart::begins:
        return static_cast<double>(stage.before.value()) +
               (engine.stage == 0 ? static_cast<double>(waits.value()) - waits_for_others : 0);
    case StagePart::moves: break;
    }
    return static_cast<double>(stage.alone.value());
}

/// Or the next that lasts any time.
void ChipRun::begin(EngineAtWork& engine, StagePart part) const {
    engine.part = part;
    engine.left = lasts(engine, part);
    while (engine.left == 0 && engine.part != StagePart::moves) {
        engine.part = engine.part == StagePart::waits ? StagePart::begins : StagePart::moves;
        engine.left = lasts(engine, engine.part);
    }
}

/// What moves while it is at work, if anything does.
const Stage* ChipRun::moving(const EngineAtWork& engine) const {
    if (!engine.busy || engine.part == StagePart::begins) {
        return nullptr;
    }
    const Stages& all = stages_[engine.operations[engine.place]];
    return engine.part == StagePart::waits ? &all.waiting : &all.stages[engine.stage];
}

bool ChipRun::try_start(EngineAtWork& engine) {
    if (engine.busy || engine.done()) {
        return false;
    }
    const OperationId id = engine.operations[engine.place];
    for (const Dependency& need : needs_[id]) {
        if (done_[need.before] < runs_needed(program_, need, engine.iteration)) {
            return false;
        }
    }
    engine.busy = true;
    engine.stage = 0;
    engine.begun = now_;
    engine.alone = engine.iteration > 0 ? stages_[id].further_wait : stages_[id].wait;
    for (const Stage& stage : stages_[id].stages) {
        engine.alone += stage.before + stage.alone;
    }
    begin(engine, StagePart::waits);
    return id == first_product_;
}

void ChipRun::start_all() {
    bool turns = false;
    for (EngineAtWork& engine : engines_) {
        turns = try_start(engine) || turns;
    }
    if (turns) {
        begin_turn(engines_[core_engine].iteration);
    }
}

void ChipRun::finish(EngineAtWork& engine) {
    const OperationId id = engine.operations[engine.place];
    ++done_[id];
    slower_[static_cast<std::size_t>(&engine - engines_.data())] += now_ - engine.begun - engine.alone;
    engine.busy = false;
    engine.advance(program_.iterations);
}

void ChipRun::end_part(EngineAtWork& engine) {
    engine.left = 0;
    if (engine.part != StagePart::moves) {
        begin(engine, engine.part == StagePart::waits ? StagePart::begins : StagePart::moves);
    } else if (++engine.stage < stages_[engine.operations[engine.place]].stages.size()) {
        begin(engine, StagePart::begins);
    } else {
        finish(engine);
    }
}

bool ChipRun::go_on() {
    Moving moving{};
    std::ranges::transform(engines_, moving.begin(),
                           [&](const EngineAtWork& engine) { return this->moving(engine); });
    const std::array<double, engine_count> at = rates(moving, memory_);
    std::array<double, engine_count> pace{};
    double lasts = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < engine_count; ++k) {
        if (engines_[k].busy) {
            pace[k] = moving[k] && moving[k]->rate > at[k] ? at[k] / moving[k]->rate : 1;
            lasts = std::min(lasts, engines_[k].left / pace[k]);
        }
    }
    if (lasts == std::numeric_limits<double>::infinity()) {
        return false;
    }
    // Up to a whole picosecond.
    lasts = std::ceil(lasts - 1e-6);
    now_ += Time(static_cast<std::int64_t>(lasts));
    for (std::size_t k = 0; k < engine_count; ++k) {
        if (engines_[k].busy) {
            engines_[k].left -= lasts * pace[k];
        }
    }
    for (EngineAtWork& engine : engines_) {
        if (engine.busy && engine.left <= 1e-6) {
            end_part(engine);
        }
    }
    start_all();
    return true;
}

/// Whether all engines are where they were when the turn before began to multiply, a turn further on.
bool ChipRun::as_seen_before(std::int64_t iteration, Time turn) {
    constexpr double nearly = 1e-4; ///< of a turn
    bool alike = true;
    for (std::size_t k = 0; k < engine_count; ++k) {
        const EngineAtWork& engine = engines_[k];
        const Seen now{engine.place, engine.in_loop() ? engine.iteration - iteration : 0,
                       engine.busy,  engine.stage,
                       engine.part,  engine.left};
        const Seen& then = seen_[k];
        alike = alike && now.place == then.place && now.ahead == then.ahead && now.busy == then.busy &&
                (!now.busy || (now.stage == then.stage && now.part == then.part &&
                               std::abs(now.left - then.left) <= nearly * static_cast<double>(turn.value())));
        seen_[k] = now;
    }
    return alike;
}

/// As many turns as there are for every engine.
void ChipRun::skip(std::int64_t iteration, Time turn) {
    std::int64_t furthest = iteration;
    for (const EngineAtWork& engine : engines_) {
        if (engine.in_loop()) {
            furthest = std::max(furthest, engine.iteration);
        } else if (engine.busy || engine.place < engine.loop_begin) {
            return; // What has done all its turns, and waits, does so in every turn.
        }
    }
    const std::int64_t turns = program_.iterations - 1 - furthest;
    if (turns <= 0) {
        return;
    }
    skipped_ = true;
    now_ += turn * turns;
    *last_begin_ += turn * turns;
    for (EngineAtWork& engine : engines_) {
        if (engine.in_loop()) {
            engine.iteration += turns;
            engine.begun += turn * turns;
        }
    }
    for (OperationId id = program_.loop_begin; id < program_.loop_end; ++id) {
        done_[id] += turns;
    }
    for (std::size_t k = 0; k < engine_count; ++k) {
        slower_[k] += (slower_[k] - slower_before_[k]) * turns;
    }
}

void ChipRun::begin_turn(std::int64_t iteration) {
    const Time turn = now_ - last_begin_.value_or(now_);
    last_begin_ = now_;
    first_begin_ = first_begin_.value_or(now_);
    if (skipped_ || !program_.in_loop(*first_product_)) {
        return;
    }
    if (as_seen_before(iteration, turn) && iteration > 1) {
        skip(iteration, turn);
    }
    slower_before_ = slower_;
}

LoopTime ChipRun::run() {
    start_all();
    while (go_on()) {
    }
    LoopTime result =
        loop_time(first_begin_.value_or(now_), last_begin_.value_or(now_), now_, program_.iterations);
    result.slowed = slower_;
    return result;
}

} // namespace

bool shares_memory(const Program& program, const std::vector<Stages>& stages, Bandwidth memory) {
    std::array<double, engine_count> most{};
    for (OperationId id = 0; id < stages.size(); ++id) {
        for (const Stage& stage : stages[id].stages) {
            double& of_engine = most[engine_of(program.operations[id])];
            of_engine = std::max(of_engine, stage.rate * std::max(stage.weight, stage.busier));
        }
    }
    return std::accumulate(most.begin(), most.end(), 0.0) > memory.value();
}

LoopTime run_sharing_memory(const Program& program, const std::vector<Stages>& stages,
                            const std::vector<Dependency>& needs, Bandwidth memory) {
    return ChipRun(program, stages, needs, memory.value()).run();
}

} // namespace meshslice
