#include "core/execute/execute.h"

#include "core/execute/chips.h"

#include <fmt/format.h>

#include <memory>
#include <vector>

namespace meshslice {

Result<void> small_enough(const Program& program) {
    std::int64_t elements = 0;
    for (const Value& value : program.values) {
        elements += value.elements();
    }
    for (const Fusion& fusion : program.fusions) { // All runs are kept, what was made and what is summed.
        elements += program.runs(fusion.collective) * 2 *
                    program.values[writes(program.operations[fusion.producer])].elements();
    }
    __extension__ using Wide = __int128;
    if (static_cast<Wide>(elements) * program.torus.chips() > most_executed_elements ||
        flop(program.shape).value() / 2 > most_executed_products) {
        return refuse(fmt::format("The GEMM {} on {} chips is too large to run on real matrices; at most {} "
                                  "elements on all chips together and {} multiply-adds are.",
                                  text(program.shape), program.torus.chips(), most_executed_elements,
                                  most_executed_products));
    }
    return {};
}

namespace {

/// The operations of the loop that a collective's result reaches, in this iteration or a later one. All
/// others may be done for every iteration before any of these.
std::vector<bool> reached(const Program& program, OperationId collective) {
    std::vector<bool> is(program.operations.size());
    is[collective] = true;
    for (bool more = true; more;) {
        more = false;
        for (OperationId id = program.loop_begin; id < program.loop_end; ++id) {
            if (is[id]) {
                continue;
            }
            for (const ValueId value : reads(program.operations[id])) {
                for (OperationId from = program.loop_begin; from < program.loop_end && !is[id]; ++from) {
                    is[id] = is[from] && writes(program.operations[from]) == value;
                }
            }
            more = more || is[id];
        }
    }
    return is;
}

template <class Number>
class ProgramRun {
  public:
    ProgramRun(const Program& program, Chips<Number>& chips, const std::stop_token& stop,
               const TrackedRing& actors, ExecutionWatcher<Number>* watcher)
        : program_(program), chips_(chips), stop_(stop), actors_(actors), watcher_(watcher) {}

    std::vector<FusedStores> run() {
        run_each(0, program_.loop_begin, 0);
        const Fusion* in_loop = nullptr;
        for (const Fusion& fusion : program_.fusions) {
            in_loop = program_.in_loop(fusion.collective) ? &fusion : in_loop;
        }
        if (in_loop != nullptr && watcher_ == nullptr) { // Chips in step do not overtake each other.
            run_loop_around(*in_loop);
        } else if (program_.loop_begin != program_.loop_end) {
            for (std::int64_t turn = 0; turn < program_.iterations && !stop_.stop_requested(); ++turn) {
                run_each(program_.loop_begin, program_.loop_end, turn);
            }
        }
        run_each(program_.loop_end, program_.operations.size(), 0);
        return std::move(stores_);
    }

  private:
    template <class Run>
    void watched(OperationId id, std::int64_t iteration, Run run) {
        if (watcher_ != nullptr) {
            watcher_->begins(chips_, id, iteration);
        }
        run();
        if (watcher_ != nullptr) {
            watcher_->done(chips_);
        }
    }

    void run_each(std::size_t begin, std::size_t end, std::int64_t iteration) {
        for (std::size_t id = begin; id < end && !stop_.stop_requested(); ++id) {
            const Fusion* const fusion = program_.fusion_of(static_cast<OperationId>(id));
            if (watcher_ != nullptr && fusion != nullptr && fusion->producer == id) {
                chips_.run(program_.operations[id], iteration);
                continue; // Who looks on sees how its tiles are made, with the collective's steps.
            }
            watched(static_cast<OperationId>(id), iteration, [&] {
                if (fusion != nullptr && fusion->collective == id) {
                    chips_.keep_made(*fusion);
                    stores_.push_back(chips_.run_fused(*fusion, actors_));
                    chips_.take_sums(*fusion, 0);
                } else {
                    chips_.run(program_.operations[id], iteration);
                }
            });
        }
    }

    /// The GEMMs of all iterations, then their tiles and the collective's, any of which may overtake those of
    /// another iteration as far as there are buffers, then what its sums are needed for.
    void run_loop_around(const Fusion& fusion) {
        const std::vector<bool> after = reached(program_, fusion.collective);
        const auto turns = [&](bool first, auto before_each) {
            for (std::int64_t turn = 0; turn < program_.iterations && !stop_.stop_requested(); ++turn) {
                before_each(turn);
                for (OperationId id = program_.loop_begin; id < program_.loop_end; ++id) {
                    if (after[id] != first && id != fusion.collective) {
                        watched(id, turn, [&] { chips_.run(program_.operations[id], turn); });
                        if (id == fusion.producer) {
                            chips_.keep_made(fusion);
                        }
                    }
                }
            }
        };
        turns(true, [](std::int64_t) {});
        if (!stop_.stop_requested()) {
            stores_.push_back(chips_.run_fused(fusion, actors_));
        }
        turns(false, [&](std::int64_t turn) {
            watched(fusion.collective, turn,
                    [&] { chips_.take_sums(fusion, static_cast<std::size_t>(turn)); });
        });
    }

    const Program& program_;
    Chips<Number>& chips_;
    const std::stop_token& stop_;
    const TrackedRing& actors_;
    ExecutionWatcher<Number>* const watcher_;
    std::vector<FusedStores> stores_;
};

} // namespace

template <class Number>
Result<Execution<Number>> execute(const Program& program, const Schedule& schedule,
                                  const DenseMatrix<Number>& a, const DenseMatrix<Number>& b,
                                  const std::stop_token& stop, const TrackedRing& actors,
                                  ExecutionWatcher<Number>* watcher) {
    if (const Result<void> small = small_enough(program); !small) {
        return refuse(small.error());
    }
    const std::unique_ptr<Chips<Number>> chips = chips_of<Number>(program, schedule, stop);
    chips->scatter(left_value, a);
    chips->scatter(right_value, b);
    if (watcher != nullptr) {
        chips->watch(watcher);
        watcher->placed(*chips);
    }
    Execution<Number> execution;
    execution.fused = ProgramRun<Number>(program, *chips, stop, actors, watcher).run();
    if (stop.stop_requested()) {
        return cancelled();
    }
    bool disagree = false;
    execution.product = chips->gather(output_value, program.shape.m, program.shape.n, disagree);
    execution.copies_agree = !disagree;
    execution.links = chips->traffic();
    return execution;
}

template Result<Execution<std::int64_t>> execute(const Program&, const Schedule&,
                                                 const DenseMatrix<std::int64_t>&,
                                                 const DenseMatrix<std::int64_t>&, const std::stop_token&,
                                                 const TrackedRing&, ExecutionWatcher<std::int64_t>*);
template Result<Execution<float>> execute(const Program&, const Schedule&, const DenseMatrix<float>&,
                                          const DenseMatrix<float>&, const std::stop_token&,
                                          const TrackedRing&, ExecutionWatcher<float>*);
template Result<Execution<double>> execute(const Program&, const Schedule&, const DenseMatrix<double>&,
                                           const DenseMatrix<double>&, const std::stop_token&,
                                           const TrackedRing&, ExecutionWatcher<double>*);

} // namespace meshslice
