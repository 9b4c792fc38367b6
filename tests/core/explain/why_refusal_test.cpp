// What cannot be explained.

#include "core/explain/why.h"
#include "core/scenario/scenario.h"
#include "core/step/training_step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stop_token>

namespace meshslice {
namespace {

TEST(Why, IsRefusedWithoutASimulation) {
    const Scenario scenario = default_scenario();
    const auto step = training_step(scenario, "meshslice", Depth::estimate);
    const auto why = meshslice::why(*step, scenario);
    ASSERT_FALSE(why);
    EXPECT_THAT(why.error().sentence, testing::HasSubstr("only a simulation has a critical path"));
    std::stop_source stop;
    stop.request_stop();
    const auto simulated = training_step(scenario, "meshslice", Depth::simulate);
    const auto stopped = meshslice::why(*simulated, scenario, stop.get_token());
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().kind, Error::Kind::cancelled);
}

} // namespace
} // namespace meshslice
