#include "ui/lab/stepper/stepper_picture.h"

#include "ui/lab/stepper/stepper_chunks.h"
#include "ui/lab/stepper/stepper_text.h"
#include "ui/look/lettering.h"
#include "ui/look/words.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <variant>

namespace meshslice::ui {
namespace {

struct StepperPictureWords {
    Q_DECLARE_TR_FUNCTIONS(meshslice::ui::Stepper)
};

/// The colour of what an operation does.
Role roleOfDeed(const Operation& operation) {
    switch (place(operation)) {
    case Place::vertical_links: return Role::transferVertical;
    case Place::horizontal_links: return Role::transferHorizontal;
    case Place::third_links: return Role::transferThird;
    case Place::core: return Role::compute;
    case Place::nobody: break;
    }
    return Role::slicing;
}

/// Paints one moment.
class StepperPainter {
  public:
    StepperPainter(QPainter& painter, const StepperShown& shown, const StepperLayout& layout, Theme theme)
        : painter_(painter)
        , shown_(shown)
        , layout_(layout)
        , theme_(theme)
        , stepping_(*shown.stepping)
        , now_(stepping_.moments[shown.moment]) {
        if (now_.line) {
            operation_ = &stepping_.program.operations[*now_.line];
            role_ = roleOfDeed(*operation_);
        }
    }

    void paint() {
        write(layout_.title, lettering(Lettering::title, true), shown_.title, Role::text);
        paragraph(layout_.step, stepperStep(shown_), color(Role::text, theme_));
        paintCode();
        paintResult();
        for (const StepperChip& chip : layout_.chips) {
            painter_.setPen(QPen(color(Role::grid, theme_), 1));
            painter_.setBrush(color(Role::panel, theme_));
            painter_.drawRect(chip.area);
            write(
                chip.heading, lettering(Lettering::small),
                StepperPictureWords::tr("chip %1").arg(words(place_text(stepping_.program.torus, chip.chip))),
                Role::quietText);
        }
        for (const StepperMatrix& matrix : layout_.matrices) {
            paintMatrix(matrix);
        }
        for (const StepperChunks& chunks : layout_.chunks) {
            paintStepperChunks(painter_, shown_, chunks.chip, chunks.area, theme_);
        }
        if (!layout_.chunk_legend.isNull()) {
            paintStepperLegend(painter_, shown_, layout_.chunk_legend, theme_);
        }
        for (const StepperLink& link : layout_.links) {
            paintLink(link);
        }
    }

  private:
    void write(const QRectF& area, const QFont& font, const QString& text, Role role,
               Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter) {
        painter_.setPen(color(role, theme_));
        drawFitted(painter_, area, alignment, font, text);
    }
    void paragraph(const QRectF& area, const QString& text, const QColor& pen) {
        const QFont font = lettering(Lettering::normal);
        const double line = 16;
        painter_.setPen(pen);
        double y = area.top();
        for (const QString& one : inLines(font, text, area.width(), static_cast<int>(area.height() / line))) {
            drawFitted(painter_, QRectF(area.left(), y, area.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                       font, one);
            y += line;
        }
    }

    void paintCode() {
        write(layout_.code_heading, lettering(Lettering::small, true),
              StepperPictureWords::tr("Every chip runs"), Role::quietText);
        for (const StepperLine& line : layout_.code) {
            const bool lit = line.operation && line.operation == now_.line;
            if (lit) {
                painter_.fillRect(line.area.adjusted(-3, 0, 0, 0), tint(role_, theme_, 0.4));
                painter_.fillRect(QRectF(line.area.left() - 4, line.area.top(), 3, line.area.height()),
                                  color(role_, theme_));
            }
            write(line.area.adjusted(2, 0, 0, 0), lettering(Lettering::small, lit), line.text, Role::text);
        }
    }

    void paintResult() {
        const DenseMatrix<double>& expected = stepping_.expected;
        if (expected.data.empty()) {
            return;
        }
        const bool over = shown_.moment + 1 == stepping_.moments.size();
        write(layout_.result_heading, lettering(Lettering::small, true),
              over ? StepperPictureWords::tr("C, put together from the chips")
                   : StepperPictureWords::tr("A B, as one chip has it"),
              Role::quietText);
        StepperMatrix grid;
        grid.area = layout_.result;
        grid.cell_width = layout_.result_cell_width;
        grid.cell_height = layout_.result_cell_height;
        for (std::int64_t row = 0; row < expected.rows; ++row) {
            for (std::int64_t column = 0; column < expected.columns; ++column) {
                const double wanted = expected.at(row, column);
                const double is = over ? stepping_.product.at(row, column) : wanted;
                paintCell(grid.cell(row, column), is, color(Role::background, theme_), is != wanted,
                          over ? Role::text : Role::quietText);
            }
        }
        const bool wrong = over && !stepping_.right();
        paragraph(layout_.result_notes, stepperVerdict(shown_),
                  wrong ? warningText(theme_) : color(over ? Role::text : Role::quietText, theme_));
    }

    void paintCell(const QRectF& cell, double number, const QColor& fill, bool wrong, Role text) {
        painter_.setPen(QPen(color(Role::grid, theme_), 1));
        painter_.setBrush(fill);
        painter_.drawRect(cell);
        const QFont font = lettering(Lettering::tiny, wrong);
        const QString digits = stepperNumber(number);
        if (!std::isnan(number) && textWidth(font, digits) <= cell.width()) {
            painter_.setPen(wrong ? warningText(theme_) : color(text, theme_));
            painter_.setFont(font);
            painter_.drawText(cell, Qt::AlignCenter, digits);
        }
        if (wrong) {
            painter_.setBrush(Qt::NoBrush);
            painter_.setPen(QPen(warningText(theme_), 1));
            painter_.drawRect(cell.adjusted(1, 1, -1, -1));
        }
    }

    void paintMatrix(const StepperMatrix& matrix) {
        const auto& held = now_.values[matrix.value];
        const Value& value = stepping_.program.values[matrix.value];
        bool involved = false;
        if (operation_ != nullptr) {
            const ReadValues read = reads(*operation_);
            involved = writes(*operation_) == matrix.value ||
                       std::find(read.begin(), read.end(), matrix.value) != read.end();
        }
        write(matrix.name, lettering(Lettering::small, involved), words(value.name),
              involved ? Role::text : Role::quietText);
        if (held == nullptr) {
            painter_.setPen(QPen(color(Role::grid, theme_), 1, Qt::DotLine));
            painter_.setBrush(Qt::NoBrush);
            painter_.drawRect(matrix.area);
            return;
        }
        const std::optional<Stepping::Taken> taken = stepping_.taken(shown_.moment, matrix.value);
        const std::vector<bool> fresh = stepping_.changed(shown_.moment, matrix.value, matrix.chip);
        const DenseMatrix<double>& numbers = (*held)[static_cast<std::size_t>(matrix.chip)];
        for (std::int64_t row = 0; row < numbers.rows; ++row) {
            for (std::int64_t column = 0; column < numbers.columns; ++column) {
                const double number = numbers.at(row, column);
                const auto at = static_cast<std::size_t>(column * numbers.rows + row);
                QColor fill = color(std::isnan(number) ? Role::panel : Role::background, theme_);
                if (!fresh.empty() && fresh[at]) {
                    fill = tint(role_, theme_, 0.45);
                }
                if (taken &&
                    taken->is[static_cast<std::size_t>(taken->dimension == Dimension::rows ? row : column)]) {
                    fill = tint(Role::slicing, theme_, 0.55);
                }
                paintCell(matrix.cell(row, column), number, fill, false, Role::text);
            }
        }
        if (involved) {
            painter_.setBrush(Qt::NoBrush);
            painter_.setPen(QPen(color(Role::text, theme_), 1));
            painter_.drawRect(matrix.area);
        }
    }

    /// An arrow with its head at `to`.
    void arrow(const QPointF& from, const QPointF& to) {
        painter_.drawLine(from, to);
        const QPointF way = (to - from) / std::max(1.0, std::hypot(to.x() - from.x(), to.y() - from.y()));
        const QPointF side(-way.y(), way.x());
        painter_.drawLine(to, to - way * 5 + side * 3);
        painter_.drawLine(to, to - way * 5 - side * 3);
    }

    void paintLink(const StepperLink& link) {
        const LinkMessage<double>* message = stepperMessage(shown_, link.link);
        const Axis axis = stepping_.links[link.link].axis;
        const Role role = message != nullptr ? transfer_role(axis) : Role::quietText;
        const QFont font = lettering(Lettering::tiny, message != nullptr);
        QStringList sent_now;
        if (message != nullptr) {
            for (const double number : message->numbers) {
                sent_now << stepperNumber(number);
            }
        }
        const QString numbers = (message != nullptr && message->adds ? QStringLiteral("+ ") : QString()) +
                                sent_now.join(QLatin1Char(' '));
        const QString so_far = QString::number(now_.carried[link.link]);
        painter_.setPen(QPen(color(role, theme_), message != nullptr ? 2 : 1));
        const QRectF& area = link.area;
        if (link.in_chip) {
            const QString sign = link.forward ? QStringLiteral("↓ ") : QStringLiteral("↑ ");
            write(area, font, sign + numbers + QStringLiteral("  Σ ") + so_far,
                  message != nullptr ? Role::text : Role::quietText);
            return;
        }
        if (link.across) {
            const double y = area.center().y() + 4;
            arrow({link.forward ? area.left() : area.right(), y},
                  {link.forward ? area.right() : area.left(), y});
            sent(QRectF(area.left(), area.top(), area.width(), y - area.top() - 2), numbers, font,
                 Qt::AlignHCenter);
            write(QRectF(area.left(), y + 2, area.width(), 12), lettering(Lettering::tiny),
                  QStringLiteral("Σ ") + so_far, Role::quietText, Qt::AlignHCenter | Qt::AlignTop);
            return;
        }
        const double x = area.left() + 8;
        arrow({x, link.forward ? area.top() : area.bottom()}, {x, link.forward ? area.bottom() : area.top()});
        const QRectF label(x + 6, area.top(), area.right() - x - 8, area.height());
        sent(QRectF(label.left(), label.top(), label.width(), label.height() - 13), numbers, font,
             Qt::AlignLeft);
        write(QRectF(label.left(), label.bottom() - 12, label.width(), 12), lettering(Lettering::tiny),
              QStringLiteral("Σ ") + so_far, Role::quietText);
    }

    /// The numbers on their way, in as many lines as there is room for, the last at the bottom.
    void sent(const QRectF& area, const QString& numbers, const QFont& font, Qt::Alignment alignment) {
        if (numbers.isEmpty()) {
            return;
        }
        const double line = 12;
        QStringList lines = wrapped(font, numbers, area.width());
        const auto room = std::max<qsizetype>(1, static_cast<qsizetype>(area.height() / line));
        if (lines.size() > room) {
            lines = lines.mid(0, room);
            lines.last() += QStringLiteral(" …");
        }
        painter_.setPen(color(Role::text, theme_));
        double y = area.bottom() - line * static_cast<double>(lines.size());
        for (const QString& one : lines) {
            drawFitted(painter_, QRectF(area.left(), y, area.width(), line), alignment | Qt::AlignVCenter,
                       font, one);
            y += line;
        }
    }

    QPainter& painter_;
    const StepperShown& shown_;
    const StepperLayout& layout_;
    const Theme theme_;
    const Stepping& stepping_;
    const Moment& now_;
    const Operation* operation_ = nullptr;
    Role role_ = Role::slicing;
};

} // namespace

void paintStepper(QPainter& painter, const QSizeF& size, const StepperShown& shown, Theme theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRectF(QPointF(0, 0), size), color(Role::background, theme));
    StepperLayout layout = layoutStepper(size.width(), shown, size.height());
    const double scale =
        std::min({1.0, size.width() / layout.width, size.height() / std::max(1.0, layout.height)});
    if (scale < 1) {
        painter.scale(scale, scale);
        layout = layoutStepper(size.width() / scale, shown, size.height() / scale);
    }
    StepperPainter(painter, shown, layout, theme).paint();
    painter.restore();
}

} // namespace meshslice::ui
