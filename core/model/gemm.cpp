#include "core/model/gemm.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace meshslice {

Result<GemmShape> checked(const GemmShape& shape) {
    for (const std::int64_t dimension : {shape.m, shape.n, shape.k}) {
        if (dimension < 1 || dimension > most_dimension) {
            return refuse(say("The GEMM {} has a dimension of {}; each of M, N and K must be from 1 to {}.",
                              text(shape), dimension, most_dimension));
        }
    }
    for (const std::int64_t elements : {shape.m * shape.k, shape.k * shape.n, shape.m * shape.n}) {
        if (elements > most_elements) {
            return refuse(say("A matrix of the GEMM {} has {} elements; at most {} are counted.", text(shape),
                              elements, most_elements));
        }
    }
    // Each factor is at most 2^31, so the first two multiply within 62 bits; the third may not.
    __extension__ using Wide = __int128;
    if (static_cast<Wide>(2) * shape.m * shape.n * shape.k > most_flop) {
        return refuse(say("The GEMM {} needs more than {:.1e} FLOP, the most that is counted.", text(shape),
                          static_cast<double>(most_flop)));
    }
    return shape;
}

std::vector<Gemm> training_gemms(const std::string& layer, Stationary stationary, std::int64_t tokens,
                                 std::int64_t in, std::int64_t out, std::int64_t copies) {
    const auto gemm = [&](Pass pass, Dataflow dataflow, std::int64_t m, std::int64_t n, std::int64_t k) {
        return Gemm{layer, pass, dataflow, {m, n, k}, copies};
    };
    using enum Pass;
    using enum Dataflow;
    switch (stationary) {
    case Stationary::Y:
        return {gemm(forward, OS, tokens, out, in),          // Y  = OS(X, W)
                gemm(backward_data, LS, tokens, in, out),    // X' = LS(Y', W)
                gemm(backward_weight, RS, in, out, tokens)}; // W' = RS(X, Y')
    case Stationary::X:
        return {gemm(forward, LS, tokens, out, in),          // Y    = LS(X, W^T)
                gemm(backward_data, OS, tokens, in, out),    // X'   = OS(Y', W^T)
                gemm(backward_weight, RS, out, in, tokens)}; // W'^T = RS(Y', X)
    case Stationary::W: break;
    }
    return {gemm(forward, RS, tokens, out, in),          // Y    = RS(X^T, W)
            gemm(backward_data, LS, in, tokens, out),    // X'^T = LS(W, Y')
            gemm(backward_weight, OS, in, out, tokens)}; // W'   = OS(X^T, Y')
}

std::string_view name(Dataflow dataflow) {
    constexpr std::array<std::string_view, 3> names = {"OS", "LS", "RS"};
    return names[static_cast<std::size_t>(dataflow)];
}

std::string_view name(Stationary stationary) {
    constexpr std::array<std::string_view, 3> names = {"Y", "X", "W"};
    return names[static_cast<std::size_t>(stationary)];
}

std::string_view name(Pass pass) {
    constexpr std::array<std::string_view, 4> names = {"forward", "backward data", "backward weight",
                                                       "update"};
    return names[static_cast<std::size_t>(pass)];
}

std::string text(const GemmShape& shape) {
    return fmt::format("{}x{}x{}", shape.m, shape.n, shape.k);
}

std::string title(const Gemm& gemm) {
    return gemm.layer.empty() ? fmt::format("{} {}", name(gemm.dataflow), text(gemm.shape))
                              : fmt::format("{} {}", gemm.layer, said(name(gemm.pass)));
}

Result<Dataflow> parse_dataflow(std::string_view words) {
    for (const Dataflow dataflow : {Dataflow::OS, Dataflow::LS, Dataflow::RS}) {
        if (words == name(dataflow)) {
            return dataflow;
        }
    }
    return refuse(say("\"{}\" is not a dataflow of a GEMM; the three are OS (output stationary), LS "
                      "(left stationary) and RS (right stationary).",
                      words));
}

Result<GemmShape> parse_gemm(const std::string& words) {
    std::array<std::int64_t, 3> sizes{};
    std::size_t count = 0;
    std::size_t begin = 0;
    while (begin <= words.size()) {
        const std::size_t end = std::min(words.find('x', begin), words.size());
        const Result<std::int64_t> size = parse_whole(std::string_view(words).substr(begin, end - begin));
        if (!size || count == sizes.size()) {
            return refuse(say("The GEMM \"{}\" is not three whole numbers MxNxK for [M, K] times [K, N], "
                              "such as 262144x49152x12288.",
                              words));
        }
        sizes[count++] = *size;
        begin = end + 1;
    }
    if (count != sizes.size()) {
        return refuse(say("The GEMM \"{}\" is not three whole numbers MxNxK for [M, K] times [K, N], such as "
                          "262144x49152x12288.",
                          words));
    }
    return checked({sizes[0], sizes[1], sizes[2]});
}

} // namespace meshslice
