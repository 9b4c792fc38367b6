#include "tests/core/serve/small_serving.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

namespace meshslice {
namespace {

using namespace tests;

struct AskedWrongly {
    std::function<void(ServingDeployment&, Arrivals&)> change;
    std::string part; ///< of the sentence
};

TEST(CheckServing, SaysWhatIsWrong) {
    const StraightStepTimes times(StraightCosts{1, 0, 0, 0, 0});
    const std::vector<AskedWrongly> all = {
        {[](ServingDeployment& d, Arrivals&) { d.pools[0].servers = 0; }, "The number of servers is 0"},
        {[](ServingDeployment& d, Arrivals&) { d.pools[0].settings.most_tokens = 100; },
         "A batch of 1024 does not fit into steps of 100 tokens"},
        {[](ServingDeployment& d, Arrivals&) { d.pools[0].settings.cache_room = 3; },
         "The room in the cache is 3; expected 16"},
        {[](ServingDeployment& d, Arrivals&) { d.pools[0].settings.step_delay = -1; },
         "The delay of a step is -1"},
        {[](ServingDeployment& d, Arrivals&) { d.pools[0].settings.host_delay = std::nan(""); },
         "The delay of the host is nan"},
        {[](ServingDeployment& d, Arrivals&) {
             d.failures = {{7, 1}};
         },
         "The server that fails is 7; expected 0 to 0"},
        {[](ServingDeployment& d, Arrivals&) {
             d.failures = {{0, 3, 2}};
         },
         "back before it fails"},
        {[](ServingDeployment& d, Arrivals&) {
             d.failures = {{0, 3, 5}, {0, 4, 6}};
         },
         "while it is away"},
        {[](ServingDeployment& d, Arrivals&) { d.transfer.rate = 0; }, "The rate of a transfer is 0"},
        {[](ServingDeployment&, Arrivals& a) { a.rate = 0; }, "The rate of arrivals is 0"},
        {[](ServingDeployment&, Arrivals& a) { a.requests = 0; }, "The number of requests is 0"},
        {[](ServingDeployment&, Arrivals& a) { a.law = ArrivalLaw::listed; }, "The number of requests is 0"},
        {[](ServingDeployment&, Arrivals& a) {
             a = replayed({request_at(2, 1, 1), request_at(1, 1, 1)});
         },
         "The arrivals are out of order"},
        {[](ServingDeployment&, Arrivals& a) { a = replayed({request_at(2, 0, 1)}); },
         "The length of a prompt is 0"},
        {[](ServingDeployment&, Arrivals& a) { a.kinds.clear(); }, "No kind of request is there"},
        {[](ServingDeployment&, Arrivals& a) { a.kinds[0].input.most = 0; }, "The longest length is 0"},
        {[](ServingDeployment&, Arrivals& a) { a.kinds[0].group = 0; }, "The group of a prompt is 0"},
        {[](ServingDeployment&, Arrivals& a) {
             a.groups = {{-1, 2000}};
             a.kinds[0].group = 0;
         },
         "A prompt of 1024 tokens begins with 2000 shared ones"},
        {[](ServingDeployment&, Arrivals& a) {
             a = replayed({request_at(0, 8, 8)});
             a.groups = {{-1, 16}};
             a.list[0].leaves = 0;
         },
         "A conversation leaves another group"}};
    for (const AskedWrongly& one : all) {
        ServingDeployment deployment = servers_of(times);
        Arrivals arrivals;
        EXPECT_TRUE(check_serving(deployment, arrivals).has_value());
        one.change(deployment, arrivals);
        const auto found = simulate_serving(deployment, arrivals);
        ASSERT_FALSE(found.has_value()) << one.part;
        EXPECT_THAT(found.error().sentence, testing::HasSubstr(one.part));
    }
}

} // namespace
} // namespace meshslice
