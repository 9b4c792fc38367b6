#pragma once

#include "ui/view/picture_file.h"

#include <QDialog>
#include <QStringList>

#include <array>
#include <vector>

class QCheckBox;
class QLabel;
class QListWidget;
class QPushButton;

namespace meshslice::ui {

class View;

/// Asks which views are to be written, and as what. All at first, except those that have nothing to show.
class ViewsDialog : public QDialog {
    Q_OBJECT
  public:
    /// `figure`: how large and in which letters each is written.
    ViewsDialog(std::vector<View*> views, const Figure& figure, QWidget* parent);

    /// In the order of the tabs.
    [[nodiscard]] std::vector<View*> chosen() const;
    /// "png", "svg", ...
    [[nodiscard]] QStringList endings() const;
    /// A line for each view.
    [[nodiscard]] QListWidget* list() { return list_; }
    [[nodiscard]] QPushButton* saveButton() { return save_; }

  signals:
    /// They are to be written; the dialog stays until it is closed.
    void saveAsked();

  private:
    void choose(bool all);
    void renew();

    std::vector<View*> views_;
    QListWidget* list_;
    std::array<QCheckBox*, 4> formats_;
    QLabel* note_;
    QPushButton* save_ = nullptr;
};

} // namespace meshslice::ui
