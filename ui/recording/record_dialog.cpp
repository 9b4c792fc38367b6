#include "ui/recording/record_dialog.h"

#include "ui/look/words.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <array>
#include <utility>

namespace meshslice::ui {
namespace {

/// Of the shape of slides.
constexpr std::array<std::array<int, 2>, 3> recorded_sizes = {{{960, 540}, {1280, 720}, {1920, 1080}}};
constexpr int usual_size = 1;
constexpr int most_seconds = 60;
constexpr int usual_seconds = 8;
constexpr int most_rate = 25;
constexpr int usual_rate = 10;

} // namespace

RecordDialog::RecordDialog(std::vector<Moving> moving, int first, QWidget* parent)
    : QDialog(parent)
    , moving_(std::move(moving))
    , what_(new QComboBox(this))
    , format_(new QComboBox(this))
    , size_(new QComboBox(this))
    , colors_(new QComboBox(this))
    , seconds_(new QSpinBox(this))
    , rate_(new QSpinBox(this))
    , note_(new QLabel(this))
    , progress_(new QProgressBar(this)) {
    setWindowTitle(tr("Record for slides"));
    setAttribute(Qt::WA_DeleteOnClose);
    for (const Moving& one : moving_) {
        what_->addItem(one.title);
    }
    what_->setCurrentIndex(first);
    format_->addItems({tr("animated GIF"), tr("a row of PNG files")});
    for (const auto& [width, height] : recorded_sizes) {
        size_->addItem(tr("%1 × %2 pixels").arg(width).arg(height), QSize(width, height));
    }
    size_->setCurrentIndex(usual_size);
    colors_->addItems({tr("light"), tr("dark")});
    seconds_->setRange(1, most_seconds);
    seconds_->setValue(usual_seconds);
    seconds_->setSuffix(tr(" s"));
    rate_->setRange(1, most_rate);
    rate_->setValue(usual_rate);
    rate_->setSuffix(tr(" a second"));
    note_->setWordWrap(true);
    note_->setAccessibleName(tr("What is recorded"));
    progress_->setAccessibleName(tr("Progress of the recording"));
    progress_->hide();
    layOut();
    for (QComboBox* box : {what_, format_, size_, colors_}) {
        connect(box, &QComboBox::currentIndexChanged, this, &RecordDialog::renew);
    }
    for (QSpinBox* box : {seconds_, rate_}) {
        connect(box, &QSpinBox::valueChanged, this, &RecordDialog::renew);
    }
    renew();
}

RecordDialog::~RecordDialog() {
    end();
}

void RecordDialog::layOut() {
    auto* form = new QFormLayout;
    form->addRow(tr("&Picture"), what_);
    form->addRow(tr("&Format"), format_);
    form->addRow(tr("Si&ze"), size_);
    form->addRow(tr("&Colours"), colors_);
    form->addRow(tr("&Lasts"), seconds_);
    form->addRow(tr("P&ictures"), rate_);
    for (int row = 0; row < form->rowCount(); ++row) { // which screen readers say
        QWidget* const field = form->itemAt(row, QFormLayout::FieldRole)->widget();
        const auto* const label = qobject_cast<QLabel*>(form->itemAt(row, QFormLayout::LabelRole)->widget());
        field->setAccessibleName(label->text().remove(QLatin1Char('&')));
    }
    auto* buttons = new QDialogButtonBox(this);
    save_ = buttons->addButton(tr("&Save as…"), QDialogButtonBox::AcceptRole);
    cancel_ = buttons->addButton(QDialogButtonBox::Cancel);
    save_->setDefault(true);
    connect(save_, &QPushButton::clicked, this, &RecordDialog::askAndRecord);
    connect(cancel_, &QPushButton::clicked, this, [this] {
        if (recorder_) {
            end();
            note_->setText(tr("The recording was given up; nothing was written."));
        } else {
            close();
        }
    });
    auto* column = new QVBoxLayout(this);
    column->addLayout(form);
    column->addWidget(note_);
    column->addWidget(progress_);
    column->addStretch(1);
    column->addWidget(buttons);
    note_->setMinimumWidth(48 * fontMetrics().averageCharWidth());
}

const Moving& RecordDialog::moving() const {
    return moving_[static_cast<std::size_t>(std::max(0, what_->currentIndex()))];
}

Footage RecordDialog::footage(const QString& path) const {
    const Moving& what = moving();
    Footage made;
    made.size = size_->currentData().toSize();
    made.format = format_->currentIndex() == 0 ? RecordingFormat::gif : RecordingFormat::pictures;
    made.path = path;
    made.pictures = what.steps > 0 ? what.steps : seconds_->value() * rate_->value();
    made.hundredths = what.steps > 0 ? seconds_->value() * 100 / what.steps : 100 / rate_->value();
    const Theme theme = colors_->currentIndex() == 0 ? Theme::light : Theme::dark;
    made.paint = [at = what.at, size = made.size, theme, last = std::max(1, made.pictures - 1)](int number) {
        return at(static_cast<double>(number) / last, size, theme);
    };
    return made;
}

void RecordDialog::renew() {
    rate_->setEnabled(moving().steps == 0);
    const QString why_not = moving().why_not();
    const Footage made = footage({});
    note_->setText(!why_not.isEmpty() ? why_not
                   : moving().steps > 0
                       ? tr("%1 pictures, one for each step.").arg(made.pictures)
                       : tr("%1 pictures, of the stretch of time that is seen.").arg(made.pictures));
    save_->setEnabled(why_not.isEmpty() && !recorder_);
}

void RecordDialog::askAndRecord() {
    const bool gif = format_->currentIndex() == 0;
    const QString ending = gif ? QStringLiteral(".gif") : QStringLiteral(".png");
    QString path = QFileDialog::getSaveFileName(this, tr("Record"), moving().file_name + ending,
                                                gif ? tr("GIF (*.gif)") : tr("PNG (*.png)"));
    if (path.isEmpty()) {
        return;
    }
    if (!path.endsWith(ending, Qt::CaseInsensitive)) {
        path += ending;
    }
    record(path);
}

void RecordDialog::record(const QString& path) {
    end();
    const Footage made = footage(path);
    recorder_ = new Recorder(made, this);
    progress_->setRange(0, made.pictures);
    progress_->setValue(0);
    progress_->show();
    save_->setEnabled(false);
    connect(recorder_, &Recorder::progressed, this, [this, pictures = made.pictures] {
        progress_->setValue(static_cast<int>(recorder_->progress() * pictures + 0.5));
    });
    connect(recorder_, &Recorder::finished, this, [this, path, made](const QString& refusal) {
        end();
        note_->setText(!refusal.isEmpty() ? refusal
                       : made.format == RecordingFormat::gif
                           ? tr("Written: %1").arg(QDir::toNativeSeparators(path))
                           : tr("Written: %1 and what follows")
                                 .arg(QDir::toNativeSeparators(numberedPath(path, 0, made.pictures))));
    });
    recorder_->start();
}

void RecordDialog::end() {
    if (!recorder_) {
        return;
    }
    recorder_->cancel();
    recorder_->deleteLater();
    recorder_ = nullptr;
    moving().back();
    progress_->hide();
    renew();
}

} // namespace meshslice::ui
