#include "core/cost/collective/exchange_bound.h"

#include "core/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <numeric>

namespace meshslice {

std::string six_digits(double value, std::string_view unit) {
    std::string words = si_text(value, unit, 6);
    const std::size_t digits = words.find_first_not_of("0123456789.");
    const std::size_t point = words.find('.');
    if (point != std::string::npos && point < digits) {
        const std::size_t last = words.find_last_not_of('0', digits - 1);
        const std::size_t kept = last == point ? point : last + 1;
        words.erase(kept, digits - kept);
    }
    return words;
}

namespace {

/// Seconds, and how they come about.
struct ExchangeTime {
    double seconds = 0;
    std::string formula;
    double on_wire = 0; ///< bytes on the links of one chip
};

bool sends_both_ways(const ExchangeAxis& axis) {
    return axis.ring && !axis.one_way;
}

std::int64_t chips_exchanging(const std::vector<ExchangeAxis>& axes) {
    return std::accumulate(axes.begin(), axes.end(), std::int64_t{1},
                           [](std::int64_t chips, const ExchangeAxis& axis) { return chips * axis.chips; });
}

/// Links of the chip that stands worst: both of a ring, one at the end of a line.
std::string rate_text(const std::vector<ExchangeAxis>& axes) {
    std::vector<std::string> terms;
    for (const ExchangeAxis& axis : axes) {
        const std::string link = six_digits(axis.link.value(), "B/s");
        terms.push_back(sends_both_ways(axis) ? "2 x " + link : link);
    }
    const bool alike = std::ranges::all_of(terms, [&](const std::string& term) { return term == terms[0]; });
    if (terms.size() == 1) {
        return terms[0].starts_with("2 x") ? "(" + terms[0] + ")" : terms[0];
    }
    return alike ? fmt::format("({} x {} axes)", terms[0], terms.size())
                 : fmt::format("({})", fmt::join(terms, " + "));
}

/// V over the links of one chip; where it has one link along an axis, without the part that it holds already.
ExchangeTime over_links_of_one_chip(Collective what, double bytes, const std::vector<ExchangeAxis>& axes) {
    const auto chips = static_cast<double>(chips_exchanging(axes));
    const bool whole = what == Collective::broadcast || what == Collective::reduce;
    const bool as_if_all = whole || std::ranges::all_of(axes, sends_both_ways);
    double rate = 0;
    for (const ExchangeAxis& axis : axes) {
        rate += axis.link.value() * (sends_both_ways(axis) ? 2 : 1);
    }
    ExchangeTime part;
    part.seconds = (as_if_all ? bytes : bytes * (chips - 1) / chips) / rate;
    part.formula = six_digits(bytes, "B");
    if (!as_if_all) {
        part.formula += fmt::format(" x {} / {}", chips - 1, chips);
    }
    part.formula += " / " + rate_text(axes);
    if (what == Collective::all_reduce) {
        part.seconds *= 2;
        part.formula = "2 x " + part.formula;
    }
    part.on_wire = part.seconds * rate;
    return part;
}

/// Along the slowest axis.
ExchangeTime all_to_all(double bytes, const std::vector<ExchangeAxis>& axes) {
    const std::int64_t chips = chips_exchanging(axes);
    ExchangeTime slowest;
    double on_wire = 0;
    for (const ExchangeAxis& axis : axes) {
        const std::string link = six_digits(axis.link.value(), "B/s");
        std::int64_t numerator = axis.chips;
        std::int64_t denominator = 4 * chips;
        double rate = axis.link.value();
        if (sends_both_ways(axis)) {
            rate *= 2;
        } else if (axis.ring) {
            numerator = axis.chips - 1;
            denominator = 2 * chips;
        } else if (axis.chips % 2 == 1) {
            numerator = axis.chips * axis.chips - 1; // floor(a / 2) chips on one side of the busiest link
            denominator = 4 * chips * axis.chips;
        }
        const double seconds =
            bytes * static_cast<double>(numerator) / static_cast<double>(denominator) / rate;
        on_wire += seconds * rate;
        if (seconds > slowest.seconds || slowest.formula.empty()) {
            slowest = {seconds, fmt::format("{} x {} / ({} x {}{})", six_digits(bytes, "B"), numerator,
                                            denominator, sends_both_ways(axis) ? "2 x " : "", link)};
        }
    }
    slowest.on_wire = on_wire;
    return slowest;
}

std::int64_t hops_along(Collective what, const ExchangeAxis& axis) {
    if (what == Collective::send_receive) {
        return axis.ring ? 1 : axis.chips - 1;
    }
    return sends_both_ways(axis) ? axis.chips / 2 : axis.chips - 1;
}

} // namespace

std::string ExchangeBound::formula() const {
    return fmt::format("max({}, {})", latency_formula, bandwidth_formula);
}

ExchangeBound exchange_bound(Collective what, double bytes, const std::vector<ExchangeAxis>& axes,
                             double hop) {
    assert(!axes.empty() && axes.size() <= 3 && (what != Collective::send_receive || axes.size() == 1));
    ExchangeBound bound;
    for (const ExchangeAxis& axis : axes) {
        assert(axis.chips >= 2);
        bound.hops += hops_along(what, axis) * (what == Collective::all_reduce ? 2 : 1);
    }
    bound.latency = static_cast<double>(bound.hops) * hop;
    bound.latency_formula = fmt::format("{} x {}", bound.hops, six_digits(hop, "s"));
    ExchangeTime part;
    if (what == Collective::all_to_all) {
        part = all_to_all(bytes, axes);
    } else if (what == Collective::send_receive) {
        const double link = axes[0].link.value();
        part = {bytes / link, fmt::format("{} / {}", six_digits(bytes, "B"), six_digits(link, "B/s")), bytes};
    } else {
        part = over_links_of_one_chip(what, bytes, axes);
    }
    bound.bandwidth = part.seconds;
    bound.on_wire = part.on_wire;
    bound.bandwidth_formula = std::move(part.formula);
    return bound;
}

LevelBound level_bound(Collective what, double bytes, std::int64_t chips, const SwitchLevel& level) {
    std::int64_t part = level.places - 1, of = level.places, ports = level.sharing;
    switch (what) {
    case Collective::all_to_all:
        part *= level.sharing;
        of = chips * chips;
        ports = 1;
        break;
    case Collective::send_receive: part = of = ports = 1; break;
    case Collective::broadcast:
    case Collective::reduce: part = of = 1; break;
    case Collective::all_reduce: part = level.reduces ? of : part; break;
    case Collective::all_gather:
    case Collective::reduce_scatter: break;
    }
    const double times = what == Collective::all_reduce && !level.reduces ? 2 : 1;
    const std::string chip = six_digits(level.chip.value(), "B/s");
    return {times * bytes * static_cast<double>(part) / static_cast<double>(of) /
                (static_cast<double>(ports) * level.chip.value()),
            fmt::format("{}{}{} / {}", times > 1 ? "2 x " : "", six_digits(bytes, "B"),
                        part == of ? std::string() : fmt::format(" x {} / {}", part, of),
                        ports == 1 ? chip : fmt::format("({} x {})", ports, chip))};
}

ExchangeBound exchange_bound(Collective what, double bytes, std::int64_t chips,
                             const std::vector<SwitchLevel>& levels) {
    assert(!levels.empty());
    const bool at_once = what == Collective::all_to_all || what == Collective::send_receive;
    ExchangeBound bound;
    for (const SwitchLevel& level : levels) {
        const LevelBound its = level_bound(what, bytes, chips, level);
        if (its.seconds > bound.bandwidth || bound.bandwidth_formula.empty()) {
            bound.bandwidth = its.seconds;
            bound.on_wire = its.seconds * level.chip.value();
            bound.bandwidth_formula = its.formula;
        }
        const double waits = static_cast<double>(level.steps) * level.step;
        const std::string words = fmt::format("{} x {}", level.steps, six_digits(level.step, "s"));
        if (!at_once) {
            bound.hops += level.steps;
            bound.latency += waits;
            bound.latency_formula += (bound.latency_formula.empty() ? "" : " + ") + words;
        } else if (waits > bound.latency || bound.latency_formula.empty()) {
            bound.hops = level.steps;
            bound.latency = waits;
            bound.latency_formula = words;
        }
    }
    return bound;
}

double latency_bound_below(Collective what, const std::vector<ExchangeAxis>& axes, double hop) {
    // Both parts of the time are linear: in the hops, and in the bytes.
    const ExchangeBound one = exchange_bound(what, 1, axes, hop);
    return one.latency / one.bandwidth;
}

} // namespace meshslice
