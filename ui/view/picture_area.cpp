#include "ui/view/picture_area.h"

#include "ui/controls/scrolling.h"
#include "ui/view/view.h"

#include <QApplication>
#include <QScrollArea>
#include <QTabBar>
#include <QTabWidget>

#include <algorithm>

namespace meshslice::ui {

PictureArea::PictureArea(const std::vector<View*>& views, QWidget* parent)
    : QSplitter(Qt::Horizontal, parent)
    , views_(views)
    , left_(new QTabWidget(this))
    , right_(new QTabWidget(this))
    , last_(left_) {
    for (QTabWidget* tabs : {left_, right_}) {
        connect(tabs->tabBar(), &QTabBar::tabBarClicked, this, [this, tabs] { last_ = tabs; });
        connect(tabs, &QTabWidget::currentChanged, this, &PictureArea::turned);
        tabs->setDocumentMode(true);
        tabs->setMinimumWidth(320);
        addWidget(tabs);
    }
    left_->setAccessibleName(tr("Pictures"));
    right_->setAccessibleName(tr("More pictures"));
    setChildrenCollapsible(false);
    setStretchFactor(0, 3);
    setStretchFactor(1, 2);
    for (View* view : views_) {
        pages_.push_back(makeScrolling(view, this));
        left_->addTab(pages_.back(), view->title());
    }
    right_->hide();
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget*, const QWidget* now) {
        for (QTabWidget* tabs : {left_, right_}) {
            last_ = now != nullptr && tabs->isAncestorOf(now) ? tabs : last_;
        }
    });
}

/// The focus changes once more while its children go, and there are no tabs left to ask.
PictureArea::~PictureArea() {
    disconnect(qApp, nullptr, this, nullptr);
    for (const QTabWidget* tabs : {left_, right_}) {
        tabs->disconnect(this);
    }
}

void PictureArea::setSideBySide(bool side_by_side) {
    if (side_by_side == side_by_side_) {
        return;
    }
    View* current = currentView();
    side_by_side_ = side_by_side;
    setUpdatesEnabled(false);
    for (std::size_t i = 1; i < views_.size(); ++i) {
        (side_by_side ? right_ : left_)
            ->addTab(pages_[i], views_[i]->title()); // leaves its old tabs by itself
    }
    right_->setVisible(side_by_side);
    if (side_by_side) {
        setSizes({width() / 2, width() / 2});
    }
    show(current);
    setUpdatesEnabled(true);
}

QScrollArea* PictureArea::pageOf(const View* view) const {
    const auto at = std::ranges::find(views_, view);
    return at == views_.end() ? nullptr : pages_[static_cast<std::size_t>(at - views_.begin())];
}

View* PictureArea::currentView() const {
    const auto* page = qobject_cast<QScrollArea*>((side_by_side_ ? last_ : left_)->currentWidget());
    return page != nullptr ? qobject_cast<View*>(page->widget()) : nullptr;
}

void PictureArea::show(View* view) {
    for (QTabWidget* tabs : {left_, right_}) {
        if (QScrollArea* page = pageOf(view); tabs->indexOf(page) >= 0) {
            tabs->setCurrentWidget(page);
            last_ = tabs;
        }
    }
}

} // namespace meshslice::ui
