#pragma once

#include "ui/commands/dialogs/palette_match.h"

#include <QDialog>

#include <cstddef>
#include <vector>

class QLabel;
class QLineEdit;
class QTreeWidget;

namespace meshslice::ui {

/// A line to type into and below it what it may mean: the arrows choose, Enter or a click takes, Escape
/// leaves.
class PaletteDialog : public QDialog {
    Q_OBJECT
  public:
    PaletteDialog(std::vector<PaletteLine> lines, QStringList recent, QWidget* parent);

    [[nodiscard]] QLineEdit* line() { return line_; }
    [[nodiscard]] QTreeWidget* list() { return list_; }

  signals:
    /// One of the lines was taken, and the dialog is closed.
    void taken(std::size_t line);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void find();
    void takeCurrent();

    std::vector<PaletteLine> lines_;
    QStringList recent_;
    QLineEdit* line_;
    QTreeWidget* list_;
    QLabel* none_; ///< says that nothing is found
};

} // namespace meshslice::ui
