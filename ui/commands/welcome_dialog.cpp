#include "ui/commands/welcome_dialog.h"

#include "ui/commands/examples.h"
#include "ui/controls/scrolling.h"

#include <QAbstractButton>
#include <QCheckBox>
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

namespace meshslice::ui {
namespace {

constexpr int card_padding = 10;
constexpr int most_recent_shown = 5;
constexpr int letters_wide = 150;
constexpr int lines_high = 48;
constexpr int letters_of_a_card = 42; ///< as wide as a card at least is
constexpr int most_card_columns = 3;
constexpr int most_lesson_columns = 5;

/// An example as a button: what it is of, and what it shows.
class ExampleCard : public QAbstractButton {
  public:
    ExampleCard(const QString& title, const QString& point, QWidget* parent)
        : QAbstractButton(parent), point_(point) {
        setText(title);
        setAccessibleName(title);
        setAccessibleDescription(point);
        setFocusPolicy(Qt::StrongFocus);
        setAttribute(Qt::WA_Hover);
        // Not QSizePolicy::Minimum: a page would be as high as cards of the least width are.
        QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
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
        return heightOf(bold(), text(), room) + 4 + heightOf(font(), point_, room) + 2 * card_padding;
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
        painter.drawText(area, Qt::TextWordWrap, point_);
    }

  private:
    [[nodiscard]] QFont bold() const {
        QFont font = this->font();
        font.setBold(true);
        return font;
    }
    static int heightOf(const QFont& font, const QString& words, int width) {
        return QFontMetrics(font).boundingRect(QRect(0, 0, width, 10'000), Qt::TextWordWrap, words).height();
    }

    QString point_;
};

QLabel* boldLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    QFont bold; // of which only the weight is the label's own
    bold.setBold(true);
    label->setFont(bold);
    return label;
}

} // namespace

WelcomeDialog::WelcomeDialog(const QStringList& recent_files, bool at_start, QWidget* parent,
                             const std::vector<OfferedLesson>& lessons)
    : QDialog(parent), at_start_(new QCheckBox(tr("&Show this at the start"), this)) {
    setWindowTitle(tr("Welcome"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(QSize(letters_wide * fontMetrics().averageCharWidth(), lines_high * fontMetrics().height())
               .boundedTo(parent->size() * 19 / 20));
    QScrollArea* page = makeScrolling(makePage(recent_files, lessons), this);
    at_start_->setChecked(at_start);
    connect(at_start_, &QCheckBox::toggled, this, &WelcomeDialog::atStartChanged);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* foot = new QHBoxLayout;
    foot->addWidget(at_start_);
    foot->addStretch(1);
    foot->addWidget(buttons);
    auto* column = new QVBoxLayout(this);
    column->addWidget(page, 1);
    column->addLayout(foot);
}

/// As many next to each other as have room.
QLayout* WelcomeDialog::makeLessons(const std::vector<OfferedLesson>& lessons, QWidget* page) {
    auto* grid = new QGridLayout;
    grid->setVerticalSpacing(2);
    int widest = 1;
    for (std::size_t k = 0; k < lessons.size(); ++k) {
        const OfferedLesson& one = lessons[k];
        QPushButton* link =
            makeLink(one.note.isEmpty() ? one.title : tr("%1 (%2)").arg(one.title, one.note), page);
        link->setToolTip(tr("You need: %1").arg(one.needs));
        link->setAccessibleDescription(link->toolTip());
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

QWidget* WelcomeDialog::makePage(const QStringList& recent_files, const std::vector<OfferedLesson>& lessons) {
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    auto* about = new QLabel(
        tr("MeshSlice Explorer runs distributed matrix multiplication on a simulated torus of accelerators "
           "and shows when each core multiplies and each link moves. Change the model, the machine or the "
           "method on the left, and the pictures say what it costs and why."),
        page);
    about->setWordWrap(true);
    column->addWidget(about);
    column->addSpacing(8);
    if (!lessons.empty()) {
        column->addWidget(boldLabel(tr("Lessons, step by step; what you work on stays as it is"), page));
        column->addLayout(makeLessons(lessons, page));
        column->addSpacing(8);
    }
    column->addWidget(boldLabel(tr("Examples, two variants each, that make one point"), page));
    auto* grid = new QGridLayout;
    const int columns =
        std::clamp(width() / (letters_of_a_card * fontMetrics().averageCharWidth()), 1, most_card_columns);
    for (const Example& example : examples()) {
        if (!example.project.pinned) {
            continue; // the others are in the menu
        }
        auto* card = new ExampleCard(example.title, example.point, page);
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
    column->addLayout(grid);
    column->addSpacing(8);
    auto* files = new QHBoxLayout; // next to each other: the page is low enough for a small screen
    auto* own = new QVBoxLayout;
    auto* recent = new QVBoxLayout;
    files->addLayout(own, 1);
    files->addLayout(recent, 1);
    column->addLayout(files);
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
    column->addStretch(1);
    return page;
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
