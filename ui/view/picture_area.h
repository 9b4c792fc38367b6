#pragma once

#include <QSplitter>

#include <vector>

class QTabWidget;

namespace meshslice::ui {

class View;

/// The views in the middle of the window: all in one row of tabs, or, where the window is wide, the first
/// next to the others.
class PictureArea : public QSplitter {
    Q_OBJECT
  public:
    /// From this width of the window on, two pictures stand side by side.
    static constexpr int wide_window = 1700;

    PictureArea(const std::vector<View*>& views, QWidget* parent);

    void setSideBySide(bool side_by_side);
    [[nodiscard]] bool isSideBySide() const { return side_by_side_; }
    /// The view that the user looked at last, or the first.
    [[nodiscard]] View* currentView() const;
    /// Brings a view to the front.
    void show(View* view);

  private:
    std::vector<View*> views_;
    QTabWidget* left_;
    QTabWidget* right_;
    bool side_by_side_ = false;
};

} // namespace meshslice::ui
