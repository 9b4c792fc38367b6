#include "ui/commands/dialogs/views_dialog.h"

#include "ui/look/words.h"
#include "ui/view/view.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace meshslice::ui {

ViewsDialog::ViewsDialog(std::vector<View*> views, const Figure& figure, QWidget* parent)
    : QDialog(parent)
    , views_(std::move(views))
    , list_(new QListWidget(this))
    , formats_{new QCheckBox(tr("&PNG"), this), new QCheckBox(tr("&SVG"), this),
               new QCheckBox(tr("P&DF"), this), new QCheckBox(tr("&CSV"), this)}
    , note_(new QLabel(this)) {
    setWindowTitle(tr("Export views"));
    list_->setAccessibleName(tr("Views to export"));
    list_->setToolTip(tr("Space ticks a view or takes its tick away"));
    for (const View* view : views_) {
        auto* line = new QListWidgetItem(view->title(), list_);
        line->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        line->setCheckState(view->isUnused() ? Qt::Unchecked : Qt::Checked);
    }
    list_->setCurrentRow(0);
    list_->setMinimumHeight(list_->sizeHintForRow(0) * 8);
    auto* formats = new QHBoxLayout;
    for (QCheckBox* format : formats_) {
        format->setChecked(true);
        format->setToolTip(tr("A file of this kind for each view"));
        formats->addWidget(format);
        connect(format, &QCheckBox::toggled, this, &ViewsDialog::renew);
    }
    formats->addStretch(1);
    note_->setWordWrap(true);
    note_->setText(!figure.millimetres ? tr("Size: %1 × %2 pixels (“Export this view” sets another).")
                                             .arg(figure.size.width())
                                             .arg(figure.size.height())
                   : figure.as_high_as_needed
                       ? tr("Size: %1 mm wide, as high as each needs (“Export this view” sets another).")
                             .arg(figure.millimetres->width())
                       : tr("Size: %1 × %2 mm (“Export this view” sets another).")
                             .arg(figure.millimetres->width())
                             .arg(figure.millimetres->height()));
    note_->setAccessibleName(tr("Size of the pictures"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    auto* all = buttons->addButton(tr("&All"), QDialogButtonBox::ResetRole);
    auto* none = buttons->addButton(tr("&None"), QDialogButtonBox::ResetRole);
    all->setToolTip(tr("Ticks every view"));
    none->setToolTip(tr("Takes every tick away"));
    save_ = buttons->addButton(tr("&Folder…"), QDialogButtonBox::AcceptRole);
    save_->setDefault(true);
    save_->setToolTip(tr("Asks for the folder and writes them there"));
    connect(all, &QPushButton::clicked, this, [this] { choose(true); });
    connect(none, &QPushButton::clicked, this, [this] { choose(false); });
    connect(save_, &QPushButton::clicked, this, &ViewsDialog::saveAsked);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(list_, &QListWidget::itemChanged, this, &ViewsDialog::renew);
    auto* column = new QVBoxLayout(this);
    column->addWidget(list_, 1);
    column->addLayout(formats);
    column->addWidget(note_);
    column->addWidget(buttons);
    renew();
}

std::vector<View*> ViewsDialog::chosen() const {
    std::vector<View*> chosen;
    for (std::size_t k = 0; k < views_.size(); ++k) {
        if (list_->item(static_cast<int>(k))->checkState() == Qt::Checked) {
            chosen.push_back(views_[k]);
        }
    }
    return chosen;
}

QStringList ViewsDialog::endings() const {
    constexpr std::array words = {"png", "svg", "pdf", "csv"};
    QStringList endings;
    for (std::size_t k = 0; k < formats_.size(); ++k) {
        if (formats_[k]->isChecked()) {
            endings << QLatin1String(words[k]);
        }
    }
    return endings;
}

void ViewsDialog::choose(bool all) {
    for (int row = 0; row < list_->count(); ++row) {
        list_->item(row)->setCheckState(all ? Qt::Checked : Qt::Unchecked);
    }
}

void ViewsDialog::renew() {
    if (save_ != nullptr) {
        save_->setEnabled(!chosen().empty() && !endings().isEmpty());
    }
}

} // namespace meshslice::ui
