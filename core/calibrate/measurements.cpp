#include "core/calibrate/measurements.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/calibrate/measured_rows.h"
#include "core/calibrate/nccl_log.h"
#include "core/machine/measured_products.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace meshslice {
namespace {

constexpr std::int64_t most_chips = 65'536;
constexpr const char* median = "step_time_ms_p50"; ///< of JAX's micro-benchmarks, in milliseconds

/// "AG" is what JAX's micro-benchmarks call it.
std::optional<Collective> operation_of(std::string_view word) {
    std::string plain = small_word(word);
    std::erase_if(plain, [](char letter) { return letter == '_' || letter == '-' || letter == ' '; });
    constexpr std::array<std::pair<std::string_view, Collective>, 8> words = {
        {{"allgather", Collective::all_gather},
         {"ag", Collective::all_gather},
         {"reducescatter", Collective::reduce_scatter},
         {"rs", Collective::reduce_scatter},
         {"allreduce", Collective::all_reduce},
         {"ar", Collective::all_reduce},
         {"sendreceive", Collective::send_receive},
         {"sendrecv", Collective::send_receive}}};
    const auto* const found = std::ranges::find(words, plain, [](const auto& one) { return one.first; });
    return found == words.end() ? std::nullopt : std::optional(found->second);
}

Collective read_operation(MeasuredRows& rows, std::string_view column) {
    const std::optional<Collective> found = operation_of(rows.cell(column));
    if (!found) {
        rows.wrong(
            fmt::format("{} is \"{}\"; expected all_gather, reduce_scatter, all_reduce or send_receive",
                        column, shortened(rows.cell(column))));
    }
    return found.value_or(Collective::all_gather);
}

/// None where the column is not there.
std::optional<int> read_axis(MeasuredRows& rows) {
    if (!rows.has("axis")) {
        return std::nullopt;
    }
    const std::string word = small_word(rows.cell("axis"));
    constexpr std::string_view axes = "xyz";
    if (word.size() != 1 || axes.find(word[0]) == std::string_view::npos) {
        rows.wrong(fmt::format("axis is \"{}\"; expected X, Y or Z", shortened(rows.cell("axis"))));
        return std::nullopt;
    }
    return static_cast<int>(axes.find(word[0]));
}

/// Exactly these columns, and those that may be left out.
void expect_columns(MeasuredRows& rows, const std::vector<std::string_view>& needed, std::size_t optional) {
    const bool all = std::ranges::all_of(needed, [&](std::string_view one) { return rows.has(one); });
    if (!all || rows.columns() != needed.size() + optional) {
        rows.wrong(fmt::format("expected the columns {}, separated by commas", fmt::join(needed, ", ")));
    }
}

/// A group along several axes is not a ring: "2x4" of a sharding strategy.
bool along_one_axis(std::string_view strategy) {
    int axes = 0;
    for (std::size_t at = 0; at <= strategy.size();) {
        const std::size_t end = std::min(strategy.find('x', at), strategy.size());
        axes += strategy.substr(at, end - at) == "1" ? 0 : 1;
        at = end + 1;
    }
    return axes <= 1;
}

std::vector<MeasuredCollective> read_jax(MeasuredRows& rows) {
    std::vector<MeasuredCollective> all;
    while (rows.next()) {
        const Collective operation = read_operation(rows, "op_type");
        const std::int64_t chips = rows.whole("rank", 2, most_chips);
        const double bytes = rows.bytes("input_num_elements") * rows.bytes("dtype_bytes");
        // What goes in is a chip's part of what is gathered, and the whole of what is summed.
        const double whole = operation == Collective::all_gather ? bytes * static_cast<double>(chips) : bytes;
        if (!along_one_axis(rows.cell("sharding_strategy"))) {
            rows.wrong(fmt::format("sharding_strategy is \"{}\"; expected one axis above 1, which is a ring",
                                   shortened(rows.cell("sharding_strategy"))));
        }
        all.push_back({rows.line(), operation, chips, whole, rows.time(median), {}});
    }
    return all;
}

bool may_be_fitted(Collective operation) {
    return operation == Collective::all_reduce ||
           std::ranges::find(launched_collectives, operation) != launched_collectives.end();
}

} // namespace

Result<std::vector<MeasuredCollective>> read_collectives(std::string_view csv, const std::string& origin) {
    if (is_nccl_log(csv)) {
        return read_nccl_log(csv, origin).and_then([&](NcclLog log) {
            std::vector<MeasuredCollective>& rows = log.rows;
            if (!log.wrong.empty()) {
                return Result<std::vector<MeasuredCollective>>(
                    refuse(say("{} has wrong results at {} of its sizes (#wrong), {}; expected a log whose "
                               "results are right.",
                               origin, log.wrong.size(), wrong_nccl_rows(log.wrong))));
            }
            const bool fits = rows.empty() || may_be_fitted(rows.front().operation);
            return fits ? Result<std::vector<MeasuredCollective>>(std::move(rows))
                        : refuse(fmt::format("{} is a log of {}; expected all-reduce, all-gather, "
                                             "reduce-scatter or send-recv, which a ring is fitted to.",
                                             origin, name(rows.front().operation)));
        });
    }
    MeasuredRows rows(csv, origin, "operation,chips,bytes,time");
    std::vector<MeasuredCollective> all;
    if (rows.has(median)) {
        for (const char* column : {"op_type", "rank", "input_num_elements", "dtype_bytes"}) {
            if (!rows.has(column)) {
                rows.refuse_file(fmt::format("has a column {} and lacks {}", median, column));
            }
        }
        all = read_jax(rows);
    } else if (!rows.error()) {
        expect_columns(rows, {"operation", "chips", "bytes", "time"}, rows.has("axis") ? 1 : 0);
        while (rows.next()) {
            const Collective operation = read_operation(rows, "operation");
            const std::int64_t chips = rows.whole("chips", 2, most_chips);
            const double bytes = rows.bytes("bytes");
            all.push_back({rows.line(), operation, chips, bytes, rows.time("time"), read_axis(rows)});
        }
    }
    if (rows.error()) {
        return refuse(*rows.error());
    }
    return all;
}

Result<std::vector<MeasuredGemm>> read_gemms(std::string_view csv, const std::string& origin) {
    MeasuredRows rows(csv, origin, "M,N,K,time");
    const std::string_view time = rows.has(median) ? median : "time";
    if (!rows.error()) {
        const std::vector<std::string_view> columns = {"m", "n", "k", time};
        expect_columns(rows, columns, rows.has(median) ? rows.columns() - columns.size() : 0);
    }
    std::vector<MeasuredGemm> all;
    while (rows.next()) {
        const GemmShape shape{rows.whole("m", 1, most_dimension), rows.whole("n", 1, most_dimension),
                              rows.whole("k", 1, most_dimension)};
        if (const auto fits = checked(shape); !fits) {
            rows.wrong(fmt::format("the GEMM {} is larger than is counted", text(shape)));
        }
        all.push_back({rows.line(), shape, rows.time(time)});
    }
    if (rows.error()) {
        return refuse(*rows.error());
    }
    return all;
}

Result<Sourced<std::vector<MeasuredProduct>>> measured_products(const std::vector<MeasuredGemm>& gemms,
                                                                const std::string& origin,
                                                                const Machine& hardware) {
    if (gemms.empty()) {
        return refuse(fmt::format("{} has a header and no GEMMs; expected at least one.", origin));
    }
    if (gemms.size() > most_measured_gemms) {
        return refuse(fmt::format(
            "{} has {} GEMMs; expected up to {}, because every GEMM of a run is compared with all of them.",
            origin, gemms.size(), most_measured_gemms));
    }
    Sourced<std::vector<MeasuredProduct>> table{{}, origin};
    for (const MeasuredGemm& gemm : gemms) {
        table.value.push_back({gemm.shape.m, gemm.shape.n, gemm.shape.k, seconds(gemm.seconds)});
        const FlopRate reached = rate(table.value.back());
        const FlopRate peak = hardware.peak_rate(DataType::bf16);
        if (reached > peak) {
            return refuse(fmt::format(
                "{}, line {}: the GEMM {} in {} ran at {}, above the peak of {}, {}; expected a longer time.",
                origin, gemm.line, text(gemm.shape), text(seconds(gemm.seconds)), text(reached),
                hardware.title, text(peak)));
        }
    }
    return table;
}

} // namespace meshslice
