#include "ui/lab/stepper/stepper_text.h"

#include "core/base/text.h"
#include "ui/lab/stepper/stepper_chunks.h"
#include "ui/look/words.h"

#include <QCoreApplication>

#include <algorithm>
#include <variant>

namespace meshslice::ui {
namespace {

struct StepperWords {
    Q_DECLARE_TR_FUNCTIONS(meshslice::ui::Stepper)
};

template <class... Cases>
struct SaidOf : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
SaidOf(Cases...) -> SaidOf<Cases...>;

QString stepperChipsAlong(const Torus& torus, Axis axis) {
    if (torus.axis_count() == 1) {
        return StepperWords::tr("its ring");
    }
    switch (axis) {
    case Axis::vertical: return StepperWords::tr("its column of chips");
    case Axis::horizontal: return StepperWords::tr("its row of chips");
    case Axis::third: break;
    }
    return StepperWords::tr("the chips above and below it");
}

QString sliceDeed(const Slicing& slicing, const QString& whole, std::int64_t iteration) {
    const bool rows = slicing.dimension == Dimension::rows;
    const QString number = QString::number(slicing.number(iteration));
    const QString count = QString::number(slicing.count);
    return rows ? StepperWords::tr("Slice %1 of %2 is every chip's own rows of %3 that are marked; no link "
                                   "is used.")
                      .arg(number, count, whole)
                : StepperWords::tr("Slice %1 of %2 is every chip's own columns of %3 that are marked; no "
                                   "link is used.")
                      .arg(number, count, whole);
}

/// What the operation does, in a sentence.
QString deedOf(const Program& program, const Operation& operation, std::int64_t iteration) {
    const auto value = [&](ValueId id) { return words(program.values[id].name); };
    const auto along = [&](Axis axis) { return stepperChipsAlong(program.torus, axis); };
    return std::visit(
        SaidOf{
            [&](const Slice& o) { return sliceDeed(o.slicing, value(o.source), iteration); },
            [&](const PutSlice& o) { return sliceDeed(o.slicing, value(o.target), iteration); },
            [&](const Add& o) {
                return StepperWords::tr("Every chip adds its %1 to its %2.")
                    .arg(value(o.source), value(o.target));
            },
            [&](const TakePart& o) {
                return StepperWords::tr("Every chip keeps its own part of %1.").arg(value(o.source));
            },
            [&](const AllGather& o) {
                return StepperWords::tr("Every chip collects the %1 of %2, chunk by chunk.")
                    .arg(value(o.source), along(o.axis));
            },
            [&](const ReduceScatter& o) {
                return StepperWords::tr("The sums of %1 over %2 grow as they go round; every chip ends with "
                                        "its own part.")
                    .arg(value(o.source), along(o.axis));
            },
            [&](const AllToAll& o) {
                return StepperWords::tr("Every chip sends a different part of %1 to each chip of %2.")
                    .arg(value(o.source), along(o.axis));
            },
            [&](const Broadcast& o) {
                return StepperWords::tr("One chip sends its panel of %1 to all of %2, packet by packet.")
                    .arg(value(o.source), along(o.axis));
            },
            [&](const Reduce& o) {
                return StepperWords::tr("The partial sums %1 of %2 are added up on their way to one chip.")
                    .arg(value(o.source), along(o.axis));
            },
            [&](const Shift& o) {
                return o.is_skew()
                           ? StepperWords::tr("Every chip's %1 moves along %2, in each row or column by "
                                              "another distance, until matching blocks meet.")
                                 .arg(value(o.source), along(o.axis))
                           : StepperWords::tr("Every chip's %1 moves along %2.")
                                 .arg(value(o.source), along(o.axis));
            },
            [&](const SendRecv& o) {
                return StepperWords::tr("Every chip passes the chunk of %1 that it has at hand to its "
                                        "neighbours along %2.")
                    .arg(value(o.source), along(o.axis));
            },
            [&](const AddSendRecv& o) {
                return StepperWords::tr("Every chip adds its %1 to the sum at hand and passes it along %2.")
                    .arg(value(o.source), along(o.axis));
            },
            [&](const TakeChunks& o) {
                return StepperWords::tr("Every chip takes the chunks of %1 that belong to those at hand.")
                    .arg(value(o.source));
            },
            [&](const PutChunks& o) {
                return StepperWords::tr("Every chip puts its %1 where it belongs in %2.")
                    .arg(value(o.source), value(o.target));
            },
            [&](const Multiply& o) {
                return o.accumulate
                           ? StepperWords::tr("Every chip multiplies what it holds and adds the partial GEMM "
                                              "to its %1.")
                                 .arg(value(o.result))
                           : StepperWords::tr("Every chip multiplies what it holds; the result is its %1.")
                                 .arg(value(o.result));
            }},
        operation);
}

QString rowText(const DenseMatrix<double>& matrix, std::int64_t row) {
    QStringList numbers;
    for (std::int64_t column = 0; column < matrix.columns; ++column) {
        numbers << stepperNumber(matrix.at(row, column));
    }
    return numbers.join(QLatin1Char(' '));
}

} // namespace

QString stepperStep(const StepperShown& shown) {
    const Stepping& stepping = *shown.stepping;
    const Moment& now = stepping.moments[shown.moment];
    const Program& program = stepping.program;
    if (!now.line) {
        return stepping.expected.data.empty()
                   ? StepperWords::tr("At the beginning every chip holds its own A.")
                   : StepperWords::tr("At the beginning every chip holds its own blocks of A and B, and C is "
                                      "zero.");
    }
    const Operation& operation = program.operations[*now.line];
    QString line = words(text(program, operation));
    if (program.in_loop(*now.line) && program.iterations > 1) {
        line = StepperWords::tr("s = %1: %2").arg(QString::number(now.iteration), line);
    }
    if (now.hops > 1) {
        line = StepperWords::tr("%1, hop %2 of %3")
                   .arg(line, QString::number(now.hop), QString::number(now.hops));
    }
    const QString of_chunks = stepperChunkDeed(shown);
    return line + QStringLiteral(". ") +
           (of_chunks.isEmpty() ? deedOf(program, operation, now.iteration) : of_chunks);
}

QString stepperVerdict(const StepperShown& shown) {
    const Stepping& stepping = *shown.stepping;
    if (stepping.expected.data.empty()) {
        return {};
    }
    if (shown.moment + 1 < stepping.moments.size()) {
        return StepperWords::tr("C is compared with A B when the last step is done.");
    }
    std::int64_t wrong = 0;
    for (std::size_t k = 0; k < stepping.expected.data.size(); ++k) {
        wrong += stepping.product.data[k] != stepping.expected.data[k] ? 1 : 0;
    }
    if (stepping.right()) {
        return StepperWords::tr("C is right: every number is that of A B.");
    }
    return StepperWords::tr("C is wrong: %1 of %2 numbers are not those of A B, because a slice of one "
                            "matrix met a slice of the other with other indices.")
        .arg(QString::number(wrong), QString::number(stepping.expected.data.size()));
}

QStringList stepperMatrixLines(const StepperShown& shown, Chip chip, ValueId value) {
    const Stepping& stepping = *shown.stepping;
    const auto& held = stepping.moments[shown.moment].values[value];
    QStringList lines = {StepperWords::tr("%1 on chip %2")
                             .arg(words(stepping.program.values[value].name),
                                  words(place_text(stepping.program.torus, chip)))};
    if (held == nullptr) {
        lines << StepperWords::tr("not made yet");
        return lines;
    }
    const DenseMatrix<double>& matrix = (*held)[static_cast<std::size_t>(chip)];
    for (std::int64_t row = 0; row < matrix.rows; ++row) {
        lines << rowText(matrix, row);
    }
    return lines;
}

const LinkMessage<double>* stepperMessage(const StepperShown& shown, std::size_t link) {
    const Stepping& stepping = *shown.stepping;
    for (const LinkMessage<double>& one : stepping.moments[shown.moment].crossed) {
        if (one.link == stepping.links[link]) {
            return &one;
        }
    }
    return nullptr;
}

QStringList stepperLinkLines(const StepperShown& shown, std::size_t link) {
    const Stepping& stepping = *shown.stepping;
    const Link& at = stepping.links[link];
    const Torus& torus = stepping.program.torus;
    const std::optional<Chip> to = torus.neighbour(at.chip, at.axis, at.direction);
    QStringList lines = {
        StepperWords::tr("link from chip %1 to chip %2")
            .arg(words(place_text(torus, at.chip)), words(place_text(torus, to.value_or(0))))};
    if (const LinkMessage<double>* message = stepperMessage(shown, link)) {
        QStringList numbers;
        for (const double number : message->numbers) {
            numbers << stepperNumber(number);
        }
        lines << (message->adds ? StepperWords::tr("in this step, to be added: %1")
                                : StepperWords::tr("in this step: %1"))
                     .arg(numbers.join(QLatin1Char(' ')));
    }
    const std::int64_t carried = stepping.moments[shown.moment].carried[link];
    lines << StepperWords::tr("so far: %1 numbers, %2 bytes in bf16")
                 .arg(QString::number(carried),
                      QString::number(carried * element_bytes(stepping.schedule.type)));
    return lines;
}

QStringList stepperChipLines(const StepperShown& shown, Chip chip) {
    const Stepping& stepping = *shown.stepping;
    QStringList lines = {StepperWords::tr("chip %1").arg(words(place_text(stepping.program.torus, chip)))};
    const Moment& now = stepping.moments[shown.moment];
    for (ValueId id = 0; id < now.values.size(); ++id) {
        if (now.values[id] == nullptr || stepping.program.values[id].elements() == 0) {
            continue;
        }
        const DenseMatrix<double>& matrix = (*now.values[id])[static_cast<std::size_t>(chip)];
        QStringList rows;
        for (std::int64_t row = 0; row < matrix.rows; ++row) {
            rows << rowText(matrix, row);
        }
        lines << QStringLiteral("%1: %2").arg(words(stepping.program.values[id].name),
                                              rows.join(QStringLiteral(" / ")));
    }
    return lines + stepperChunkLines(shown, chip);
}

} // namespace meshslice::ui
