#include "core/study/product_shapes.h"

#include <algorithm>
#include <utility>

namespace meshslice {

std::vector<std::size_t> distinct_products(const EstimatedStep& step) {
    const auto alike = [](const GemmShape& a, const GemmShape& b) {
        return a.k == b.k && std::minmax(a.m, a.n) == std::minmax(b.m, b.n);
    };
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < step.products.size(); ++k) {
        const bool known = std::ranges::any_of(places, [&](std::size_t other) {
            return alike(step.products[other].gemm.shape, step.products[k].gemm.shape);
        });
        if (!known) {
            places.push_back(k);
        }
    }
    return places;
}

} // namespace meshslice
