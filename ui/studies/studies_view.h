#pragma once

#include "core/question/catalogue/study/studies.h"
#include "ui/charts/chart_job_view.h"

#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QTableView;
class QTabWidget;

namespace meshslice::ui {

class TableModel;

/// "Weak scaling, Figure 9": with the publication's own number, where it has one.
[[nodiscard]] QString studyTitle(const Study& study);

/// What is asked: which study, and with what.
struct StudyRequest {
    std::size_t study = 0; ///< of studies()
    StudyInputs inputs;

    bool operator==(const StudyRequest&) const = default;
};

/// The papers' evaluations as a gallery: the studies on the left, with a line that searches them; the chosen
/// one's chart, what the paper says next to what is found here, and its table. Model, clusters and hardware
/// can be changed; each paper's own are there at first, and again when a study of another paper is chosen.
/// Studies are computed off the UI thread, and only while the view is seen.
class StudiesView : public ChartJobView {
    Q_OBJECT
  public:
    explicit StudiesView(Session* session, QWidget* parent = nullptr);

    [[nodiscard]] QString sentence() const override;
    [[nodiscard]] bool isCurrent() const override { return shown() && inquiry_.answered() == wanted(); }
    /// Each study.
    [[nodiscard]] QStringList pages() const override;
    [[nodiscard]] int page() const override;
    void turnTo(int page) override;
    void complete(const Completed& completed) override { inquiry_.ask(wanted(), completed); }
    [[nodiscard]] double progress() const override { return inquiry_.progress(); }

    [[nodiscard]] QListWidget* list() { return list_; }
    /// What is typed here leaves in the list what has all of its words; Enter takes the first.
    [[nodiscard]] QLineEdit* search() { return search_; }
    [[nodiscard]] QComboBox* models() { return models_; }
    [[nodiscard]] QComboBox* chips() { return chips_; }
    [[nodiscard]] QComboBox* hardware() { return hardware_; }
    [[nodiscard]] TableModel* verdictModel() { return verdicts_; }
    /// What computes the answers.
    [[nodiscard]] LatestJob* job() { return inquiry_.job(); }
    /// The newest answer; none where there is none.
    [[nodiscard]] const std::optional<StudyResult>& shown() const { return inquiry_.answer(); }

  protected:
    void renew() override;
    void cancel(bool awaited) override { awaited ? inquiry_.cancel() : inquiry_.cancelUnlessAwaited(); }
    [[nodiscard]] Table makeTable() const override { return shown()->table; }
    [[nodiscard]] QString pictured() const override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void makeList();
    void makeSearch();
    void find();
    /// The list is as wide as its longest entry.
    void fitList();
    void makeControls();
    /// What can be chosen for a study, of what changes it; at first the models, clusters and hardware of its
    /// evaluation.
    void offerChoices(const Study& study);
    void layOut();
    [[nodiscard]] StudyRequest wanted() const;
    void showAnswer();

    QLineEdit* search_;
    QLabel* none_; ///< says that nothing is found
    QListWidget* list_;
    QComboBox* narrow_list_; ///< the same studies, where there is no room for the list
    QComboBox* models_;
    QComboBox* chips_;
    QComboBox* hardware_;
    QLabel* question_;
    QTabWidget* tables_;
    TableModel* verdicts_;
    TableModel* rows_;
    const Evaluation* offered_ = nullptr; ///< whose choices the controls have
    bool waits_ = false;                  ///< the picture says that the answer is being computed
    Inquiry<StudyRequest, StudyResult> inquiry_;
};

} // namespace meshslice::ui
