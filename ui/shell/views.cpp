#include "ui/shell/views.h"

#include "ui/breakdown/breakdown_view.h"
#include "ui/calibration/calibration_view.h"
#include "ui/lab/lab_view.h"
#include "ui/lineup/lineup_view.h"
#include "ui/path/path_view.h"
#include "ui/planner/planner_view.h"
#include "ui/products/products_view.h"
#include "ui/roofline/roofline_view.h"
#include "ui/studies/studies_view.h"
#include "ui/sweeps/sweeps_view.h"
#include "ui/timeline/timeline_view.h"
#include "ui/torus/torus_view.h"
#include "ui/tuner/tuner_view.h"

#include <QCoreApplication>

namespace meshslice::ui {
namespace {

struct Views {
    Q_DECLARE_TR_FUNCTIONS(Views)
};

template <class Kind>
View* make(Session* session, QWidget* parent) {
    return new Kind(session, parent);
}

QKeySequence ctrl(Qt::Key key) {
    return {Qt::CTRL | key};
}

} // namespace

std::vector<ViewEntry> viewRegister() {
    using enum ViewGroup;
    return {
        {"timeline", Views::tr("Timeline"), run, ctrl(Qt::Key_1), make<TimelineView>},
        {"torus", Views::tr("Torus"), run, QKeySequence(Qt::CTRL | Qt::Key_T), make<TorusView>},
        {"roofline", Views::tr("Roofline"), run, ctrl(Qt::Key_2), make<RooflineView>},
        {"breakdown", Views::tr("Breakdown"), run, ctrl(Qt::Key_3), make<BreakdownView>},
        {"products", Views::tr("GEMMs"), run, ctrl(Qt::Key_4), make<ProductsView>},
        {"path", Views::tr("Critical path"), run, ctrl(Qt::Key_L), make<PathView>},
        {"lineup", Views::tr("Algorithms"), choices, ctrl(Qt::Key_5), make<LineupView>},
        {"tuner", Views::tr("Tuner"), choices, ctrl(Qt::Key_6), make<TunerView>},
        {"sweep", Views::tr("Sweep"), choices, ctrl(Qt::Key_9), make<SweepsView>},
        {"plan", Views::tr("Plan"), choices, QKeySequence(Qt::CTRL | Qt::Key_P), make<PlannerView>},
        {"studies", Views::tr("Studies"), papers, ctrl(Qt::Key_7), make<StudiesView>},
        {"lab", Views::tr("Lab"), papers, QKeySequence(Qt::CTRL | Qt::Key_B), make<LabView>},
        {"calibration", Views::tr("Calibration"), machine, ctrl(Qt::Key_8), make<CalibrationView>},
    };
}

std::vector<View*> makeViews(const std::vector<ViewEntry>& entries, Session* session, QWidget* parent) {
    std::vector<View*> views;
    for (const ViewEntry& entry : entries) {
        View* view = entry.make(session, parent);
        view->setObjectName(QLatin1String(entry.id));
        view->setWindowTitle(entry.title);
        view->follow();
        views.push_back(view);
    }
    return views;
}

} // namespace meshslice::ui
