#include "core/execute/add_product.h"

#include <Eigen/Core>

namespace meshslice {

template <class Number>
void add_product(const Number* left, const Number* right, Number* result, std::int64_t rows,
                 std::int64_t inner, std::int64_t columns) {
    using Matrix = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>;
    const Eigen::Map<const Matrix> a(left, rows, inner);
    const Eigen::Map<const Matrix> b(right, inner, columns);
    Eigen::Map<Matrix>(result, rows, columns).noalias() += a * b;
}

template void add_product(const std::int64_t*, const std::int64_t*, std::int64_t*, std::int64_t, std::int64_t,
                          std::int64_t);
template void add_product(const float*, const float*, float*, std::int64_t, std::int64_t, std::int64_t);
template void add_product(const double*, const double*, double*, std::int64_t, std::int64_t, std::int64_t);

} // namespace meshslice
