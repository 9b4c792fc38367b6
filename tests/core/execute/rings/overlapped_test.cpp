// The dependencies are complete: every program gives the exact product however its operations overlap, as
// long as they keep to the dependencies. Without any one that the others do not imply, it does not.

#include "core/execute/rings/overlapped.h"
#include "core/gemm/algorithms.h"
#include "tests/core/support/written.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr GemmShape shape{48, 24, 96};
constexpr std::array depths = {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, Prefetch::without_bound};

DenseMatrix<double> whole_numbers(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    DenseMatrix<double> matrix(rows, columns);
    for (double& number : matrix.data) {
        number = static_cast<double>(static_cast<std::int64_t>(random() % 199) - 99);
    }
    return matrix;
}
const DenseMatrix<double>& a() {
    static const auto matrix = whole_numbers(shape.m, shape.k, 5);
    return matrix;
}
const DenseMatrix<double>& b() {
    static const auto matrix = whole_numbers(shape.k, shape.n, 6);
    return matrix;
}
/// Element by element, as the definition says.
const DenseMatrix<double>& plain_product() {
    static const auto product = [] {
        DenseMatrix<double> c(shape.m, shape.n);
        for (std::int64_t row = 0; row < shape.m; ++row) {
            for (std::int64_t column = 0; column < shape.n; ++column) {
                for (std::int64_t k = 0; k < shape.k; ++k) {
                    c.at(row, column) += a().at(row, k) * b().at(k, column);
                }
            }
        }
        return c;
    }();
    return product;
}

struct Case {
    std::string name;
    Program program;
};

/// Every algorithm that runs on the torus, in every dataflow, with every slice count from `fewest` to `most`.
std::vector<Case> cases(const std::vector<std::int32_t>& sizes, std::int64_t fewest, std::int64_t most) {
    const Torus torus = *Torus::create(sizes);
    std::vector<Case> all;
    for (const Algorithm& algorithm : algorithms()) {
        for (const Dataflow dataflow : algorithm.dataflows) {
            const auto counts = algorithm.slice_counts(shape, dataflow, torus, {});
            if (algorithm.torus_axes != torus.axis_count() || !counts) {
                continue;
            }
            for (const std::int64_t slices : *counts) {
                if ((slices >= fewest && slices <= most) || counts->size() == 1) {
                    all.push_back({std::string(algorithm.id) + " " + std::string(name(dataflow)) +
                                       " S=" + std::to_string(slices),
                                   written(algorithm.id, shape, dataflow, torus, {.slices = slices})});
                }
            }
        }
    }
    return all;
}

bool exact(const Program& program, Prefetch prefetch, const std::vector<Dependency>& needs,
           std::uint64_t seed) {
    const Schedule schedule{DataType::bf16, RingMode::both_ways, prefetch};
    const auto result = execute_overlapped(program, schedule, needs, seed, a(), b());
    return result && result->copies_agree && result->product == plain_product();
}

class OverlappedOnTorus : public testing::TestWithParam<std::vector<std::int32_t>> {};

TEST_P(OverlappedOnTorus, EveryAlgorithmIsExactHoweverItsOperationsOverlap) {
    for (const Case& one : cases(GetParam(), 1, 4)) {
        for (const std::int64_t depth : depths) {
            const auto needs = dependencies(one.program, {depth});
            for (std::uint64_t seed = 0; seed < 12; ++seed) {
                ASSERT_TRUE(exact(one.program, {depth}, needs, seed))
                    << one.name << ", depth " << text(Prefetch{depth}) << ", seed " << seed << '\n'
                    << pseudocode(one.program);
            }
        }
    }
}

std::string sizes_of(const testing::TestParamInfo<std::vector<std::int32_t>>& one) {
    return shape_text(*Torus::create(one.param));
}

using Sizes = std::vector<std::int32_t>;
INSTANTIATE_TEST_SUITE_P(Meshes, OverlappedOnTorus,
                         testing::Values(Sizes{4}, Sizes{3}, Sizes{2, 2}, Sizes{3, 3}, Sizes{4, 4},
                                         Sizes{2, 4}, Sizes{3, 2}, Sizes{2, 2, 2}, Sizes{4, 4, 2},
                                         Sizes{4, 4, 4}),
                         sizes_of);

using OneRun = std::pair<OperationId, std::int64_t>; // The operation and its iteration.

/// All runs that must be over before a run may start: what the dependencies say, and that the runs of one
/// operation follow each other.
std::set<OneRun> preceding(const Program& program, const std::vector<Dependency>& needs, const OneRun& run) {
    std::set<OneRun> seen;
    std::vector<OneRun> open = {run};
    const auto add = [&](const OneRun& earlier) {
        if (seen.insert(earlier).second) {
            open.push_back(earlier);
        }
    };
    while (!open.empty()) {
        const OperationId operation = open.back().first;
        const std::int64_t iteration = open.back().second;
        open.pop_back();
        if (iteration > 0) {
            add({operation, iteration - 1});
        }
        for (const Dependency& need : needs) {
            const std::int64_t needed = need.after == operation ? runs_needed(program, need, iteration) : 0;
            if (needed > 0 && !(need.before == operation && needed - 1 == iteration)) {
                add({need.before, needed - 1});
            }
        }
    }
    return seen;
}

/// Whether the other dependencies imply this one in every iteration.
bool implied(const Program& program, const std::vector<Dependency>& others, const Dependency& one) {
    for (std::int64_t iteration = 0; iteration < program.runs(one.after); ++iteration) {
        const std::int64_t needed = runs_needed(program, one, iteration);
        if (needed > 0 &&
            !preceding(program, others, {one.after, iteration}).contains({one.before, needed - 1})) {
            return false;
        }
    }
    return true;
}

/// Leaves out one dependency at a time: how many are implied, how many spoil the product when they are
/// missing, and which do not.
struct NamedFaults {
    int implied = 0;
    int noticed = 0;
    std::vector<std::string> unnoticed;
};

NamedFaults planted_faults(const std::vector<std::int32_t>& sizes) {
    NamedFaults faults;
    for (const Case& one : cases(sizes, 3, 4)) {
        for (const std::int64_t depth : depths) {
            std::vector<Dependency> needs;
            for (const Dependency& need : dependencies(one.program, {depth})) {
                if (std::find(needs.begin(), needs.end(), need) == needs.end()) {
                    needs.push_back(need);
                }
            }
            for (std::size_t left_out = 0; left_out < needs.size(); ++left_out) {
                std::vector<Dependency> others = needs;
                others.erase(others.begin() + static_cast<std::ptrdiff_t>(left_out));
                if (implied(one.program, others, needs[left_out])) {
                    ++faults.implied;
                    continue;
                }
                bool noticed = false;
                for (std::uint64_t seed = 0; seed < 200 && !noticed; ++seed) {
                    noticed = !exact(one.program, {depth}, others, seed);
                }
                faults.noticed += noticed ? 1 : 0;
                if (!noticed) {
                    const Dependency& edge = needs[left_out];
                    faults.unnoticed.push_back(one.name + " depth " + text(Prefetch{depth}) + ": " +
                                               text(one.program, one.program.operations[edge.before]) +
                                               " -> " +
                                               text(one.program, one.program.operations[edge.after]) + " " +
                                               std::to_string(edge.distance));
                }
            }
        }
    }
    return faults;
}

TEST(Overlapped, WithoutAnyOneDependencyTheProductIsWrong) {
    for (const std::vector<std::int32_t>& sizes :
         std::vector<std::vector<std::int32_t>>{{4}, {4, 4}, {4, 4, 2}}) {
        const NamedFaults faults = planted_faults(sizes);
        EXPECT_GT(faults.noticed, 150);
        EXPECT_GT(faults.implied, 30);
        EXPECT_THAT(faults.unnoticed, testing::IsEmpty());
    }
}

/// Between operations that take time, the contracted dependencies say all that the whole ones do.
TEST(Overlapped, ContractedDependenciesImplyTheWholeOnes) {
    int compared = 0;
    for (const std::vector<std::int32_t>& sizes :
         std::vector<std::vector<std::int32_t>>{{4}, {4, 4}, {4, 4, 2}}) {
        for (const Case& one : cases(sizes, 3, 4)) {
            for (const std::int64_t depth : depths) {
                const Program& program = one.program;
                std::vector<bool> takes_time;
                for (const Operation& operation : program.operations) {
                    takes_time.push_back(place(operation) != Place::nobody);
                }
                const auto whole = dependencies(program, {depth});
                const auto short_cut = contracted(whole, takes_time);
                for (OperationId id = 0; id < program.operations.size(); ++id) {
                    for (std::int64_t run = 0; takes_time[id] && run < program.runs(id); ++run) {
                        ++compared;
                        const auto kept = preceding(program, short_cut, {id, run});
                        for (const OneRun& earlier : preceding(program, whole, {id, run})) {
                            ASSERT_TRUE(!takes_time[earlier.first] || kept.contains(earlier))
                                << one.name << ", depth " << text(Prefetch{depth});
                        }
                    }
                }
                for (const Dependency& need : short_cut) { // Sums of distances have not overflowed.
                    ASSERT_GE(need.distance, 0);
                    ASSERT_LE(need.distance, 2 * program.iterations);
                }
            }
        }
    }
    EXPECT_GT(compared, 1000);
}

TEST(Overlapped, RefusesDependenciesThatWaitForEachOther) {
    const Program program =
        written("collective", shape, Dataflow::OS, *Torus::create(std::vector<std::int32_t>{2, 2}));
    auto needs = dependencies(program, {1});
    needs.push_back({2, 0, 0});
    const auto result = execute_overlapped(program, Schedule{}, needs, 1, a(), b());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().sentence, "The dependencies of the program's operations wait for each other.");
}

} // namespace
} // namespace meshslice
