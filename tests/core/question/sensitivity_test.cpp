// Which number of the machine matters: hand calculations of times that have a formula, and of one GEMM on one
// chip.

#include "core/machine/catalogue.h"
#include "core/question/offer.h"
#include "core/question/sensitivity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace meshslice {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// One GEMM on one chip, which sends nothing, and whose memory is so fast that it holds nothing up.
Scenario on_one_chip() {
    Scenario scenario = default_scenario();
    scenario.gemm = SingleGemm{{4096, 4096, 4096}, Dataflow::OS};
    scenario.mesh = {1, 1};
    scenario.compare.clear();
    Bandwidth& memory = scenario.hardware.hbm_bandwidth.value;
    memory = Bandwidth(16 * memory.value());
    return scenario;
}

const NumberEffect* effect(const Sensitivity& found, const std::string& name) {
    const auto at = std::ranges::find(found.ranked, name, &NumberEffect::name);
    return at == found.ranked.end() ? nullptr : &*at;
}

/// 6 s of work at the peak, and 3 s of links: twice the peak takes 3 + 3, half of it 12 + 3; twice the links
/// 6 + 1.5, half of them 6 + 6.
TEST(Sensitivity, RanksByTheLargestChange) {
    const Scenario scenario = default_scenario();
    const double peak = scenario.hardware.peak_rate(DataType::bf16).value();
    const double links = scenario.hardware.network.link_bandwidth(0).value();
    const TimeOn time = [&](const Scenario& other) {
        return Timed{6 * peak / other.hardware.peak_rate(DataType::bf16).value() +
                         3 * links / other.hardware.network.link_bandwidth(0).value(),
                     true};
    };
    const auto found = sensitivity(scenario, time);
    ASSERT_TRUE(found) << found.error().sentence;
    EXPECT_EQ(found->now.seconds, 9);
    ASSERT_GE(found->ranked.size(), 2u);
    EXPECT_EQ(found->ranked[0].name, "peak");
    EXPECT_DOUBLE_EQ(found->ranked[0].twice->seconds, 6);
    EXPECT_DOUBLE_EQ(found->ranked[0].half->seconds, 15);
    EXPECT_EQ(found->ranked[1].name, "link bandwidth");
    EXPECT_DOUBLE_EQ(found->ranked[1].twice->seconds, 7.5);
    EXPECT_DOUBLE_EQ(found->ranked[1].half->seconds, 12);
    EXPECT_THAT(found->no_effect, Contains("HBM bandwidth"));
    EXPECT_EQ(sensitivity_finding(*found),
              "Most to gain from peak x 2 (1.50x faster), most to lose from peak x 0.5 (1.67x slower)");
    // What to gain from and what to lose from need not be one number: 9 s to 7.5 s here, to 18 s there.
    Sensitivity two{{9}};
    two.ranked = {{.name = "HBM bandwidth", .twice = Timed{8.5}, .half = Timed{18}},
                  {.name = "link bandwidth", .twice = Timed{7.5}, .half = Timed{12}}};
    EXPECT_EQ(sensitivity_finding(two),
              "Most to gain from link bandwidth x 2 (1.20x faster), most to lose from HBM bandwidth x 0.5 "
              "(2.00x slower)");
    // The offer is what a user would edit.
    const auto offer = offer_of(found->ranked[0], found->now);
    ASSERT_TRUE(offer);
    const auto taken = with_edits(scenario, offer->edits);
    ASSERT_TRUE(taken) << taken.error().sentence;
    EXPECT_DOUBLE_EQ(taken->hardware.peak_rate(DataType::bf16).value(), 2 * peak);
    EXPECT_EQ(name_of(scenario, offer->edits), "peak in bf16 x 2");
}

/// Half a latency is faster, and the offer says so.
TEST(Sensitivity, OffersHalfOfALatency) {
    const Scenario scenario = default_scenario();
    const TimeOn time = [](const Scenario& other) {
        return Timed{1 + in_seconds(other.hardware.sync.value) * 1e5, true};
    };
    const auto found = sensitivity(scenario, time);
    ASSERT_TRUE(found);
    ASSERT_EQ(found->ranked.size(), 1u);
    EXPECT_EQ(found->ranked[0].name, "synchronization");
    EXPECT_LT(found->ranked[0].half->seconds, found->now.seconds);
    const auto offer = offer_of(found->ranked[0], found->now);
    ASSERT_TRUE(offer);
    EXPECT_THAT(offer->sentence, HasSubstr("synchronization x 0.5 is"));
    EXPECT_EQ(with_edits(scenario, offer->edits)->hardware.sync.value.value() * 2,
              scenario.hardware.sync.value.value());
}

/// What only decides whether it fits stands last, and is not faster.
TEST(Sensitivity, TellsWhatDecidesWhetherItFits) {
    const Scenario scenario = default_scenario();
    const double room = static_cast<double>(scenario.hardware.hbm.value.value());
    const TimeOn time = [&](const Scenario& other) {
        return Timed{1, static_cast<double>(other.hardware.hbm.value.value()) >= room};
    };
    const auto found = sensitivity(scenario, time);
    ASSERT_TRUE(found);
    ASSERT_EQ(found->ranked.size(), 1u);
    EXPECT_TRUE(found->ranked[0].twice->fits);
    EXPECT_FALSE(found->ranked[0].half->fits);
    EXPECT_FALSE(offer_of(found->ranked[0], found->now));
}

TEST(Sensitivity, SaysWhyThereIsNone) {
    const TimeOn refused = [](const Scenario&) -> Result<Timed> { return refuse("It does not run."); };
    const auto found = sensitivity(default_scenario(), refused);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().sentence, "It does not run.");
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = sensitivity(default_scenario(),
                                     [](const Scenario&) {
                                         return Timed{1, true};
                                     },
                                     false, {stop.get_token(), nullptr});
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().kind, Error::Kind::cancelled);
}

/// On one chip nothing is sent: the links have no effect, and twice the peak takes away half of what is
/// multiplied and nothing of what is launched. 2 x 4096^3 FLOP at the chip's rate.
TEST(Sensitivity, OnOneChipLinksHaveNoEffect) {
    const Scenario scenario = on_one_chip();
    const double multiplies =
        2 * std::pow(4096.0, 3) / scenario.hardware.effective_rate(DataType::bf16).value();
    for (const Depth depth : {Depth::estimate, Depth::simulate}) {
        const auto found = sensitivity(scenario, time_of_step(depth));
        ASSERT_TRUE(found) << found.error().sentence;
        const NumberEffect* const peak = effect(*found, "peak");
        ASSERT_NE(peak, nullptr);
        EXPECT_NEAR(found->now.seconds - peak->twice->seconds, multiplies / 2, 1e-3 * multiplies);
        EXPECT_NEAR(peak->half->seconds - found->now.seconds, multiplies, 1e-3 * multiplies);
        EXPECT_THAT(found->no_effect, Contains("link bandwidth"));
        EXPECT_THAT(found->no_effect, Contains("synchronization"));
        EXPECT_THAT(found->no_effect, Not(Contains("peak")));
        EXPECT_EQ(found->ranked.front().name, "peak");
    }
}

/// A cluster's switches have numbers of their own, which no field of the scenario is.
TEST(Sensitivity, KnowsTheNumbersOfSwitches) {
    Scenario scenario = default_scenario();
    scenario.hardware = *machine_preset("h100");
    const std::size_t last = scenario.hardware.network.levels.size() - 1;
    const double before = scenario.hardware.network.levels[last].bandwidth.value.value();
    const TimeOn time = [&](const Scenario& other) {
        return Timed{before / other.hardware.network.levels[last].bandwidth.value.value(), true};
    };
    const auto found = sensitivity(scenario, time, true);
    ASSERT_TRUE(found) << found.error().sentence;
    ASSERT_EQ(found->ranked.size(), 1u);
    EXPECT_THAT(found->ranked[0].name, HasSubstr("network bandwidth"));
    EXPECT_DOUBLE_EQ(found->ranked[0].twice->seconds, 0.5);
    const auto taken = with_edits(scenario, found->ranked[0].with_twice);
    ASSERT_TRUE(taken) << taken.error().sentence;
    EXPECT_DOUBLE_EQ(taken->hardware.network.levels[last].bandwidth.value.value(), 2 * before);
}

/// Plans are made for axes that are alike. Of one axis' links alone the time is not known, which is another
/// thing than no effect.
TEST(Sensitivity, TellsARefusalFromNoEffect) {
    const TimeOn time = [](const Scenario& other) {
        return other.hardware.network.axes_alike() ? Result<Timed>(Timed{1, true})
                                                   : refuse("The axes differ.");
    };
    const auto found = sensitivity(default_scenario(), time);
    ASSERT_TRUE(found) << found.error().sentence;
    EXPECT_THAT(found->no_effect, Contains("link bandwidth"));
    EXPECT_THAT(found->no_effect, Not(Contains("vertical links")));
    EXPECT_EQ(unanswered_words(*found),
              "Without an answer: vertical links, horizontal links. The axes differ.");
    EXPECT_THAT(sensitivity_chart(*found, "title").notes, Contains(unanswered_words(*found)));
}

TEST(Sensitivity, SaysEachReasonWithItsNumbers) {
    Sensitivity found;
    EXPECT_EQ(unanswered_words(found), "");
    found.unanswered = {{"links", "The axes differ."}, {"HBM", "It is full."}, {"rings", "The axes differ."}};
    EXPECT_EQ(unanswered_words(found),
              "Without an answer: links, rings. The axes differ. Without an answer: HBM. It is full.");
}

/// Two ports of 50 GB/s are the same 100 GB/s as one of twice the bandwidth: one row says it. Where they are
/// not the same, both stand.
TEST(Sensitivity, SaysABandwidthOnce) {
    Scenario scenario = default_scenario();
    scenario.hardware = *machine_preset("h100");
    const auto bytes_per_s = [](const Scenario& of) {
        const Level& network = of.hardware.network.levels.back();
        return network.bandwidth.value.value() * network.ports.value;
    };
    const double before = bytes_per_s(scenario);
    const auto once = sensitivity(
        scenario,
        [&](const Scenario& other) {
            return Timed{before / bytes_per_s(other), true};
        },
        true);
    ASSERT_TRUE(once) << once.error().sentence;
    ASSERT_EQ(once->ranked.size(), 1u);
    EXPECT_EQ(once->ranked[0].name, "network bandwidth");
    EXPECT_THAT(once->no_effect, Not(Contains("network ports")));
    const auto ports = sensitivity(
        scenario,
        [](const Scenario& other) {
            return Timed{1 / other.hardware.network.levels.back().ports.value, true};
        },
        true);
    ASSERT_TRUE(ports) << ports.error().sentence;
    ASSERT_EQ(ports->ranked.size(), 1u);
    EXPECT_EQ(ports->ranked[0].name, "network ports");
}

TEST(Sensitivity, DrawsARowForEachNumber) {
    Sensitivity found{{2, true}};
    found.ranked = {{"peak", "100 TFLOP/s", Timed{1, true}, Timed{4, true}, {}, {}},
                    {"HBM", "16 GB", Timed{2, true}, std::nullopt, {}, {}}};
    found.no_effect = {"PCIe"};
    const Chart chart = sensitivity_chart(found, "title");
    ASSERT_EQ(chart.panels.size(), 1u);
    EXPECT_EQ(chart.panels[0].y.categories.size(), 2u);
    EXPECT_THAT(chart.notes, Contains("No effect (less than 0.5%): PCIe."));
    const Table table = sensitivity_table(found);
    ASSERT_EQ(table.rows.size(), 2u);
    EXPECT_EQ(std::get<double>(table.rows[0][4]), 0.5);
    EXPECT_EQ(std::get<double>(table.rows[0][6]), 2);
    EXPECT_EQ(std::get<std::string>(table.rows[1][5]), "");
    EXPECT_EQ(ratio_words({2}, {1}), "2.00x faster");
    EXPECT_EQ(ratio_words({2}, {4}), "2.00x slower");
    EXPECT_EQ(ratio_words({2}, {2}), "as fast");
    const Timed expected{2, true, {}, true};
    EXPECT_EQ(ratio_words(expected, {4}), "at least 2.00x slower")
        << "the ideal time is the least there can be";
    EXPECT_EQ(ratio_words(expected, {1}), "at most 2.00x faster");
    EXPECT_EQ(ratio_words(expected, {4, true, {}, true}), "2.00x slower");
}

} // namespace
} // namespace meshslice
