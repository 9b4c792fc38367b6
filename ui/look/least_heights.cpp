#include "ui/look/least_heights.h"

#include <utility>

namespace meshslice::ui {
namespace {

bool& askedNow() {
    static bool asked = false;
    return asked;
}

} // namespace

LeastHeights::LeastHeights() : before_(std::exchange(askedNow(), true)) {}

LeastHeights::~LeastHeights() {
    askedNow() = before_;
}

bool LeastHeights::asked() {
    return askedNow();
}

} // namespace meshslice::ui
