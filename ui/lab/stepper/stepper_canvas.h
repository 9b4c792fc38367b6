#pragma once

#include "ui/lab/stepper/stepper_picture.h"
#include "ui/view/readable.h"
#include "ui/view/view.h"

#include <QWidget>

#include <memory>

namespace meshslice::ui {

using SteppingPtr = std::shared_ptr<const Stepping>;

/// The stepper's picture: the pseudocode with the line that is lit, what every chip holds, number by number,
/// what is on the links and how much they have carried.
class StepperCanvas : public QWidget, public Readable {
    Q_OBJECT
  public:
    explicit StepperCanvas(QWidget* parent);

    /// From its beginning; none: the sentence instead.
    void show(const SteppingPtr& stepping, const QString& title, const QString& sentence);
    [[nodiscard]] bool isReady() const { return stepping_ != nullptr; }
    [[nodiscard]] const SteppingPtr& stepping() const { return stepping_; }
    [[nodiscard]] const QString& sentence() const { return sentence_; }
    /// isReady().
    [[nodiscard]] StepperShown shown() const { return {stepping_.get(), title_, moment_}; }
    [[nodiscard]] std::size_t moment() const { return moment_; }
    [[nodiscard]] std::size_t lastMoment() const { return stepping_ ? stepping_->moments.size() - 1 : 0; }
    void setMoment(std::size_t moment);
    /// To the beginning of the next or the last line of the program.
    void skipLine(bool forward);
    /// In the picture's pixels; isReady().
    [[nodiscard]] StepperLayout layoutNow() const;
    /// How much larger than laid out it is drawn: as large as all of it has room for, up to four times as
    /// large as pictures are. With large letters also smaller than these, so that all of it is seen.
    [[nodiscard]] double scale() const;

    [[nodiscard]] static std::vector<KeyHelp> keys();
    void paintFor(QPainter& painter, const QSizeF& size, Theme theme) const;

    [[nodiscard]] QString readAloud() const override;
    [[nodiscard]] std::vector<ReadablePart> readableParts() const override;
    [[nodiscard]] QSize sizeHint() const override { return {900, 420}; }

  signals:
    void stepped();

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void changed();
    [[nodiscard]] QStringList linesAt(const QPoint& point) const;

    SteppingPtr stepping_;
    QString title_, sentence_;
    std::size_t moment_ = 0;
};

} // namespace meshslice::ui
