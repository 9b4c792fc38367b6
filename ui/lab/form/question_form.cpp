#include "ui/lab/form/question_form.h"

#include "ui/controls/wrapping_row.h"
#include "ui/lab/form/field_row.h"
#include "ui/look/words.h"

#include <QComboBox>
#include <QFileDialog>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace meshslice::ui {

QuestionForm::QuestionForm(const Question& question, QWidget* parent, std::size_t last_row,
                           const std::vector<std::string_view>& without, const std::vector<FormGroup>& groups)
    : QWidget(parent), groups_(groups) {
    const auto grouped = [&](std::string_view key) {
        return std::ranges::any_of(
            groups, [&](const FormGroup& one) { return std::ranges::find(one.keys, key) != one.keys.end(); });
    };
    for (const QuestionField& one : question.fields) {
        const bool left_out =
            (one.file && !grouped(one.row.key)) || std::ranges::find(without, one.row.key) != without.end();
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
        if (!grouped(rows_[f].row.key)) {
            place(row, f);
        }
    }
    all->addLayout(row);
    if (!groups.empty()) {
        addGroups(all, groups);
    }
}

void QuestionForm::place(WrappingRow* row, std::size_t field) {
    const QuestionField& of = rows_[field];
    if (const std::string& label = of.row.label; !label.empty()) {
        auto* before = new QLabel(words(label), this);
        before->setTextFormat(Qt::PlainText);
        before->setBuddy(fields_[field]);
        row->add(before);
    }
    row->add(fields_[field], of.width);
    if (of.file) {
        auto* const line = qobject_cast<QLineEdit*>(fields_[field]);
        auto* const choose = new QToolButton(this);
        choose->setText(tr("Choose…"));
        choose->setAccessibleName(tr("Choose a file"));
        connect(choose, &QToolButton::clicked, this, [this, line] {
            const QString file = QFileDialog::getOpenFileName(window(), tr("Choose a file"));
            if (!file.isEmpty()) {
                line->setText(file);
            }
        });
        row->add(choose);
    }
}

void QuestionForm::addGroups(QVBoxLayout* all, const std::vector<FormGroup>& groups) {
    WrappingRow* buttons = fieldRow({});
    all->addLayout(buttons);
    std::vector<QWidget*> bodies;
    for (const FormGroup& group : groups) {
        auto* const button = new QToolButton(this);
        button->setText(group.title);
        button->setAccessibleName(group.title);
        button->setToolTip(tr("Shows or hides these fields"));
        button->setAutoRaise(true);
        button->setCheckable(true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setArrowType(Qt::RightArrow);
        buttons->add(button);
        group_buttons_.push_back(button);
        auto* const body = new QWidget(this);
        auto* const lines = new QVBoxLayout(body);
        lines->setContentsMargins(0, 0, 0, 0);
        WrappingRow* row = fieldRow({});
        for (const std::string_view key : group.keys) {
            const auto found = std::ranges::find(
                rows_, key, [](const QuestionField& of) { return std::string_view(of.row.key); });
            if (found != rows_.end()) {
                place(row, static_cast<std::size_t>(found - rows_.begin()));
            }
        }
        lines->addLayout(row);
        body->hide();
        all->addWidget(body);
        bodies.push_back(body);
    }
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        connect(group_buttons_[k], &QToolButton::toggled, this, [this, bodies, k](bool open) {
            bodies[k]->setVisible(open);
            group_buttons_[k]->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
            for (std::size_t other = 0; open && other < bodies.size(); ++other) {
                if (other != k) {
                    group_buttons_[other]->setChecked(false);
                }
            }
        });
    }
    connect(this, &QuestionForm::changed, this, &QuestionForm::countSet);
}

void QuestionForm::countSet() {
    const QStringList all = texts();
    for (std::size_t k = 0; k < groups_.size(); ++k) {
        int set = 0;
        for (std::size_t f = 0; f < fields_.size(); ++f) {
            const bool its = std::ranges::find(groups_[k].keys, rows_[f].row.key) != groups_[k].keys.end();
            set += its && all[static_cast<qsizetype>(f)] != words(first_words(rows_[f])) ? 1 : 0;
        }
        group_buttons_[k]->setText(set == 0 ? groups_[k].title
                                            : tr("%1 (%2)").arg(groups_[k].title).arg(set));
    }
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

void QuestionForm::follow(const std::map<std::string, std::string, std::less<>>& named) {
    for (std::size_t k = 0; k < fields_.size(); ++k) {
        const auto found = named.find(rows_[k].row.key);
        const QString text = words(found == named.end() ? first_words(rows_[k]) : found->second);
        const QSignalBlocker quiet(fields_[k]);
        if (auto* box = qobject_cast<QComboBox*>(fields_[k])) {
            box->setCurrentIndex(box->findData(text));
        } else if (auto* line = qobject_cast<QLineEdit*>(fields_[k]); line->text().trimmed() != text) {
            line->setText(text);
        }
    }
    countSet();
}

void QuestionForm::leaveUndoToWindow() {
    for (QWidget* const one : fields_) {
        one->installEventFilter(this);
    }
}

bool QuestionForm::eventFilter(QObject* line, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    if (event->type() == QEvent::FocusOut) {
        emit left();
    }
    return QWidget::eventFilter(line, event);
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
