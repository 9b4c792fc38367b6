// What a whole training comes to, by hand.

#include "core/machine/catalogue.h"
#include "core/plan/search/training_bill.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

/// 100 steps of 2 x 1000 tokens, 36 s each, on 10 chips of 500 W: one hour, 10 chip-hours, 5 kWh.
PlanQuestion short_training() {
    PlanQuestion question;
    question.machine = *machine_preset("h100-nvs8");
    question.machine.power.value = 500;
    question.batch = 2;
    question.sequence = 1000;
    question.chips = 10;
    question.tokens = 200'000;
    return question;
}

TEST(TrainingBill, CountsChipHoursEnergyAndCost) {
    PlanQuestion question = short_training();
    TrainingBill bill = training_bill(question, 36);
    EXPECT_DOUBLE_EQ(bill.days, 1.0 / 24);
    EXPECT_DOUBLE_EQ(bill.chip_hours, 10);
    EXPECT_DOUBLE_EQ(bill.energy, 5 * 3.6e6);
    EXPECT_EQ(bill.cost, 0) << "nothing has a price";
    EXPECT_DOUBLE_EQ(bill.token_rate, 2000.0 / 36 / 10);
    question.prices = {2.5, 0.1, 1.2};
    bill = training_bill(question, 36);
    EXPECT_DOUBLE_EQ(bill.energy, 6 * 3.6e6);
    EXPECT_DOUBLE_EQ(bill.cost, 25 + 0.6);
}

/// A started step is a whole one; of a billion tokens, which nothing asked for, the part of one counts.
TEST(TrainingBill, ATrainingHasWholeSteps) {
    PlanQuestion question = short_training();
    question.tokens = 200'001;
    EXPECT_DOUBLE_EQ(training_bill(question, 36).chip_hours, 10.1);
    question.tokens.reset();
    EXPECT_DOUBLE_EQ(training_bill(question, 36).chip_hours, 10 * 5e5 / 100);
    EXPECT_EQ(billed_tokens(question), 1e9);
}

TEST(TrainingBill, WithoutAPowerThereIsNoEnergy) {
    PlanQuestion question = short_training();
    question.machine.power.value = 0;
    question.prices = {{}, 0.1, 1};
    EXPECT_EQ(training_bill(question, 36).energy, 0);
    EXPECT_EQ(training_bill(question, 36).cost, 0);
}

/// Data sheets say it of the chips that most measured runs ran on.
TEST(TrainingBill, MachinesSayTheirPower) {
    EXPECT_EQ(machine_preset("h100-nvs8")->power.value, 700);
    EXPECT_EQ(machine_preset("a100-nvs8")->power.value, 400);
    EXPECT_FALSE(machine_preset("b200-nvs8")->power.source.empty());
    EXPECT_EQ(machine_preset("tpu-v5p")->power.value, 0) << "not published";
}

} // namespace
} // namespace meshslice
