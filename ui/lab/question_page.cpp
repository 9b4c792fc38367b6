#include "ui/lab/question_page.h"

#include "ui/charts/chart_canvas.h"
#include "ui/controls/scrolling.h"
#include "ui/controls/table_model.h"
#include "ui/controls/table_view.h"
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
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr std::size_t fields_of_last_row = 4;

} // namespace

QuestionPage::QuestionPage(Question question, QWidget* parent)
    : LabPage(parent)
    , question_(std::move(question))
    , notice_(new QLabel(this))
    , canvas_(new ChartCanvas(this))
    , rows_(new TableModel(this))
    , listed_(makeTableView(rows_, words(question_.title), this))
    , old_(new QGraphicsOpacityEffect(this)) {
    old_->setOpacity(0.35);
    old_->setEnabled(false);
    canvas_->setGraphicsEffect(old_);
    setAccessibleName(words(question_.title));
    canvas_->setAccessibleName(words(question_.title));
    notice_->setTextFormat(Qt::RichText);
    notice_->setWordWrap(true);
    for (const QuestionField& one : question_.fields) {
        makeField(one);
    }
    layOut();
    ask();
}

void QuestionPage::makeField(const QuestionField& of) {
    const FieldRow& row = of.row;
    QWidget* made = nullptr;
    if (row.choices.empty()) {
        auto* line = new QLineEdit(words(first_words(of)), this);
        connect(line, &QLineEdit::textChanged, this, &QuestionPage::ask);
        made = line;
    } else {
        auto* box = new QComboBox(this);
        if (!row.word_label.empty()) {
            box->addItem(words(row.word_label), QString());
        }
        for (const FieldChoice& one : row.choices) {
            box->addItem(words(one.label.empty() ? one.word : one.label), words(one.word));
        }
        box->setCurrentIndex(box->findData(words(first_words(of))));
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(8);
        connect(box, &QComboBox::currentIndexChanged, this, &QuestionPage::ask);
        made = box;
    }
    made->setAccessibleName(words(row.name));
    made->setToolTip(tipParagraph(words(row.name) + translated(": ") + words(row.help)));
    fields_.push_back(made);
}

void QuestionPage::layOut() {
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    WrappingRow* row = fieldRow({});
    for (std::size_t f = 0; f < fields_.size(); ++f) {
        if (f > 0 && f + fields_of_last_row == fields_.size()) {
            all->addLayout(std::exchange(row, fieldRow({})));
        }
        if (const std::string& label = question_.fields[f].row.label; !label.empty()) {
            auto* before = new QLabel(words(label), this);
            before->setTextFormat(Qt::PlainText);
            before->setBuddy(fields_[f]);
            row->add(before);
        }
        row->add(fields_[f], question_.fields[f].width);
    }
    all->addLayout(row);
    all->addLayout(fieldRow({{notice_, 1}}));
    all->addWidget(makeScrolling(canvas_, this), 1);
    all->addWidget(listed_, 1);
}

QWidget* QuestionPage::field(std::string_view key) const {
    for (std::size_t k = 0; k < fields_.size(); ++k) {
        if (question_.fields[k].row.key == key) {
            return fields_[k];
        }
    }
    return nullptr;
}

QStringList QuestionPage::texts() const {
    QStringList texts;
    for (const QWidget* one : fields_) {
        const auto* box = qobject_cast<const QComboBox*>(one);
        texts << (box != nullptr ? box->currentData().toString()
                                 : qobject_cast<const QLineEdit*>(one)->text());
    }
    return texts;
}

void QuestionPage::setTexts(const QStringList& texts) {
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

void QuestionPage::present(const std::map<std::string, std::string>& named) {
    QStringList texts;
    for (const QuestionField& one : question_.fields) {
        const auto found = named.find(one.row.key);
        texts << words(found == named.end() ? first_words(one) : found->second);
    }
    setTexts(texts);
}

Result<void> QuestionPage::answer() {
    const QStringList typed = texts();
    OwnTexts by_key;
    for (std::size_t k = 0; k < fields_.size(); ++k) {
        by_key[question_.fields[k].row.key] = typed[static_cast<qsizetype>(k)].trimmed().toStdString();
    }
    Result<Asked> asked = asked_of(question_, by_key, Speech::form);
    if (!asked) {
        return refuse(asked.error());
    }
    asked->scenario = question_.uses.none() ? nullptr : &scenario_;
    asked->said.file = !question_.uses.none(); // The scenario says what no field says.
    Result<Answer> found = question_.answer(*asked, {});
    if (!found) {
        return refuse(found.error());
    }
    if (found->charts.empty() && !found->notes.empty()) {
        return refuse(found->notes.front()); // why it cannot be drawn
    }
    const Result<Table> table = found->tables.empty() ? Table() : whole_table(found->tables.front());
    if (!table) {
        return refuse(table.error());
    }
    table_ = *table;
    answer_ = *std::move(found);
    return {};
}

void QuestionPage::ask() {
    if (fields_.size() < question_.fields.size()) {
        return; // while they are made
    }
    const Result<void> answered = answer();
    refusal_ = answered ? QString() : words(answered.error().sentence);
    notice_->setText(QStringLiteral("<span style=\"color:%1\">%2</span>")
                         .arg(warningText(themeOf(palette())).name(), refusal_.toHtmlEscaped()));
    notice_->setVisible(!refusal_.isEmpty());
    old_->setEnabled(!refusal_.isEmpty()); // what is seen is of what was typed before
    if (!answered) {
        return;
    }
    const bool drawn = !answer_->charts.empty();
    if (drawn) {
        canvas_->show(answer_->charts.front().chart, {});
    } else {
        rows_->setTable(table_);
    }
    canvas_->setVisible(drawn);
    listed_->setVisible(!drawn);
}

QString QuestionPage::pictured() const {
    return answer_ ? words(answer_->about) : QString();
}

QWidget* QuestionPage::picture() {
    return canvas_;
}

void QuestionPage::complete(const Completed& completed) {
    completed(isCurrent() ? Result<void>() : refuse(refusal_.toStdString()));
}

void QuestionPage::paintFor(QPainter& painter, const QSize& laid_out, Theme theme) const {
    canvas_->surface()->paintPicture(painter, laid_out, theme);
}

} // namespace meshslice::ui
