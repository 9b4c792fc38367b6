#include "ui/commands/dialogs/figure_dialog.h"

#include "core/base/language.h"
#include "ui/controls/scrolling.h"
#include "ui/controls/table_view.h"
#include "ui/look/palette.h"
#include "ui/look/words.h"
#include "ui/view/view.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFontDatabase>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QImage>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr QSize preview_size{560, 350};
constexpr QSize least_preview{240, 150};
constexpr double mm_per_inch = 25.4;

/// What a size and letters must be at least, in the unit of their field.
constexpr double least_side = 10;
constexpr double least_points = 4;
constexpr double usual_points = 8.25; ///< of pictures in the window

/// From 0: less than it may be is refused in words, not replaced.
QDoubleSpinBox* spin(double most, int decimals, const QString& name, QWidget* parent) {
    auto* box = new QDoubleSpinBox(parent);
    box->setRange(0, most);
    box->setDecimals(decimals);
    box->setAccessibleName(name);
    box->setKeyboardTracking(false);
    return box;
}

} // namespace

FigureDialog::FigureDialog(View* view, const Figure& figure, QWidget* parent)
    : QDialog(parent)
    , view_(view)
    , purposes_(new QComboBox(this))
    , width_(spin(16'000, 1, tr("Width"), this))
    , height_(spin(16'000, 1, tr("Height"), this))
    , units_(new QComboBox(this))
    , as_high_(new QCheckBox(tr("as &high as needed"), this))
    , letters_(spin(40, 2, tr("Size of the letters"), this))
    , themes_(new QComboBox(this))
    , families_(new QComboBox(this))
    , titled_(new QCheckBox(tr("Titl&e"), this))
    , title_(new QLineEdit(this))
    , captioned_(new QCheckBox(tr("Ca&ption"), this))
    , caption_(new QLineEdit(this))
    , noted_(new QCheckBox(tr("&Notes below the picture"), this))
    , refusal_(new QLabel(this))
    , preview_(new QLabel(this))
    , note_(new QLabel(this)) {
    setWindowTitle(tr("Export “%1”").arg(view->title()));
    auto* page = new QWidget(this);
    makeFields(figure);
    auto* size = new QHBoxLayout;
    size->addWidget(width_, 1);
    size->addWidget(new QLabel(QStringLiteral("\u00d7"), this));
    size->addWidget(height_, 1);
    size->addWidget(units_);
    size->addWidget(as_high_);
    auto* form = new QFormLayout;
    form->addRow(tr("&For"), purposes_);
    auto* size_label = new QLabel(tr("&Size"), this);
    size_label->setBuddy(width_);
    form->addRow(size_label, size);
    auto* letters = new QHBoxLayout;
    letters->addWidget(letters_);
    letters->addWidget(families_, 1);
    auto* letters_label = new QLabel(tr("&Letters"), this);
    letters_label->setBuddy(letters_);
    form->addRow(letters_label, letters);
    form->addRow(refusal_);
    form->addRow(tr("&Colours"), themes_);
    form->addRow(titled_, title_);
    form->addRow(captioned_, caption_);
    form->addRow(QString(), noted_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    makeButtons(buttons);
    auto* content = new QVBoxLayout(page);
    content->setContentsMargins({});
    content->addLayout(form);
    content->addWidget(preview_, 1);
    content->addWidget(note_);
    auto* column = new QVBoxLayout(this);
    column->addWidget(makeScrolling(page, this), 1);
    column->addWidget(buttons);
    QSize wanted = sizeHint().expandedTo(page->sizeHint() + QSize(40, 40 + buttons->sizeHint().height()));
    wanted += preview_size - least_preview;
    resize(parent == nullptr ? wanted : wanted.boundedTo(parent->size() * 19 / 20));
    renew();
}

void FigureDialog::makeButtons(QDialogButtonBox* buttons) {
    save_ = buttons->addButton(tr("Sa&ve as…"), QDialogButtonBox::ActionRole);
    save_->setDefault(true);
    save_->setToolTip(tr("As PNG, SVG or PDF, or the numbers as CSV: the ending of the name says which"));
    copy_ = buttons->addButton(tr("Copy the pict&ure"), QDialogButtonBox::ActionRole);
    QPushButton* table = buttons->addButton(tr("Copy the &table"), QDialogButtonBox::ActionRole);
    connect(save_, &QPushButton::clicked, this, &FigureDialog::saveAsked);
    connect(copy_, &QPushButton::clicked, this, &FigureDialog::copyPicture);
    connect(table, &QPushButton::clicked, this, &FigureDialog::copyTable);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void FigureDialog::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && qobject_cast<QDoubleSpinBox*>(focusWidget()) != nullptr) {
        event->accept();
    } else {
        QDialog::keyPressEvent(event);
    }
}

bool FigureDialog::eventFilter(QObject* watched, QEvent* event) {
    if (watched == preview_ && event->type() == QEvent::Resize) {
        showPreview();
    }
    return QDialog::eventFilter(watched, event);
}

QString FigureDialog::refused() const {
    const auto wrong = [](const QString& what, const QString& unit, double least) {
        return tr("%1 must be at least %2 %3.").arg(what).arg(least).arg(unit);
    };
    if (width_->value() < least_side) {
        return wrong(tr("The width"), units_->currentText(), least_side);
    }
    if (!as_high_->isChecked() && height_->value() < least_side) {
        return wrong(tr("The height"), units_->currentText(), least_side);
    }
    return letters_->value() < least_points ? wrong(tr("The letters"), QStringLiteral("pt"), least_points)
                                            : QString();
}

void FigureDialog::showPreview() {
    preview_->setPixmap(
        drawn_.isNull() ? QPixmap()
                        : QPixmap::fromImage(drawn_.scaled(preview_->size() * devicePixelRatio(),
                                                           Qt::KeepAspectRatio, Qt::SmoothTransformation)));
}

void FigureDialog::makeFields(const Figure& figure) {
    for (const FigurePage& page : usual_pages) {
        purposes_->addItem(QCoreApplication::translate("FigurePage", page.name));
    }
    purposes_->addItem(tr("Something else"));
    purposes_->setToolTip(tr("Sets size and letters"));
    units_->addItems({tr("pixels"), tr("mm")});
    units_->setAccessibleName(tr("Unit of the size"));
    units_->setToolTip(tr("Pixels of 1/96 inch, or millimetres: a PNG then has 300 dots per inch"));
    units_->setCurrentIndex(figure.printed ? 1 : 0);
    per_unit_ = pixelsPerUnit();
    setDecimals();
    // To half a millimetre: a figure has whole pixels.
    const auto rounded = [&](int size) {
        return figure.printed ? std::round(2 * size / per_unit_) / 2 : static_cast<double>(size);
    };
    width_->setValue(rounded(figure.size.width()));
    height_->setValue(rounded(figure.size.height()));
    width_->setToolTip(tr("How wide the figure is"));
    height_->setToolTip(tr("How high the figure is, with its caption"));
    letters_->setSuffix(tr(" pt"));
    letters_->setSingleStep(0.5);
    letters_->setValue(figure.points.value_or(usual_points));
    as_high_->setChecked(figure.as_high_as_needed);
    as_high_->setToolTip(tr("The height follows from the width and the letters, so that nothing is cut"));
    noted_->setChecked(figure.notes);
    noted_->setToolTip(tr("What the picture says below itself, such as the assumptions it rests on"));
    choosePurpose();
    letters_->setToolTip(tr("Of the labels in the figure, at its real size; titles are a third larger"));
    themes_->addItems({tr("light"), tr("dark")});
    themes_->setCurrentIndex(figure.theme == Theme::dark ? 1 : 0);
    themes_->setToolTip(tr("Paper and slides are light, whatever the window is"));
    families_->addItem(tr("as in the window"), QString());
    for (const QString& family : QFontDatabase::families()) {
        if (!QFontDatabase::isPrivateFamily(family) && QFontDatabase::isSmoothlyScalable(family)) {
            families_->addItem(family, family);
        }
    }
    families_->setCurrentIndex(std::max(0, families_->findData(figure.family)));
    families_->setAccessibleName(tr("Font"));
    families_->setToolTip(
        tr("The font of all letters; a drawing names it, and others of its kind where it is missing"));
    families_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    families_->setMinimumContentsLength(16);
    titled_->setChecked(!figure.title || !figure.title->isEmpty());
    titled_->setToolTip(tr("What the figure shows, above it; without it the figure has more room"));
    title_->setToolTip(
        tr("What stands above the figure: its finding, or your own words; empty leaves it out"));
    title_->setAccessibleName(tr("Title"));
    captioned_->setChecked(!figure.caption || !figure.caption->isEmpty());
    captioned_->setToolTip(tr("A line below the figure that says what it is of"));
    caption_->setText(view_->caption());
    caption_->setToolTip(tr("What the line below the figure says"));
    caption_->setAccessibleName(tr("Caption"));
    preview_->setMinimumSize(least_preview);
    preview_->installEventFilter(this);
    preview_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    preview_->setAlignment(Qt::AlignCenter);
    preview_->setAccessibleName(tr("Preview"));
    refusal_->setWordWrap(true);
    refusal_->setAccessibleName(tr("What is wrong with the numbers"));
    refusal_->hide();
    note_->setForegroundRole(QPalette::PlaceholderText);
    note_->setWordWrap(true);
    connect(purposes_, &QComboBox::activated, this, &FigureDialog::takePurpose);
    connect(units_, &QComboBox::currentIndexChanged, this, &FigureDialog::changeUnit);
    const auto edited = [this] {
        choosePurpose();
        renew();
    };
    for (QDoubleSpinBox* box : {width_, height_, letters_}) {
        connect(box, &QDoubleSpinBox::valueChanged, this, edited);
    }
    connect(as_high_, &QCheckBox::toggled, this, edited);
    connect(noted_, &QCheckBox::toggled, this, &FigureDialog::renew);
    connect(themes_, &QComboBox::currentIndexChanged, this, &FigureDialog::renew);
    connect(families_, &QComboBox::currentIndexChanged, this, &FigureDialog::renew);
    connect(titled_, &QCheckBox::toggled, this, &FigureDialog::renew);
    connect(title_, &QLineEdit::textEdited, this, [this] {
        own_title_ = true;
        renew();
    });
    connect(captioned_, &QCheckBox::toggled, this, &FigureDialog::renew);
    connect(caption_, &QLineEdit::textEdited, this, [this] {
        own_caption_ = true;
        renew();
    });
}

/// The one that size and letters are of; else something else.
void FigureDialog::choosePurpose() {
    const auto found = std::ranges::find_if(usual_pages, [&](const FigurePage& purpose) {
        const bool as_high = purpose.height == 0;
        return units_->currentIndex() == 1 && std::abs(purpose.width - width_->value()) < 0.3 &&
               as_high == as_high_->isChecked() &&
               (as_high || std::abs(purpose.height - height_->value()) < 0.3) &&
               purpose.letters == letters_->value();
    });
    purposes_->setCurrentIndex(static_cast<int>(found - usual_pages.begin()));
}

/// Pixels are whole.
void FigureDialog::setDecimals() {
    for (QDoubleSpinBox* box : {width_, height_}) {
        box->setDecimals(units_->currentIndex() == 1 ? 1 : 0);
    }
}

double FigureDialog::pixelsPerUnit() const {
    return units_->currentIndex() == 1 ? pixels_per_inch / mm_per_inch : 1.0;
}

void FigureDialog::takePurpose(int index) {
    if (index < 0 || index >= static_cast<int>(usual_pages.size())) {
        return;
    }
    const FigurePage& purpose = usual_pages[static_cast<std::size_t>(index)];
    const QSignalBlocker quiet[] = {QSignalBlocker(width_), QSignalBlocker(height_), QSignalBlocker(units_),
                                    QSignalBlocker(letters_), QSignalBlocker(as_high_)};
    units_->setCurrentIndex(1);
    per_unit_ = pixelsPerUnit();
    setDecimals();
    width_->setValue(purpose.width);
    as_high_->setChecked(purpose.height == 0);
    if (purpose.height > 0) {
        height_->setValue(purpose.height);
    }
    letters_->setValue(purpose.letters);
    renew();
}

/// The figure keeps its size.
void FigureDialog::changeUnit() {
    const QSignalBlocker quiet[] = {QSignalBlocker(width_), QSignalBlocker(height_)};
    const double factor = std::exchange(per_unit_, pixelsPerUnit()) / pixelsPerUnit();
    const double width = width_->value() * factor;
    const double height = height_->value() * factor;
    setDecimals();
    width_->setValue(width);
    height_->setValue(height);
    choosePurpose();
    renew();
}

Figure FigureDialog::figure() const {
    Figure figure;
    figure.size = {qRound(width_->value() * per_unit_), qRound(height_->value() * per_unit_)};
    figure.theme = themes_->currentIndex() == 1 ? Theme::dark : Theme::light;
    figure.points = letters_->value();
    figure.notes = noted_->isChecked();
    figure.as_high_as_needed = as_high_->isChecked();
    figure.printed = units_->currentIndex() == 1;
    if (figure.printed) {
        figure.millimetres = QSizeF(width_->value(), height_->value());
    }
    figure.dots_per_inch = figure.printed ? print_dots_per_inch : pixels_per_inch;
    figure.family = families_->currentData().toString();
    if (!titled_->isChecked()) {
        figure.title = QString();
    } else if (own_title_) {
        figure.title = title_->text();
    }
    if (!captioned_->isChecked()) {
        figure.caption = QString();
    } else if (own_caption_) {
        figure.caption = caption_->text();
    }
    return figure;
}

void FigureDialog::renew() {
    title_->setEnabled(titled_->isChecked());
    caption_->setEnabled(captioned_->isChecked());
    if (!own_caption_) {
        caption_->setText(view_->caption());
    }
    const QString wrong = refused();
    refusal_->setText(wrong);
    refusal_->setVisible(!wrong.isEmpty());
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, warningText(themeOf(palette())));
    refusal_->setPalette(colours);
    save_->setEnabled(wrong.isEmpty());
    copy_->setEnabled(wrong.isEmpty());
    if (!wrong.isEmpty()) {
        return; // the preview and what is said of it stay
    }
    const Figure asked = settled(*view_, figure());
    showHeight(asked.size);
    const QSize dots = imageSize(asked);
    // Drawn as small as it is shown: a figure for a printer may be large.
    Figure small = asked;
    small.dots_per_inch =
        std::min({pixels_per_inch * 1.0, pixels_per_inch * 1.0 * preview_size.width() / asked.size.width(),
                  pixels_per_inch * 1.0 * preview_size.height() / asked.size.height()});
    const bool possible = std::max(dots.width(), dots.height()) <= most_pixels;
    FigureFacts facts;
    drawn_ = possible ? figureImage(*view_, small, &facts) : QImage();
    if (!own_title_ && possible) {
        title_->setText(facts.own_title.replace(QLatin1Char('\n'), QLatin1Char(' ')));
    }
    showPreview();
    const QString why = view_->whyNotCurrent();
    note_->setText(!why.isEmpty()    ? why
                   : drawn_.isNull() ? tr("A figure of this size cannot be made; each side must be 1 to %1 "
                                          "pixels.")
                                           .arg(most_pixels)
                                     : sizeInWords(asked, facts));
}

QString FigureDialog::sizeInWords(const Figure& figure, const FigureFacts& facts) const {
    const QSize dots = imageSize(figure);
    QString said = tr("%1 × %2 mm on paper; as PNG %3 × %4 pixels.")
                       .arg(figure.size.width() * mm_per_inch / pixels_per_inch, 0, 'f', 0)
                       .arg(figure.size.height() * mm_per_inch / pixels_per_inch, 0, 'f', 0)
                       .arg(dots.width())
                       .arg(dots.height());
    if (figure.points.value_or(0) < letters_->value()) {
        said += QLatin1Char(' ') + tr("The letters are of %1 pt, so that all has room.").arg(*figure.points);
    }
    if (facts.cut > 0) {
        said += QLatin1Char(' ');
        said += facts.cut == 1 ? tr("Too small for letters of %1 pt: “%2” is cut.")
                                     .arg(letters_->value())
                                     .arg(facts.first_cut)
                               : tr("Too small for letters of %1 pt: %2 labels are cut, such as “%3”.")
                                     .arg(letters_->value())
                                     .arg(facts.cut)
                                     .arg(facts.first_cut);
    }
    return said;
}

void FigureDialog::showHeight(const QSize& size) {
    height_->setEnabled(!as_high_->isChecked());
    if (as_high_->isChecked()) {
        const QSignalBlocker quiet(height_);
        height_->setValue(size.height() / per_unit_);
    }
}

void FigureDialog::copyPicture() {
    QGuiApplication::clipboard()->setImage(figureImage(*view_, figure()));
}

/// Some tables are added up first, off the UI thread.
void FigureDialog::copyTable() {
    view_->complete([view = QPointer<View>(view_)](const Result<void>& done) {
        if (done && view) {
            const InEnglish for_programs;
            QGuiApplication::clipboard()->setText(tabSeparated(view->table()));
        }
    });
}

} // namespace meshslice::ui
