#pragma once

#include <QObject>
#include <QString>

#include <memory>

class QLabel;
class QLockFile;

namespace meshslice::ui {

class MainWindow;

/// Says so where the file of the window is also open in another window, of this program or of another one
/// that runs.
class AlsoOpen : public QObject {
    Q_OBJECT
  public:
    /// Notes what is open in `folder`.
    AlsoOpen(MainWindow* window, const QString& folder);
    ~AlsoOpen() override;

    [[nodiscard]] bool isElsewhere() const { return elsewhere_; }
    /// What the status bar says of it.
    [[nodiscard]] const QLabel* note() const { return note_; }

  private:
    void follow();

    MainWindow* window_;
    QString folder_;
    QLabel* note_; ///< of the window
    std::unique_ptr<QLockFile> lock_;
    bool elsewhere_ = false;
};

} // namespace meshslice::ui
