#pragma once

#include "core/papers/meshslice/study.h"
#include "ui/view/view.h"

#include <optional>

class QComboBox;
class QLabel;
class QListWidget;
class QTableView;
class QTabWidget;

namespace meshslice::ui {

class LatestJob;
class StudyCanvas;
class TableModel;

/// What is asked: which study, and with what.
struct StudyRequest {
    std::size_t study = 0; ///< of studies()
    StudyInputs inputs;

    bool operator==(const StudyRequest&) const = default;
};

/// The paper's evaluation as a gallery: the studies on the left; the chosen one's chart, what the paper says
/// beside what is found here, and its table. Model, clusters and hardware can be changed; the paper's are
/// there at first. Studies are computed off the UI thread, and only while the view is seen.
class StudiesView : public View {
    Q_OBJECT
  public:
    explicit StudiesView(QWidget* parent = nullptr);

    [[nodiscard]] QString id() const override { return QStringLiteral("studies"); }
    [[nodiscard]] QString title() const override { return tr("Studies"); }
    void showResults(const ResultsPtr& results) override;
    /// Studies have a state of their own: a scenario that does not run leaves them alone.
    void showState(ViewState state, const QString& sentence) override;
    void complete() override;
    void paintPicture(QPainter& painter, const QSize& size, Theme theme) const override;
    [[nodiscard]] Table table() const override;

    [[nodiscard]] QListWidget* list() { return list_; }
    [[nodiscard]] QComboBox* models() { return models_; }
    [[nodiscard]] QComboBox* chips() { return chips_; }
    [[nodiscard]] QComboBox* hardware() { return hardware_; }
    [[nodiscard]] TableModel* verdictModel() { return verdicts_; }
    [[nodiscard]] LatestJob* job() { return job_; }
    /// The answer that is shown; none where there is none yet, or none to what is asked.
    [[nodiscard]] const std::optional<StudyResult>& shown() const { return result_; }
    /// What stands in the picture's place; empty where there is a picture.
    [[nodiscard]] const QString& sentence() const { return sentence_; }
    /// What stands at a point of the picture, line by line.
    [[nodiscard]] QStringList linesAt(const QPoint& point) const;

    [[nodiscard]] QSize sizeHint() const override { return {900, 600}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {360, 300}; }

  signals:
    /// A study has been answered, or refused.
    void answered();

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    void makeList();
    void makeControls();
    void layOut();
    [[nodiscard]] StudyRequest wanted() const;
    /// Asks for what is wanted, unless it is shown or under way.
    void renew();
    void take(const StudyRequest& request, const Result<StudyResult>& result);
    void showAnswer();

    QListWidget* list_;
    QComboBox* narrow_list_; ///< the same studies, where there is no room for the list
    QComboBox* models_;
    QComboBox* chips_;
    QComboBox* hardware_;
    QLabel* question_;
    StudyCanvas* canvas_;
    QTabWidget* tables_;
    TableModel* verdicts_;
    TableModel* rows_;
    LatestJob* job_;
    ResultsPtr results_; ///< whose model and hardware may be asked for
    std::optional<StudyRequest> asked_;
    std::optional<StudyRequest> answered_;
    std::optional<StudyResult> result_;
    QString sentence_;
};

} // namespace meshslice::ui
