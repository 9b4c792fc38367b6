#pragma once

#include "core/scenario/file/project.h"
#include "ui/look/palette.h"

#include <QDialog>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <functional>
#include <vector>

class QAbstractButton;
class QGridLayout;
class QLayout;
class QPainter;
class QPushButton;

namespace meshslice::ui {

/// A lesson as the welcome offers it.
struct OfferedLesson {
    QString title; ///< "2. Notation"
    QString note;  ///< how far one is in it; empty where it has not been begun
    QString needs; ///< what the reader should know
    bool done = false;
};

/// A question that somebody comes with, and a small picture of what answers it.
struct WelcomeQuestion {
    QString title; ///< "Will my model fit?"
    QString about; ///< what is shown then, in a few words
    /// Paints the picture into a rectangle of this size at the origin; nothing while there is none.
    std::function<void(QPainter&, const QSize&, Theme)> picture;
};

/// What a new user sees first, next to the window: the questions that the program answers, lessons, examples
/// that make one point each, the files that were opened last, and where a model of one's own comes in. It
/// blocks nothing, and is gone when something is chosen.
class WelcomeDialog : public QDialog {
    Q_OBJECT
  public:
    WelcomeDialog(const QStringList& recent_files, QWidget* parent,
                  const std::vector<OfferedLesson>& lessons = {},
                  const std::vector<WelcomeQuestion>& questions = {});

    [[nodiscard]] const std::vector<QAbstractButton*>& questions() const { return questions_; }
    /// There are other pictures of the questions.
    void renewPictures();
    /// The examples.
    [[nodiscard]] const std::vector<QAbstractButton*>& cards() const { return cards_; }
    [[nodiscard]] const std::vector<QPushButton*>& recent() const { return recent_; }
    [[nodiscard]] const std::vector<QPushButton*>& lessons() const { return lessons_; }
    [[nodiscard]] QPushButton* modelButton() { return model_; }

  signals:
    /// By its place among those that were handed over.
    void questionAsked(std::size_t question);
    /// By its place among those that are offered.
    void lessonAsked(std::size_t lesson);
    void exampleAsked(const meshslice::Project& project);
    void fileAsked(const QString& path);
    void openAsked();
    void modelAsked();

  private:
    QWidget* makePage(const QStringList& recent_files, const std::vector<OfferedLesson>& lessons,
                      const std::vector<WelcomeQuestion>& questions);
    QLayout* makeQuestions(const std::vector<WelcomeQuestion>& questions, QWidget* page);
    QLayout* makeExamples(QWidget* page);
    QLayout* makeFiles(const QStringList& recent_files, QWidget* page);
    QLayout* makeLessons(const std::vector<OfferedLesson>& lessons, QWidget* page);
    QPushButton* makeLink(const QString& text, QWidget* parent);

    std::vector<QAbstractButton*> questions_;
    std::vector<QAbstractButton*> cards_;
    std::vector<QPushButton*> recent_;
    std::vector<QPushButton*> lessons_;
    QPushButton* open_ = nullptr;
    QPushButton* model_ = nullptr;
};

} // namespace meshslice::ui
