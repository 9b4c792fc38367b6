#include "core/execute/verify.h"

#include "core/cost/traffic/program_traffic.h"
#include "core/execute/add_product.h"
#include "core/execute/execute.h"
#include "core/execute/in_parts.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

template <class Number>
std::vector<Number> absolute(const DenseMatrix<Number>& matrix) {
    std::vector<Number> numbers = matrix.data;
    std::ranges::transform(numbers, numbers.begin(), [](Number number) { return std::abs(number); });
    return numbers;
}

template <class Number>
DenseMatrix<Number> random_matrix(std::int64_t rows, std::int64_t columns, std::mt19937_64& random) {
    DenseMatrix<Number> matrix(rows, columns);
    for (Number& number : matrix.data) {
        // From the generator's bits, not a distribution: those differ between standard libraries.
        const auto small = static_cast<std::int64_t>(random() % 2001) - 1000;
        number = std::is_integral_v<Number> ? static_cast<Number>(small)
                                            : static_cast<Number>(small) / Number(997);
    }
    return matrix;
}

/// Whether every tile of every fusion got all of its updates, once, and none is left on its way.
template <class Number>
bool kept_count(const Execution<Number>& execution) {
    return std::ranges::all_of(execution.fused, [](const FusedStores& stores) {
        return stores.every_entry_once && stores.nothing_left;
    });
}

/// Whether every chip stored, read and updated as much as is counted of each fusion.
bool memory_as_counted(const Program& program, const Schedule& schedule,
                       const std::vector<FusedStores>& all) {
    const auto bytes = static_cast<double>(element_bytes(schedule.type));
    return std::ranges::all_of(all, [&](const FusedStores& stores) {
        const DramTraffic made = dram_traffic(program, stores.fusion.producer, schedule);
        const DramTraffic added = dram_traffic(program, stores.fusion.collective, schedule);
        const auto are = [&](const std::vector<std::int64_t>& elements, double counted) {
            return std::ranges::all_of(
                elements, [&](std::int64_t one) { return static_cast<double>(one) * bytes == counted; });
        };
        return are(stores.stored, made.of(DramSource::gemm_write)) &&
               are(stores.read, added.of(DramSource::scatter_read)) &&
               are(stores.updated, added.of(DramSource::scatter_write));
    });
}

template <class Number>
Result<Verification> compared(const Program& program, const Schedule& schedule, std::uint64_t seed,
                              const std::stop_token& stop, TrackerFault fault) {
    if (const Result<void> small = small_enough(program); !small) {
        return refuse(small.error()); // Before matrices are made that would not fit.
    }
    std::mt19937_64 random(seed);
    const GemmShape& shape = program.shape;
    const auto a = random_matrix<Number>(shape.m, shape.k, random);
    const auto b = random_matrix<Number>(shape.k, shape.n, random);
    TrackedRing actors;
    actors.seed = seed;
    actors.fault = fault;
    Result<Execution<Number>> execution = execute(program, schedule, a, b, stop, actors);
    if (!execution) {
        return refuse(execution.error());
    }
    bool alike = kept_count(*execution);
    Verification verification;
    verification.as_counted = execution->links == count(program, schedule).links &&
                              memory_as_counted(program, schedule, execution->fused);
    for (std::size_t other = 1; other < all_interleavings.size() && !program.fusions.empty(); ++other) {
        actors.interleaving = all_interleavings[other];
        const Result<Execution<Number>> again = execute(program, schedule, a, b, stop, actors);
        if (!again) {
            return refuse(again.error());
        }
        alike = alike && kept_count(*again) && again->product.data == execution->product.data &&
                again->links == execution->links;
        verification.as_counted =
            verification.as_counted && memory_as_counted(program, schedule, again->fused);
        for (std::size_t which = 0; which < again->fused.size(); ++which) {
            std::int64_t& most = execution->fused[which].most_live_entries;
            most = std::max(most, again->fused[which].most_live_entries);
        }
    }
    verification.links = std::move(execution->links);
    verification.fused = std::move(execution->fused);
    double largest_sum = 0; // of absolute products
    const std::vector<Number> absolute_a = absolute(a), absolute_b = absolute(b);
    in_parts(shape.n, shape.m * shape.k, stop, [&](std::int64_t first, std::int64_t count) {
        const auto part = static_cast<std::size_t>(first * shape.m);
        std::vector<Number> plain(static_cast<std::size_t>(count * shape.m));
        add_product(a.data.data(), b.data.data() + first * shape.k, plain.data(), shape.m, shape.k, count);
        for (std::size_t k = 0; k < plain.size(); ++k) {
            const Number difference = std::abs(execution->product.data[part + k] - plain[k]);
            verification.largest_error =
                std::max(verification.largest_error, static_cast<double>(difference));
        }
        if constexpr (!std::is_integral_v<Number>) {
            std::vector<Number> sums(plain.size());
            add_product(absolute_a.data(), absolute_b.data() + first * shape.k, sums.data(), shape.m, shape.k,
                        count);
            largest_sum = std::max(largest_sum, static_cast<double>(*std::ranges::max_element(sums)));
        }
    });
    if (stop.stop_requested()) {
        return cancelled();
    }
    if constexpr (!std::is_integral_v<Number>) {
        // Two summations of k terms in different orders differ by at most k eps times the sum of |a||b|.
        verification.tolerance = static_cast<double>(shape.k) *
                                 static_cast<double>(std::numeric_limits<Number>::epsilon()) * largest_sum;
    }
    verification.correct = alike && verification.as_counted && execution->copies_agree &&
                           verification.largest_error <= verification.tolerance;
    return verification;
}

} // namespace

Result<Verification> verify(const Program& program, const Schedule& schedule, Numbers numbers,
                            std::uint64_t seed, const std::stop_token& stop, TrackerFault fault) {
    return numbers == Numbers::integers ? compared<std::int64_t>(program, schedule, seed, stop, fault)
                                        : compared<float>(program, schedule, seed, stop, fault);
}

} // namespace meshslice
