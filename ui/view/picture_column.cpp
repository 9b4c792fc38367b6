#include "ui/view/picture_column.h"

#include "ui/controls/low_window.h"
#include "ui/view/view.h"

#include <QBoxLayout>
#include <QEvent>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTabBar>

#include <algorithm>
#include <utility>

namespace meshslice::ui {
namespace {

QTabBar* makeBar(const QString& name, QWidget* parent) {
    auto* bar = new QTabBar(parent);
    bar->setAccessibleName(name);
    bar->setDocumentMode(true);
    bar->setExpanding(false);
    bar->setUsesScrollButtons(true);
    bar->setElideMode(Qt::ElideNone);
    bar->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    return bar;
}

} // namespace

PictureColumn::PictureColumn(const QString& name, QWidget* parent)
    : QWidget(parent)
    , tabs_(makeBar(name, this))
    , pages_(makeBar(tr("Pages"), this))
    , bars_(new QBoxLayout(QBoxLayout::LeftToRight))
    , stack_(new QStackedWidget(this)) {
    pages_->setDrawBase(false);
    bars_->setContentsMargins(0, 0, 0, 0);
    bars_->setSpacing(0);
    bars_->addWidget(tabs_);
    bars_->addWidget(pages_, 0, Qt::AlignRight | Qt::AlignBottom);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bars_);
    column->addWidget(stack_, 1);
    connect(tabs_, &QTabBar::currentChanged, this, &PictureColumn::turnTab);
    connect(pages_, &QTabBar::currentChanged, this, &PictureColumn::turnPage);
    for (QTabBar* bar : {tabs_, pages_}) {
        connect(bar, &QTabBar::tabBarClicked, this, &PictureColumn::clicked);
    }
}

void PictureColumn::setPlaces(std::vector<ViewPlace> places,
                              const std::map<const View*, QScrollArea*>& frames) {
    const std::optional<Tab> before = shown_ ? std::optional(shown_->tab) : std::nullopt;
    places_ = std::move(places);
    for (const auto& [view, frame] : frames) {
        const bool here = std::ranges::find(places_, view, &ViewPlace::view) != places_.end();
        if (here && stack_->indexOf(frame) < 0) {
            stack_->addWidget(frame); // leaves its old column by itself
        }
    }
    frames_ = frames;
    shown_.reset();
    const QSignalBlocker quiet(tabs_);
    while (tabs_->count() > 0) {
        tabs_->removeTab(tabs_->count() - 1);
    }
    tab_of_.clear();
    for (const ViewPlace& place : places_) {
        if (std::ranges::find(tab_of_, place.tab) == tab_of_.end()) {
            tab_of_.push_back(place.tab);
            tabs_->addTab(titleOf(place.tab));
        }
    }
    tabs_->setVisible(tab_of_.size() > 1);
    if (places_.empty()) {
        fillPages();
        return;
    }
    const std::optional<ViewPlace> again = before ? of(*before) : std::nullopt;
    show(again.value_or(*of(tab_of_.front())));
}

std::optional<ViewPlace> PictureColumn::shown() const {
    return shown_;
}

std::optional<ViewPlace> PictureColumn::of(Tab tab) const {
    const auto first = std::ranges::find(places_, tab, &ViewPlace::tab);
    if (first == places_.end()) {
        return std::nullopt;
    }
    const auto last = last_.find({first->tasks, tab});
    const bool there = last != last_.end() && std::ranges::find(places_, last->second) != places_.end();
    return there ? last->second : *first;
}

void PictureColumn::show(const ViewPlace& place) {
    if (shown_ == place || std::ranges::find(places_, place) == places_.end()) {
        return;
    }
    shown_ = place;
    last_[{place.tasks, place.tab}] = place;
    {
        const QSignalBlocker quiet(tabs_);
        tabs_->setCurrentIndex(static_cast<int>(std::ranges::find(tab_of_, place.tab) - tab_of_.begin()));
    }
    fillPages();
    if (place.page != ViewPlace::whole) {
        place.view->turnTo(place.page);
    }
    stack_->setCurrentWidget(frames_.at(place.view));
    emit turned();
}

void PictureColumn::fillPages() {
    const QSignalBlocker quiet(pages_);
    while (pages_->count() > 0) {
        pages_->removeTab(pages_->count() - 1);
    }
    page_of_.clear();
    for (const ViewPlace& place : places_) {
        if (shown_ && place.tab == shown_->tab) {
            page_of_.push_back(place);
            const int index = pages_->addTab(place.title);
            if (place == *shown_) {
                pages_->setCurrentIndex(index);
            }
        }
    }
    pages_->setVisible(page_of_.size() > 1);
    fit();
}

void PictureColumn::turnTab(int index) {
    if (index >= 0 && static_cast<std::size_t>(index) < tab_of_.size()) {
        if (const std::optional<ViewPlace> place = of(tab_of_[static_cast<std::size_t>(index)])) {
            show(*place);
        }
    }
}

void PictureColumn::turnPage(int index) {
    if (index >= 0 && static_cast<std::size_t>(index) < page_of_.size()) {
        show(ViewPlace(page_of_[static_cast<std::size_t>(index)])); // which refills the list that it is in
    }
}

void PictureColumn::fit() {
    for (QTabBar* bar : {tabs_, pages_}) {
        bar->updateGeometry(); // a bar that is filled while it cannot be seen does not say so by itself
    }
    // In a low window the bars scroll rather than take a line of the picture.
    const bool room = isLow(*this) || tabs_->sizeHint().width() + pages_->sizeHint().width() <= width();
    bars_->setDirection(room ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    bars_->setAlignment(pages_, room ? Qt::AlignRight | Qt::AlignBottom : Qt::Alignment());
    layout()->invalidate(); // as above
    layout()->activate();
}

void PictureColumn::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void PictureColumn::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        QMetaObject::invokeMethod(this, &PictureColumn::fit, Qt::QueuedConnection);
    }
}

} // namespace meshslice::ui
