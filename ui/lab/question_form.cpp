#include "ui/lab/question_form.h"

#include "ui/controls/wrapping_row.h"
#include "ui/lab/field_row.h"
#include "ui/look/words.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace meshslice::ui {

QuestionForm::QuestionForm(const Question& question, QWidget* parent, std::size_t last_row,
                           const std::vector<std::string_view>& without)
    : QWidget(parent) {
    for (const QuestionField& one : question.fields) {
        const bool left_out = one.file || std::ranges::find(without, one.row.key) != without.end();
        if (!left_out) {
            rows_.push_back(one);
            fields_.push_back(makeField(one));
        }
    }
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    WrappingRow* row = fieldRow({});
    for (std::size_t f = 0; f < fields_.size(); ++f) {
        if (f > 0 && f + last_row == fields_.size()) {
            all->addLayout(std::exchange(row, fieldRow({})));
        }
        if (const std::string& label = rows_[f].row.label; !label.empty()) {
            auto* before = new QLabel(words(label), this);
            before->setTextFormat(Qt::PlainText);
            before->setBuddy(fields_[f]);
            row->add(before);
        }
        row->add(fields_[f], rows_[f].width);
    }
    all->addLayout(row);
}

QWidget* QuestionForm::makeField(const QuestionField& of) {
    const FieldRow& row = of.row;
    QWidget* made = nullptr;
    if (row.choices.empty()) {
        auto* line = new QLineEdit(words(first_words(of)), this);
        line->setPlaceholderText(words(row.word_label.empty() ? row.word : row.word_label));
        connect(line, &QLineEdit::textChanged, this, &QuestionForm::changed);
        made = line;
    } else {
        auto* box = new QComboBox(this);
        if (!row.word_label.empty()) {
            box->addItem(words(row.word_label.empty() ? row.word : row.word_label), QString());
        }
        for (const FieldChoice& one : row.choices) {
            box->addItem(words(one.label.empty() ? one.word : one.label), words(one.word));
        }
        box->setCurrentIndex(box->findData(words(first_words(of))));
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(8);
        connect(box, &QComboBox::currentIndexChanged, this, &QuestionForm::changed);
        made = box;
    }
    made->setAccessibleName(words(row.name));
    made->setToolTip(tipParagraph(words(row.name) + translated(": ") + words(row.help)));
    return made;
}

QWidget* QuestionForm::field(std::string_view key) const {
    for (std::size_t k = 0; k < fields_.size(); ++k) {
        if (rows_[k].row.key == key) {
            return fields_[k];
        }
    }
    return nullptr;
}

QStringList QuestionForm::texts() const {
    QStringList texts;
    for (const QWidget* one : fields_) {
        const auto* box = qobject_cast<const QComboBox*>(one);
        texts << (box != nullptr ? box->currentData().toString()
                                 : qobject_cast<const QLineEdit*>(one)->text());
    }
    return texts;
}

void QuestionForm::setTexts(const QStringList& texts) {
    for (std::size_t k = 0; k < fields_.size(); ++k) {
        const QSignalBlocker quiet(fields_[k]);
        const QString& text = texts[static_cast<qsizetype>(k)];
        if (auto* box = qobject_cast<QComboBox*>(fields_[k])) {
            box->setCurrentIndex(box->findData(text));
        } else {
            qobject_cast<QLineEdit*>(fields_[k])->setText(text);
        }
    }
    emit changed();
}

void QuestionForm::present(const std::map<std::string, std::string>& named) {
    QStringList texts;
    for (const QuestionField& one : rows_) {
        const auto found = named.find(one.row.key);
        texts << words(found == named.end() ? first_words(one) : found->second);
    }
    setTexts(texts);
}

OwnTexts QuestionForm::typed() const {
    const QStringList all = texts();
    OwnTexts by_key;
    for (std::size_t k = 0; k < fields_.size(); ++k) {
        by_key[rows_[k].row.key] = all[static_cast<qsizetype>(k)].trimmed().toStdString();
    }
    return by_key;
}

} // namespace meshslice::ui
