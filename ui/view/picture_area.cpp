#include "ui/view/picture_area.h"

#include "ui/view/view.h"

#include <QApplication>
#include <QTabWidget>

namespace meshslice::ui {

PictureArea::PictureArea(const std::vector<View*>& views, QWidget* parent)
    : QSplitter(Qt::Horizontal, parent)
    , views_(views)
    , left_(new QTabWidget(this))
    , right_(new QTabWidget(this)) {
    for (QTabWidget* tabs : {left_, right_}) {
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
        left_->addTab(view, view->title());
    }
    right_->hide();
}

void PictureArea::setSideBySide(bool side_by_side) {
    if (side_by_side == side_by_side_) {
        return;
    }
    side_by_side_ = side_by_side;
    View* current = currentView();
    setUpdatesEnabled(false);
    for (std::size_t i = 1; i < views_.size(); ++i) {
        (side_by_side ? right_ : left_)
            ->addTab(views_[i], views_[i]->title()); // leaves its old tabs by itself
    }
    right_->setVisible(side_by_side);
    if (side_by_side) {
        setSizes({width() * 3 / 5, width() * 2 / 5});
    }
    show(current);
    setUpdatesEnabled(true);
}

View* PictureArea::currentView() const {
    QTabWidget* tabs = left_;
    if (side_by_side_ && right_->isAncestorOf(QApplication::focusWidget())) {
        tabs = right_;
    }
    return qobject_cast<View*>(tabs->currentWidget());
}

void PictureArea::show(View* view) {
    for (QTabWidget* tabs : {left_, right_}) {
        if (tabs->indexOf(view) >= 0) {
            tabs->setCurrentWidget(view);
        }
    }
}

} // namespace meshslice::ui
