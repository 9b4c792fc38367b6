#include "core/import/hlo/hlo_loops.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace meshslice {
namespace {

constexpr std::int64_t most_counted = std::int64_t{1} << 48; ///< by a loop

/// A whole number in a loop: a constant, or what an element of the loop's tuple has in this trip and more.
struct LoopNumber {
    std::optional<std::size_t> element = {};
    std::int64_t more = 0;
};
using MaybeNumber = std::optional<LoopNumber>;

/// a + b, or a - b; none where that is not of this form, or too large.
MaybeNumber sum_of(const MaybeNumber& a, const MaybeNumber& b, bool minus) {
    if (!a || !b || (a->element && b->element) || (minus && b->element)) {
        return std::nullopt;
    }
    LoopNumber made{a->element ? a->element : b->element, minus ? a->more - b->more : a->more + b->more};
    return std::abs(made.more) <= most_counted ? MaybeNumber(made) : std::nullopt;
}

/// The number that a loop compares before each trip: at first, and how much is added in a trip.
struct LoopCount {
    std::int64_t first = 0, step = 0;
};

/// Trips while first + k step is below 0; none where that does not end.
std::optional<std::int64_t> trips_below_zero(std::int64_t first, std::int64_t step) {
    if (first >= 0) {
        return 0;
    }
    return step <= 0 ? std::nullopt : std::optional((-first + step - 1) / step);
}

std::optional<std::int64_t> trips_of(const std::string& direction, LoopCount less) {
    if (direction == "LT" || direction == "LE") {
        return trips_below_zero(less.first - (direction == "LE" ? 1 : 0), less.step);
    }
    if (direction == "GT" || direction == "GE") {
        return trips_below_zero(-less.first - (direction == "GE" ? 1 : 0), -less.step);
    }
    if (direction == "NE") {
        const bool meets = less.step != 0 && less.first % less.step == 0 && -less.first / less.step >= 0;
        return less.first == 0 ? std::optional<std::int64_t>(0)
               : meets         ? std::optional(-less.first / less.step)
                               : std::nullopt;
    }
    return std::nullopt;
}

/// Finds computations and their operations by name.
class NamedOperations {
  public:
    explicit NamedOperations(const HloModule& module) : module_(module) {
        for (std::size_t k = 0; k < module.computations.size(); ++k) {
            numbers_.emplace(module.computations[k].name, k);
        }
    }
    [[nodiscard]] std::optional<std::size_t> number(const std::string& computation) const {
        const auto found = numbers_.find(computation);
        return found == numbers_.end() ? std::nullopt : std::optional(found->second);
    }
    const HloOperation* operation(std::size_t computation, const std::string& name) {
        auto [its, fresh] = operations_.try_emplace(computation);
        if (fresh) {
            for (const HloLine& line : module_.computations[computation].lines) {
                its->second.emplace(line.operation.name, &line.operation);
            }
        }
        const auto found = its->second.find(name);
        return found == its->second.end() ? nullptr : found->second;
    }
    /// What it returns; null of one without operations.
    [[nodiscard]] const HloOperation* root(std::size_t computation) const {
        const std::vector<HloLine>& lines = module_.computations[computation].lines;
        const auto marked = std::ranges::find(lines, true, &HloLine::root);
        return marked != lines.end() ? &marked->operation : lines.empty() ? nullptr : &lines.back().operation;
    }

  private:
    const HloModule& module_;
    std::unordered_map<std::string_view, std::size_t> numbers_;
    std::unordered_map<std::size_t, std::unordered_map<std::string_view, const HloOperation*>> operations_;
};

/// Whole numbers of a loop's computations, as far as constants, additions and what only renames them go.
class LoopNumbers {
  public:
    explicit LoopNumbers(NamedOperations& named) : named_(named) {}

    /// How often the body of this while of that computation runs, from its condition.
    std::optional<std::int64_t> trips(std::size_t computation, const HloOperation& loop) {
        const auto condition = named_.number(loop.condition), body = named_.number(loop.body);
        const HloOperation* one = condition ? named_.root(*condition) : nullptr;
        if (one == nullptr || !body || loop.operands.empty()) {
            return std::nullopt;
        }
        left_ = most_looked_at;
        Where at{*condition, true, {}};
        while (const auto called = one == nullptr ? std::nullopt : called_by(*one)) { // a fused condition
            Where inside{*called, false, arguments_of(at, *one)};
            one = spent() ? nullptr : named_.root(*called);
            at = std::move(inside);
        }
        if (one == nullptr || one->opcode != "compare" || one->operands.size() != 2) {
            return std::nullopt;
        }
        const Where before{computation, false, {}};
        std::array<std::optional<LoopCount>, 2> sides;
        for (std::size_t k = 0; k < 2; ++k) {
            sides[k] = counted(number(at, one->operands[k].name), before, loop, *body);
        }
        return sides[0] && sides[1] ? trips_of(one->direction, {sides[0]->first - sides[1]->first,
                                                                sides[0]->step - sides[1]->step})
                                    : std::nullopt;
    }

  private:
    /// A computation, and what its parameters are: a loop's tuple, or these.
    struct Where {
        std::size_t computation = 0;
        bool loop = false;
        std::vector<MaybeNumber> arguments = {};
    };
    static constexpr int most_looked_at = 2000; ///< operations, for one loop

    bool spent() { return --left_ < 0; }

    [[nodiscard]] std::optional<std::size_t> called_by(const HloOperation& one) const {
        return one.opcode == "fusion"                         ? named_.number(one.calls)
               : one.opcode == "call" && one.runs.size() == 1 ? named_.number(one.runs.front())
                                                              : std::nullopt;
    }
    std::vector<MaybeNumber> arguments_of(const Where& at, const HloOperation& one) {
        std::vector<MaybeNumber> all;
        for (const HloOperand& operand : one.operands) {
            all.push_back(number(at, operand.name));
        }
        return all;
    }

    MaybeNumber number(const Where& at, const std::string& name) {
        const HloOperation* const one = named_.operation(at.computation, name);
        return one == nullptr || spent() ? std::nullopt : number(at, *one);
    }
    MaybeNumber number(const Where& at, const HloOperation& one) {
        const std::string& what = one.opcode;
        const auto of = [&](std::size_t k) { return number(at, one.operands[k].name); };
        if (what == "constant") {
            return one.value ? MaybeNumber(LoopNumber{{}, *one.value}) : std::nullopt;
        }
        if (what == "parameter") {
            return parameter(at, one);
        }
        if (what == "get-tuple-element" && one.operands.size() == 1) {
            const HloOperation* const tuple = named_.operation(at.computation, one.operands[0].name);
            return tuple == nullptr ? std::nullopt
                                    : element(at, *tuple, static_cast<std::size_t>(one.element));
        }
        if ((what == "add" || what == "subtract") && one.operands.size() == 2) {
            return sum_of(of(0), of(1), what == "subtract");
        }
        const bool same = what == "copy" || what == "convert" || what == "bitcast" || what == "reshape";
        if (same && one.operands.size() == 1) {
            return of(0);
        }
        const auto called = called_by(one);
        const HloOperation* const root = called ? named_.root(*called) : nullptr;
        return root == nullptr || spent() ? std::nullopt
                                          : number({*called, false, arguments_of(at, one)}, *root);
    }
    static MaybeNumber parameter(const Where& at, const HloOperation& one) {
        if (at.loop) { // of one that goes through a number, not a tuple
            return one.elements.empty() ? MaybeNumber(LoopNumber{0, 0}) : std::nullopt;
        }
        const auto which = one.operands.empty() ? std::nullopt : hlo_parameter_number(one);
        return which && *which < at.arguments.size() ? at.arguments[*which] : std::nullopt;
    }
    /// An element of a tuple that this operation makes.
    MaybeNumber element(const Where& at, const HloOperation& tuple, std::size_t which) {
        if (spent()) {
            return std::nullopt;
        }
        if (tuple.opcode == "parameter") {
            return at.loop ? MaybeNumber(LoopNumber{which, 0}) : std::nullopt;
        }
        if (tuple.opcode == "tuple") {
            return which < tuple.operands.size() ? number(at, tuple.operands[which].name) : std::nullopt;
        }
        if (tuple.opcode == "copy" && tuple.operands.size() == 1) {
            const HloOperation* const from = named_.operation(at.computation, tuple.operands[0].name);
            return from == nullptr ? std::nullopt : element(at, *from, which);
        }
        const auto called = called_by(tuple);
        const HloOperation* const root = called ? named_.root(*called) : nullptr;
        return root == nullptr ? std::nullopt
                               : element({*called, false, arguments_of(at, tuple)}, *root, which);
    }
    /// What the body of a loop, or what comes before it, has for an element of the tuple, or for the number
    /// that goes through the loop.
    MaybeNumber state(const Where& at, const HloOperation& whole, std::size_t which, bool tuple) {
        return tuple ? element(at, whole, which) : number(at, whole);
    }

    std::optional<LoopCount> counted(const MaybeNumber& compared, const Where& before,
                                     const HloOperation& loop, std::size_t body) {
        if (!compared || !compared->element) {
            return compared ? std::optional(LoopCount{compared->more, 0}) : std::nullopt;
        }
        const std::size_t which = *compared->element;
        const HloOperation* const begin = named_.operation(before.computation, loop.operands[0].name);
        const HloOperation* const next = named_.root(body);
        if (begin == nullptr || next == nullptr) {
            return std::nullopt;
        }
        const bool tuple = !loop.elements.empty();
        const MaybeNumber first = state(before, *begin, which, tuple);
        const MaybeNumber after = state({body, true, {}}, *next, which, tuple);
        return first && !first->element && after && after->element == which
                   ? std::optional(LoopCount{first->more + compared->more, after->more})
                   : std::nullopt;
    }

    static std::optional<std::size_t> hlo_parameter_number(const HloOperation& one) {
        const std::string& words = one.operands[0].name;
        constexpr std::size_t most_digits = 6;
        return !words.empty() && words.size() <= most_digits &&
                       words.find_first_not_of("0123456789") == std::string::npos
                   ? std::optional(static_cast<std::size_t>(std::stoul(words)))
                   : std::nullopt;
    }

    NamedOperations& named_;
    int left_ = 0;
};

/// A computation that another one runs.
struct Running {
    std::size_t what = 0;
    HloTimes how_often = {};
};

std::vector<Running> run_by(const HloOperation& one, const HloLoop* loop, const NamedOperations& named) {
    std::vector<Running> all;
    const bool conditional = one.opcode == "conditional" && one.runs.size() > 1;
    const auto add = [&](const std::string& name, std::int64_t times, bool known) {
        if (const auto number = named.number(name); number && !name.empty()) {
            all.push_back({*number, {std::min(times, HloTimes::most), known, conditional}});
        }
    };
    for (const std::string& name : one.runs) {
        const std::int64_t trips = loop == nullptr ? 1 : std::min(loop->trips.value_or(1), HloTimes::most);
        const bool once_more = loop != nullptr && loop->trips && name == one.condition;
        add(name, trips + (once_more ? 1 : 0), loop == nullptr || loop->trips.has_value());
    }
    if (!one.opcode.ends_with("-done") && !one.opcode.ends_with("-update")) { // which name it once more
        add(one.calls, 1, true);
    }
    return all;
}

std::int64_t product_of(std::int64_t a, std::int64_t b) {
    return a == 0 || b == 0 ? 0 : a > HloTimes::most / b ? HloTimes::most : a * b;
}

/// From the entry on; computations that nothing runs, or that run themselves, count once.
std::vector<HloTimes> times_of(const HloModule& module, const std::vector<std::vector<Running>>& runs) {
    const std::size_t count = module.computations.size();
    std::vector<bool> reached(count);
    std::vector<std::size_t> before(count), ready = {module.entry};
    reached[module.entry] = true;
    for (std::size_t k = 0; k < ready.size(); ++k) {
        for (const Running& one : runs[ready[k]]) {
            ++before[one.what];
            if (!reached[one.what]) {
                reached[one.what] = true;
                ready.push_back(one.what);
            }
        }
    }
    std::vector<HloTimes> sums(count, {0}), times(count);
    sums[module.entry] = {1};
    ready.assign(before[module.entry] == 0 ? 1 : 0, module.entry);
    for (std::size_t k = 0; k < ready.size(); ++k) {
        const HloTimes its = times[ready[k]] = sums[ready[k]];
        for (const Running& one : runs[ready[k]]) {
            sums[one.what].add({product_of(its.times, one.how_often.times),
                                its.trips_known && one.how_often.trips_known,
                                its.conditional || one.how_often.conditional});
            if (--before[one.what] == 0) {
                ready.push_back(one.what);
            }
        }
    }
    return times;
}

} // namespace

void HloTimes::add(const HloTimes& more) {
    times = std::min(most, times + more.times);
    trips_known = trips_known && more.trips_known;
    conditional = conditional || more.conditional;
}

HloRepeats hlo_repeats(const HloModule& module) {
    HloRepeats made;
    NamedOperations named(module);
    LoopNumbers numbers(named);
    std::vector<std::vector<Running>> runs(module.computations.size());
    for (std::size_t k = 0; k < module.computations.size(); ++k) {
        for (const HloLine& line : module.computations[k].lines) {
            const HloOperation& one = line.operation;
            const bool loop = one.opcode == "while";
            if (loop) {
                const std::optional<std::int64_t> trips = one.trips ? one.trips : numbers.trips(k, one);
                made.loops.push_back({&line, trips, one.trips.has_value()});
            }
            for (const Running& its : run_by(one, loop ? &made.loops.back() : nullptr, named)) {
                runs[k].push_back(its);
            }
        }
    }
    made.computations = times_of(module, runs);
    return made;
}

} // namespace meshslice
