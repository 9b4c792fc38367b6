#pragma once

#include "ui/look/palette.h"
#include "ui/session/results.h"

#include <QObject>
#include <QSize>
#include <QString>

#include <vector>

class QWidget;

namespace meshslice::ui {

class PictureArea;
class View;

/// Writes pictures, tables and traces, asking where.
class ExportCommands : public QObject {
    Q_OBJECT
  public:
    /// The size of an exported picture where the user says nothing else: a slide, or a column of a paper.
    static constexpr QSize picture_size{1600, 1000};

    ExportCommands(std::vector<View*> views, PictureArea* area, QWidget* window);

    void setResults(const ResultsPtr& results) { results_ = results; }

    void exportCurrent();
    void exportAll();
    void exportTrace();

  signals:
    /// What was written, for the status bar.
    void told(const QString& sentence);

  private:
    [[nodiscard]] Theme theme() const;

    std::vector<View*> views_;
    PictureArea* area_;
    QWidget* window_;
    ResultsPtr results_;
};

} // namespace meshslice::ui
