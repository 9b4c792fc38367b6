#pragma once

#include <QSplitter>

#include <vector>

class QScrollArea;
class QTabWidget;

namespace meshslice::ui {

class View;

/// The views in the middle of the window: all in one row of tabs or, where the user wants two pictures side
/// by side, the first next to the others. A picture that needs more room than there is can be scrolled.
class PictureArea : public QSplitter {
    Q_OBJECT
  public:
    PictureArea(const std::vector<View*>& views, QWidget* parent);
    ~PictureArea() override;

    void setSideBySide(bool side_by_side);
    [[nodiscard]] bool isSideBySide() const { return side_by_side_; }
    /// The view that the user looked at last: that has or had the keyboard, or whose tab was clicked.
    [[nodiscard]] View* currentView() const;
    /// Brings a view to the front.
    void show(View* view);

  signals:
    /// Another view is in front.
    void turned();

  private:
    [[nodiscard]] QScrollArea* pageOf(const View* view) const;

    std::vector<View*> views_;
    std::vector<QScrollArea*> pages_; ///< of the tabs, one for each view
    QTabWidget* left_;
    QTabWidget* right_;
    QTabWidget* last_; ///< of the two, which the user was in last
    bool side_by_side_ = false;
};

} // namespace meshslice::ui
