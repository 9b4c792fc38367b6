#include "core/question/serve/rated_goal.h"

#include "core/base/say.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr std::int64_t most_rated_requests = 20'000, most_rated_batch = 1024;

double at_percentile(const TimeSpread& spread, int percentile) {
    return percentile == 50 ? spread.p50 : percentile == 99 ? spread.p99 : spread.p95;
}

} // namespace

double simulated_value(const ServingLimit& limit, const ServingSummary& found) {
    const TimeSpread& spread = limit.quantity == "ttft"  ? found.ttft
                               : limit.quantity == "e2e" ? found.e2e
                                                         : found.tpot;
    const double time = at_percentile(spread, limit.percentile);
    return limit.below ? time : time > 0 ? 1 / time : std::numeric_limits<double>::infinity();
}

std::string limit_name(const ServingLimit& limit) {
    return limit.quantity + (limit.percentile == 50 ? "_p50" : limit.percentile == 99 ? "_p99" : "_p95");
}

namespace {

/// Servers that decode, or do both; and those that only prefill.
struct Servers {
    std::int64_t replicas = 1, prefill = 0;

    [[nodiscard]] std::int64_t all() const { return replicas + prefill; }
};

/// Of pools, whether they have one phase each; and how many servers there are at most where they start and
/// stop, else 0.
struct KindOfPools {
    bool apart = false;
    std::int64_t most_servers = 0;
};

/// One split, and one kind of pools.
class KindSearch {
  public:
    KindSearch(const ServingAsked& asked, Replica one, const KindOfPools& kind, const OfferedLoad& load,
               const std::vector<ServingLimit>& limits, const RunControl& control)
        : asked_(asked)
        , one_(std::move(one))
        , load_(load)
        , limits_(limits)
        , control_(control)
        , apart_(kind.apart)
        , most_servers_(kind.most_servers) {}

    /// `most`: chips, beyond which it stops.
    [[nodiscard]] Result<RatedKind> run(std::int64_t batch, std::int64_t most) {
        choose_batches(batch);
        if (batches_.empty()) {
            RatedKind none;
            none.found = named({1, apart_ ? 1 : 0}, 1);
            none.found.worst = std::numeric_limits<double>::infinity();
            none.found.simulated = false;
            return none;
        }
        if (RatedDeployment alone = without_others(); !alone.met()) {
            return RatedKind{std::move(alone)};
        }
        return fewest(most);
    }
    [[nodiscard]] std::int64_t tried() const { return tried_; }
    [[nodiscard]] std::int64_t requests() const { return requests_; }

  private:
    void choose_batches(std::int64_t batch) {
        const std::int64_t fit = most_batch(one_);
        std::vector<std::int64_t> sizes;
        for (std::int64_t size = 1; batch == 0 && size <= most_rated_batch; size *= 2) {
            sizes.push_back(size);
        }
        if (batch > 0) {
            sizes = {batch};
        }
        // What a batch takes while it works, and what the engine leaves alone, may leave no room for one
        // request.
        std::ranges::copy_if(sizes, std::back_inserter(batches_), [&](std::int64_t size) {
            const Replica one = with_batch(size);
            return size <= fit && static_cast<double>(cache_room_of(one)) >= one.input + one.output;
        });
    }
    [[nodiscard]] Replica with_batch(std::int64_t batch) const {
        Replica made = one_;
        made.batch = static_cast<double>(batch);
        return made;
    }
    [[nodiscard]] RatedDeployment named(const Servers& servers, std::int64_t batch) const {
        RatedDeployment made;
        made.tensor = static_cast<std::int64_t>(one_.tensor);
        made.batch = batch;
        made.replicas = servers.replicas;
        made.prefill = servers.prefill;
        made.chips = servers.all() * static_cast<std::int64_t>(one_.chips());
        made.held = static_cast<double>(made.chips);
        made.most_servers = most_servers_;
        return made;
    }
    void judge(RatedDeployment& made) const {
        for (const ServingLimit& limit : limits_) {
            const double value = simulated_value(limit, made.summary);
            const double share = limit.below ? value / limit.value : limit.value / value;
            if (share > made.worst) {
                made.worst = share;
                made.which = limit_name(limit);
            }
        }
    }
    /// A request that meets no other one.
    [[nodiscard]] RatedDeployment without_others() const {
        const ServedTimes times = served_times(with_batch(1));
        RatedDeployment made = named({1, apart_ ? 1 : 0}, 1);
        made.simulated = false;
        const auto all = [](double seconds) {
            return TimeSpread{seconds, seconds, seconds, seconds, seconds};
        };
        made.summary.ttft = all(times.ttft);
        made.summary.tpot = all(times.tpot);
        made.summary.e2e = all(times.e2e);
        if (load_.list.empty()) { // else requests differ, and means say little about their percentiles
            judge(made);
        }
        return made;
    }
    /// As many as the work alone needs: servers that are never idle, with the batch of most requests/s.
    void count_work() {
        double prefilled = 0, decoded = 0;
        for (const std::int64_t batch : batches_) {
            const ServedTimes times = served_times(with_batch(batch));
            prefilled = std::max(prefilled, times.prefilled);
            decoded = std::max(decoded, times.decoded);
            longest_ = std::max(longest_, times.e2e);
        }
        prompts_ = prefilled > 0 ? load_.rate / prefilled : 0;
        tokens_ = decoded > 0 ? load_.rate / decoded : 0;
        constexpr double passed = 4; // requests at work go and come so many times
        // Servers start, or fail, some times while requests come.
        const double change = most_servers_ > 0 ? asked_.start_delay : 0;
        const double lasts = passed * std::max({longest_, change, asked_.fail_every});
        const double seen = std::min(lasts * load_.rate, 1.0 * most_rated_requests);
        requests_ = load_.list.empty() ? std::max(load_.requests, static_cast<std::int64_t>(std::ceil(seen)))
                                       : load_.requests;
    }
    [[nodiscard]] Servers least() const {
        if (most_servers_ > 0) { // others start
            return {1,
                    apart_ ? std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(prompts_))) : 0};
        }
        const auto whole = [](double servers) {
            return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(servers)));
        };
        return apart_ ? Servers{whole(tokens_), whole(prompts_)}
                      : Servers{whole(std::max(tokens_, prompts_)), 0};
    }
    [[nodiscard]] Result<RatedDeployment> simulated(const Servers& servers, std::int64_t batch) {
        if (control_.stop.stop_requested()) {
            return cancelled();
        }
        ++tried_;
        const Replica one = with_batch(batch);
        const Result<ServedPools> pools = pools_of_servers(asked_, one, servers.replicas, servers.prefill,
                                                           std::max(most_servers_, servers.replicas));
        if (!pools) {
            return refuse(pools.error());
        }
        OfferedLoad load = load_;
        load.requests = requests_;
        RatedDeployment made = named(servers, batch);
        const Result<ServedLoad> quick = simulated_load(one, *pools, asked_.engine, load, {}, control_);
        if (!quick) {
            return refuse(quick.error());
        }
        made.summary = quick->summary;
        made.failures = quick->failures;
        made.held = scaled(quick->held, made);
        made.overloaded = quick->overloaded();
        judge(made);
        if (made.met() && load_.list.empty()) { // so few requests may not show that a queue grows
            const Result<ServedLoad> whole = served_load(one, *pools, asked_.engine, load, {}, control_);
            if (!whole) {
                return refuse(whole.error());
            }
            made.overloaded = whole->overloaded();
        }
        return made;
    }
    /// With a batch that meets the goal, else with the one that comes closest. A large batch makes tokens
    /// slow and a small one lets requests wait.
    [[nodiscard]] Result<RatedDeployment> with_best_batch(const Servers& servers) {
        auto low = std::ptrdiff_t{0}, high = std::ssize(batches_) - 1;
        std::optional<RatedDeployment> best;
        while (low <= high) {
            const auto middle = (low + high + 1) / 2;
            Result<RatedDeployment> made = simulated(servers, batches_[static_cast<std::size_t>(middle)]);
            if (!made || made->met()) {
                return made;
            }
            const bool slow_tokens = !made->overloaded && !made->which.starts_with("ttft");
            slow_tokens ? high = middle - 1 : low = middle + 1;
            if (!best ||
                std::pair(made->overloaded, made->worst) < std::pair(best->overloaded, best->worst)) {
                best = *std::move(made);
            }
        }
        return *std::move(best);
    }
    /// The pool that what misses the goal asks more servers of.
    [[nodiscard]] bool lacks_prefill(const RatedDeployment& made) const {
        if (!apart_) {
            return false;
        }
        if (made.overloaded) {
            return prompts_ / static_cast<double>(made.prefill) >
                   tokens_ / static_cast<double>(made.replicas);
        }
        return made.which.starts_with("ttft") ||
               (made.which.starts_with("e2e") && 2 * made.summary.ttft.mean > made.summary.e2e.mean);
    }
    [[nodiscard]] double scaled(double servers, const RatedDeployment& made) const {
        return made.scales() ? servers * one_.chips() : static_cast<double>(made.chips);
    }
    /// Whether no more servers can be had: those that start are there at once, or the chips are.
    [[nodiscard]] bool is_over(const Servers& servers, std::int64_t most) const {
        return servers.all() * static_cast<std::int64_t>(one_.chips()) > most ||
               (most_servers_ > 0 && servers.replicas > most_servers_);
    }
    [[nodiscard]] Result<RatedKind> fewest(std::int64_t most) {
        count_work();
        Servers servers = least();
        RatedKind made;
        constexpr std::int64_t first_step = 8; // one in so many servers more each time
        while (true) {
            const bool over = is_over(servers, most);
            if (over && made.found.chips > 0) {
                return made; // does not meet it
            }
            Result<RatedDeployment> tried = with_best_batch(servers);
            if (!tried) {
                return refuse(tried.error());
            }
            if (tried->met()) {
                made.found = *std::move(tried);
                break;
            }
            std::int64_t& pool = lacks_prefill(*tried) ? servers.prefill : servers.replicas;
            pool += std::max<std::int64_t>(1, pool / first_step);
            made.found = *std::move(tried);
            if (over) {
                return made;
            }
        }
        // Steps were larger than one server: back, as long as it is met.
        for (const bool prefill : {true, false}) {
            while (true) {
                Servers fewer{made.found.replicas, made.found.prefill};
                std::int64_t& pool = prefill ? fewer.prefill : fewer.replicas;
                if (--pool < 1) {
                    break;
                }
                Result<RatedDeployment> tried = with_best_batch(fewer);
                if (!tried) {
                    return refuse(tried.error());
                }
                if (!tried->met()) {
                    made.fewer = *std::move(tried);
                    break;
                }
                made.found = *std::move(tried);
            }
        }
        return made;
    }

    const ServingAsked& asked_;
    Replica one_;
    const OfferedLoad& load_;
    const std::vector<ServingLimit>& limits_;
    const RunControl& control_;
    bool apart_;
    std::int64_t most_servers_;
    std::vector<std::int64_t> batches_;
    double prompts_ = 0, tokens_ = 0; ///< servers that prefill and decode without a pause
    double longest_ = 0;              ///< s of a request in the largest batch
    std::int64_t requests_ = 0, tried_ = 0;
};

/// The rate that a list of requests has.
OfferedLoad with_rate_of_list(OfferedLoad load) {
    if (!load.list.empty()) {
        const double span = load.list.back().arrival - load.list.front().arrival;
        load.rate = span > 0 ? static_cast<double>(load.list.size() - 1) / span : 0;
    }
    return load;
}

constexpr std::int64_t any_number_of_chips = std::int64_t{1} << 20;

bool fewer_chips(const RatedKind& a, const RatedKind& b) {
    const auto order = [](const RatedDeployment& one) {
        return std::tuple(!one.met(), one.met() ? one.held : 0, one.overloaded, one.scales(), one.apart(),
                          one.worst);
    };
    return order(a.found) < order(b.found);
}

/// Servers that are always there, and those that start and stop, as far as the chips allow.
std::vector<KindOfPools> kinds_of_pools(std::int64_t autoscale, std::int64_t most_chips,
                                        const Replica& replica) {
    std::vector<KindOfPools> made = {{false, 0}, {true, 0}};
    const std::int64_t most = most_chips / static_cast<std::int64_t>(replica.chips());
    if (autoscale > 0) {
        for (const bool apart : {false, true}) {
            const std::int64_t servers = std::min(autoscale, most - (apart ? 1 : 0));
            if (servers > 1) {
                made.push_back({apart, servers});
            }
        }
    }
    return made;
}

} // namespace

Result<ServedPools> pools_of_servers(const ServingAsked& asked, const Replica& one, std::int64_t replicas,
                                     std::int64_t prefill, std::int64_t most_servers) {
    ServedPools made;
    made.most_servers = most_servers > replicas ? most_servers : 0;
    made.fail_every = asked.fail_every;
    made.start_delay = asked.start_delay;
    made.routing = asked.routing;
    made.prefixes = asked.prefixes;
    made.replicas = replicas;
    made.prefill = prefill;
    made.transfer = {std::numeric_limits<double>::infinity(), 0};
    if (prefill > 0) {
        const Result<double> rate =
            rate_between(asked.machine, (replicas + prefill) * static_cast<std::int64_t>(one.chips()));
        if (!rate) {
            return refuse(rate.error());
        }
        made.transfer.rate = *rate * one.chips() * asked.scale.links;
    }
    return made;
}

Result<RatedSearch> cheapest_deployments(const ServingAsked& asked, std::int64_t batch,
                                         const OfferedLoad& said, const std::vector<ServingLimit>& limits,
                                         const RunControl& control) {
    const OfferedLoad load = with_rate_of_list(said);
    ServingAsked any = asked;
    any.chips = 0; // is the most, and need not be shared by all replicas
    const std::int64_t most = asked.chips > 0 ? asked.chips : any_number_of_chips;
    std::vector<std::int64_t> splits =
        asked.tensor > 0 ? std::vector<std::int64_t>{asked.tensor} : possible_splits(any);
    RatedSearch made;
    std::int64_t best = most;
    Error refusal = {say("No split of the chips divides the heads.")};
    for (const std::int64_t tensor : splits) {
        Result<Replica> one = replica_of(any, tensor);
        if (!one) {
            refusal = one.error();
            continue;
        }
        const Replica replica = with_lengths_of(load, *std::move(one));
        // An engine leaves a tenth of the memory alone, so that what fits may have no room for a request.
        const double room = static_cast<double>(cache_room_of(replica));
        if (replica.chips() > static_cast<double>(most) || most_batch(replica) < 1 ||
            room < replica.input + replica.output) {
            refusal.sentence = say("Not one request of {} fits into the chips' memory.", asked.model.title);
            continue;
        }
        for (const KindOfPools& pools : kinds_of_pools(asked.autoscale, most, replica)) {
            const std::int64_t servers = pools.apart ? 2 : 1;
            if (servers * static_cast<std::int64_t>(replica.chips()) > most ||
                (pools.apart && !pools_of_servers(any, replica, 1, 1))) {
                continue;
            }
            KindSearch search(any, replica, pools, load, limits, control);
            constexpr std::int64_t runner_up =
                4; // times the chips of the best: farther off is not looked for
            Result<RatedKind> kind = search.run(batch, best);
            if (!kind) {
                return refuse(kind.error());
            }
            if (!kind->found.simulated && std::isinf(kind->found.worst)) { // no batch has room
                refusal.sentence =
                    say("Not one request of {} fits into the chips' memory.", asked.model.title);
                continue;
            }
            made.tried += search.tried();
            made.requests = std::max(made.requests, search.requests());
            if (kind->found.met()) {
                best = std::min(best, runner_up * static_cast<std::int64_t>(std::ceil(kind->found.held)));
            }
            if (kind->found.scales() && kind->found.met() &&
                kind->found.held <= static_cast<double>(kind->found.chips)) {
                continue; // none had to start: the same as servers that are always there
            }
            made.kinds.push_back(*std::move(kind));
        }
    }
    if (made.kinds.empty()) {
        return refuse(refusal);
    }
    std::ranges::stable_sort(made.kinds, fewer_chips);
    return made;
}

Result<std::vector<RatedChange>> changed_deployments(const ServingAsked& asked, std::int64_t batch,
                                                     const OfferedLoad& said,
                                                     const std::vector<ServingLimit>& limits,
                                                     const RatedDeployment& of, const RunControl& control) {
    const OfferedLoad load = with_rate_of_list(said);
    const std::array<std::pair<std::string, double SheetScale::*>, 4> numbers = {
        std::pair(meshslice::said("arithmetic"), &SheetScale::arithmetic),
        std::pair(meshslice::said("memory bandwidth"), &SheetScale::memory_rate),
        std::pair(meshslice::said("memory"), &SheetScale::memory),
        std::pair(meshslice::said("links"), &SheetScale::links)};
    std::vector<RatedChange> made;
    for (const auto& number : numbers) {
        const auto chips = [&](double times) -> Result<std::optional<double>> {
            ServingAsked changed = asked;
            changed.chips = 0;
            changed.scale.*number.second = times;
            Result<Replica> one = replica_of(changed, of.tensor);
            if (!one) {
                return refuse(one.error());
            }
            KindSearch search(changed, with_lengths_of(load, *std::move(one)), {of.apart(), of.most_servers},
                              load, limits, control);
            constexpr std::int64_t most_more = 8; // times as many: farther off is not looked for
            const Result<RatedKind> kind = search.run(batch, most_more * of.chips);
            if (!kind) {
                return refuse(kind.error());
            }
            return kind->found.met() ? std::optional(kind->found.held) : std::nullopt;
        };
        const Result<std::optional<double>> twice = chips(2), half = chips(0.5);
        if (!twice || !half) {
            return refuse(twice ? half.error() : twice.error());
        }
        made.push_back({number.first, *twice, *half});
    }
    return made;
}

} // namespace meshslice
