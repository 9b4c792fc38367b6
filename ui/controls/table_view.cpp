#include "ui/controls/table_view.h"

#include <QHeaderView>
#include <QTableView>

namespace meshslice::ui {
namespace {

constexpr int row_padding = 8;

} // namespace

QTableView* makeTableView(QAbstractItemModel* model, const QString& name, QWidget* parent) {
    auto* view = new QTableView(parent);
    view->setModel(model);
    view->setFrameShape(QFrame::NoFrame);
    view->setShowGrid(false);
    view->setAlternatingRowColors(true);
    view->setTabKeyNavigation(false);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->verticalHeader()->hide();
    view->horizontalHeader()->setHighlightSections(false);
    view->setAccessibleName(name);
    fitRowHeight(view);
    return view;
}

void fitRowHeight(QTableView* view) {
    view->verticalHeader()->setDefaultSectionSize(view->fontMetrics().height() + row_padding);
}

} // namespace meshslice::ui
