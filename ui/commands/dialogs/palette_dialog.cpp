#include "ui/commands/dialogs/palette_dialog.h"

#include "ui/look/words.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr int widest_palette = 110; ///< in letters
constexpr int most_rows_seen = 14;

} // namespace

PaletteDialog::PaletteDialog(std::vector<PaletteLine> lines, QStringList recent, QWidget* parent)
    : QDialog(parent)
    , lines_(std::move(lines))
    , recent_(std::move(recent))
    , line_(new QLineEdit(this))
    , list_(new QTreeWidget(this))
    , none_(new QLabel(tr("No match. Found here are actions, fields, views, studies, examples, lessons, "
                          "presets, words of the "
                          "glossary and pages of the manual."),
                       this)) {
    setWindowTitle(tr("Find an action or a field"));
    line_->setPlaceholderText(tr("Type what you want to do or change"));
    line_->setAccessibleName(tr("What to find"));
    line_->setAccessibleDescription(tr("The arrow keys choose among what is found, Enter takes it."));
    line_->setClearButtonEnabled(true);
    line_->installEventFilter(this);
    list_->setAccessibleName(tr("What is found"));
    list_->setColumnCount(3);
    list_->setHeaderHidden(true);
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setAllColumnsShowFocus(true);
    list_->setFocusPolicy(Qt::ClickFocus); // the keys stay in the line
    none_->setWordWrap(true);
    none_->setForegroundRole(QPalette::PlaceholderText);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->addWidget(line_);
    column->addWidget(list_, 1);
    column->addWidget(none_);
    connect(line_, &QLineEdit::textChanged, this, &PaletteDialog::find);
    connect(line_, &QLineEdit::returnPressed, this, &PaletteDialog::takeCurrent);
    connect(list_, &QTreeWidget::itemClicked, this, [this](const QTreeWidgetItem* row) {
        // A greyed line does not become the current one.
        if (row == list_->currentItem()) {
            takeCurrent();
        }
    });
    find();
    const int row = fontMetrics().height() + 6;
    const QSize room = parent->size() * 9 / 10;
    resize(
        QSize(widest_palette * fontMetrics().averageCharWidth(), (most_rows_seen + 3) * row).boundedTo(room));
    QHeaderView* columns = list_->header();
    columns->setStretchLastSection(false);
    columns->setSectionResizeMode(0, QHeaderView::Stretch);
    columns->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    columns->setSectionResizeMode(2, QHeaderView::ResizeToContents);
}

void PaletteDialog::find() {
    list_->clear();
    for (const std::size_t at : nearest(line_->text(), lines_, recent_)) {
        const PaletteLine& line = lines_[at];
        auto* row = new QTreeWidgetItem(list_, {line.title, line.place, line.keys});
        row->setData(0, Qt::UserRole, QVariant::fromValue<qulonglong>(at));
        row->setToolTip(0, tipParagraph(line.more));
        row->setForeground(1, palette().brush(QPalette::PlaceholderText));
        row->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
        if (!line.enabled) {
            row->setFlags(row->flags() & ~Qt::ItemIsEnabled);
        }
    }
    list_->setCurrentItem(list_->topLevelItem(0));
    list_->setVisible(list_->topLevelItemCount() > 0);
    none_->setVisible(list_->topLevelItemCount() == 0);
}

void PaletteDialog::takeCurrent() {
    const QTreeWidgetItem* row = list_->currentItem();
    if (row == nullptr || !row->flags().testFlag(Qt::ItemIsEnabled)) {
        return; // what cannot be done now stays in the list, greyed
    }
    const auto line = static_cast<std::size_t>(row->data(0, Qt::UserRole).toULongLong());
    accept();
    emit taken(line);
}

bool PaletteDialog::eventFilter(QObject* watched, QEvent* event) {
    if (watched == line_ && event->type() == QEvent::KeyPress) {
        switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_PageUp:
        case Qt::Key_PageDown: QCoreApplication::sendEvent(list_, event); return true;
        default: break;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace meshslice::ui
