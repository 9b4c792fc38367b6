#pragma once

#include "ui/lab/cost_questions.h"
#include "ui/lab/lab_page.h"

#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;

namespace meshslice::ui {

class ChartCanvas;

/// A page of the lab that answers a question about costs with a chart, at every key. A text that is refused
/// leaves the chart of the last one that was not, with a sentence that says what is wrong.
class CostPage : public LabPage {
    Q_OBJECT
  public:
    CostPage(CostQuestion question, const QString& name, QWidget* parent);

    [[nodiscard]] ChartCanvas* canvas() { return canvas_; }
    [[nodiscard]] const ChartCanvas* canvas() const { return canvas_; }
    /// A QLineEdit or a QComboBox.
    [[nodiscard]] QWidget* field(std::size_t which) { return fields_[which]; }
    [[nodiscard]] QLabel* notice() { return notice_; }

    [[nodiscard]] QWidget* picture() override;
    [[nodiscard]] bool isCurrent() const override { return refusal_.isEmpty(); }
    void complete(const Completed& completed) override;
    [[nodiscard]] QString pictured() const override { return answer_ ? answer_->pictured : QString(); }
    [[nodiscard]] Table table() const override { return answer_ ? answer_->table : Table(); }
    void paintFor(QPainter& painter, const QSize& laid_out, Theme theme) const override;

  private:
    void makeField(const CostField& of);
    void layOut();
    void ask();

    CostQuestion question_;
    std::vector<QWidget*> fields_;
    QLabel* notice_;
    ChartCanvas* canvas_;
    std::optional<CostAnswer> answer_; ///< the last one that there was
    QString refusal_;                  ///< why what is typed has none
};

} // namespace meshslice::ui
