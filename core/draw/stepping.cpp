#include "core/draw/stepping.h"

#include "core/base/say.h"
#include "core/execute/add_product.h"
#include "core/execute/chips.h"
#include "core/execute/execute.h"
#include "core/execute/rings/fed_steps.h"
#include "core/execute/runs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

namespace meshslice {
namespace {

class StepRecorder final : public ExecutionWatcher<double> {
  public:
    StepRecorder(Stepping& into, const OnChips* source, std::stop_source& enough)
        : into_(into), source_(source), enough_(enough) {}

    void placed(Chips<double>& chips) override {
        if (source_ != nullptr) {
            chips.on_all_chips(left_value) = *source_;
            // What a chip does not get is not there, rather than zero.
            for (std::size_t id = output_value; id < into_.program.values.size(); ++id) {
                for (DenseMatrix<double>& matrix : chips.on_all_chips(static_cast<ValueId>(id))) {
                    std::ranges::fill(matrix.data, std::numeric_limits<double>::quiet_NaN());
                }
            }
        }
        for (const LinkTraffic& one : chips.traffic()) {
            into_.links.push_back(one.link);
        }
        now_.values.resize(into_.program.values.size());
        for (const ValueId id : {left_value, right_value, output_value}) {
            keep(chips, id);
        }
        if (!into_.program.fusions.empty()) {
            now_.fed = waiting_chunks(into_.program, into_.program.fusions.front());
        }
        push(chips);
    }

    void begins(Chips<double>& chips, OperationId operation, std::int64_t iteration) override {
        now_.line = operation;
        now_.iteration = iteration;
        now_.hop = now_.hops = 0;
        first_of_operation_ = into_.moments.size();
        for (const ValueId id : reads(into_.program.operations[operation])) {
            if (now_.values[id] == nullptr) {
                keep(chips, id); // A sum begins with zeros.
            }
        }
    }

    void stepped(Chips<double>& chips, std::vector<LinkMessage<double>> crossed) override {
        ++now_.hop;
        now_.crossed = std::move(crossed);
        keep(chips, writes(into_.program.operations[*now_.line]));
        push(chips);
        now_.crossed.clear();
    }

    void fed(Chips<double>& chips, FedStep<double> step) override {
        const Fusion& fusion = *into_.program.fusion_of(*now_.line);
        now_.line = step.makes ? fusion.producer : fusion.collective;
        now_.hop += step.makes ? 0 : 1;
        now_.crossed = std::move(step.crossed);
        now_.fed = std::move(step.chips);
        for (FedProgress& chip : now_.fed) {
            chip.iteration = static_cast<std::uint32_t>(now_.iteration);
        }
        keep(chips, writes(into_.program.operations[fusion.producer]));
        push(chips);
        now_.crossed.clear();
        now_.line = fusion.collective;
    }

    void done(Chips<double>& chips) override {
        keep(chips, writes(into_.program.operations[*now_.line]));
        if (first_of_operation_ == into_.moments.size()) {
            push(chips);
        } else { // The last step and what the chips make of it are one.
            into_.moments.back().values = now_.values;
        }
        for (std::size_t k = first_of_operation_; k < into_.moments.size(); ++k) {
            Moment& moment = into_.moments[k];
            const bool makes = moment.line != now_.line; // a GEMM that feeds this collective
            moment.hop = makes ? 0 : moment.hop;
            moment.hops = makes ? 0 : now_.hop;
        }
    }

  private:
    void keep(Chips<double>& chips, ValueId id) {
        now_.values[id] = std::make_shared<const OnChips>(chips.on_all_chips(id));
        kept_ += into_.program.values[id].elements() * into_.program.torus.chips();
        if (kept_ > most_stepped_numbers) {
            enough_.request_stop();
        }
    }
    void push(Chips<double>& chips) {
        now_.carried.clear();
        for (const LinkTraffic& one : chips.traffic()) {
            now_.carried.push_back(static_cast<std::int64_t>(one.bytes.value()) /
                                   element_bytes(into_.schedule.type));
        }
        into_.moments.push_back(now_);
    }

    Stepping& into_;
    const OnChips* source_;
    std::stop_source& enough_;
    Moment now_;
    std::size_t first_of_operation_ = 0;
    std::int64_t kept_ = 0;
};

Result<std::shared_ptr<const Stepping>> recorded(Stepping stepping, const OnChips* source,
                                                 const std::stop_token& stop) {
    auto into = std::make_shared<Stepping>(std::move(stepping));
    std::stop_source enough;
    const std::stop_callback from_outside(stop, [&] { enough.request_stop(); });
    StepRecorder recorder(*into, source, enough);
    Result<Execution<double>> execution = execute(into->program, into->schedule, into->a, into->b,
                                                  enough.get_token(), TrackedRing{}, &recorder);
    if (!execution && enough.stop_requested() && !stop.stop_requested()) {
        return refuse(say("The program's steps have more than {} numbers, which are too many to step "
                          "through; take a smaller mesh or fewer slices.",
                          most_stepped_numbers));
    }
    if (!execution) {
        return refuse(execution.error());
    }
    if (source == nullptr) {
        into->product = std::move(execution->product);
        into->copies_agree = execution->copies_agree;
    }
    return into;
}

} // namespace

std::vector<bool> Stepping::changed(std::size_t moment, ValueId value, Chip chip) const {
    const auto which = static_cast<std::size_t>(chip);
    const std::shared_ptr<const OnChips>& now = moments[moment].values[value];
    if (now == nullptr || moment == 0) {
        return {};
    }
    const std::shared_ptr<const OnChips>& before = moments[moment - 1].values[value];
    const std::vector<double>& here = (*now)[which].data;
    std::vector<bool> is(here.size());
    if (now == before) {
        return is;
    }
    for (std::size_t k = 0; k < here.size(); ++k) {
        is[k] = !std::isnan(here[k]) && (before == nullptr || (*before)[which].data[k] != here[k]);
    }
    return is;
}

std::optional<Stepping::Taken> Stepping::taken(std::size_t moment, ValueId value) const {
    const Moment& now = moments[moment];
    if (!now.line) {
        return std::nullopt;
    }
    const auto* slice = std::get_if<Slice>(&program.operations[*now.line]);
    const auto* put = std::get_if<PutSlice>(&program.operations[*now.line]);
    const Slicing* const slicing = slice != nullptr && slice->source == value ? &slice->slicing
                                   : put != nullptr && put->target == value   ? &put->slicing
                                                                              : nullptr;
    if (slicing == nullptr || slicing->count == 1) {
        return std::nullopt;
    }
    const Value& whole = program.values[value];
    const std::int64_t size = slicing->dimension == Dimension::rows ? whole.rows : whole.columns;
    Taken taken{slicing->dimension, std::vector<bool>(static_cast<std::size_t>(size))};
    for (const std::int64_t index : runs::slice_indices(*slicing, size, slicing->number(now.iteration))) {
        taken.is[static_cast<std::size_t>(index)] = true;
    }
    return taken;
}

Result<std::shared_ptr<const Stepping>> step_through(const Program& program, const Schedule& schedule,
                                                     const DenseMatrix<double>& a,
                                                     const DenseMatrix<double>& b,
                                                     const std::stop_token& stop) {
    Stepping stepping;
    stepping.program = program;
    stepping.schedule = schedule;
    stepping.a = a;
    stepping.b = b;
    stepping.expected = DenseMatrix<double>(a.rows, b.columns);
    add_product(a.data.data(), b.data.data(), stepping.expected.data.data(), a.rows, a.columns, b.columns);
    return recorded(std::move(stepping), nullptr, stop);
}

Result<std::shared_ptr<const Stepping>> step_through(const Program& program, const Schedule& schedule,
                                                     const OnChips& source, const std::stop_token& stop) {
    Stepping stepping;
    stepping.program = program;
    stepping.schedule = schedule;
    stepping.a = DenseMatrix<double>(program.values[left_value].rows, program.values[left_value].columns);
    stepping.b = DenseMatrix<double>(program.values[right_value].rows, program.values[right_value].columns);
    return recorded(std::move(stepping), &source, stop);
}

DenseMatrix<double> small_numbers(std::int64_t rows, std::int64_t columns, std::int64_t largest,
                                  std::uint64_t seed) {
    std::mt19937_64 random(seed);
    DenseMatrix<double> matrix(rows, columns);
    for (double& number : matrix.data) {
        number = static_cast<double>(random() % static_cast<std::uint64_t>(largest + 1));
    }
    return matrix;
}

} // namespace meshslice
