#pragma once

#include "ui/lab/cost_questions.h"
#include "ui/lab/lab_page.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

class QComboBox;
class QGraphicsOpacityEffect;
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
    /// By the name that lessons have for it; null where there is none.
    [[nodiscard]] QWidget* field(std::string_view key) const;
    [[nodiscard]] QLabel* notice() { return notice_; }
    /// What is typed, or the data of what is chosen, field by field.
    [[nodiscard]] QStringList texts() const;
    void setTexts(const QStringList& texts);
    /// These fields by their names, the others as they are at first.
    void present(const std::map<std::string, std::string>& named);

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
    QGraphicsOpacityEffect* old_;      ///< on while what is typed is refused
    std::optional<CostAnswer> answer_; ///< the last one that there was
    QString refusal_;                  ///< why what is typed has none
};

} // namespace meshslice::ui
