#include "core/execute/rings/overlapped.h"

#include "core/base/say.h"
#include "core/execute/chips.h"
#include "core/execute/execute.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <utility>

namespace meshslice {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// Whether the operation begins a new content of the value it writes, which may go to another buffer. Sums
/// and parts go to the buffer of their content. The parts of a broadcast make up one content.
bool begins_content(const Operation& operation) {
    if (const auto* broadcast = std::get_if<Broadcast>(&operation)) {
        return broadcast->part == 0;
    }
    if (const auto* multiply = std::get_if<Multiply>(&operation)) {
        return !multiply->accumulate;
    }
    return !writes_a_part(operation) && !std::holds_alternative<Add>(operation);
}

/// The operation on other values: `from` names what it reads, `to` what it writes.
template <class From, class To>
Operation renamed(Operation operation, From from, To to) {
    std::visit(
        [&](auto& kind) {
            if constexpr (requires { kind.source; }) {
                kind.source = from(kind.source);
            }
            if constexpr (requires { kind.sum; }) {
                kind.sum = from(kind.sum);
            }
            if constexpr (requires { kind.left; }) {
                kind.left = from(kind.left);
                kind.right = from(kind.right);
            }
            if constexpr (requires { kind.target; }) {
                kind.target = to(kind.target);
            }
            if constexpr (requires { kind.result; }) {
                kind.result = to(kind.result);
            }
        },
        operation);
    return operation;
}

/// A program whose buffers are values of their own, and every run of its operations on these buffers.
struct Unrolled {
    Program program;
    std::vector<std::vector<Operation>> runs; ///< by operation and iteration
};

Unrolled unrolled(const Program& program, Prefetch prefetch) {
    Unrolled result{program, {}};
    result.runs.resize(program.operations.size());
    std::vector<std::vector<ValueId>> buffers; // By value.
    for (ValueId value = 0; value < program.values.size(); ++value) {
        buffers.push_back({value});
    }
    for (OperationId id = program.loop_begin; id < program.loop_end; ++id) {
        const ValueId value = writes(program.operations[id]);
        const bool renewed = program.values[value].role == Value::Role::temporary &&
                             begins_content(program.operations[id]) && buffers[value].size() == 1;
        // No value has more contents than one per iteration, one before the loop and one after it.
        const std::int64_t count = std::min(prefetch.depth + 1, program.iterations + 2);
        for (std::int64_t buffer = 1; renewed && buffer < count; ++buffer) {
            buffers[value].push_back(static_cast<ValueId>(result.program.values.size()));
            result.program.values.push_back(program.values[value]);
        }
    }
    std::vector<std::size_t> contents(program.values.size()); // Which one each value holds in program order.
    const auto buffer = [&](ValueId value) {
        return buffers[value][contents[value] % buffers[value].size()];
    };
    const auto unroll = [&](std::size_t begin, std::size_t end) {
        for (std::size_t id = begin; id < end; ++id) {
            const Operation& operation = program.operations[id];
            const Operation reading = renamed(operation, buffer, [](ValueId value) { return value; });
            contents[writes(operation)] += begins_content(operation) ? 1 : 0;
            result.runs[id].push_back(renamed(
                reading, [](ValueId value) { return value; }, buffer));
        }
    };
    unroll(0, program.loop_begin);
    for (std::int64_t iteration = 0; iteration < program.iterations; ++iteration) {
        unroll(program.loop_begin, program.loop_end);
    }
    unroll(program.loop_end, program.operations.size());
    return result;
}

/// Operations of a machine that take time: they start, and finish later.
class Concurrent {
  public:
    explicit Concurrent(Chips<double>& chips) : chips_(chips) {}

    /// An operation in progress.
    struct Work {
        Operation operation;
        std::int64_t iteration = 0;
        bool reads_late = false;
        std::vector<DenseMatrix<double>> made; ///< what it will write, by chip; NaN where it writes nothing
    };

    Work start(const Operation& operation, std::int64_t iteration, bool reads_late) {
        std::vector<DenseMatrix<double>>& target = chips_.on_all_chips(writes(operation));
        const std::vector<DenseMatrix<double>> before = target;
        const ReadValues read = reads(operation);
        const bool in_place = std::find(read.begin(), read.end(), writes(operation)) != read.end();
        if (!in_place) {
            for (DenseMatrix<double>& matrix : target) {
                std::fill(matrix.data.begin(), matrix.data.end(), nothing);
            }
        }
        chips_.run(operation, iteration);
        std::vector<DenseMatrix<double>> made = std::exchange(target, before);
        if (!in_place) {
            put(made, operation, target, [](double) { return nothing; });
        }
        return {operation, iteration, reads_late, std::move(made)};
    }

    void finish(const Work& work) {
        if (work.reads_late) {
            chips_.run(work.operation, work.iteration);
        } else {
            put(work.made, work.operation, chips_.on_all_chips(writes(work.operation)),
                [](double number) { return number; });
        }
    }

  private:
    /// Puts `number(made)` wherever the operation writes.
    template <class Number>
    static void put(const std::vector<DenseMatrix<double>>& made, const Operation& operation,
                    std::vector<DenseMatrix<double>>& target, Number number) {
        const bool everywhere = !writes_a_part(operation);
        for (std::size_t chip = 0; chip < made.size(); ++chip) {
            for (std::size_t k = 0; k < made[chip].data.size(); ++k) {
                if (everywhere || !std::isnan(made[chip].data[k])) {
                    target[chip].data[k] = number(made[chip].data[k]);
                }
            }
        }
    }

    Chips<double>& chips_;
};

/// Which operations may start and which are in progress, as the dependencies allow.
class Order {
  public:
    Order(const Program& program, const std::vector<Dependency>& dependencies)
        : program_(program)
        , dependencies_(dependencies)
        , started_(program.operations.size())
        , finished_(program.operations.size()) {}

    [[nodiscard]] std::int64_t started(OperationId id) const { return started_[id]; }
    void start(OperationId id) { ++started_[id]; }
    void finish(OperationId id) { ++finished_[id]; }

    /// The operations that may finish (in progress) or start; empty at the end.
    [[nodiscard]] std::vector<OperationId> choices() const {
        std::vector<OperationId> ids;
        for (OperationId id = 0; id < program_.operations.size(); ++id) {
            if (in_progress(id) || may_start(id)) {
                ids.push_back(id);
            }
        }
        return ids;
    }
    [[nodiscard]] bool in_progress(OperationId id) const { return started_[id] != finished_[id]; }
    [[nodiscard]] bool all_finished() const {
        for (OperationId id = 0; id < program_.operations.size(); ++id) {
            if (finished_[id] != program_.runs(id)) {
                return false;
            }
        }
        return true;
    }

  private:
    [[nodiscard]] bool may_start(OperationId id) const {
        return started_[id] < program_.runs(id) &&
               std::all_of(dependencies_.begin(), dependencies_.end(), [&](const Dependency& dependency) {
                   return dependency.after != id ||
                          finished_[dependency.before] >= runs_needed(program_, dependency, started_[id]);
               });
    }

    const Program& program_;
    const std::vector<Dependency>& dependencies_;
    std::vector<std::int64_t> started_, finished_; ///< runs, by operation
};

} // namespace

Result<OverlappedProduct> execute_overlapped(const Program& program, const Schedule& schedule,
                                             const std::vector<Dependency>& dependencies, std::uint64_t seed,
                                             const DenseMatrix<double>& a, const DenseMatrix<double>& b) {
    if (const Result<void> small = small_enough(program); !small) {
        return refuse(small.error());
    }
    if (!program.fusions.empty()) {
        return refuse(said("A GEMM that feeds a collective tile by tile is not run operation by operation; "
                           "execute() runs it."));
    }
    const Unrolled buffered = unrolled(program, schedule.prefetch);
    if (const Result<void> small = small_enough(buffered.program); !small) {
        return refuse(small.error());
    }
    const std::unique_ptr<Chips<double>> chips = chips_of<double>(buffered.program, schedule);
    chips->scatter(left_value, a);
    chips->scatter(right_value, b);

    std::mt19937_64 random(seed);
    Concurrent concurrent(*chips);
    Order order(program, dependencies);
    std::vector<std::optional<Concurrent::Work>> work(program.operations.size());
    // Each step is chosen at random, or by ranks, so that some operations run as far ahead as they may while
    // others lag.
    const bool by_rank = random() % 2 == 0;
    std::vector<std::array<std::uint64_t, 2>> ranks(program.operations.size()); // To start and to finish.
    for (auto& [to_start, to_finish] : ranks) {
        to_start = random();
        to_finish = random();
    }
    const auto rank = [&](OperationId id) { return ranks[id][order.in_progress(id) ? 1 : 0]; };
    for (auto choices = order.choices(); !choices.empty(); choices = order.choices()) {
        const OperationId id =
            by_rank ? *std::ranges::max_element(choices, {}, rank) : choices[random() % choices.size()];
        if (order.in_progress(id)) {
            concurrent.finish(*work[id]);
            order.finish(id);
        } else {
            const std::int64_t run = order.started(id);
            const Operation& operation = buffered.runs[id][static_cast<std::size_t>(run)];
            work[id] = concurrent.start(operation, run, random() % 2 == 0);
            order.start(id);
        }
    }
    if (!order.all_finished()) {
        return refuse("The dependencies of the program's operations wait for each other.");
    }
    OverlappedProduct result;
    bool disagree = false;
    result.product = chips->gather(output_value, program.shape.m, program.shape.n, disagree);
    result.copies_agree = !disagree;
    return result;
}

} // namespace meshslice
