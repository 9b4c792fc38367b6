#include "ui/controls/table_view.h"

#include "ui/controls/table_model.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QProxyStyle>
#include <QTableView>

namespace meshslice::ui {
namespace {

constexpr int row_padding = 8;

/// A value as spreadsheets read it.
QString bare(const QVariant& value) {
    return value.typeId() == QMetaType::Double ? QString::number(value.toDouble(), 'g', 12)
                                               : value.toString().simplified();
}

/// Keeps the heads and the cells of neighbouring columns apart: a number at the right of its column from a
/// word at the left of the next.
class RoomyStyle : public QProxyStyle {
  public:
    explicit RoomyStyle(QObject* parent) : QProxyStyle(QApplication::style()->name()) { setParent(parent); }

    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override {
        switch (metric) {
        case PM_HeaderMargin: return 8;
        case PM_FocusFrameHMargin: return 7; // a cell's text begins a pixel further in
        default: return QProxyStyle::pixelMetric(metric, option, widget);
        }
    }
};

class RowTable : public QTableView {
  public:
    using QTableView::QTableView;

    void copyRows() const { QGuiApplication::clipboard()->setText(tabSeparated(*this)); }

  protected:
    /// Rows are as high as their letters, and columns hold as many of them as before: they follow the
    /// window's text size.
    void changeEvent(QEvent* event) override {
        QTableView::changeEvent(event);
        if (event->type() == QEvent::FontChange) {
            fitRowHeight(this);
            const double letter = QFontMetricsF(font()).averageCharWidth();
            for (int column = 0; letter_ > 0 && column < horizontalHeader()->count(); ++column) {
                setColumnWidth(column, qRound(columnWidth(column) * letter / letter_));
            }
            letter_ = letter;
        }
    }
    void keyPressEvent(QKeyEvent* event) override {
        if (event->matches(QKeySequence::Copy)) {
            copyRows(); // the usual way copies the text of one cell
        } else {
            QTableView::keyPressEvent(event);
        }
    }

  private:
    double letter_ = QFontMetricsF(font()).averageCharWidth();
};

} // namespace

QTableView* makeTableView(QAbstractItemModel* model, const QString& name, QWidget* parent) {
    auto* view = new RowTable(parent);
    view->setModel(model);
    auto* roomy = new RoomyStyle(view);
    view->setStyle(roomy);
    view->horizontalHeader()->setStyle(roomy);
    view->setFrameShape(QFrame::NoFrame);
    view->setShowGrid(false);
    view->setAlternatingRowColors(true);
    view->setTabKeyNavigation(false);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->verticalHeader()->hide();
    view->horizontalHeader()->setHighlightSections(false);
    view->horizontalHeader()->setTextElideMode(Qt::ElideNone); // of two lines it would leave one
    view->setAccessibleName(name);
    view->setContextMenuPolicy(Qt::ActionsContextMenu);
    const auto tr = [](const char* text) { return QCoreApplication::translate("meshslice::ui", text); };
    auto* copy = new QAction(tr("Copy the rows"), view);
    QObject::connect(copy, &QAction::triggered, view, [view] { view->copyRows(); });
    view->addAction(copy);
    fitRowHeight(view);
    return view;
}

QString tabSeparated(const QTableView& view) {
    const QAbstractItemModel& model = *view.model();
    QStringList lines;
    const auto add_line = [&](const auto& cell_of) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column) {
            cells << bare(cell_of(column));
        }
        lines << cells.join(QLatin1Char('\t'));
    };
    add_line([&](int column) { return model.headerData(column, Qt::Horizontal, TableModel::sort_role); });
    for (int row = 0; row < model.rowCount(); ++row) {
        if (!view.selectionModel()->hasSelection() || view.selectionModel()->isRowSelected(row)) {
            add_line([&](int column) { return model.index(row, column).data(TableModel::sort_role); });
        }
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QString tabSeparated(const Table& table) {
    TableModel model;
    model.setTable(table);
    QStringList lines;
    for (int row = -1; row < model.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column) {
            cells << bare(row < 0 ? model.headerData(column, Qt::Horizontal, TableModel::sort_role)
                                  : model.index(row, column).data(TableModel::sort_role));
        }
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void fitRowHeight(QTableView* view) {
    view->verticalHeader()->setDefaultSectionSize(view->fontMetrics().height() + row_padding);
}

} // namespace meshslice::ui
