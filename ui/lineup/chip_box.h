#pragma once

#include "core/torus/torus.h"

#include <QSpinBox>

namespace meshslice::ui {

/// A chip of a torus, by its coordinates ("chip 3,5"); stepping goes through the chips row by row.
class ChipBox : public QSpinBox {
    Q_OBJECT
  public:
    explicit ChipBox(QWidget* parent = nullptr);

    void setTorus(const Torus& torus);

  protected:
    [[nodiscard]] QString textFromValue(int chip) const override;
    [[nodiscard]] int valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& position) const override;

  private:
    Torus torus_;
};

} // namespace meshslice::ui
