#pragma once

#include "ui/view/view_place.h"

#include <QWidget>

#include <map>
#include <optional>
#include <vector>

class QBoxLayout;
class QScrollArea;
class QStackedWidget;
class QTabBar;

namespace meshslice::ui {

/// One picture with the tabs that turn to others, and the pages of the tab that is in front. Where there is
/// one of them, there is nothing to turn, and it is not seen.
class PictureColumn : public QWidget {
    Q_OBJECT
  public:
    /// `name`: of the tabs, for people who do not see them.
    PictureColumn(const QString& name, QWidget* parent);

    /// `places`: in the order of their tabs and pages. What was in front of a tab comes to the front again.
    /// Takes the frames of the views, each of which is in one column.
    void setPlaces(std::vector<ViewPlace> places, const std::map<const View*, QScrollArea*>& frames);
    [[nodiscard]] const std::vector<ViewPlace>& places() const { return places_; }
    /// None where there are no places.
    [[nodiscard]] std::optional<ViewPlace> shown() const;
    /// One of `places`.
    void show(const ViewPlace& place);
    /// The page of this tab that was seen last, or its first one; none where it has none.
    [[nodiscard]] std::optional<ViewPlace> of(Tab tab) const;

    [[nodiscard]] QTabBar* tabs() { return tabs_; }
    [[nodiscard]] QTabBar* pages() { return pages_; }

  signals:
    /// Another place is in front.
    void turned();
    /// The user has clicked in the tabs or pages.
    void clicked();

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void turnTab(int index);
    void turnPage(int index);
    void fillPages();
    /// The pages stand behind the tabs where there is room, else below them.
    void fit();

    QTabBar* tabs_;
    QTabBar* pages_;
    QBoxLayout* bars_;
    QStackedWidget* stack_;
    std::vector<ViewPlace> places_;
    std::vector<Tab> tab_of_; ///< by index of `tabs_`
    std::vector<ViewPlace> page_of_;
    std::map<const View*, QScrollArea*> frames_;
    /// What was seen last of each tab, by the tasks that it is for.
    std::map<std::pair<Tasks, Tab>, ViewPlace> last_;
    std::optional<ViewPlace> shown_;
};

} // namespace meshslice::ui
