#include "core/cost/collective/twisted_exchange.h"

#include <fmt/format.h>

#include <cassert>
#include <cstdint>

namespace meshslice {

ExchangeBound twisted_bound(Collective what, double bytes, const TwistedTorus& torus, Bandwidth link,
                            double hop) {
    assert(what != Collective::send_receive);
    constexpr std::int64_t links = 6;
    const std::int64_t chips = torus.chips();
    const double rate = link.value();
    ExchangeBound bound;
    bound.hops = torus.longest_way() * (what == Collective::all_reduce ? 2 : 1);
    bound.latency = static_cast<double>(bound.hops) * hop;
    bound.latency_formula = fmt::format("{} x {}", bound.hops, six_digits(hop, "s"));
    const std::string whole = six_digits(bytes, "B"), wire = six_digits(rate, "B/s");
    if (what == Collective::all_to_all) {
        const std::int64_t all = links * chips * chips;
        bound.bandwidth = bytes * static_cast<double>(torus.all_ways()) / static_cast<double>(all) / rate;
        bound.bandwidth_formula = fmt::format("{} x {} / {} / {}", whole, torus.all_ways(), all, wire);
    } else {
        const double times = what == Collective::all_reduce ? 2 : 1;
        bound.bandwidth = times * bytes / (links * rate);
        bound.bandwidth_formula =
            fmt::format("{}{} / ({} x {})", times > 1 ? "2 x " : "", whole, links, wire);
    }
    bound.on_wire = bound.bandwidth * links * rate;
    return bound;
}

} // namespace meshslice
