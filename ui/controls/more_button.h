#pragma once

#include <QToolButton>

#include <functional>

namespace meshslice::ui {

/// A small button next to a field with a menu of what else can be done with it.
class MoreButton : public QToolButton {
    Q_OBJECT
  public:
    MoreButton(const QString& name, QWidget* parent);

    /// Its action.
    QAction* addEntry(const QString& text, const std::function<void()>& act);

  protected:
    void initStyleOption(QStyleOptionToolButton* option) const override;
};

} // namespace meshslice::ui
