#include "core/execute/verify.h"

#include "core/execute/execute.h"
#include "core/execute/in_parts.h"

#include <Eigen/Core>

#include <algorithm>
#include <limits>
#include <random>
#include <utility>

namespace meshslice {
namespace {

template <class Number>
auto in_eigen(const DenseMatrix<Number>& matrix) {
    using Matrix = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>;
    return Eigen::Map<const Matrix>(matrix.data.data(), matrix.rows, matrix.columns);
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

template <class Number>
Result<Verification> compared(const Program& program, const Schedule& schedule, std::uint64_t seed,
                              const std::stop_token& stop) {
    if (const Result<void> small = small_enough(program); !small) {
        return refuse(small.error()); // Before matrices are made that would not fit.
    }
    std::mt19937_64 random(seed);
    const GemmShape& shape = program.shape;
    const auto a = random_matrix<Number>(shape.m, shape.k, random);
    const auto b = random_matrix<Number>(shape.k, shape.n, random);
    Result<Execution<Number>> execution = execute(program, schedule, a, b, stop);
    if (!execution) {
        return refuse(execution.error());
    }
    Verification verification;
    verification.links = std::move(execution->links);
    double largest_sum = 0; // of absolute products
    in_parts(shape.n, shape.m * shape.k, stop, [&](std::int64_t first, std::int64_t count) {
        const auto columns = in_eigen(b).middleCols(first, count);
        const auto plain = (in_eigen(a) * columns).eval();
        const auto difference = (in_eigen(execution->product).middleCols(first, count) - plain).eval();
        verification.largest_error =
            std::max(verification.largest_error, static_cast<double>(difference.cwiseAbs().maxCoeff()));
        if constexpr (!std::is_integral_v<Number>) {
            const auto sums = (in_eigen(a).cwiseAbs() * columns.cwiseAbs()).eval();
            largest_sum = std::max(largest_sum, static_cast<double>(sums.maxCoeff()));
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
    verification.correct = execution->copies_agree && verification.largest_error <= verification.tolerance;
    return verification;
}

} // namespace

Result<Verification> verify(const Program& program, const Schedule& schedule, Numbers numbers,
                            std::uint64_t seed, const std::stop_token& stop) {
    return numbers == Numbers::integers ? compared<std::int64_t>(program, schedule, seed, stop)
                                        : compared<float>(program, schedule, seed, stop);
}

} // namespace meshslice
