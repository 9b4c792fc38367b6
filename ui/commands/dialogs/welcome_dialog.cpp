#include "ui/commands/dialogs/welcome_dialog.h"

#include "ui/commands/examples.h"
#include "ui/controls/scrolling.h"
#include "ui/look/words.h"

#include <QAbstractButton>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr int card_padding = 10;
constexpr int most_recent_shown = 5;
constexpr int letters_wide = 150;
constexpr int lines_high = 48;
constexpr int letters_of_a_card = 42; ///< as wide as a card at least is
constexpr int most_card_columns = 3;
constexpr int most_lesson_columns = 5;
constexpr int picture_lines = 7;          ///< that the picture of a question is high
constexpr int letters_of_a_question = 30; ///< as wide as a card of one at least is

/// A button with a picture, a title and a few words.
class Card : public QAbstractButton {
  public:
    Card(const QString& title, const QString& about, QWidget* parent)
        : QAbstractButton(parent), about_(about) {
        setText(title);
        setAccessibleName(title);
        setFocusPolicy(Qt::StrongFocus);
        setAttribute(Qt::WA_Hover);
        // Not QSizePolicy::Minimum: a page would be as high as cards of the least width are.
        QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
    }
    void setPicture(std::function<void(QPainter&, const QSize&, Theme)> picture) {
        picture_ = std::move(picture);
        updateGeometry();
    }

    [[nodiscard]] QSize sizeHint() const override {
        const int width = 30 * fontMetrics().averageCharWidth();
        return {width, heightForWidth(width)};
    }
    [[nodiscard]] QSize minimumSizeHint() const override {
        return {20 * fontMetrics().averageCharWidth(), 3 * fontMetrics().height()};
    }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override {
        const int room = width - 2 * card_padding;
        const int below = about_.isEmpty() ? 0 : heightOf(font(), about_, room) + 4;
        return pictureHeight() + heightOf(bold(), text(), room) + below + 2 * card_padding;
    }

  protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const bool marked = underMouse() || hasFocus();
        painter.setPen(
            QPen(palette().color(marked ? QPalette::Highlight : QPalette::Mid), hasFocus() ? 2 : 1));
        painter.setBrush(palette().color(QPalette::Base));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 3, 3);
        QRect area = rect().adjusted(card_padding, card_padding, -card_padding, -card_padding);
        painter.setPen(palette().color(QPalette::Text));
        painter.setFont(bold());
        painter.drawText(area, Qt::TextWordWrap, text());
        area.setTop(area.top() + heightOf(bold(), text(), area.width()) + 4);
        painter.setFont(font());
        if (!about_.isEmpty()) {
            painter.setPen(palette().color(QPalette::PlaceholderText));
            painter.drawText(area, Qt::TextWordWrap, about_);
            area.setTop(area.top() + heightOf(font(), about_, area.width()) + 4);
        }
        if (picture_ && area.height() > 8) {
            painter.translate(area.topLeft());
            painter.setClipRect(QRect(QPoint(), area.size()));
            picture_(painter, area.size(), themeOf(palette()));
        }
    }

  private:
    [[nodiscard]] QFont bold() const {
        QFont font = this->font();
        font.setBold(true);
        return font;
    }
    [[nodiscard]] int pictureHeight() const { return picture_ ? picture_lines * fontMetrics().height() : 0; }
    static int heightOf(const QFont& font, const QString& words, int width) {
        return QFontMetrics(font).boundingRect(QRect(0, 0, width, 10'000), Qt::TextWordWrap, words).height();
    }

    QString about_;
    std::function<void(QPainter&, const QSize&, Theme)> picture_;
};

QLabel* boldLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    QFont bold; // of which only the weight is the label's own
    bold.setBold(true);
    label->setFont(bold);
    return label;
}

} // namespace

WelcomeDialog::WelcomeDialog(const QStringList& recent_files, QWidget* parent,
                             const std::vector<OfferedLesson>& lessons,
                             const std::vector<WelcomeQuestion>& questions)
    : QDialog(parent) {
    setWindowTitle(tr("Welcome"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(QSize(letters_wide * fontMetrics().averageCharWidth(), lines_high * fontMetrics().height())
               .boundedTo(parent->size() * 19 / 20));
    QScrollArea* page = makeScrolling(makePage(recent_files, lessons, questions), this);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* again = new QLabel(tr("Help > Welcome opens this again."), this);
    again->setForegroundRole(QPalette::PlaceholderText);
    auto* foot = new QHBoxLayout;
    foot->addWidget(again);
    foot->addStretch(1);
    foot->addWidget(buttons);
    auto* column = new QVBoxLayout(this);
    column->addWidget(page, 1);
    column->addLayout(foot);
}

void WelcomeDialog::renewPictures() {
    for (QAbstractButton* card : questions_) {
        card->update();
    }
}

/// In one row, or two by two.
QLayout* WelcomeDialog::makeQuestions(const std::vector<WelcomeQuestion>& questions, QWidget* page) {
    auto* grid = new QGridLayout;
    const int count = static_cast<int>(questions.size());
    const bool one_row = width() >= count * letters_of_a_question * fontMetrics().averageCharWidth();
    const int columns = one_row ? count : (count + 1) / 2;
    for (std::size_t k = 0; k < questions.size(); ++k) {
        auto* card = new Card(questions[k].title, questions[k].about, page);
        card->setAccessibleDescription(questions[k].about);
        card->setPicture(questions[k].picture);
        connect(card, &QAbstractButton::clicked, this, [this, k] {
            close();
            emit questionAsked(k);
        });
        grid->addWidget(card, static_cast<int>(k) / columns, static_cast<int>(k) % columns);
        questions_.push_back(card);
    }
    for (int at = 0; at < columns; ++at) {
        grid->setColumnStretch(at, 1);
    }
    return grid;
}

/// As many next to each other as have room.
QLayout* WelcomeDialog::makeLessons(const std::vector<OfferedLesson>& lessons, QWidget* page) {
    auto* grid = new QGridLayout;
    grid->setVerticalSpacing(2);
    int widest = 1;
    for (std::size_t k = 0; k < lessons.size(); ++k) {
        const OfferedLesson& one = lessons[k];
        QPushButton* link = makeLink(one.done             ? QStringLiteral("✓ ") + one.title
                                     : one.note.isEmpty() ? one.title
                                                          : tr("%1 (%2)").arg(one.title, one.note),
                                     page);
        link->setToolTip(tr("You need: %1").arg(one.needs));
        link->setAccessibleDescription(one.done ? tr("Done. %1").arg(link->toolTip()) : link->toolTip());
        connect(link, &QPushButton::clicked, this, [this, k] { emit lessonAsked(k); });
        widest = qMax(widest, link->sizeHint().width());
        lessons_.push_back(link);
    }
    const int columns = std::clamp((width() - 60) / (widest + 8), 1, most_lesson_columns);
    for (std::size_t k = 0; k < lessons_.size(); ++k) {
        grid->addWidget(lessons_[k], static_cast<int>(k) / columns, static_cast<int>(k) % columns,
                        Qt::AlignLeft);
    }
    grid->setColumnStretch(columns, 1);
    return grid;
}

QWidget* WelcomeDialog::makePage(const QStringList& recent_files, const std::vector<OfferedLesson>& lessons,
                                 const std::vector<WelcomeQuestion>& questions) {
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    auto* about = new QLabel(tr("See where the time goes when a model is spread over many chips."), page);
    about->setWordWrap(true);
    column->addWidget(about);
    column->addSpacing(8);
    if (!questions.empty()) {
        column->addLayout(makeQuestions(questions, page));
        column->addSpacing(8);
    }
    if (!lessons.empty()) {
        const auto done = std::ranges::count_if(lessons, &OfferedLesson::done);
        column->addWidget(boldLabel(
            done == 0
                ? tr("Lessons (your project stays untouched)")
                : tr("Lessons: %1 of %2 done (your project stays untouched)").arg(done).arg(lessons.size()),
            page));
        column->addLayout(makeLessons(lessons, page));
        column->addSpacing(8);
    }
    column->addWidget(boldLabel(tr("Examples: whole runs, and pairs that make one point"), page));
    column->addLayout(makeExamples(page));
    column->addSpacing(8);
    column->addLayout(makeFiles(recent_files, page));
    column->addStretch(1);
    return page;
}

QLayout* WelcomeDialog::makeExamples(QWidget* page) {
    auto* grid = new QGridLayout;
    const int columns =
        std::clamp(width() / (letters_of_a_card * fontMetrics().averageCharWidth()), 1, most_card_columns);
    for (const Example& example : examples()) {
        if (!example.project.pinned && example.project.task == ProjectTask::step) {
            continue; // the others are in the menu
        }
        auto* card = new Card(example.title, {}, page);
        card->setAccessibleDescription(example.point);
        card->setToolTip(tipParagraph(example.point));
        connect(card, &QAbstractButton::clicked, this, [this, project = example.project] {
            emit exampleAsked(project);
            close();
        });
        const int place = static_cast<int>(cards_.size());
        grid->addWidget(card, place / columns, place % columns);
        cards_.push_back(card);
    }
    for (int at = 0; at < columns; ++at) {
        grid->setColumnStretch(at, 1);
    }
    return grid;
}

QLayout* WelcomeDialog::makeFiles(const QStringList& recent_files, QWidget* page) {
    auto* files = new QHBoxLayout; // next to each other: the page is low enough for a small screen
    auto* own = new QVBoxLayout;
    auto* recent = new QVBoxLayout;
    files->addLayout(own, 1);
    files->addLayout(recent, 1);
    own->addWidget(boldLabel(tr("Your own"), page));
    open_ = makeLink(tr("Open a scenario or a project…"), page);
    connect(open_, &QPushButton::clicked, this, &WelcomeDialog::openAsked);
    model_ = makeLink(tr("Open a model's config.json…"), page);
    model_->setToolTip(tr("The file that Hugging Face keeps with a model"));
    connect(model_, &QPushButton::clicked, this, &WelcomeDialog::modelAsked);
    own->addWidget(open_);
    own->addWidget(model_);
    own->addStretch(1);
    if (!recent_files.isEmpty()) {
        recent->addWidget(boldLabel(tr("Recent files"), page));
    }
    for (const QString& path : recent_files.mid(0, most_recent_shown)) {
        QPushButton* link = makeLink(QFileInfo(path).fileName(), page);
        link->setToolTip(QDir::toNativeSeparators(path));
        connect(link, &QPushButton::clicked, this, [this, path] { emit fileAsked(path); });
        recent->addWidget(link);
        recent_.push_back(link);
    }
    recent->addStretch(1);
    return files;
}

/// A button that is gone with the dialog when it is pressed, as wide as its words.
QPushButton* WelcomeDialog::makeLink(const QString& text, QWidget* parent) {
    auto* link = new QPushButton(QString(text).replace(QLatin1Char('&'), QStringLiteral("&&")), parent);
    link->setAccessibleName(text);
    link->setAutoDefault(false);
    link->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    connect(link, &QPushButton::clicked, this, &QDialog::close);
    return link;
}

} // namespace meshslice::ui
