// What changes from few chips to many.

#include "core/evidence/scale_log.h"
#include "core/machine/catalogue.h"
#include "core/report/plan/scale_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::Gt;
using testing::HasSubstr;
using testing::Lt;

/// Llama 3 8B on H100, 2 samples of 8192 tokens for each of 8 chips.
PlanQuestion llama() {
    PlanQuestion question;
    question.model = *model_preset("llama-3-8b");
    question.sequence = 8192;
    question.batch = 16;
    question.machine = *machine_preset("h100-nvs8");
    question.chips = 8;
    question.ends = question.optimizer_step = true;
    question.split.strategy = "1d";
    return question;
}

TEST(ScaleLog, ChipsAreDoubled) {
    EXPECT_THAT(doubled_chips(8, 64), ElementsAre(8, 16, 32, 64));
    EXPECT_THAT(doubled_chips(6, 20), ElementsAre(6, 12));
    EXPECT_THAT(doubled_chips(8, 7), testing::IsEmpty());
}

/// As many samples for each chip: a step takes nearly as long, and stragglers and sums over the network grow.
TEST(ScaleLog, KeepsTheBatchOfAChip) {
    const ScaleLog log = scale_log(llama(), doubled_chips(8, 1024), ScaledBatch::per_chip).value();
    ASSERT_EQ(log.rows.size(), 8);
    for (const ScaleRow& row : log.rows) {
        EXPECT_EQ(row.batch, 2 * row.chips);
        ASSERT_TRUE(row.best && row.expected.known());
        EXPECT_EQ(row.best->plan.chips(), row.chips);
        EXPECT_LE(row.expected.low, row.expected.seconds);
        EXPECT_GE(row.expected.high, row.expected.seconds);
        // MFU by two ways: the FLOP are the same.
        EXPECT_NEAR(row.expected_utilization() * row.expected.seconds,
                    row.best->reading.utilization * row.best->reading.time.total, 1e-9);
    }
    const ScaleRow &few = log.rows.front(), &many = log.rows.back();
    EXPECT_EQ(few.expected.parts.stragglers, 0) << "none among 8 chips";
    EXPECT_GT(many.expected.parts.stragglers, 0);
    EXPECT_NEAR(many.best->reading.time.total, few.best->reading.time.total,
                0.2 * few.best->reading.time.total);
    EXPECT_THAT(scale_finding(log), HasSubstr("From 8 to 1024 chips the expected MFU goes from"));
}

/// The same batch on more chips: less for each to do, until there are more copies than samples.
TEST(ScaleLog, KeepsTheWholeBatch) {
    PlanQuestion question = llama();
    question.batch = 64;
    const ScaleLog log = scale_log(question, doubled_chips(8, 64), ScaledBatch::whole).value();
    for (std::size_t k = 1; k < log.rows.size(); ++k) {
        EXPECT_EQ(log.rows[k].batch, 64);
        EXPECT_LT(log.rows[k].best->reading.time.total, log.rows[k - 1].best->reading.time.total);
    }
    EXPECT_LT(log.rows.back().best->reading.utilization, log.rows.front().best->reading.utilization * 1.01);
}

/// The finding, the chart and the table speak of one step: of the expected one where its MFU is shown, and of
/// the ideal one where nothing is expected.
TEST(ScaleLog, SharesAreOfTheStepWhoseMfuIsShown) {
    ScaleLog log = scale_log(llama(), {8, 16}, ScaledBatch::per_chip).value();
    ASSERT_TRUE(shows_expected(log));
    EXPECT_EQ(scale_chart(log).panels.back().y.label, "share of the expected step");
    for (const ScaleRow& row : log.rows) {
        const StepSeconds& parts = row.expected.parts;
        double sum = (parts.compute + parts.head + parts.optimizer) / row.expected.seconds;
        for (const ScalePart& part : scale_parts(true)) {
            sum += part.share(row);
        }
        EXPECT_NEAR(sum, 1, 1e-9) << "with what a chip computes, all of the expected step";
    }
    const Tree row = scale_values(log).at("rows")->items().front();
    EXPECT_TRUE(row.at("expected_weights_share") != nullptr && row.at("ideal_data_share") != nullptr);
    log.rows[1].expected.reason = "Nothing is known.";
    EXPECT_FALSE(shows_expected(log));
    EXPECT_EQ(scale_chart(log).panels.back().y.label, "share of the ideal step");
    EXPECT_THAT(scale_finding(log), HasSubstr("the ideal MFU goes from"));
}

/// Three samples on eight chips are none on one.
TEST(ScaleLog, SaysWhereThereIsNoPlan) {
    PlanQuestion question = llama();
    question.batch = 12;
    const ScaleLog log = scale_log(question, {1, 2, 8}, ScaledBatch::per_chip).value();
    EXPECT_FALSE(log.rows[0].best);
    EXPECT_THAT(log.rows[0].objection, HasSubstr("A batch of 12 on 8 chips is not a whole number"));
    EXPECT_EQ(log.rows[1].batch, 3);
    EXPECT_TRUE(log.rows[2].best);
    const Tree values = scale_values(log);
    EXPECT_EQ(values.at("rows")->items().size(), 3);
}

/// Llama 3 70B and 405B were measured on H100 from 64 to 16384 chips; on 16384 that of Meta, at 40 to 43%.
TEST(ScaleLog, MeasuredRunsStandAtTheirSize) {
    PlanQuestion question = llama();
    question.model = *model_preset("llama-3-405b");
    const std::vector<MeasuredAtScale> near = measured_at_scale(question, 16'384, 3);
    ASSERT_FALSE(near.empty());
    EXPECT_EQ(near.front().chips, 16'384);
    EXPECT_THAT(near.front().utilization, testing::AllOf(Gt(0.35), Lt(0.45)));
    for (const std::int64_t chips : {64, 512}) {
        for (const MeasuredAtScale& one : measured_at_scale(question, chips, 3)) {
            EXPECT_LE(std::abs(std::log2(static_cast<double>(one.chips) / static_cast<double>(chips))), 0.5);
            EXPECT_THAT(one.model, testing::StartsWith("llama"));
        }
    }
    question.machine = *machine_preset("tpu-v4-paper");
    for (const MeasuredAtScale& one : measured_at_scale(question, 64, 3)) {
        EXPECT_THAT(one.hardware, testing::StartsWith("TPU"));
    }
}

} // namespace
} // namespace meshslice
