#include "core/gemm/sharded_program.h"

#include "core/base/say.h"
#include "core/program/writer.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace meshslice {
namespace {

constexpr std::int64_t most_bits = 64; // of an element, for sizes in bits that fit

/// Which letters are the GEMM's M, N and K, and which of the two operands has M.
struct Matrices {
    char m = 'I', n = 'K', k = 'J';
    Operand left = Operand::left; ///< of the program
};

Result<Matrices> matrices_of(const ShardedGemm& gemm, const NamedMesh& mesh) {
    const bool two_each = std::ranges::all_of(
        all_operands, [&](Operand which) { return gemm.operand(which).dimensions.size() == 2; });
    const std::vector<GemmLetter> letters = letters_of(gemm);
    const auto contracted = std::ranges::find(letters, LetterRole::contracted, &GemmLetter::role);
    if (!two_each || letters.size() != 3 || contracted == letters.end()) {
        return refuse(
            say("{} is not simulated: plans of two matrices with one letter to sum over are, such as "
                "A[I, J] . B[J, K] -> C[I, K].",
                text(gemm, mesh)));
    }
    Matrices found{gemm.result.dimensions[0].letter, gemm.result.dimensions[1].letter, contracted->letter,
                   Operand::left};
    if (dimension_of(gemm.left, found.m) == nullptr) {
        found.left = Operand::right;
    }
    return found;
}

/// The torus of the axes that have several devices, and which of its axes each axis of the mesh is.
struct MeshTorus {
    Torus torus;
    std::vector<std::optional<Axis>> axes; ///< by axis of the mesh

    [[nodiscard]] Axes of(const AxisList& list) const {
        Axes found;
        for (const std::size_t axis : list) {
            if (axes[axis]) {
                found.push_back(*axes[axis]);
            }
        }
        return found;
    }
};

Result<MeshTorus> torus_of(const NamedMesh& mesh, const std::vector<bool>& closes) {
    MeshTorus found;
    std::vector<TorusAxis> axes;
    for (std::size_t axis = 0; axis < mesh.axes.size(); ++axis) {
        found.axes.emplace_back();
        if (mesh.axes[axis].size > 1) {
            found.axes.back() = static_cast<Axis>(axes.size());
            TorusAxis& one = axes.emplace_back();
            one.size = static_cast<std::int32_t>(mesh.axes[axis].size);
            one.wraps = closes[axis];
        }
    }
    if (axes.empty()) {
        axes.emplace_back();
    }
    Result<Torus> torus = Torus::create(std::move(axes));
    if (!torus) {
        return refuse(torus.error());
    }
    found.torus = *std::move(torus);
    return found;
}

Dimension matrix_dimension(std::size_t index) {
    return index == 0 ? Dimension::rows : Dimension::columns;
}
Dimension across(Dimension dimension) {
    return dimension == Dimension::rows ? Dimension::columns : Dimension::rows;
}

/// Writes the steps of a plan.
class PlanWriter {
  public:
    PlanWriter(const MeshTorus& mesh, ProgramWriter& chip) : mesh_(mesh), chip_(chip) {}

    /// The array that the step leaves.
    Result<ValueId> step(const ShardingStep& step, ValueId from) {
        const Axes axes = mesh_.of(step.axes);
        if (axes.size() == 0) {
            return from;
        }
        const Dimension to = matrix_dimension(step.to);
        if (!step.sends) {
            for (const Axis axis : axes) {
                from = chip_.take_part(from, axis, to);
            }
            return from;
        }
        switch (*step.sends) {
        case Collective::all_gather: return gather(from, axes, matrix_dimension(step.from));
        case Collective::reduce_scatter: return scatter(from, axes, to);
        case Collective::all_reduce: return reduce(from, axes);
        case Collective::all_to_all: return exchange(from, axes, matrix_dimension(step.from), to);
        default: return from;
        }
    }

  private:
    [[nodiscard]] std::int64_t size(ValueId value, Dimension dimension) const {
        const Value& is = chip_.value(value);
        return dimension == Dimension::rows ? is.rows : is.columns;
    }
    [[nodiscard]] std::int64_t devices(const Axes& axes) const { return parts(mesh_.torus, axes); }

    /// The axes in turn, from the `first` on.
    static Axes from_the(std::size_t first, const Axes& axes) {
        Axes turned;
        for (std::size_t k = 0; k < axes.size(); ++k) {
            turned.push_back(axes[(first + k) % axes.size()]);
        }
        return turned;
    }
    /// Of axes that are taken in an order: whether one has still to be when the first `k` are done.
    static auto not_yet(const Axes& order, std::size_t k) {
        return [&order, k](Axis one) {
            return std::find(order.begin() + static_cast<std::ptrdiff_t>(k), order.end(), one) != order.end();
        };
    }
    /// The devices of those axes of the group that are more major than one, and of which `counts` says so.
    template <class Counts>
    [[nodiscard]] std::int64_t major(const Axes& axes, Axis than, Counts counts) const {
        std::int64_t devices = 1;
        for (const Axis axis : axes) {
            if (axis == than) {
                break;
            }
            devices *= counts(axis) ? mesh_.torus.size(axis) : 1;
        }
        return devices;
    }

    /// Cuts the value along a dimension, of each of `pieces` equal pieces one part for every axis; each part
    /// goes through `phases`, of which there are as many as axes, beginning with another axis. What comes out
    /// is put together again along the same dimension, of which `left` pieces are left.
    template <class Phase>
    ValueId in_parts(ValueId from, const Axes& axes, Dimension cut, std::int64_t pieces, std::int64_t left,
                     std::size_t phases, Phase phase) {
        const auto count = static_cast<std::int64_t>(axes.size());
        if (count == 1 || size(from, cut) % (pieces * count) != 0) {
            for (std::size_t k = 0; k < phases; ++k) {
                from = phase(from, axes, k);
            }
            return from;
        }
        std::vector<ValueId> values;
        std::vector<Axes> orders;
        for (std::int64_t part = 0; part < count; ++part) {
            const std::int64_t block = size(from, cut) / (pieces * count);
            values.push_back(chip_.slice_number(from, cut, count, block, part));
            orders.push_back(from_the(static_cast<std::size_t>(part), axes));
        }
        for (std::size_t k = 0; k < phases; ++k) {
            for (std::size_t part = 0; part < values.size(); ++part) {
                values[part] = phase(values[part], orders[part], k);
            }
        }
        const bool rows = cut == Dimension::rows;
        const Value one = chip_.value(values.front());
        const ValueId whole = chip_.buffer(one.name, rows ? one.rows * count : one.rows,
                                           rows ? one.columns : one.columns * count);
        const std::int64_t block = size(values.front(), cut) / left;
        for (std::int64_t part = 0; part < count; ++part) {
            chip_.put_slice_number(whole, values[static_cast<std::size_t>(part)], cut, count, block, part);
        }
        return whole;
    }

    /// The minor axis first, so that what is gathered is contiguous; where another order uses idle links, the
    /// blocks keep JAX's order.
    ValueId gather(ValueId from, const Axes& axes, Dimension along) {
        return in_parts(from, axes, across(along), 1, 1, axes.size(),
                        [&](ValueId value, const Axes& order, std::size_t k) {
                            const Axis axis = order[order.size() - 1 - k];
                            const auto gathered = [&](Axis one) {
                                return std::find(order.end() - static_cast<std::ptrdiff_t>(k), order.end(),
                                                 one) != order.end();
                            };
                            return chip_.all_gather(value, axis, along, major(axes, axis, gathered));
                        });
    }
    ValueId scatter(ValueId from, const Axes& axes, Dimension along) {
        return in_parts(from, axes, across(along), 1, 1, axes.size(),
                        [&](ValueId value, const Axes& order, std::size_t k) {
                            const Axis axis = order[k];
                            return chip_.reduce_scatter(value, axis, along,
                                                        major(axes, axis, not_yet(order, k)));
                        });
    }
    Result<ValueId> reduce(ValueId from, const Axes& axes) {
        const std::int64_t group = devices(axes);
        const bool by_rows = size(from, Dimension::rows) % group == 0;
        if (!by_rows && size(from, Dimension::columns) % group != 0) {
            const Value& is = chip_.value(from);
            return refuse(
                say("An all-reduce over {} chips is simulated as a reduce-scatter and an all-gather; "
                    "neither {} nor {}, the rows and columns of what a chip has of {}, divides by "
                    "{}.",
                    group, is.rows, is.columns, is.name, group));
        }
        const Dimension along = by_rows ? Dimension::rows : Dimension::columns;
        return in_parts(from, axes, across(along), 1, 1, 2 * axes.size(),
                        [&](ValueId value, const Axes& order, std::size_t k) {
                            return k < order.size()
                                       ? chip_.reduce_scatter(value, order[k], along)
                                       : chip_.all_gather(value, order[2 * order.size() - 1 - k], along);
                        });
    }
    ValueId exchange(ValueId from, const Axes& axes, Dimension joined, Dimension split) {
        return in_parts(from, axes, split, devices(axes), 1, axes.size(),
                        [&](ValueId value, const Axes& order, std::size_t k) {
                            const Axis axis = order[order.size() - 1 - k];
                            const auto done = [&](Axis one) {
                                return std::find(order.end() - static_cast<std::ptrdiff_t>(k), order.end(),
                                                 one) != order.end();
                            };
                            const auto to_do = [&](Axis one) { return !done(one); };
                            return chip_.all_to_all(value, axis, split, joined, major(axes, axis, to_do),
                                                    major(axes, axis, done));
                        });
    }
    const MeshTorus& mesh_;
    ProgramWriter& chip_;
};

Layout layout_of(const ShardedArray& array, char rows, const MeshTorus& mesh) {
    return {mesh.of(array.dimensions[0].axes), mesh.of(array.dimensions[1].axes),
            array.dimensions[0].letter != rows, mesh.of(array.unreduced)};
}

} // namespace

Result<ShardedProgram> sharded_program(const ShardedPlan& plan, const ShardedGemm& gemm,
                                       const NamedMesh& mesh, const DimensionSizes& sizes,
                                       const std::vector<bool>& closes) {
    const Result<Matrices> is = matrices_of(gemm, mesh);
    if (!is) {
        return refuse(is.error());
    }
    for (std::size_t done = 0; done <= plan.steps.size(); ++done) {
        for (const Operand which : all_operands) {
            const ShardedArray now = plan.state(gemm, which, done);
            if (now.dimensions.empty()) {
                continue; // C before the multiplication
            }
            if (const Result<Shards> found = shards(now, mesh, sizes, most_bits); !found) {
                return refuse(found.error());
            }
        }
    }
    const Result<MeshTorus> on = torus_of(mesh, closes);
    if (!on) {
        return refuse(on.error());
    }
    const Operand right = is->left == Operand::left ? Operand::right : Operand::left;
    const std::array<Operand, 3> order = {is->left, right, Operand::result};
    const GemmShape shape{sizes.at(is->m), sizes.at(is->n), sizes.at(is->k)};
    const Layouts layouts = {layout_of(gemm.operand(is->left), is->m, *on),
                             layout_of(gemm.operand(right), is->k, *on), layout_of(gemm.result, is->m, *on)};
    ProgramWriter chip(shape, Dataflow::OS, on->torus, layouts);
    std::array<ValueId, 3> now{};
    for (std::size_t k = 0; k < order.size(); ++k) {
        now[static_cast<std::size_t>(order[k])] = static_cast<ValueId>(k);
        chip.rename(static_cast<ValueId>(k), gemm.operand(order[k]).name);
    }
    PlanWriter writer(*on, chip);
    ShardedProgram out;
    for (const ShardingStep& step : plan.steps) {
        ValueId& array = now[static_cast<std::size_t>(step.which)];
        if (step.multiplies()) {
            const auto factor = [&](std::size_t which) {
                return layouts[which].transposed ? ProgramWriter::Factor::transposed
                                                 : ProgramWriter::Factor::as_is;
            };
            array = chip.multiply(now[static_cast<std::size_t>(is->left)], factor(0),
                                  now[static_cast<std::size_t>(right)], factor(1));
            chip.rename(array, gemm.result.name + "'");
        } else {
            const Result<ValueId> after = writer.step(step, array);
            if (!after) {
                return refuse(after.error());
            }
            array = *after;
        }
        out.step_ends.push_back(static_cast<OperationId>(chip.written()));
    }
    chip.last_is_output();
    Result<Program> program = std::move(chip).finish();
    if (!program) {
        return refuse(program.error());
    }
    out.program = *std::move(program);
    return out;
}

} // namespace meshslice
