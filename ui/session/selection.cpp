#include "ui/session/selection.h"

namespace meshslice::ui {

void Selection::select(const std::optional<Selected>& selected) {
    if (selected != selected_) {
        selected_ = selected;
        emit selectedChanged();
    }
}

void Selection::setRange(TimeRange range) {
    if (range != range_) {
        range_ = range;
        emit rangeChanged();
    }
}

void Selection::setMoment(Time moment) {
    if (moment != moment_) {
        moment_ = moment;
        emit momentChanged();
    }
}

void Selection::setMarked(const std::optional<TimeRange>& marked) {
    if (marked != marked_) {
        marked_ = marked;
        emit markedChanged();
    }
}

void Selection::goTo(const Selected& selected) {
    select(selected);
    emit goToAsked();
}

} // namespace meshslice::ui
