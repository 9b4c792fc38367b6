#pragma once

#include "core/scenario/project.h"

#include <QDialog>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <vector>

class QAbstractButton;
class QCheckBox;
class QLayout;
class QPushButton;

namespace meshslice::ui {

/// A lesson as the welcome offers it.
struct OfferedLesson {
    QString title; ///< "2. Notation"
    QString note;  ///< how far one is in it; empty where it has not been begun
    QString needs; ///< what the reader should know
    bool done = false;
};

/// What a new user sees first, next to the window: what the program is, lessons, examples that make one point
/// each, the files that were opened last, and where a model of one's own comes in. It blocks nothing, and is
/// gone when something is chosen.
class WelcomeDialog : public QDialog {
    Q_OBJECT
  public:
    WelcomeDialog(const QStringList& recent_files, bool at_start, QWidget* parent,
                  const std::vector<OfferedLesson>& lessons = {});

    /// The examples.
    [[nodiscard]] const std::vector<QAbstractButton*>& cards() const { return cards_; }
    [[nodiscard]] const std::vector<QPushButton*>& recent() const { return recent_; }
    [[nodiscard]] const std::vector<QPushButton*>& lessons() const { return lessons_; }
    [[nodiscard]] QPushButton* modelButton() { return model_; }
    [[nodiscard]] QCheckBox* atStart() { return at_start_; }

  signals:
    /// By its place among those that are offered.
    void lessonAsked(std::size_t lesson);
    void exampleAsked(const meshslice::Project& project);
    void fileAsked(const QString& path);
    void openAsked();
    void modelAsked();
    void atStartChanged(bool at_start);

  private:
    QWidget* makePage(const QStringList& recent_files, const std::vector<OfferedLesson>& lessons);
    QLayout* makeLessons(const std::vector<OfferedLesson>& lessons, QWidget* page);
    QPushButton* makeLink(const QString& text, QWidget* parent);

    std::vector<QAbstractButton*> cards_;
    std::vector<QPushButton*> recent_;
    std::vector<QPushButton*> lessons_;
    QPushButton* open_ = nullptr;
    QPushButton* model_ = nullptr;
    QCheckBox* at_start_;
};

} // namespace meshslice::ui
