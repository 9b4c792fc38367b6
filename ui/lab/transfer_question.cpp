#include "core/base/text.h"
#include "core/cost/transfer_words.h"
#include "core/machine/catalogue.h"
#include "core/report/chart/transfer_chart.h"
#include "ui/lab/cost_fields.h"
#include "ui/look/words.h"

#include <QCoreApplication>

#include <utility>

namespace meshslice::ui {
namespace {

struct TransferQuestionTexts {
    Q_DECLARE_TR_FUNCTIONS(TransferQuestion)
};

/// As the fields are labelled, so sentences about them begin.
TransferTexts fieldNames() {
    TransferTexts names;
    const auto call = [&](TransferField field, const QString& name) {
        names[place_of(field)] = name.toStdString();
    };
    call(TransferField::slice, TransferQuestionTexts::tr("Slice"));
    call(TransferField::from, TransferQuestionTexts::tr("From"));
    call(TransferField::to, TransferQuestionTexts::tr("To"));
    call(TransferField::bytes, TransferQuestionTexts::tr("Size"));
    call(TransferField::pcie, TransferQuestionTexts::tr("PCIe"));
    call(TransferField::gemm, QStringLiteral("BxDxF"));
    return names;
}

CostResult answer(const QStringList& texts) {
    TransferTexts typed;
    for (std::size_t field = 0; field < transfer_fields; ++field) {
        typed[field] = texts[static_cast<qsizetype>(field)].trimmed().toStdString();
    }
    const auto chip = machine_preset(texts.back().toStdString());
    if (!chip) {
        return refused(transfer_fields, words(chip.error().sentence));
    }
    const auto asked = read_transfer(typed, fieldNames());
    if (!asked) {
        return refused(place_of(asked.error().field), words(asked.error().error.sentence));
    }
    if (asked->slice.devices() > most_chips_drawn) {
        return refused(
            place_of(TransferField::slice),
            TransferQuestionTexts::tr("%1 has %2 chips; at most %3 are drawn. The command line takes more.")
                .arg(words(text(asked->slice)))
                .arg(asked->slice.devices())
                .arg(most_chips_drawn));
    }
    const Result<Transfer> found = transfer(*asked, *chip);
    if (!found) {
        return refused(place_of(TransferField::slice), words(found.error().sentence));
    }
    return CostAnswer{transfer_chart(*asked, *found, *chip), transfer_table(*asked, *found),
                      TransferQuestionTexts::tr("%1 from %2 of %3 on %4")
                          .arg(words(bytes_text(asked->bytes)), words(ends_text(*asked)),
                               words(text(asked->slice)), words(chip->title))};
}

} // namespace

CostQuestion transferQuestion() {
    const auto first = [](TransferField field) { return words(transfer_example()[place_of(field)]); };
    std::vector<CostField> fields;
    fields.push_back(typed("slice", TransferQuestionTexts::tr("Slice"), TransferQuestionTexts::tr("Slice"),
                           TransferQuestionTexts::tr("Its axes, with their chips: X=4, Y=4"),
                           first(TransferField::slice), 2));
    fields.push_back(typed(
        "from", TransferQuestionTexts::tr("From"), TransferQuestionTexts::tr("Where it is"),
        TransferQuestionTexts::tr("A chip by its place along each axis, 0,0; or chips, where every chip "
                                  "has an equal share; or hosts, where the share is in the memory of its "
                                  "host"),
        first(TransferField::from)));
    fields.push_back(
        typed("to", TransferQuestionTexts::tr("To"), TransferQuestionTexts::tr("Where it goes"),
              TransferQuestionTexts::tr("The chip that wants all of it, by its place along each axis"),
              first(TransferField::to)));
    fields.push_back(typed("bytes", TransferQuestionTexts::tr("Size"), TransferQuestionTexts::tr("Size"),
                           TransferQuestionTexts::tr("Of all of it, also where chips have shares"),
                           first(TransferField::bytes)));
    fields.push_back(
        typed("pcie", TransferQuestionTexts::tr("PCIe"), TransferQuestionTexts::tr("Bandwidth of PCIe"),
              TransferQuestionTexts::tr(
                  "Between a chip and its host, where it comes from the hosts, such as 15 GB/s; nothing for "
                  "what the chip has"),
              first(TransferField::pcie)));
    fields.push_back(
        typed("gemm", QStringLiteral("BxDxF"), TransferQuestionTexts::tr("GEMM of the target"),
              TransferQuestionTexts::tr("What the target multiplies while it comes, [B, D] times [D, F]; "
                                        "nothing for none"),
              QString()));
    fields.push_back(chosen("hardware", TransferQuestionTexts::tr("Chip"),
                            TransferQuestionTexts::tr("Whose links, HBM and synchronisation count"),
                            torusChoices(), QStringLiteral("tpu-v5e"), {}, 2));
    return {std::move(fields), answer};
}

} // namespace meshslice::ui
