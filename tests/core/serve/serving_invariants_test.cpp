// What holds for every deployment and all arrivals, asked of many that are drawn.

#include "core/serve/draws.h"
#include "tests/core/serve/small_serving.h"

#include <algorithm>

namespace meshslice {
namespace {

using namespace tests;

const StraightStepTimes prompt_times(StraightCosts{0.01, 1e-4, 1e-7, 1e-3, 1e-6});

struct DrawnCase {
    ServingDeployment deployment = servers_of(prompt_times);
    Arrivals arrivals;
};

template <class Value>
Value one_of(Draws& draws, std::initializer_list<Value> values) {
    return *(values.begin() + static_cast<std::ptrdiff_t>(draws.bits() % values.size()));
}

DrawnCase drawn_case(std::uint64_t seed) {
    Draws draws(seed, 9);
    DrawnCase drawn;
    drawn.deployment.pools.reserve(2);
    ServerPool& pool = drawn.deployment.pools[0];
    ServerSettings& settings = pool.settings;
    pool.servers = one_of<std::int64_t>(draws, {1, 2, 5});
    pool.routing = one_of(draws, {Routing::round_robin, Routing::least_loaded, Routing::prefix_aware});
    settings.prompts = one_of(draws, {PromptPolicy::chunked, PromptPolicy::whole, PromptPolicy::alone});
    settings.most_tokens = one_of<std::int64_t>(draws, {64, 300, 2000});
    settings.most_batch = one_of<std::int64_t>(draws, {1, 7, 40});
    settings.page = one_of<std::int64_t>(draws, {1, 5, 16});
    settings.cache_room = one_of<std::int64_t>(draws, {900, 2000, 20'000, unlimited_room});
    settings.cache = one_of(draws, {CachePolicy::grows, CachePolicy::reserved});
    settings.preemption = one_of(draws, {Preemption::recompute, Preemption::swap});
    settings.prefix_cache = one_of(draws, {false, true});
    settings.host_delay = one_of(draws, {0.0, 0.003});
    drawn.deployment.bytes_per_token = 1e5;
    if (draws.bits() % 3 == 0) {
        drawn.deployment.pools.push_back(pool);
        drawn.deployment.pools[1].servers = one_of<std::int64_t>(draws, {1, 3});
        drawn.deployment.transfer = {1e9, 1e-3};
    }
    if (draws.bits() % 3 == 0) {
        const auto last = pool.servers + (drawn.deployment.pools.size() > 1 ? 1 : 0) - 1;
        drawn.deployment.failures = {{0, 1, 2.5}, {last, 3.25, 4}, {0, 5, 5.125}};
    }
    if (draws.bits() % 4 == 0) {
        drawn.deployment.pools[0].autoscaling = {pool.servers + 2, 0.5, 2, 1, 0.25};
    }
    Arrivals& arrivals = drawn.arrivals;
    arrivals.seed = seed;
    arrivals.requests = 300;
    arrivals.law = one_of(
        draws, {ArrivalLaw::poisson, ArrivalLaw::bursts, ArrivalLaw::at_once, ArrivalLaw::closed_loop});
    arrivals.clients = 20;
    arrivals.rate = one_of(draws, {5.0, 50.0});
    arrivals.groups = {{-1, 60}, {0, 30}, {0, 40}};
    arrivals.kinds[0] = {
        1, {LengthLaw::lognormal, 200, 1, 100, 800}, {LengthLaw::exponential, 30, 0, 1, 200}};
    for (std::int32_t group = 0; group < 3; ++group) {
        arrivals.kinds.push_back(arrivals.kinds[0]);
        arrivals.kinds.back().group = group;
        arrivals.kinds.back().priority = group == 1 ? 1 : 0;
    }
    return drawn;
}

void expect_invariants(const DrawnCase& drawn, const ServingResult& found) {
    const bool failures = !drawn.deployment.failures.empty();
    ASSERT_EQ(found.requests.size(), 300u);
    std::int64_t asked = 0, out = 0, prompts = 0, computed = 0;
    for (const RequestOutcome& one : found.requests) {
        ASSERT_NE(one.end, RequestEnd::lost);
        if (one.end == RequestEnd::finished) {
            ASSERT_LE(one.arrival, one.started);
            ASSERT_LT(one.started, one.first);
            ASSERT_LE(one.first, one.last);
            ASSERT_EQ(one.output == 1, one.first == one.last);
            asked += one.output;
            prompts += one.input - one.reused;
        } else {
            const std::int64_t room = drawn.deployment.pools[0].settings.cache_room;
            ASSERT_GT(one.input + one.output, room - drawn.deployment.pools[0].settings.page);
        }
        ASSERT_TRUE(one.restarts == 0 || failures);
    }
    const auto pool_of = [&](std::size_t server) -> const ServerPool& {
        const auto first =
            std::max(drawn.deployment.pools[0].servers, drawn.deployment.pools[0].autoscaling.most);
        return drawn.deployment.pools[server < static_cast<std::size_t>(first) ? 0 : 1];
    };
    for (std::size_t server = 0; server < found.servers.size(); ++server) {
        out += found.servers[server].output_tokens;
        computed += found.servers[server].prompt_tokens;
        ASSERT_LE(found.servers[server].most_cache, pool_of(server).settings.cache_room);
        ASSERT_LE(found.servers[server].busy, found.servers[server].alive * (1 + 1e-12) + 1e-12);
    }
    const auto preempted = [](const RequestOutcome& one) {
        return one.preemptions > 0 || one.restarts > 0 || one.end == RequestEnd::refused;
    };
    if (std::ranges::none_of(found.requests, preempted)) {
        ASSERT_EQ(out, asked);
        ASSERT_EQ(computed, prompts);
    } else {
        ASSERT_GE(out, asked);
        // A request that begins again may find more of its prompt than it did at first.
        ASSERT_TRUE(computed >= prompts || drawn.deployment.pools[0].settings.prefix_cache);
    }
    // No server has two steps at once, none is larger than it may be.
    std::vector<double> until(found.servers.size(), -1);
    for (const ServerStretch& one : found.stretches) {
        const auto server = static_cast<std::size_t>(one.server);
        const ServerSettings& settings = pool_of(server).settings;
        ASSERT_GE(one.start, until[server]);
        ASSERT_GT(one.end, one.start);
        ASSERT_LE(one.decoding, settings.most_batch);
        if (settings.prompts == PromptPolicy::chunked) {
            ASSERT_LE(one.decoding + one.prompt_tokens, settings.most_tokens);
        } else {
            ASSERT_TRUE(one.prompt_tokens <= settings.most_tokens || one.prompts == 1);
        }
        ASSERT_FALSE(settings.prompts == PromptPolicy::alone && one.prompts > 0 && one.decoding > 0);
        until[server] = one.end;
    }
}

TEST(ServingInvariants, HoldForWhateverIsDrawn) {
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        SCOPED_TRACE(seed);
        const DrawnCase drawn = drawn_case(seed);
        const ServingResult found = served(drawn.deployment, drawn.arrivals, 1'000'000);
        expect_invariants(drawn, found);
        if (HasFatalFailure()) {
            return;
        }
        EXPECT_EQ(found, served(drawn.deployment, drawn.arrivals, 1'000'000));
    }
}

TEST(ServingInvariants, MoreServersAreNeverWorse) {
    for (const PromptPolicy policy : {PromptPolicy::chunked, PromptPolicy::whole, PromptPolicy::alone}) {
        ServingDeployment deployment = servers_of(prompt_times);
        deployment.pools[0].settings.prompts = policy;
        deployment.pools[0].settings.most_batch = 16;
        double before = std::numeric_limits<double>::infinity();
        for (const std::int64_t servers : {1, 2, 4, 8}) {
            deployment.pools[0].servers = servers;
            const ServingSummary found =
                summarize(served(deployment, alike(ArrivalLaw::at_once, 128, 500, 40)));
            EXPECT_LE(found.e2e.mean, before);
            EXPECT_LE(found.queue.mean, before);
            before = found.e2e.mean;
        }
    }
}

TEST(ServingInvariants, StepsTakenTogetherLastAsLongAsOneByOne) {
    ServingDeployment deployment = servers_of(prompt_times);
    const ServingResult run = served(deployment, replayed({request_at(0, 100, 1000)}), 10'000);
    EXPECT_EQ(run.stretches.size(), 2u);
    const DecodeLine line = prompt_times.decode_line(1);
    double now = run.requests[0].first;
    for (int token = 1; token < 1000; ++token) {
        now += line.start + line.per_token * (100 + token);
    }
    EXPECT_NEAR(run.requests[0].last, now, 1e-12 * 1000 * now);
}

TEST(ServingInvariants, StopsWhenItIsAskedTo) {
    std::stop_source source;
    source.request_stop();
    ServingOptions options;
    options.control.stop = source.get_token();
    std::atomic<double> progress = 0;
    options.control.progress = &progress;
    const Arrivals arrivals = alike(ArrivalLaw::poisson, 1000, 10, 10);
    const auto stopped = simulate_serving(servers_of(prompt_times), arrivals, options);
    ASSERT_FALSE(stopped.has_value());
    EXPECT_EQ(stopped.error().kind, Error::Kind::cancelled);
    options.control.stop = {};
    EXPECT_TRUE(simulate_serving(servers_of(prompt_times), arrivals, options).has_value());
    EXPECT_DOUBLE_EQ(progress, 1);
}

} // namespace
} // namespace meshslice
