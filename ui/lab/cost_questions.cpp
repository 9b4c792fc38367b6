#include "ui/lab/cost_questions.h"

#include "core/base/text.h"
#include "core/machine/catalogue.h"
#include "core/report/chart/cost_charts.h"
#include "core/sharding/shards.h"
#include "ui/lab/cost_fields.h"
#include "ui/lab/lab_question.h"
#include "ui/look/words.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace meshslice::ui {
namespace {

struct CostTexts {
    Q_DECLARE_TR_FUNCTIONS(CostQuestion)
};

Choices kindChoices() {
    Choices all;
    for (const DataType type : all_data_types) {
        all.emplace_back(words(name(type)), words(name(type)));
    }
    return all;
}
/// Of a list, so that it is one of them.
DataType kindOf(const QString& name) {
    return parse_data_type(name.toStdString()).value_or(DataType::bf16);
}

/// Chips with any network.
Choices chipChoices() {
    Choices all;
    std::ranges::transform(presets_that(trains_by_plan), std::back_inserter(all), choiceOf);
    return all;
}

namespace roofline {

enum Field : std::size_t { gemm, kind, weights, compute, rows, memory, hardware };

CostResult answer(const QStringList& texts) {
    const auto read = parse_roofline_gemm(texts[gemm].toStdString(), CostTexts::tr("The GEMM").toStdString());
    if (!read) {
        return refused(gemm, words(read.error().sentence));
    }
    const auto chip = machine_preset(texts[hardware].toStdString());
    if (!chip) {
        return refused(hardware, words(chip.error().sentence));
    }
    const DataType own = kindOf(texts[kind]);
    RooflineGemm asked = *read;
    asked.left_bits = asked.right_bits = asked.result_bits = bits(own);
    if (!texts[weights].isEmpty()) {
        asked.right_bits = bits(kindOf(texts[weights]));
    }
    asked.weights_of_each_row = !texts[rows].isEmpty();
    const DataType type = parse_data_type(texts[compute].toStdString()).value_or(DataType::bf16);
    RooflineOnChip on{asked, *chip, type, {{"HBM", chip->hbm_bandwidth.value.value()}}};
    if (!(on.peak() > 0)) {
        return refused(
            compute,
            CostTexts::tr("%1 does not multiply %2; bf16 works.").arg(words(chip->title), texts[compute]));
    }
    if (!texts[memory].trimmed().isEmpty()) {
        const Result<double> rate =
            parse_memory_rate(texts[memory].toStdString(), CostTexts::tr("The other memory").toStdString());
        if (!rate) {
            return refused(memory, words(rate.error().sentence));
        }
        on.memories.emplace_back(CostTexts::tr("other memory").toStdString(), *rate);
    }
    CostAnswer found{batch_chart(on), level_table(on), {}};
    found.pictured = CostTexts::tr("%1 of %2, multiplied as %3, on one chip of %4")
                         .arg(texts[gemm].trimmed(), words(name(own)), words(name(type)), words(chip->title));
    return found;
}

} // namespace roofline

namespace collective {

enum Field : std::size_t { what, bytes, axes, slice, links, ways, hardware };

tl::expected<NamedMesh, CostRefusal> meshOf(const QString& typed, std::size_t field) {
    const Read<NamedMesh> mesh = parse_named_mesh(typed.toStdString());
    return mesh ? tl::expected<NamedMesh, CostRefusal>(*mesh)
                : refused(field, words(in_text(typed.toStdString(), mesh.error()).sentence));
}

tl::unexpected<CostRefusal> refusalOf(const AxesObjection& wrong) {
    switch (wrong.kind) {
    case AxesObjection::Kind::several_axes:
        return refused(axes, CostTexts::tr("SendRecv goes to the next chip along one axis; X=16 works."));
    case AxesObjection::Kind::one_way_already:
        return refused(ways, CostTexts::tr("SendRecv goes one way already: both ways works."));
    case AxesObjection::Kind::open_line: break;
    }
    return refused(ways,
                   CostTexts::tr("%1=%2 is an open line, and one way along it not every chip is reached: "
                                 "all rings works, or both ways.")
                       .arg(QLatin1Char(wrong.axis.name))
                       .arg(wrong.axis.axis.chips));
}

CostResult answer(const QStringList& texts) {
    const Result<Collective> exchange = parse_exchange(texts[what].toStdString());
    if (!exchange) {
        return refused(what, words(exchange.error().sentence));
    }
    const Result<double> size =
        parse_exchange_bytes(texts[bytes].toStdString(), CostTexts::tr("The size").toStdString());
    if (!size) {
        return refused(bytes, words(size.error().sentence));
    }
    const auto chip = machine_preset(texts[hardware].toStdString());
    if (!chip) {
        return refused(hardware, words(chip.error().sentence));
    }
    const auto taking_part = meshOf(texts[axes], axes);
    if (!taking_part) {
        return tl::make_unexpected(taking_part.error());
    }
    const bool whole = texts[slice].trimmed().isEmpty();
    const auto of = whole ? taking_part : meshOf(texts[slice], slice);
    if (!of) {
        return tl::make_unexpected(of.error());
    }
    AxesTaken taken;
    taken.one_way = !texts[ways].isEmpty();
    if (!texts[links].isEmpty()) {
        taken.rings = texts[links] == QLatin1String("rings");
    }
    const Result<std::vector<UsedAxis>> used = used_axes(*taking_part, *of, *chip, taken);
    if (!used) {
        return refused(whole ? axes : slice, words(used.error().sentence));
    }
    if (const std::optional<AxesObjection> wrong = objection(*exchange, *used, taken)) {
        return refusalOf(*wrong);
    }
    const CollectiveCosts costs{*exchange, *chip, *used};
    return CostAnswer{achieved_chart(costs, *size), size_table(costs),
                      CostTexts::tr("%1 along %2 on %3")
                          .arg(words(name(*exchange)), texts[axes].trimmed(), words(chip->title))};
}

} // namespace collective

} // namespace

CostQuestion rooflineQuestion() {
    Choices weights = kindChoices();
    for (auto& [shown, data] : weights) {
        shown = CostTexts::tr("weights %1").arg(shown);
    }
    weights.insert(weights.begin(), {CostTexts::tr("weights: same type"), QString()});
    Choices compute;
    for (const char* const type : {"bf16", "int8"}) {
        compute.emplace_back(CostTexts::tr("%1 peak").arg(words(type)), words(type));
    }
    std::vector<CostField> fields;
    fields.push_back(
        typed("gemm", QStringLiteral("BxDxF"), CostTexts::tr("GEMM of one chip"),
              CostTexts::tr("[B, D] times [D, F]: B is the batch of one chip in tokens; 8Ki is 8192"),
              QStringLiteral("256x8192x32768"), 2));
    fields.push_back(chosen("data_type", CostTexts::tr("Elements"),
                            CostTexts::tr("The type of the operands and of the result"), kindChoices(),
                            QStringLiteral("bf16"), CostTexts::tr("Elements")));
    fields.push_back(chosen("weights", CostTexts::tr("Elements of the weights"),
                            CostTexts::tr("The type of [D, F], where it is stored in another one"),
                            std::move(weights)));
    fields.push_back(chosen("compute", CostTexts::tr("Multiplied as"),
                            CostTexts::tr("What the matrix units multiply, whose peak counts"),
                            std::move(compute), QStringLiteral("bf16")));
    fields.push_back(chosen(
        "rows", CostTexts::tr("Weights of the rows"),
        CostTexts::tr("Whether all rows meet the same D x F, or every row one of its own, as in attention"),
        {{CostTexts::tr("shared weights"), QString()},
         {CostTexts::tr("own weights of each row"), QStringLiteral("each")}}));
    fields.push_back(
        typed("memory", CostTexts::tr("Other memory"), CostTexts::tr("Other memory"),
              CostTexts::tr("A second memory that the matrices may come from, such as a host's over "
                            "PCIe, by its bandwidth; nothing for none"),
              QStringLiteral("15 GB/s")));
    fields.push_back(chosen("hardware", CostTexts::tr("Chip"),
                            CostTexts::tr("Whose peak, HBM and network count"), chipChoices(),
                            QStringLiteral("tpu-v5e")));
    return {std::move(fields), roofline::answer};
}

CostQuestion collectiveQuestion() {
    Choices exchanges;
    for (const Collective one : all_collectives) {
        exchanges.emplace_back(words(name(one)), words(name(one)));
    }
    std::vector<CostField> fields;
    fields.push_back(chosen("collective", CostTexts::tr("Collective"),
                            CostTexts::tr("What the chips exchange"), std::move(exchanges),
                            QStringLiteral("all-gather")));
    fields.push_back(
        typed("bytes", CostTexts::tr("Size"), CostTexts::tr("Size"),
              CostTexts::tr("Of the whole array over these axes, as it is after an all-gather or "
                            "before a reduce-scatter; of send-recv, what every chip sends to the "
                            "next one"),
              QStringLiteral("34 MB")));
    fields.push_back(typed("axes", CostTexts::tr("Axes"), CostTexts::tr("Axes that take part"),
                           CostTexts::tr("Up to three, with their chips: X=16, Y=4"), QStringLiteral("X=16"),
                           2));
    fields.push_back(typed("slice", CostTexts::tr("Slice"), CostTexts::tr("Slice"),
                           CostTexts::tr("All axes of the slice, where it has more than take part: its size "
                                         "decides which axes are rings; nothing for the axes that take part"),
                           QString(), 2));
    fields.push_back(chosen("links", CostTexts::tr("Rings or lines"),
                            CostTexts::tr("Whether the links of an axis close a ring"),
                            {{CostTexts::tr("links as built"), QString()},
                             {CostTexts::tr("all rings"), QStringLiteral("rings")},
                             {CostTexts::tr("all lines"), QStringLiteral("lines")}}));
    fields.push_back(chosen(
        "ways", CostTexts::tr("Directions"),
        CostTexts::tr("Whether chunks go both ways round a ring, or one way"),
        {{CostTexts::tr("both ways"), QString()}, {CostTexts::tr("one way"), QStringLiteral("one-way")}}));
    fields.push_back(chosen("hardware", CostTexts::tr("Chip"),
                            CostTexts::tr("Whose links and synchronisation count"), torusChoices(),
                            QStringLiteral("tpu-v5e"), {}, 2));
    return {std::move(fields), collective::answer};
}

} // namespace meshslice::ui
