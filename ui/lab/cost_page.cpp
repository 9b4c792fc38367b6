#include "ui/lab/cost_page.h"

#include "ui/charts/chart_canvas.h"
#include "ui/controls/scrolling.h"
#include "ui/controls/wrapping_row.h"
#include "ui/lab/field_row.h"
#include "ui/look/palette.h"
#include "ui/look/words.h"

#include <QComboBox>
#include <QGraphicsOpacityEffect>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr std::size_t fields_of_last_row = 4;

} // namespace

CostPage::CostPage(CostQuestion question, const QString& name, QWidget* parent)
    : LabPage(parent)
    , question_(std::move(question))
    , notice_(new QLabel(this))
    , canvas_(new ChartCanvas(this))
    , old_(new QGraphicsOpacityEffect(this)) {
    old_->setOpacity(0.35);
    old_->setEnabled(false);
    canvas_->setGraphicsEffect(old_);
    setAccessibleName(name);
    canvas_->setAccessibleName(name);
    notice_->setTextFormat(Qt::RichText);
    notice_->setWordWrap(true);
    for (const CostField& one : question_.fields) {
        makeField(one);
    }
    layOut();
    ask();
}

void CostPage::makeField(const CostField& of) {
    QWidget* made = nullptr;
    if (of.typed) {
        auto* line = new QLineEdit(of.first, this);
        connect(line, &QLineEdit::textChanged, this, &CostPage::ask);
        made = line;
    } else {
        auto* box = new QComboBox(this);
        for (const auto& [shown, data] : of.choices) {
            box->addItem(shown, data);
        }
        box->setCurrentIndex(box->findData(of.first));
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(8);
        connect(box, &QComboBox::currentIndexChanged, this, &CostPage::ask);
        made = box;
    }
    made->setAccessibleName(of.name);
    made->setToolTip(tipParagraph(of.name + translated(": ") + of.tip));
    fields_.push_back(made);
}

void CostPage::layOut() {
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    WrappingRow* row = fieldRow({});
    for (std::size_t f = 0; f < fields_.size(); ++f) {
        if (f > 0 && f + fields_of_last_row == fields_.size()) {
            all->addLayout(std::exchange(row, fieldRow({})));
        }
        if (const QString& label = question_.fields[f].label; !label.isEmpty()) {
            auto* before = new QLabel(label, this);
            before->setTextFormat(Qt::PlainText);
            before->setBuddy(fields_[f]);
            row->add(before);
        }
        row->add(fields_[f], question_.fields[f].stretch);
    }
    all->addLayout(row);
    all->addLayout(fieldRow({{notice_, 1}}));
    all->addWidget(makeScrolling(canvas_, this), 1);
}

QWidget* CostPage::field(std::string_view key) const {
    const auto found =
        std::ranges::find_if(question_.fields, [key](const CostField& one) { return key == one.key; });
    return found == question_.fields.end()
               ? nullptr
               : fields_[static_cast<std::size_t>(found - question_.fields.begin())];
}

QStringList CostPage::texts() const {
    QStringList texts;
    for (const QWidget* one : fields_) {
        const auto* box = qobject_cast<const QComboBox*>(one);
        texts << (box != nullptr ? box->currentData().toString()
                                 : qobject_cast<const QLineEdit*>(one)->text());
    }
    return texts;
}

void CostPage::setTexts(const QStringList& texts) {
    for (std::size_t k = 0; k < fields_.size(); ++k) {
        const QSignalBlocker quiet(fields_[k]); // all of them at once
        const QString& text = texts[static_cast<qsizetype>(k)];
        if (auto* box = qobject_cast<QComboBox*>(fields_[k])) {
            box->setCurrentIndex(box->findData(text));
        } else {
            qobject_cast<QLineEdit*>(fields_[k])->setText(text);
        }
    }
    ask();
}

void CostPage::present(const std::map<std::string, std::string>& named) {
    QStringList texts;
    for (const CostField& one : question_.fields) {
        const auto found = named.find(one.key);
        texts << (found == named.end() ? one.first : words(found->second));
    }
    setTexts(texts);
}

void CostPage::ask() {
    const QStringList typed = texts();
    if (static_cast<std::size_t>(typed.size()) < question_.fields.size()) {
        return; // while they are made
    }
    CostResult found = question_.answer(typed);
    refusal_ = found ? QString() : found.error().sentence;
    notice_->setText(QStringLiteral("<span style=\"color:%1\">%2</span>")
                         .arg(warningText(themeOf(palette())).name(), refusal_.toHtmlEscaped()));
    notice_->setVisible(!refusal_.isEmpty());
    old_->setEnabled(!refusal_.isEmpty()); // what is seen is of what was typed before
    if (found) {
        answer_ = *std::move(found);
        canvas_->show(answer_->chart, {});
    }
}

QWidget* CostPage::picture() {
    return canvas_;
}

void CostPage::complete(const Completed& completed) {
    completed(isCurrent() ? Result<void>() : refuse(refusal_.toStdString()));
}

void CostPage::paintFor(QPainter& painter, const QSize& laid_out, Theme theme) const {
    canvas_->surface()->paintPicture(painter, laid_out, theme);
}

} // namespace meshslice::ui
