#include "ui/shell/layouts.h"

#include "ui/document/document.h"
#include "ui/editor/scenario_panel.h"
#include "ui/look/picture_scale.h"
#include "ui/settings/appearance.h"
#include "ui/shell/main_window.h"
#include "ui/torus/torus_view.h"
#include "ui/view/picture_area.h"
#include "ui/view/view.h"

#include <QDockWidget>
#include <QStatusBar>

#include <utility>

namespace meshslice::ui {
namespace {

/// Of one of two, for letters of the usual size; where there is less one is better.
constexpr int least_picture_width = 360;

} // namespace

WindowLayouts::WindowLayouts(MainWindow* window) : QObject(window), window_(window) {}

void WindowLayouts::takeText(bool teach) {
    Appearance* look = window_->appearance();
    if (teach && !text_before_) {
        text_before_ = look->fontPercent();
        look->setFontPercent(teaching_percent);
    } else if (!teach && text_before_) {
        // Unless the user has chosen another size since.
        const int before = *std::exchange(text_before_, std::nullopt);
        if (look->fontPercent() == teaching_percent) {
            look->setFontPercent(before);
        }
    }
}

void WindowLayouts::show(const char* view) {
    for (View* one : window_->views()) {
        if (one->objectName() == QLatin1String(view)) {
            window_->pictures()->show(one);
            one->setFocus();
        }
    }
}

void WindowLayouts::take(WindowLayout layout) {
    takeText(layout == WindowLayout::teach);
    const QString seen = window_->pictures()->currentView()->id();
    const double two = 2 * least_picture_width * pictureScale();
    const int rest = window_->width() - window_->scenarioPanel()->sizeHint().width();
    switch (layout) {
    case WindowLayout::explore: window_->arrange({}); break;
    case WindowLayout::compare:
        window_->arrange({.scenario = rest >= two, .details = false, .two_pictures = true});
        show("timeline");
        show(seen == QStringLiteral("timeline") || seen == QStringLiteral("summary")
                 ? "breakdown"
                 : seen.toLatin1().constData());
        for (View* view : window_->views()) {
            if (auto* torus = qobject_cast<TorusView*>(view)) {
                torus->setBoth(true);
            }
        }
        if (window_->document()->project().variants.size() < 2) {
            window_->statusBar()->showMessage(
                tr("Ctrl+D makes a second variant: its card then stands above the pictures."));
        }
        break;
    case WindowLayout::teach:
        window_->arrange({.scenario = false, .details = false, .two_pictures = window_->width() >= two});
        show("timeline");
        show("torus");
        break;
    case WindowLayout::tune:
        window_->arrange({});
        show("tuner");
        window_->detailsDock()->raise();
        break;
    }
}

void WindowLayouts::reset() {
    take(WindowLayout::explore);
    window_->pictures()->show(Tab::summary);
}

} // namespace meshslice::ui
