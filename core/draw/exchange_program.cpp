#include "core/draw/exchange_program.h"

#include "core/base/say.h"
#include "core/program/writer.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

/// The axes of more than one chip, the major one first.
std::vector<Axis> axes_of(const Torus& torus) {
    std::vector<Axis> axes;
    for (int axis = 0; axis < torus.axis_count(); ++axis) {
        if (torus.size(static_cast<Axis>(axis)) > 1) {
            axes.push_back(static_cast<Axis>(axis));
        }
    }
    return axes;
}

/// Writes the operations, each from what the one before it left.
class ExchangeWriter {
  public:
    ExchangeWriter(Program& program, std::vector<Axis> axes) : program_(program), axes_(std::move(axes)) {}

    Result<void> write(Collective what) {
        switch (what) {
        case Collective::all_gather: return gather(), Result<void>();
        case Collective::reduce_scatter: return scatter();
        case Collective::all_reduce: {
            Result<void> scattered = scatter();
            if (scattered) {
                gather();
            }
            return scattered;
        }
        case Collective::all_to_all: return exchange();
        case Collective::broadcast: return stream(), Result<void>();
        case Collective::reduce: return reduce(), Result<void>();
        case Collective::send_receive: return send();
        }
        return {};
    }

    /// The last value becomes the output.
    void finish() {
        program_.values[output_value] = program_.values[now_];
        program_.values[output_value].name = "C";
        program_.values[output_value].role = Value::Role::output;
        for (Operation& operation : program_.operations) {
            std::visit(
                [&](auto& one) {
                    if constexpr (requires { one.target; }) {
                        one.target = one.target == now_ ? output_value : one.target;
                    } else {
                        one.result = one.result == now_ ? output_value : one.result;
                    }
                },
                operation);
        }
        program_.values.pop_back();
        const Value& made = program_.values[output_value];
        program_.shape = {made.rows, made.columns, 1};
    }

  private:
    static Dimension along(Axis axis) {
        return axis == Axis::vertical ? Dimension::rows : Dimension::columns;
    }
    std::int64_t& side(Value& value, Dimension dimension) const {
        return dimension == Dimension::rows ? value.rows : value.columns;
    }
    [[nodiscard]] std::int64_t chips(Axis axis) const { return program_.torus.size(axis); }

    /// A new value like the one at hand.
    std::pair<ValueId, Value*> next() {
        Value value = program_.values[now_];
        value.role = Value::Role::temporary;
        value.name += '\'';
        program_.values.push_back(std::move(value));
        return {static_cast<ValueId>(program_.values.size() - 1), &program_.values.back()};
    }

    void gather() {
        for (auto axis = axes_.rbegin(); axis != axes_.rend(); ++axis) {
            const auto [id, value] = next();
            side(*value, along(*axis)) *= chips(*axis);
            program_.operations.emplace_back(AllGather{now_, id, *axis, along(*axis)});
            now_ = id;
        }
    }
    Result<void> scatter() {
        for (const Axis axis : axes_) {
            const auto [id, value] = next();
            std::int64_t& size = side(*value, along(axis));
            if (const Result<void> fits = divides(size, chips(axis), along(axis)); !fits) {
                return fits;
            }
            size /= chips(axis);
            program_.operations.emplace_back(ReduceScatter{now_, id, axis, along(axis)});
            now_ = id;
        }
        return {};
    }

    Result<void> exchange() {
        std::int64_t to_do = program_.torus.chips();
        if (const Result<void> fits = divides(program_.values[now_].columns, to_do, Dimension::columns);
            !fits) {
            return fits;
        }
        for (auto axis = axes_.rbegin(); axis != axes_.rend(); ++axis) {
            const auto [id, value] = next();
            to_do /= chips(*axis); // Chips along the axes that are more major.
            value->rows *= chips(*axis);
            value->columns /= chips(*axis);
            program_.operations.emplace_back(
                AllToAll{now_, id, *axis, Dimension::columns, Dimension::rows, to_do, 1});
            now_ = id;
        }
        return {};
    }

    void stream() {
        for (const Axis axis : axes_) {
            const auto [id, value] = next();
            program_.operations.emplace_back(Broadcast{now_, id, axis, along(axis),
                                                       Panels{chips(axis), {0, 0}}, 0, 1,
                                                       stream_packets(value->elements(), chips(axis))});
            now_ = id;
        }
    }
    void reduce() {
        for (auto axis = axes_.rbegin(); axis != axes_.rend(); ++axis) {
            const auto [id, value] = next();
            program_.operations.emplace_back(Reduce{now_, id, *axis, along(*axis),
                                                    Panels{chips(*axis), {0, 0}}, 0, 1,
                                                    stream_packets(value->elements(), chips(*axis))});
            now_ = id;
        }
    }

    Result<void> send() {
        if (axes_.size() != 1 || !program_.torus.wraps(axes_.front())) {
            return refuse(say("A send-receive goes round one closed ring; the mesh {} is none.",
                              shape_text(program_.torus)));
        }
        const auto [id, value] = next();
        program_.operations.emplace_back(Shift{now_, id, axes_.front(), 1});
        now_ = id;
        return {};
    }

    static Result<void> divides(std::int64_t size, std::int64_t chips, Dimension dimension) {
        if (size % chips == 0) {
            return {};
        }
        return refuse(say("{} {} do not divide by {} chips.", size,
                          dimension == Dimension::rows ? said("rows") : said("columns"), chips));
    }

    Program& program_;
    std::vector<Axis> axes_;
    ValueId now_ = left_value;
};

} // namespace

Result<Program> exchange_program(Collective what, const Torus& torus, std::int64_t rows,
                                 std::int64_t columns) {
    std::vector<Axis> axes = axes_of(torus);
    if (axes.empty()) {
        return refuse(said("One chip has nobody to exchange anything with."));
    }
    Program program;
    program.torus = torus;
    program.values = {{"A", rows, columns, Value::Role::left},
                      {"B", 0, 0, Value::Role::right},
                      {"C", 0, 0, Value::Role::output}};
    ExchangeWriter writer(program, std::move(axes));
    if (const Result<void> written = writer.write(what); !written) {
        return refuse(written.error());
    }
    writer.finish();
    return program;
}

} // namespace meshslice
