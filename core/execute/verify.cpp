#include "core/execute/verify.h"

#include "core/execute/execute.h"

#include <Eigen/Core>

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
Result<Verification> compared(const Program& program, const Schedule& schedule, std::uint64_t seed) {
    if (const Result<void> small = small_enough(program); !small) {
        return refuse(small.error()); // Before matrices are made that would not fit.
    }
    std::mt19937_64 random(seed);
    const GemmShape& shape = program.shape;
    const auto a = random_matrix<Number>(shape.m, shape.k, random);
    const auto b = random_matrix<Number>(shape.k, shape.n, random);
    Result<Execution<Number>> execution = execute(program, schedule, a, b);
    if (!execution) {
        return refuse(execution.error());
    }
    const auto plain = (in_eigen(a) * in_eigen(b)).eval();

    Verification verification;
    verification.links = std::move(execution->links);
    const auto difference = (in_eigen(execution->product) - plain).eval();
    verification.largest_error = static_cast<double>(difference.cwiseAbs().maxCoeff());
    if constexpr (!std::is_integral_v<Number>) {
        // Two summations of k terms in different orders differ by at most k eps times the sum of |a||b|.
        const double sum = static_cast<double>((in_eigen(a).cwiseAbs() * in_eigen(b).cwiseAbs()).maxCoeff());
        verification.tolerance =
            static_cast<double>(shape.k) * static_cast<double>(std::numeric_limits<Number>::epsilon()) * sum;
    }
    verification.correct = execution->copies_agree && verification.largest_error <= verification.tolerance;
    return verification;
}

} // namespace

Result<Verification> verify(const Program& program, const Schedule& schedule, Numbers numbers,
                            std::uint64_t seed) {
    return numbers == Numbers::integers ? compared<std::int64_t>(program, schedule, seed)
                                        : compared<float>(program, schedule, seed);
}

} // namespace meshslice
