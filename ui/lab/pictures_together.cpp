#include "ui/lab/pictures_together.h"

#include "ui/look/picture_scale.h"

#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace meshslice::ui {
namespace {

// Pixels, where text is of the usual size.
constexpr int least_below = 230; ///< height of the two below the large picture
constexpr int narrow = 780;      ///< with less width there is room for one picture
/// Of the large picture the lowest fifth may be scrolled to, rather than that the others are not seen.
constexpr double least_seen = 0.8;

} // namespace

PicturesTogether::PicturesTogether(const std::array<NamedPicture, 3>& pictures, const QWidget* whole,
                                   const QString& name, QWidget* parent)
    : QWidget(parent)
    , pictures_(pictures)
    , whole_(whole)
    , all_(new QSplitter(Qt::Vertical, this))
    , lower_(new QSplitter(Qt::Horizontal, this))
    , pages_(new QTabWidget(this)) {
    pages_->setDocumentMode(true);
    pages_->setAccessibleName(name);
    pages_->hide();
    for (QSplitter* one : {all_, lower_}) {
        one->setChildrenCollapsible(false);
    }
    all_->addWidget(pictures_[0].widget);
    all_->addWidget(lower_);
    lower_->addWidget(pictures_[1].widget);
    lower_->addWidget(pictures_[2].widget);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(all_, 1);
    layout->addWidget(pages_, 1);
    for (const QSplitter* one : {all_, lower_}) {
        connect(one, &QSplitter::splitterMoved, this, [this] { shared_by_user_ = true; });
    }
}

void PicturesTogether::arrange() {
    QMetaObject::invokeMethod(this, &PicturesTogether::place, Qt::QueuedConnection);
}

void PicturesTogether::place() {
    const bool room = height() >= least_seen * whole_->minimumHeight() + least_below * pictureScale() &&
                      width() >= narrow * pictureScale();
    // The splitters get their size after this.
    QMetaObject::invokeMethod(this, &PicturesTogether::share, Qt::QueuedConnection);
    if (room == together_) {
        return;
    }
    together_ = room;
    if (room) {
        all_->insertWidget(0, pictures_[0].widget);
        lower_->addWidget(pictures_[1].widget);
        lower_->addWidget(pictures_[2].widget);
        for (const NamedPicture& one : pictures_) {
            one.widget->show();
        }
    } else {
        for (const NamedPicture& one : pictures_) {
            pages_->setTabToolTip(pages_->addTab(one.widget, one.title), one.tip);
        }
        pages_->setCurrentIndex(0);
    }
    all_->setVisible(room);
    pages_->setVisible(!room);
}

void PicturesTogether::share() {
    if (together_ && !shared_by_user_) {
        const int below = static_cast<int>(least_below * pictureScale());
        const int upper = std::max(std::min(height() * 3 / 5, height() - below),
                                   std::min(whole_->minimumHeight(), height() - below));
        all_->setSizes({upper, height() - upper});
        lower_->setSizes({width() * 11 / 20, width() * 9 / 20});
    }
}

void PicturesTogether::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

} // namespace meshslice::ui
