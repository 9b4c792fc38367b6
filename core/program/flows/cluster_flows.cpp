#include "core/program/flows/cluster_flows.h"

#include "core/base/say.h"

#include <algorithm>
#include <utility>

namespace meshslice {
namespace {

/// The flows of one ring: of `order`, in the steps that there are.
class RingOfFlows {
  public:
    RingOfFlows(std::vector<ClusterFlow>& all, std::int32_t exchange, std::vector<std::int32_t> order)
        : all_(all), exchange_(exchange), order_(std::move(order)) {}

    /// Each chip sends to the next in each step, once its own last is sent and the one before has arrived.
    void turn(std::int64_t steps, double chunk) {
        const std::size_t size = order_.size();
        for (std::int64_t step = 0; step < steps; ++step) {
            const auto first = static_cast<std::uint32_t>(all_.size());
            for (std::size_t k = 0; k < size; ++k) {
                ClusterFlow flow = between(k, step, chunk);
                if (step > 0) {
                    const auto last = static_cast<std::uint32_t>(first - size);
                    flow.after = {last + static_cast<std::uint32_t>(k),
                                  last + static_cast<std::uint32_t>((k + size - 1) % size)};
                }
                all_.push_back(std::move(flow));
            }
        }
    }

    /// Piece by piece from the first to the last.
    void pass(std::int64_t pieces, double piece) {
        const std::size_t hops = order_.size() - 1;
        for (std::int64_t step = 0; step < pieces; ++step) {
            for (std::size_t k = 0; k < hops; ++k) {
                ClusterFlow flow = between(k, step, piece);
                const auto own = static_cast<std::uint32_t>(all_.size());
                if (k > 0) {
                    flow.after.push_back(own - 1);
                }
                if (step > 0) {
                    flow.after.push_back(own - static_cast<std::uint32_t>(hops));
                }
                all_.push_back(std::move(flow));
            }
        }
    }

  private:
    [[nodiscard]] ClusterFlow between(std::size_t k, std::int64_t step, double bytes) const {
        return {order_[k], order_[(k + 1) % order_.size()], exchange_, static_cast<std::int32_t>(step), bytes,
                {}};
    }

    std::vector<ClusterFlow>& all_;
    std::int32_t exchange_;
    std::vector<std::int32_t> order_;
};

double flows_of(const ClusterExchange& exchange, std::int64_t chips, std::int64_t rings) {
    const auto all = static_cast<double>(chips);
    const auto group = static_cast<double>(exchange.group);
    switch (exchange.what) {
    case Collective::send_receive: return all;
    case Collective::all_to_all: return all * (group - 1);
    case Collective::all_reduce: return 2 * all * (group - 1) * static_cast<double>(rings);
    default: return all * (group - 1) * static_cast<double>(rings);
    }
}

void add_exchange(const ClusterExchange& exchange, std::int32_t number, std::int64_t chips,
                  std::int64_t domain, std::vector<ClusterFlow>& all) {
    const std::int64_t inside = members_in_domain(exchange, domain);
    const bool several = exchange.group > inside;
    const std::int64_t rings =
        several && exchange.what != Collective::send_receive && exchange.what != Collective::all_to_all
            ? inside
            : 1;
    const auto members = static_cast<double>(exchange.group);
    for (std::int64_t group = 0; group < chips / exchange.group; ++group) {
        const auto chip = [&](std::int64_t member) {
            return static_cast<std::int32_t>(exchange.chip(group, member));
        };
        if (exchange.what == Collective::all_to_all) {
            for (std::int64_t from = 0; from < exchange.group; ++from) {
                for (std::int64_t next = 1; next < exchange.group; ++next) {
                    all.push_back({chip(from),
                                   chip((from + next) % exchange.group),
                                   number,
                                   0,
                                   exchange.bytes / (members * members),
                                   {}});
                }
            }
            continue;
        }
        for (std::int64_t ring = 0; ring < rings; ++ring) {
            std::vector<std::int32_t> order;
            for (std::int64_t first = 0; first < exchange.group; first += inside) {
                for (std::int64_t k = 0; k < inside; ++k) {
                    order.push_back(chip(first + (k + ring) % inside));
                }
            }
            RingOfFlows made(all, number, std::move(order));
            const double part = exchange.bytes / static_cast<double>(rings);
            switch (exchange.what) {
            case Collective::send_receive: made.turn(1, exchange.bytes); break;
            case Collective::broadcast:
            case Collective::reduce: made.pass(exchange.group, part / members); break;
            case Collective::all_reduce: made.turn(2 * (exchange.group - 1), part / members); break;
            default: made.turn(exchange.group - 1, part / members); break;
            }
        }
    }
}

} // namespace

std::int64_t members_in_domain(const ClusterExchange& exchange, std::int64_t domain) {
    if (exchange.group * exchange.stride <= domain && domain % (exchange.group * exchange.stride) == 0) {
        return exchange.group;
    }
    const std::int64_t inside = std::max<std::int64_t>(domain / exchange.stride, 1);
    return domain % exchange.stride == 0 && exchange.group % inside == 0 ? inside : 1;
}

Result<std::vector<ClusterFlow>> cluster_flows(const std::vector<ClusterExchange>& exchanges,
                                               std::int64_t chips, std::int64_t domain) {
    std::vector<ClusterFlow> all;
    double count = 0;
    for (const ClusterExchange& one : exchanges) {
        if (one.group < 2 || one.stride < 1 || chips % (one.group * one.stride) != 0) {
            return refuse(one.stride == 1
                              ? say("Groups of {} chips do not divide {} chips.", one.group, chips)
                              : say("Groups of {} chips at distances of {} take {} chips at a time, which do "
                                    "not divide {} chips.",
                                    one.group, one.stride, one.group * one.stride, chips));
        }
        count += flows_of(one, chips, members_in_domain(one, domain));
        if (count > static_cast<double>(most_cluster_flows)) {
            return refuse(say("These exchanges are more than {} flows, which are not simulated; fewer chips "
                              "or smaller groups work.",
                              most_cluster_flows));
        }
    }
    for (std::size_t k = 0; k < exchanges.size(); ++k) {
        add_exchange(exchanges[k], static_cast<std::int32_t>(k), chips, domain, all);
    }
    return all;
}

} // namespace meshslice
