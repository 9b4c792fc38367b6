#pragma once

#include "core/scenario/project.h"

#include <QDialog>
#include <QString>
#include <QStringList>

#include <vector>

class QAbstractButton;
class QCheckBox;
class QPushButton;

namespace meshslice::ui {

/// What a new user sees first, next to the window: what the program is, examples that make one point each,
/// the files that were opened last, and where a model of one's own comes in. It blocks nothing, and is gone
/// when something is chosen.
class WelcomeDialog : public QDialog {
    Q_OBJECT
  public:
    WelcomeDialog(const QStringList& recent_files, bool at_start, QWidget* parent);

    /// The examples.
    [[nodiscard]] const std::vector<QAbstractButton*>& cards() const { return cards_; }
    [[nodiscard]] const std::vector<QPushButton*>& recent() const { return recent_; }
    [[nodiscard]] QPushButton* modelButton() { return model_; }
    [[nodiscard]] QCheckBox* atStart() { return at_start_; }

  signals:
    void exampleAsked(const meshslice::Project& project);
    void fileAsked(const QString& path);
    void openAsked();
    void modelAsked();
    void atStartChanged(bool at_start);

  private:
    QWidget* makePage(const QStringList& recent_files);
    QPushButton* makeLink(const QString& text, QWidget* parent);

    std::vector<QAbstractButton*> cards_;
    std::vector<QPushButton*> recent_;
    QPushButton* open_ = nullptr;
    QPushButton* model_ = nullptr;
    QCheckBox* at_start_;
};

} // namespace meshslice::ui
