#include "core/cost/operation_cost.h"
#include "core/machine/machine.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"

#include <gmock/gmock.h>

namespace meshslice {
namespace {

using testing::HasSubstr;

const std::vector<MeasuredProduct> known_products = {{1000, 1000, 1000, seconds(4e-3)},
                                                     {100, 100, 100, seconds(1e-5)}};

TEST(MeasuredProducts, SurviveTheirText) {
    for (const MeasuredProduct& product : known_products) {
        EXPECT_EQ(parse_measured_product(text(product)), product);
    }
    EXPECT_EQ(*parse_measured_product("8192x6144x768 302 us"),
              (MeasuredProduct{8192, 6144, 768, seconds(302e-6)}));
    for (const char* words : {"", "8192x6144x768", "8192x6144 302 us", "0x1x1 1 s", "1x1x1 0 s", "1x1x1 -1 s",
                              "1x1x1 nan", "1.5x1x1 1 s", "1x1x1x1 1 s", "axbxc 1 s", "1x1x1 1e9 s"}) {
        const auto product = parse_measured_product(words);
        ASSERT_FALSE(product) << words;
        EXPECT_THAT(product.error().sentence, HasSubstr(words));
    }
}

/// 500^3 is nearer to 1000^3 (by a factor of 2) than to 100^3 (5): an eighth of its 4 ms. 200^3 the other
/// way: eight times 10 us. What was measured is called measured.
TEST(MeasuredProducts, TheMostSimilarOneTellsTheRate) {
    EXPECT_EQ(time_by_table(known_products, 1000, 1000, 1000), seconds(4e-3));
    EXPECT_EQ(time_by_table(known_products, 500, 500, 500), seconds(0.5e-3));
    EXPECT_EQ(time_by_table(known_products, 200, 200, 200), seconds(8e-5));
}

/// They decide in both models of a chip, and survive the file.
TEST(MeasuredProducts, OverrideTheRateAndTheTiles) {
    Machine hardware = round_hardware();
    hardware.measured_products = {known_products, "gemms.csv"};
    const Program program = written("collective", {1000, 1000, 1000}, Dataflow::OS, *Torus::create({1, 1}));
    for (const ChipModel chip : {ChipModel::constant_rate, ChipModel::tiled}) {
        Schedule schedule;
        schedule.chip = chip;
        for (const Operation& operation : program.operations) {
            if (std::holds_alternative<Multiply>(operation)) {
                EXPECT_EQ(operation_cost(program, operation, hardware, schedule).compute, seconds(4e-3));
            }
        }
    }
    const auto back = read_machine(write_machine(hardware), "mine.json");
    ASSERT_TRUE(back) << back.error().sentence;
    EXPECT_EQ(*back, hardware);
    // 2 GFLOP in 1 ms: twice the peak of 10^12 FLOP/s.
    hardware.measured_products.value = {{1000, 1000, 1000, seconds(1e-3)}};
    EXPECT_THAT(read_machine(write_machine(hardware), "mine.json").error().sentence,
                HasSubstr("above the peak"));
    hardware.measured_products.value = known_products;
    std::string broken = write_machine(hardware);
    broken.replace(broken.find("1000x1000x1000"), 14, "1000x1000");
    EXPECT_THAT(read_machine(broken, "mine.json").error().sentence, HasSubstr("1000x1000"));
}

} // namespace
} // namespace meshslice
