#include "core/simulate/cluster/cluster_run.h"

#include "core/base/say.h"
#include "core/simulate/machine/fair_share.h"

#include <queue>

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>

namespace meshslice {
namespace {

/// The flows, one event after the other.
class ClusterClock {
  public:
    ClusterClock(const ClusterLinks& links, const std::vector<ClusterFlow>& flows)
        : links_(links)
        , flows_(flows)
        , shared_(rates_of(links))
        , waits_for_(flows.size())
        , next_(flows.size())
        , version_(flows.size()) {
        outcome_.flows.resize(flows.size());
        for (std::uint32_t k = 0; k < flows.size(); ++k) {
            waits_for_[k] = static_cast<std::uint32_t>(flows[k].after.size());
            for (const std::uint32_t before : flows[k].after) {
                next_[before].push_back(k);
            }
            if (waits_for_[k] == 0) {
                ready(k, Time(0));
            }
        }
    }

    Result<ClusterOutcome> run(const RunControl& control) {
        while (!events_.empty()) {
            if (control.stop.stop_requested()) {
                return cancelled();
            }
            const Time now = events_.top().at;
            if (now > seconds(most_cluster_seconds)) {
                return refuse(say("The flows take more than {:.0e} s, the most that is simulated: send fewer "
                                  "bytes, or over faster ports.",
                                  most_cluster_seconds));
            }
            while (!events_.empty() && events_.top().at == now) {
                const Event event = events_.top();
                events_.pop();
                if (event.version == version_[event.flow]) {
                    event.version == 0 ? begin(event.flow, now) : end(event.flow, now);
                }
            }
            for (const FairShare::Completion& one : shared_.settle(now)) {
                events_.push({one.at, one.flow, ++version_[one.flow]});
            }
        }
        measure();
        return std::move(outcome_);
    }

  private:
    struct Event {
        Time at;
        std::uint32_t flow = 0;
        std::uint32_t version = 0; ///< 0: it begins; else it ends, unless its rate has changed since

        bool operator<(const Event& other) const {
            return std::tie(other.at, other.flow, other.version) < std::tie(at, flow, version);
        }
    };

    static std::vector<double> rates_of(const ClusterLinks& links) {
        std::vector<double> rates;
        for (const ClusterLink& one : links.all()) {
            rates.push_back(one.rate);
        }
        return rates;
    }

    void ready(std::uint32_t flow, Time now) {
        events_.push({now + links_.latency(flows_[flow].from, flows_[flow].to), flow, 0});
    }

    void begin(std::uint32_t flow, Time now) {
        std::vector<FairShare::Use> uses;
        for (const std::uint32_t link : links_.route(flows_[flow].from, flows_[flow].to)) {
            uses.push_back({link});
        }
        outcome_.flows[flow].begins = now;
        shared_.start(now, flow, std::move(uses), flows_[flow].bytes);
    }

    void end(std::uint32_t flow, Time now) {
        outcome_.flows[flow].ends = now;
        outcome_.end = std::max(outcome_.end, now);
        shared_.end(flow);
        ++version_[flow]; // an end that was foretold before does not hold now
        for (const std::uint32_t other : next_[flow]) {
            if (--waits_for_[other] == 0) {
                ready(other, now);
            }
        }
    }

    void measure() {
        const std::size_t count = links_.all().size();
        outcome_.bytes.resize(count);
        outcome_.busy.resize(count);
        std::vector<std::vector<std::pair<Time, Time>>> used(count);
        for (std::uint32_t k = 0; k < flows_.size(); ++k) {
            const auto number = static_cast<std::size_t>(flows_[k].exchange);
            outcome_.exchange_ends.resize(std::max(outcome_.exchange_ends.size(), number + 1));
            outcome_.exchange_ends[number] = std::max(outcome_.exchange_ends[number], outcome_.flows[k].ends);
            for (const std::uint32_t link : links_.route(flows_[k].from, flows_[k].to)) {
                outcome_.bytes[link] += flows_[k].bytes;
                used[link].emplace_back(outcome_.flows[k].begins, outcome_.flows[k].ends);
            }
        }
        for (std::size_t link = 0; link < count; ++link) {
            std::ranges::sort(used[link]);
            Time until;
            for (const auto& [from, to] : used[link]) {
                outcome_.busy[link] += std::max(to, until) - std::max(from, until);
                until = std::max(to, until);
            }
        }
    }

    const ClusterLinks& links_;
    const std::vector<ClusterFlow>& flows_;
    FairShare shared_;
    std::vector<std::uint32_t> waits_for_;         ///< flows, by flow
    std::vector<std::vector<std::uint32_t>> next_; ///< that wait for it, by flow
    std::vector<std::uint32_t> version_;           ///< by flow
    std::priority_queue<Event> events_;
    ClusterOutcome outcome_;
};

Role role_of_exchanges(std::uint64_t exchanges) {
    return exchanges == 1   ? Role::transferHorizontal
           : exchanges == 2 ? Role::transferVertical
                            : Role::transferThird;
}

} // namespace

Result<ClusterOutcome> run_cluster(const ClusterLinks& links, const std::vector<ClusterFlow>& flows,
                                   const RunControl& control) {
    return ClusterClock(links, flows).run(control);
}

std::shared_ptr<const Run> cluster_timeline(const ClusterLinks& links, const std::vector<ClusterFlow>& flows,
                                            const ClusterOutcome& outcome,
                                            const std::vector<std::string>& exchange_names,
                                            std::string title) {
    auto run = std::make_shared<ListedRun>(std::move(title), RunReading::simulated);
    const std::size_t exchanges = exchange_names.size();
    // By link and time, how many flows of each exchange begin or end.
    std::vector<std::map<Time, std::vector<std::int64_t>>> changes(links.all().size());
    for (std::size_t k = 0; k < flows.size(); ++k) {
        const auto number = static_cast<std::size_t>(flows[k].exchange);
        for (const std::uint32_t link : links.route(flows[k].from, flows[k].to)) {
            const auto change = [&](Time at, std::int64_t by) {
                auto& at_once = changes[link][at];
                at_once.resize(exchanges);
                at_once[number] += by;
            };
            change(outcome.flows[k].begins, 1);
            change(outcome.flows[k].ends, -1);
        }
    }
    std::map<std::string, std::size_t> places;
    for (std::size_t link = 0; link < links.all().size(); ++link) {
        if (changes[link].empty()) {
            continue;
        }
        const ClusterLink& its = links.all()[link];
        const std::size_t at = places.try_emplace(its.place, places.size()).first->second;
        const auto order = static_cast<int>(link);
        const std::size_t lane = run->add_lane({its.place, its.name, at, order, order});
        std::vector<std::int64_t> using_it(exchanges);
        std::uint64_t mask = 0;
        Time since;
        const auto close = [&](Time now) {
            if (mask != 0 && now > since) {
                std::string words;
                for (std::size_t k = 0; k < exchanges; ++k) {
                    if ((mask >> k & 1U) != 0) {
                        words += (words.empty() ? "" : ", ") + exchange_names[k];
                    }
                }
                run->add(lane, {since, now, role_of_exchanges(mask), {words, "transfer"}});
            }
        };
        for (const auto& [now, by] : changes[link]) {
            std::uint64_t then = 0;
            for (std::size_t k = 0; k < exchanges; ++k) {
                using_it[k] += by[k];
                then |= using_it[k] > 0 ? std::uint64_t{1} << k : 0;
            }
            if (then != mask) {
                close(now);
                mask = then;
                since = now;
            }
        }
    }
    return run;
}

} // namespace meshslice
