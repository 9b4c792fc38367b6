#include "core/machine/catalogue.h"
#include "core/papers/meshslice/paper_claims.h"
#include "core/papers/meshslice/setup/paper_setup.h"
#include "core/step/training_step.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

namespace meshslice {
namespace {

using testing::HasSubstr;

Machine paper_hardware() {
    return *machine_preset("tpu-v4-paper");
}

const std::vector<ClaimOutcome>& outcomes() {
    static const std::vector<ClaimOutcome> all = *paper_claims(paper_hardware());
    return all;
}

double ours(const std::string& id) {
    const auto found = std::ranges::find(outcomes(), id, &ClaimOutcome::id);
    EXPECT_NE(found, outcomes().end()) << id;
    return found == outcomes().end() ? 0 : found->ours;
}

/// Ten numbers with the paper's next to them, and three utilizations of two models that the paper only draws.
TEST(PaperClaims, AreTenNumbersAndSixThatAreOnlyDrawn) {
    EXPECT_EQ(std::ranges::count_if(outcomes(), [](const auto& one) { return one.paper.has_value(); }), 10);
    EXPECT_EQ(outcomes().size(), 16u);
    for (const ClaimOutcome& one : outcomes()) {
        RecordProperty(one.id, fmt::format("{:.4f} ({:+.1f}%)", one.ours, 100 * one.deviation()));
    }
}

/// The same by the long way round: a full training step on every mesh.
TEST(PaperClaims, AreWhatTrainingStepsSay) {
    Scenario scenario = default_scenario(); // GPT-3, 256 chips, 128 sequences
    double best = 0;
    for (const std::vector<std::int32_t>& mesh :
         {std::vector{64, 4}, std::vector{32, 8}, std::vector{16, 16}}) {
        scenario.mesh = mesh;
        best = std::max(best, training_step(scenario, "meshslice", Depth::estimate)->estimated_utilization);
    }
    EXPECT_DOUBLE_EQ(ours("table2-gpt3-optimized"), best);
    EXPECT_LT(ours("table2-gpt3-ystn"), best);
}

/// Links that move everything at once and cost nothing leave the multiplications alone: all algorithms reach
/// the effective fraction of the peak, so every speed-up is 1 and nothing is lost by scaling.
TEST(PaperClaims, AreIdleWithFreeCommunication) {
    Machine free = paper_hardware();
    free.output_tile.value = 0; // at a constant rate
    free.network.set_link_bandwidth(Bandwidth(1e16));
    free.sync.value = Time(0);
    free.launch = {};
    const auto all = paper_claims(free);
    ASSERT_TRUE(all);
    for (const ClaimOutcome& one : *all) {
        const bool share = one.id.starts_with("table2") || one.id.starts_with("strong");
        const double expected = share                                ? free.effective_fraction.value
                                : one.id.starts_with("scaling-loss") ? 0.0
                                                                     : 1.0;
        EXPECT_NEAR(one.ours, expected, 1e-3) << one.id;
    }
}

TEST(PaperClaims, NeedBf16) {
    Machine integers = paper_hardware();
    integers.peak[DataType::bf16].value = FlopRate(0);
    const auto refused = paper_claims(integers);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().sentence, HasSubstr("bf16"));
}

/// Text and tables of the paper: 26 numbers, 17 orderings; 67.4% is Table 2's first.
TEST(Publication, AreReadFromTheirFile) {
    const Publication& paper = meshslice_paper();
    EXPECT_EQ(paper.claims.size(), 26u);
    EXPECT_EQ(paper.orderings.size(), 17u);
    EXPECT_EQ(paper.not_reproduced.size(), 6u);
    for (const NotReproduced& one : paper.not_reproduced) {
        EXPECT_TRUE(one.reason.ends_with('.')) << one.statement;
    }
    const auto claim = std::ranges::find(paper.claims, "table2-gpt3-optimized", &Claim::id);
    ASSERT_NE(claim, paper.claims.end());
    EXPECT_EQ(claim_text(claim->kind, claim->value), "67.4%");
    EXPECT_EQ(claim_text(ClaimKind::speed_up, 1.1375), "1.137x");
    EXPECT_EQ(claim_text(ClaimKind::bytes, 336e6), "336\u2009MB");
    EXPECT_EQ(claim_text(ClaimKind::time, 1.42), "1.42\u2009s");
    EXPECT_EQ(claim_text(ClaimKind::share, 0.6684), "66.8%");
}

TEST(Publication, AreRefusedWithTheirPlace) {
    const auto refused = [](const std::string& claims) {
        const auto read = read_publication(
            R"({"meshslice_study": 1, "name": "x", "title": "X", "citation": "c", "source": "s", "claims": )" +
                claims +
                R"(, "orderings": [], "not_reproduced": [{"section": "6", "statement": "t", "reason": "r"}]})",
            "x.json");
        return read ? std::string() : read.error().sentence;
    };
    const std::string good = R"({"id": "a", "section": "1", "statement": "s", "kind": "loss", "value": 0.1})";
    EXPECT_EQ(refused("[" + good + "]"), "");
    EXPECT_THAT(refused("{}"), HasSubstr("a list of objects"));
    EXPECT_THAT(refused("[" + good + ", " + good + "]"), HasSubstr("claims 2"));
    EXPECT_THAT(refused(R"([{"id": "a", "section": "1", "statement": "s", "kind": "speed", "value": 1}])"),
                HasSubstr("utilization, speed-up, loss, bytes, time, share, count or rate"));
}

} // namespace
} // namespace meshslice
