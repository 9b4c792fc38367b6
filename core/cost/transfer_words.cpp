#include "core/cost/transfer_words.h"

#include "core/base/parse.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/cost/collective_costs.h"
#include "core/cost/gemm_roofline.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace meshslice {

const TransferTexts& transfer_example() {
    static const TransferTexts texts = {"X=4, Y=4", "0,0", "3,3", "16.8 MB", "", ""};
    return texts;
}

Result<GridPlace> parse_grid_place(std::string_view words, const NamedMesh& slice, std::string_view who) {
    GridPlace place;
    std::size_t begin = 0;
    bool read = !slice.axes.empty();
    while (read && begin <= words.size()) {
        const std::size_t comma = std::min(words.find(',', begin), words.size());
        const Result<std::int64_t> at = parse_whole(words.substr(begin, comma - begin));
        read = at && place.size() < slice.axes.size() && *at >= 0 && *at < slice.axes[place.size()].size;
        if (read) {
            place.push_back(*at);
        }
        begin = comma + 1;
    }
    if (!read || place.size() != slice.axes.size()) {
        GridPlace last;
        std::ranges::transform(slice.axes, std::back_inserter(last),
                               [](const MeshAxis& axis) { return axis.size - 1; });
        return refuse(say("{} is \"{}\"; a place along each axis of {} was expected, up to {}.", who,
                          shortened(words), text(slice), fmt::format("{}", fmt::join(last, ","))));
    }
    return place;
}

tl::expected<TransferAsked, TransferRefusal> read_transfer(const TransferTexts& typed,
                                                           const TransferTexts& names) {
    using From = TransferAsked::From;
    const auto words = [&](TransferField field) -> const std::string& { return typed[place_of(field)]; };
    const auto name = [&](TransferField field) -> const std::string& { return names[place_of(field)]; };
    const auto refused = [](TransferField field, Error error) {
        return tl::make_unexpected(TransferRefusal{field, std::move(error)});
    };
    TransferAsked asked;
    const Read<NamedMesh> slice = parse_named_mesh(words(TransferField::slice));
    if (!slice) {
        Error error = in_text(words(TransferField::slice), slice.error());
        error.sentence = name(TransferField::slice) + " " + error.sentence;
        return refused(TransferField::slice, std::move(error));
    }
    asked.slice = *slice;
    const std::string& from = words(TransferField::from);
    if (from == "chips" || from == "hosts") {
        asked.from = from == "chips" ? From::chips : From::hosts;
    } else {
        const Result<GridPlace> source = parse_grid_place(from, *slice, name(TransferField::from));
        if (!source) {
            return refused(
                TransferField::from,
                Error{source.error().sentence +
                      said(" Or \"chips\", where every chip has a share, or \"hosts\", where it is in "
                           "their memory.")});
        }
        asked.source = *source;
    }
    const Result<GridPlace> target =
        parse_grid_place(words(TransferField::to), *slice, name(TransferField::to));
    if (!target) {
        return refused(TransferField::to, target.error());
    }
    asked.target = *target;
    const Result<double> bytes =
        parse_exchange_bytes(words(TransferField::bytes), name(TransferField::bytes));
    if (!bytes) {
        return refused(TransferField::bytes, bytes.error());
    }
    asked.bytes = *bytes;
    if (asked.from == From::chip && asked.source == asked.target) {
        return refused(TransferField::to,
                       Error{say("{} is \"{}\", where it is already; another chip was expected.",
                                 name(TransferField::to), shortened(words(TransferField::to)))});
    }
    if (!words(TransferField::pcie).empty()) {
        const Result<double> rate = parse_memory_rate(words(TransferField::pcie), name(TransferField::pcie));
        if (!rate) {
            return refused(TransferField::pcie, rate.error());
        }
        asked.pcie = Bandwidth(*rate);
    }
    if (!words(TransferField::gemm).empty()) {
        const Result<RooflineGemm> gemm =
            parse_roofline_gemm(words(TransferField::gemm), name(TransferField::gemm));
        if (!gemm) {
            return refused(TransferField::gemm, gemm.error());
        }
        asked.flop = gemm->flop();
    }
    return asked;
}

} // namespace meshslice
