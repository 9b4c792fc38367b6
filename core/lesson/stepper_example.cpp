#include "core/lesson/stepper_example.h"

#include "core/base/say.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace meshslice {
namespace {

constexpr std::int64_t largest_operand = 3; ///< sums of eight products have two digits
constexpr std::int64_t largest_summand = 9;

Result<Torus> example_torus(const StepperExample& example) {
    std::vector<TorusAxis> axes;
    for (const std::int32_t size : example.mesh) {
        axes.push_back({size, example.rings});
    }
    return Torus::create(std::move(axes));
}

/// Which of A, B and C an operation slices in more than one part; none for other operations.
std::optional<std::size_t> sliced_by(const Operation& operation) {
    if (const auto* slice = std::get_if<Slice>(&operation); slice != nullptr && slice->slicing.count > 1) {
        return slice->source == left_value ? 0 : slice->source == right_value ? 1 : 2;
    }
    const auto* put = std::get_if<PutSlice>(&operation);
    return put != nullptr && put->slicing.count > 1 ? std::optional<std::size_t>(2) : std::nullopt;
}

/// The slicing of an operation that slices, and how long what it slices is.
struct Sliced {
    Slicing* slicing = nullptr;
    std::int64_t size = 0;
};
Sliced slicing_of(Program& program, Operation& operation) {
    const auto of = [&](ValueId id, Slicing& slicing) {
        const Value& value = program.values[id];
        return Sliced{&slicing, slicing.dimension == Dimension::rows ? value.rows : value.columns};
    };
    if (auto* slice = std::get_if<Slice>(&operation)) {
        return of(slice->source, slice->slicing);
    }
    auto* put = std::get_if<PutSlice>(&operation);
    return put != nullptr ? of(put->target, put->slicing) : Sliced{};
}

/// Whether there is enough to see.
bool enough_to_see(Program& program) {
    for (const ValueId id : {left_value, right_value, output_value}) {
        if (std::min(program.values[id].rows, program.values[id].columns) < 2) {
            return false;
        }
    }
    return std::ranges::all_of(program.operations, [&](Operation& operation) {
        const Sliced found = slicing_of(program, operation);
        return found.slicing == nullptr || found.slicing->count == 1 ||
               found.size >= 2 * found.slicing->count * found.slicing->block;
    });
}

Result<Program> smallest_gemm(const Algorithm& algorithm, const StepperExample& example, const Torus& torus) {
    std::int64_t base = 1;
    for (const TorusAxis& axis : torus.axes()) {
        base = std::lcm(base, std::int64_t{axis.size});
    }
    std::vector<GemmShape> shapes;
    constexpr std::int64_t most = 8;
    for (std::int64_t m = 1; m <= most; ++m) {
        for (std::int64_t n = 1; n <= most; ++n) {
            for (std::int64_t k = 1; k <= most; ++k) {
                shapes.push_back({m * base, n * base, k * base});
            }
        }
    }
    std::ranges::stable_sort(shapes, {}, [](const GemmShape& one) {
        return std::tuple(one.m * one.n + one.n * one.k + one.k * one.m, one.m, one.n);
    });
    GemmOptions options;
    options.slices = example.slices;
    options.tile = 1;
    Result<Program> found = refuse(said("There are no small matrices for it."));
    for (const GemmShape& shape : shapes) {
        Result<Program> program = algorithm.write(shape, example.dataflow, torus, options);
        if (program && enough_to_see(*program)) {
            return program;
        }
        if (!program) {
            found = std::move(program);
        }
    }
    return found;
}

/// What a chip begins with is one chunk of two elements for everyone who gets another, so that half of it may
/// travel each way.
Result<Program> smallest_exchange(Collective what, const Torus& torus) {
    const std::int64_t rows = torus.size(Axis::vertical);
    const std::int64_t columns = torus.size(Axis::horizontal) * torus.size(Axis::third);
    switch (what) {
    case Collective::reduce_scatter:
    case Collective::all_reduce: return exchange_program(what, torus, rows, 2 * columns);
    case Collective::all_to_all: return exchange_program(what, torus, 2, rows * columns);
    default: return exchange_program(what, torus, 2, 2);
    }
}

/// Numbers that tell which chip they began on, or small ones that are added up.
OnChips numbers_to_begin_with(const Program& program, Collective what) {
    const bool adds =
        what == Collective::reduce_scatter || what == Collective::all_reduce || what == Collective::reduce;
    const Value& source = program.values[left_value];
    const double step = source.elements() > 10 ? 100 : 10;
    OnChips chips;
    for (Chip chip = 0; chip < program.torus.chips(); ++chip) {
        DenseMatrix<double> matrix(source.rows, source.columns);
        if (adds) {
            matrix = small_numbers(source.rows, source.columns, largest_summand,
                                   static_cast<std::uint64_t>(chip + 1));
        } else {
            for (std::int64_t row = 0; row < source.rows; ++row) {
                for (std::int64_t column = 0; column < source.columns; ++column) {
                    matrix.at(row, column) = chip * step + static_cast<double>(row * source.columns + column);
                }
            }
        }
        chips.push_back(std::move(matrix));
    }
    return chips;
}

} // namespace

Result<Program> program_of(const StepperExample& example) {
    const Result<Torus> torus = example_torus(example);
    if (!torus) {
        return refuse(torus.error());
    }
    if (example.exchange) {
        return smallest_exchange(*example.exchange, *torus);
    }
    const Result<const Algorithm*> found = algorithm(example.algorithm);
    if (!found) {
        return refuse(found.error());
    }
    const Algorithm& by = **found;
    if (by.torus_axes != torus->axis_count()) {
        return refuse(say("{} takes a mesh of {} axes; {} has {}.", by.title, by.torus_axes,
                          shape_text(*torus), torus->axis_count()));
    }
    if (std::find(by.dataflows.begin(), by.dataflows.end(), example.dataflow) == by.dataflows.end()) {
        return refuse(say("{} does not have the dataflow {}.", by.title, name(example.dataflow)));
    }
    Result<Program> program = smallest_gemm(by, example, *torus);
    return program ? Result<Program>(contiguous_slices(*std::move(program), example.contiguous))
                   : std::move(program);
}

Result<std::shared_ptr<const Stepping>> step_through(const StepperExample& example,
                                                     const std::stop_token& stop) {
    const Result<Program> program = program_of(example);
    if (!program) {
        return refuse(program.error());
    }
    Schedule schedule;
    schedule.ring = example.ring;
    if (example.exchange) {
        return step_through(*program, schedule, numbers_to_begin_with(*program, *example.exchange), stop);
    }
    const GemmShape& shape = program->shape;
    return step_through(*program, schedule, small_numbers(shape.m, shape.k, largest_operand, 1),
                        small_numbers(shape.k, shape.n, largest_operand, 2), stop);
}

StepperExample nearest(StepperExample example) {
    const std::vector<Dataflow> dataflows = stepper_dataflows(example);
    if (std::ranges::find(dataflows, example.dataflow) == dataflows.end()) {
        example.dataflow = dataflows.front();
    }
    const std::vector<std::vector<std::int32_t>> meshes = stepper_meshes(example);
    if (std::ranges::find(meshes, example.mesh) == meshes.end() && !meshes.empty()) {
        const auto four = std::ranges::find_if(
            meshes, [](const std::vector<std::int32_t>& mesh) { return mesh == std::vector{4}; });
        const auto square = std::ranges::find_if(meshes, [](const std::vector<std::int32_t>& mesh) {
            return mesh == std::vector{2, 2};
        });
        example.mesh = square != meshes.end() ? *square : four != meshes.end() ? *four : meshes.front();
    }
    const std::vector<std::int64_t> slices = stepper_slices(example);
    if (std::ranges::find(slices, example.slices) == slices.end()) {
        example.slices = slices.back() < example.slices ? slices.back() : slices.front();
    }
    if (const Result<Program> program = program_of(example)) {
        const std::array<bool, 3> can = sliced(*program);
        for (std::size_t k = 0; k < can.size(); ++k) {
            example.contiguous[k] = example.contiguous[k] && can[k];
        }
    }
    return example;
}

std::vector<std::vector<std::int32_t>> stepper_meshes(const StepperExample& example) {
    static const std::vector<std::vector<std::int32_t>> all = {
        {2},    {3},    {4},    {6},    {8},    {16},      {2, 2},    {2, 3},   {3, 2},
        {2, 4}, {4, 2}, {3, 3}, {4, 4}, {1, 4}, {2, 2, 2}, {2, 2, 4}, {4, 2, 2}};
    std::vector<std::vector<std::int32_t>> meshes;
    for (const std::vector<std::int32_t>& mesh : all) {
        StepperExample one = example;
        one.mesh = mesh;
        one.slices = 1;
        if (program_of(one)) {
            meshes.push_back(mesh);
        }
    }
    return meshes;
}

std::vector<std::int64_t> stepper_slices(const StepperExample& example) {
    const Result<const Algorithm*> found = algorithm(example.algorithm);
    if (example.exchange || !found || !takes(**found, OptionId::slices)) {
        return {1};
    }
    std::vector<std::int64_t> counts;
    for (std::int64_t slices = 1; slices <= 4; ++slices) {
        StepperExample one = example;
        one.slices = slices;
        if (program_of(one)) {
            counts.push_back(slices);
        }
    }
    return counts.empty() ? std::vector<std::int64_t>{1} : counts;
}

std::vector<Dataflow> stepper_dataflows(const StepperExample& example) {
    const Result<const Algorithm*> found = algorithm(example.algorithm);
    if (example.exchange || !found) {
        return {Dataflow::OS};
    }
    return {(*found)->dataflows.begin(), (*found)->dataflows.end()};
}

std::array<bool, 3> sliced(const Program& program) {
    std::array<bool, 3> is{};
    for (const Operation& operation : program.operations) {
        if (const std::optional<std::size_t> which = sliced_by(operation)) {
            is[*which] = true;
        }
    }
    return is;
}

Program contiguous_slices(Program program, const std::array<bool, 3>& of) {
    for (Operation& operation : program.operations) {
        if (const std::optional<std::size_t> which = sliced_by(operation); which && of[*which]) {
            const Sliced found = slicing_of(program, operation);
            found.slicing->block = found.size / found.slicing->count;
        }
    }
    return program;
}

} // namespace meshslice
