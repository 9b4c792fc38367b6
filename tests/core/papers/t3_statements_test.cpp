#include "core/gemm/algorithms.h"
#include "core/question/catalogue/study/studies.h"
#include "core/simulate/engine/simulate.h"
#include "tests/core/papers/t3_statements.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <string>

namespace meshslice {

const std::vector<TensorCase>& stated_cases() {
    static const std::vector<TensorCase> cases =
        tensor_cases(t3_inputs(t3_machine()), ModelSize::any).value();
    return cases;
}
/// FC-2 of T-NLG on 8 GPUs.
const TensorCase& fc2_of_t_nlg() {
    return *std::ranges::find_if(
        stated_cases(), [](const TensorCase& one) { return text(one) == "Turing-NLG 17B, TP 8, FC-2"; });
}

Program ring_program(const char* id, const GemmShape& whole, std::int32_t chips) {
    return *(*algorithm(id))->write(whole, Dataflow::LS, *Torus::create({TorusAxis{chips}}), {});
}
Program ring_program(const char* id, const TensorCase& one) {
    GemmShape whole = one.gemm.shape;
    whole.k *= one.gemm.chips;
    return ring_program(id, whole, static_cast<std::int32_t>(one.gemm.chips));
}
std::shared_ptr<const Timeline> ring_run(const char* id, const TensorCase& one, MemoryPolicy policy,
                                         const Machine& hardware) {
    Schedule schedule{.ring = RingMode::one_way, .prefetch = {}};
    schedule.arbitration = policy;
    return simulate(ring_program(id, one), hardware, schedule).value();
}
double ring_seconds(const char* id, const TensorCase& one, MemoryPolicy policy) {
    return in_seconds(ring_run(id, one, policy)->end());
}
/// In chunks of what a chip gets.
std::vector<double> dram_chunks(std::int64_t chips, Reduction reduction) {
    const AllReducedGemm gemm{{chips, 64, 8}, chips, DataType::bf16};
    std::vector<double> chunks;
    for (const double bytes : dram_traffic(gemm, reduction).bytes) {
        chunks.push_back(bytes / gemm.chunk_bytes());
    }
    return chunks; // GEMM writes; scatter reads, writes; gather reads, writes
}
namespace {

std::vector<Statement> all_statements() {
    std::vector<Statement> all = statements_of_the_mechanism();
    const std::vector<Statement> more = statements_of_the_evaluation();
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

TEST(T3Statements, AreMet) {
    std::set<std::string> seen;
    for (const Statement& one : all_statements()) {
        EXPECT_TRUE(seen.insert(one.id).second) << one.id << " is asked twice";
        const Found found = one.found();
        std::printf("%-26s paper %g, ours %g, within %g\n", one.id, found.paper, found.ours, found.within);
        if (*one.reading != 0) {
            std::printf("%-26s   read as: %s\n", "", one.reading);
        }
        EXPECT_LE(std::abs(found.ours - found.paper), found.within) << one.id;
    }
}

/// With the deviation, for whom it is to judge. A number that cannot be found at all is a defect.
TEST(T3Statements, AreNextToWhatTheyAreMetByInPart) {
    for (const Statement& one : partly_met_statements()) {
        const Found found = one.found();
        std::printf("%-26s paper %g, ours %g, %+.1f%%: %s\n", one.id, found.paper, found.ours,
                    100 * (found.ours / found.paper - 1), one.reading);
        EXPECT_TRUE(std::isfinite(found.ours)) << one.id;
    }
}

/// Each of the paper's statements that could be asked for is: by a study, above, or here with what is in the
/// way.
TEST(T3Statements, AreAllAskedOrSayWhyNot) {
    std::set<std::string> asked;
    for (const Claim& one : t3_paper().claims) {
        asked.insert(one.id);
    }
    for (const Ordering& one : t3_paper().orderings) {
        asked.insert(one.id);
    }
    for (const Statement& one : all_statements()) {
        EXPECT_TRUE(asked.insert(one.id).second) << one.id << " is judged by a study";
    }
    for (const Statement& one : partly_met_statements()) {
        EXPECT_TRUE(asked.insert(one.id).second) << one.id << " is judged elsewhere";
    }
    const auto not_asked = [&](const NotExpressible& one) {
        EXPECT_TRUE(asked.insert(one.id).second) << one.id << " is asked all the same";
        std::printf("%-26s not asked: %s\n", one.id, one.reason);
    };
    std::ranges::for_each(not_expressible, not_asked);
    std::ranges::for_each(not_modelled, not_asked);
    for (const char* const id : stated_as_reproducible) {
        EXPECT_TRUE(asked.contains(id)) << id;
    }
    for (const char* const id : stated_in_part) {
        EXPECT_TRUE(asked.contains(id)) << id;
    }
}

} // namespace
} // namespace meshslice
