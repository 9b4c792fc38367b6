#include "core/machine/catalogue.h"
#include "core/plan/search/chosen_plan.h"
#include "core/report/summary/bill_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

namespace meshslice {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// Llama 3 8B on 8 H100, weights sharded, for a trillion tokens.
PlanQuestion llama_for_a_trillion() {
    PlanQuestion question;
    question.model = *model_preset("llama-3-8b");
    question.sequence = 8192;
    question.batch = 16;
    question.machine = *machine_preset("h100-nvs8");
    question.chips = 8;
    question.ends = question.optimizer_step = true;
    question.tokens = 1'000'000'000'000;
    question.prices = {2.0, {}, 1.25};
    return question;
}

RankedPlan chosen(const PlanQuestion& question) {
    Plan plan;
    plan.data = plan.placement.data = 8;
    plan.micro_batch = 2;
    plan.zero = 3;
    plan.recompute = Recompute::full;
    const PlanModel model = plan_model(question).value();
    return {plan, model.reading(plan, model.layer(plan))};
}

const BillRow& row(const PlanBill& bill, const std::string& key) {
    return *std::ranges::find(bill.rows, key, &BillRow::key);
}

/// 8.03e9 weights without 0.53e9 of the embedding: 6 x 7.5e9 and 6 x 32 x 4096 x 8192 FLOP of attention for a
/// token, half of 12; all of it, 12 of these; and the embedding's 6 x 0.53e9. Recomputed: 8, and 16.
TEST(BillWords, EachConventionCountsItsFlop) {
    const PlanQuestion question = llama_for_a_trillion();
    const RankedPlan plan = chosen(question);
    const PlanBill bill = *plan_bill(question, plan, expected_step(question, plan.plan), {});
    const double head = 128256.0 * 4096, layers = 32.0 * 4096 * (6144 + 4096 + 3 * 14336);
    const double pairs = 32.0 * 4096 * 8192;
    const double per_flop = 16.0 * 8192 / 8 / plan.reading.time.total / 989.4e12;
    const auto mfu = [&](const char* key) { return row(bill, std::string("mfu_") + key).ideal; };
    EXPECT_NEAR(mfu("half_attention"), (6 * (layers + head) + 6 * pairs) * per_flop, 1e-9);
    EXPECT_NEAR(mfu("whole_attention"), (6 * (layers + head) + 12 * pairs) * per_flop, 1e-9);
    EXPECT_NEAR(mfu("both_ends"), (6 * (layers + 2 * head) + 12 * pairs) * per_flop, 1e-9);
    EXPECT_NEAR(mfu("recomputed"), (8 * (layers + head) + 16 * pairs) * per_flop, 1e-9);
}

TEST(BillWords, SaysEachNumberWithItsInterval) {
    const PlanQuestion question = llama_for_a_trillion();
    const RankedPlan plan = chosen(question);
    const ExpectedStep expected = expected_step(question, plan.plan);
    ASSERT_TRUE(expected.known()) << expected.reason;
    const PlanBill bill = *plan_bill(question, plan, expected, {});
    EXPECT_NEAR(row(bill, "cost").ideal, 2 * row(bill, "chip_hours").ideal, 1e-6);
    EXPECT_NEAR(row(bill, "energy_j").expected, row(bill, "chip_hours").expected * 3600 * 700 * 1.25, 1);
    for (const BillRow& one : bill.rows) {
        SCOPED_TRACE(one.key);
        EXPECT_LT(one.low, one.expected);
        EXPECT_GT(one.high, one.expected);
    }
    EXPECT_THAT(bill_sentences(bill), Contains(HasSubstr("Energy: chips at their full 700 W, times 1.25")));
    EXPECT_THAT(bill_lines(bill), HasSubstr("Cost: 2 for a chip-hour."));
    EXPECT_EQ(number_at(bill_values(bill), "pue"), 1.25);
}

/// A step that was timed is what is expected of it.
TEST(BillWords, FollowsTheUsersOwnStep) {
    const PlanQuestion question = llama_for_a_trillion();
    const RankedPlan plan = chosen(question);
    const ExpectedStep expected = expected_step(question, plan.plan);
    const PlanBill bill = *plan_bill(question, plan, expected, own_step(3.0, expected));
    EXPECT_NEAR(row(bill, "days").expected, training_bill(question, 3.0).days, 1e-9);
}

TEST(BillWords, IsThereWhereItIsAskedFor) {
    PlanQuestion question = llama_for_a_trillion();
    const RankedPlan plan = chosen(question);
    question.tokens.reset();
    question.prices = {};
    EXPECT_FALSE(plan_bill(question, plan, {}, {}));
    EXPECT_EQ(bill_lines(std::nullopt), "");
    question.prices.chip_hour = 2;
    EXPECT_TRUE(plan_bill(question, plan, {}, {}));
}

} // namespace
} // namespace meshslice
