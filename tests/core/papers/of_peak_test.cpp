// resources/docs/of-peak.md argues with numbers; they are the engine's.

#include "core/base/embedded_resources.h"
#include "core/base/text.h"
#include "core/machine/catalogue.h"
#include "core/papers/meshslice/setup/block_rest.h"
#include "core/plan/search/plan_question.h"
#include "core/search/autotune.h"
#include "core/step/training_step.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {
namespace {

using testing::HasSubstr;

std::string page() {
    for (const EmbeddedFile& file : embedded_docs()) {
        if (file.name == "of-peak.md") {
            std::string text(file.text);
            std::ranges::replace(text, '\n', ' '); // a sentence may be broken anywhere
            return text;
        }
    }
    return {};
}

/// Numbers and units stand apart by a thin space on screen.
std::string with_plain_spaces(std::string words) {
    constexpr std::string_view thin = "\u2009";
    for (std::size_t at = 0; (at = words.find(thin, at)) != std::string::npos;) {
        words.replace(at, thin.size(), " ");
    }
    return words;
}

Scenario recommended() {
    Scenario scenario = default_scenario();
    scenario.model = *model_preset("llama-3-70b");
    scenario.hardware = *machine_preset("tpu-v5p");
    scenario.batch = 64;
    scenario.mesh = {16, 4};
    return scenario;
}

TEST(OfPeak, IsWhatTheTunerRecommends) {
    const Tuning tuning = autotune(recommended(), {}).value();
    const Candidate& best = tuning.ranked.front();
    EXPECT_EQ(best.title, "MeshSlice");
    EXPECT_EQ(best.step.mesh, (std::vector<std::int32_t>{16, 4}));
    const TrainingStep step = training_step(recommended(), "meshslice", Depth::simulate).value();
    const std::string said = page();
    EXPECT_THAT(said,
                HasSubstr(fmt::format("one block takes {}, {} of peak", with_plain_spaces(text(step.time)),
                                      percent_text(step.utilization))));
    EXPECT_THAT(said, HasSubstr(fmt::format("{} of the communication is hidden, and the core waits for {} of "
                                            "the time",
                                            percent_text(step.hidden_share()),
                                            percent_text(ratio(step.usage.exposed, step.time)))));
    const double of_effective = step.utilization / recommended().hardware.effective_fraction.value;
    EXPECT_THAT(said, HasSubstr(fmt::format("is {} of what the cores can do", percent_text(of_effective))));
    const TrainingStep collective = training_step(recommended(), "collective", Depth::simulate).value();
    EXPECT_THAT(said, HasSubstr(fmt::format("as Collective, the same block takes {}, {} of peak",
                                            with_plain_spaces(text(collective.time)),
                                            percent_text(collective.utilization))));
    EXPECT_THAT(said, HasSubstr("64.9 of 96 GB"));
    EXPECT_NEAR(static_cast<double>(step.memory.bytes().value()), 64.9e9, 0.05e9);
}

/// Logits: 6 x 131072 tokens x 128256 x 8192 FLOP; the update: 28 bytes for each of the model's weights; the
/// whole: 80 blocks with what is left out of them.
TEST(OfPeak, CountsWhatIsLeftOut) {
    const Scenario scenario = recommended();
    const Machine& chip = scenario.hardware;
    const std::int32_t chips = 64;
    const TrainingStep step = training_step(scenario, "meshslice", Depth::simulate).value();
    const Time rest = block_rest_time(scenario.model, scenario.batch, scenario.sequence, chips, chip);
    const std::string said = page();
    EXPECT_THAT(said, HasSubstr(fmt::format("{} a block", with_plain_spaces(text(rest)))));
    const double logits_flop = 6.0 * 131072 * 128256 * 8192;
    const double logits = logits_flop / chip.effective_rate(DataType::bf16).value() / chips;
    EXPECT_THAT(said, HasSubstr(fmt::format("{} a step", with_plain_spaces(text(seconds(logits))))));
    const double weights =
        80.0 * (2 * 8192 * 8192 + 2 * 8192 * 1024 + 3.0 * 8192 * 28672) + 2.0 * 128256 * 8192;
    const double update = 28 * weights / chips / chip.hbm_bandwidth.value.value();
    EXPECT_THAT(said, HasSubstr(fmt::format("{} a step", with_plain_spaces(text(seconds(update))))));
    const double whole = 80 * in_seconds(step.time + rest) + logits + update;
    EXPECT_THAT(said, HasSubstr(fmt::format("the rest take {}", with_plain_spaces(text(seconds(whole))))));
    double attention = 0;
    for (const BlockOperation& one : block_rest(scenario.model, scenario.batch, scenario.sequence)) {
        attention += static_cast<double>(one.flop.value());
    }
    const double flop = 80 * (static_cast<double>(step.flop.value()) + attention) + logits_flop;
    const double share = flop / (whole * chips * chip.peak_rate(DataType::bf16).value());
    EXPECT_THAT(said, HasSubstr(fmt::format("are {} of peak", percent_text(share))));
    // The same step by the planner, on as many chips.
    EXPECT_THAT(said, HasSubstr("the planner, which may divide the batch and the weights instead"));
    EXPECT_THAT(said, HasSubstr("promises more for the same step"));
    const PlanAnswer planned = answer(plan_question(scenario).value(), 1).value();
    EXPECT_TRUE(planned.fits());
    EXPECT_GT(planned.best().reading.utilization, share);
    EXPECT_LT(planned.best().reading.time.total, whole);
}

} // namespace
} // namespace meshslice
