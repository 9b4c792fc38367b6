#include "core/base/say.h"
#include "core/serve/simulate_serving.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>

namespace meshslice {
namespace {

/// What the first wrong value is, or nothing.
class RangeCheck {
  public:
    void number(const std::string& name, double value, double least, double most) {
        if (sentence_.empty() && !(value >= least && value <= most)) {
            sentence_ = say("{} is {:g}; expected {:g} to {:g}.", name, value, least, most);
        }
    }
    void whole(const std::string& name, std::int64_t value, std::int64_t least, std::int64_t most) {
        if (sentence_.empty() && (value < least || value > most)) {
            sentence_ = say("{} is {}; expected {} to {}.", name, value, least, most);
        }
    }
    template <class Sentence>
    void that(bool holds, Sentence sentence) {
        if (sentence_.empty() && !holds) {
            sentence_ = sentence();
        }
    }
    [[nodiscard]] Result<void> result() && {
        return sentence_.empty() ? Result<void>() : refuse(std::move(sentence_));
    }

  private:
    std::string sentence_;
};

constexpr double longest = 1e9; // s: a double still tells a tenth of a microsecond from the next there
constexpr std::int64_t most_tokens = 1 << 30, most_requests = 10'000'000;
constexpr std::int64_t most_servers = 100'000;
constexpr double least_rate = 1e-9, highest_rate = std::numeric_limits<double>::infinity();

void check(const ServerPool& pool, RangeCheck& check) {
    assert(pool.times != nullptr);
    const ServerSettings& settings = pool.settings;
    check.whole(say("The number of servers"), pool.servers, 1, most_servers);
    check.whole(say("The number of tokens of a step"), settings.most_tokens, 1, most_tokens);
    check.whole(say("The largest batch"), settings.most_batch, 1, most_tokens);
    check.whole(say("The page of the cache"), settings.page, 1, 1 << 16);
    check.whole(say("The room in the cache"), settings.cache_room, settings.page, unlimited_room);
    check.number(say("The rate of swapping"), settings.swap_rate, least_rate, highest_rate);
    check.number(say("The delay of a step"), settings.step_delay, 0, longest);
    check.number(say("The delay of the host"), settings.host_delay, 0, longest);
    check.that(settings.prompts != PromptPolicy::chunked || settings.most_batch <= settings.most_tokens, [&] {
        return say("A batch of {} does not fit into steps of {} tokens; expected a token for each request.",
                   settings.most_batch, settings.most_tokens);
    });
    const Autoscaling& scaling = pool.autoscaling;
    check.whole(say("The largest number of servers"), scaling.most, 0, most_servers);
    check.number(say("The period of autoscaling"), scaling.period, 1e-6, longest);
    check.number(say("The delay of a start"), scaling.start_delay, 0, longest);
    check.number(say("The number of requests for each server"), scaling.start_above, 0, 1e9);
    check.number(say("The number of requests for each server"), scaling.stop_below, 0, 1e9);
}

void check(const Lengths& lengths, RangeCheck& check) {
    check.whole(say("The shortest length"), lengths.least, 1, most_tokens);
    check.whole(say("The longest length"), lengths.most, lengths.least, most_tokens);
    check.number(say("A length"), lengths.nominal, 1, static_cast<double>(most_tokens));
    check.number(say("The spread of lengths"), lengths.spread, 0, lengths.law == LengthLaw::uniform ? 1 : 10);
}

/// What a prompt begins with is a part of it.
void check_group(const Arrivals& arrivals, std::int32_t group, std::int64_t input, RangeCheck& check) {
    const auto groups = static_cast<std::int64_t>(arrivals.groups.size());
    check.whole(say("The group of a prompt"), group, -1, groups - 1);
    check.that(group < 0 || group >= groups || shared_tokens(arrivals.groups, group) <= input, [&] {
        return say("A prompt of {} tokens begins with {} shared ones; expected no more than it has.", input,
                   shared_tokens(arrivals.groups, group));
    });
}

void check_list(const Arrivals& arrivals, RangeCheck& check) {
    double before = -std::numeric_limits<double>::infinity();
    const auto groups = static_cast<std::int64_t>(arrivals.groups.size());
    for (const ServingRequest& one : arrivals.list) {
        check.whole(say("The length of a prompt"), one.input, 1, most_tokens);
        check.whole(say("The length of an output"), one.output, 1, most_tokens);
        check_group(arrivals, one.group, one.input, check);
        check.whole(say("The group of a prompt"), one.leaves, -1, groups - 1);
        check.that(one.leaves < 0 || one.leaves >= groups ||
                       (arrivals.groups[static_cast<std::size_t>(one.leaves)].parent == one.group &&
                        shared_tokens(arrivals.groups, one.leaves) < one.input + one.output),
                   [] {
                       return say("A conversation leaves another group than its prompt and its output make; "
                                  "expected one after the prompt's that is shorter than both.");
                   });
        if (arrivals.law == ArrivalLaw::listed) {
            check.number(say("An arrival"), one.arrival, -longest, longest);
            check.that(one.arrival >= before, [] {
                return say("The arrivals are out of order; expected each after the one before.");
            });
            before = one.arrival;
        }
    }
}

void check(const Arrivals& arrivals, RangeCheck& check_range) {
    const bool listed = arrivals.law == ArrivalLaw::listed;
    check_range.whole(say("The number of requests"),
                      listed ? static_cast<std::int64_t>(arrivals.list.size()) : arrivals.requests, 1,
                      most_requests);
    check_range.number(say("The rate of arrivals"), arrivals.rate, least_rate, 1e12);
    check_range.whole(say("The size of a burst"), arrivals.burst, 1, most_requests);
    check_range.whole(say("The number of clients"), arrivals.clients, 1, most_requests);
    check_range.number(say("The delay of a client"), arrivals.client_delay, 0, longest);
    for (std::size_t index = 0; index < arrivals.groups.size(); ++index) {
        check_range.whole(say("The group of a prompt"), arrivals.groups[index].parent, -1,
                          static_cast<std::int64_t>(index) - 1);
        check_range.whole(say("The length of a group"), arrivals.groups[index].tokens, 0, most_tokens);
    }
    if (!arrivals.list.empty()) {
        check_list(arrivals, check_range);
        return;
    }
    check_range.that(!arrivals.kinds.empty(),
                     [] { return say("No kind of request is there; expected one."); });
    for (const RequestKind& kind : arrivals.kinds) {
        check_range.number(say("The weight of a kind of request"), kind.weight, least_rate, 1e9);
        check(kind.input, check_range);
        check(kind.output, check_range);
        const double least = kind.input.law == LengthLaw::fixed     ? kind.input.nominal
                             : kind.input.law == LengthLaw::uniform ? kind.input.nominal * kind.input.spread
                                                                    : 1;
        check_group(arrivals, kind.group,
                    std::min(kind.input.most, std::max(kind.input.least, static_cast<std::int64_t>(least))),
                    check_range);
    }
}

void check_failures(const ServingDeployment& deployment, RangeCheck& check) {
    std::int64_t servers = 0;
    for (const ServerPool& pool : deployment.pools) {
        servers += std::max(pool.servers, pool.autoscaling.most);
    }
    std::map<std::int64_t, double> back;
    for (const ServerFailure& failure : deployment.failures) {
        check.whole(say("The server that fails"), failure.server, 0, servers - 1);
        check.number(say("The time of a failure"), failure.at, 0, longest);
        check.that(failure.back > failure.at,
                   [] { return say("A server is back before it fails; expected it later."); });
        const auto before = back.find(failure.server);
        check.that(before == back.end() || failure.at > before->second,
                   [] { return say("A server fails while it is away; expected it to be back before."); });
        back[failure.server] = failure.back;
    }
}

} // namespace

Result<void> check_serving(const ServingDeployment& deployment, const Arrivals& arrivals) {
    assert(deployment.pools.size() == 1 || deployment.pools.size() == 2);
    RangeCheck range;
    for (const ServerPool& pool : deployment.pools) {
        check(pool, range);
    }
    range.number(say("The rate of a transfer"), deployment.transfer.rate, least_rate, highest_rate);
    range.number(say("The latency of a transfer"), deployment.transfer.latency, 0, longest);
    range.number(say("The number of bytes of a token"), deployment.bytes_per_token, 0, 1e12);
    check(arrivals, range);
    check_failures(deployment, range);
    return std::move(range).result();
}

} // namespace meshslice
