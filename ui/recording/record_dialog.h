#pragma once

#include "ui/look/palette.h"
#include "ui/recording/recorder.h"

#include <QDialog>
#include <QPointer>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace meshslice::ui {

class LabView;
class TorusView;

/// Something that moves: `at` shows it at a share of its way, 0 to 1, and `back` as it was before.
struct Moving {
    QString title;     ///< "Torus"
    QString file_name; ///< "torus"
    int steps = 0;     ///< that it goes in; 0: as many pictures as one likes
    std::function<QImage(double share, const QSize& size, Theme theme)> at;
    std::function<void()> back;
    std::function<QString()> why_not; ///< there is nothing to record; empty where there is
};
[[nodiscard]] Moving movingTorus(TorusView* torus);
/// The stepper of the lab: a picture for each of its steps.
[[nodiscard]] Moving movingStepper(LabView* lab);

/// Asks how something that moves is to be recorded for slides, and writes it: how far that is, and a way to
/// give up. It blocks nothing.
class RecordDialog : public QDialog {
    Q_OBJECT
  public:
    RecordDialog(std::vector<Moving> moving, int first, QWidget* parent);
    ~RecordDialog() override;

    [[nodiscard]] QComboBox* what() { return what_; }
    [[nodiscard]] QComboBox* format() { return format_; }
    [[nodiscard]] QComboBox* size() { return size_; }
    [[nodiscard]] QComboBox* colors() { return colors_; }
    [[nodiscard]] QSpinBox* seconds() { return seconds_; }
    [[nodiscard]] QSpinBox* rate() { return rate_; }
    [[nodiscard]] QLabel* note() { return note_; }
    [[nodiscard]] QProgressBar* progressBar() { return progress_; }
    [[nodiscard]] QPushButton* saveButton() { return save_; }
    [[nodiscard]] QPushButton* cancelButton() { return cancel_; }
    /// Null while nothing is recorded.
    [[nodiscard]] Recorder* recorder() { return recorder_; }

    /// What would be recorded there.
    [[nodiscard]] Footage footage(const QString& path) const;
    /// Records it.
    void record(const QString& path);

  private:
    void layOut();
    void renew();
    void askAndRecord();
    void end();
    [[nodiscard]] const Moving& moving() const;

    std::vector<Moving> moving_;
    QComboBox* what_;
    QComboBox* format_;
    QComboBox* size_;
    QComboBox* colors_;
    QSpinBox* seconds_;
    QSpinBox* rate_;
    QLabel* note_;
    QProgressBar* progress_;
    QPushButton* save_ = nullptr;
    QPushButton* cancel_ = nullptr;
    QPointer<Recorder> recorder_;
};

} // namespace meshslice::ui
