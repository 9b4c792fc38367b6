#include "ui/shell/views.h"

#include "ui/breakdown/breakdown_view.h"
#include "ui/calibration/calibration_view.h"
#include "ui/lab/lab_view.h"
#include "ui/lineup/lineup_view.h"
#include "ui/measured/measured_view.h"
#include "ui/path/path_view.h"
#include "ui/planner/planner_view.h"
#include "ui/products/products_view.h"
#include "ui/roofline/roofline_view.h"
#include "ui/serve/serve_view.h"
#include "ui/studies/studies_view.h"
#include "ui/summary/summary_view.h"
#include "ui/summary/trust_view.h"
#include "ui/sweeps/sweeps_view.h"
#include "ui/timeline/view/timeline_view.h"
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

QKeySequence ctrl(int key) {
    return QKeySequence(Qt::CTRL | Qt::Key(key));
}

} // namespace

std::vector<ViewEntry> viewRegister() {
    using enum Tab;
    constexpr Tasks training = only(Task::training);
    constexpr Tasks serving = only(Task::serving);
    return {
        {"timeline", Views::tr("Timeline"), {{timeline, on_a_mesh}}, make<TimelineView>},
        {"torus", Views::tr("Torus"), {{map, on_a_mesh}}, make<TorusView>},
        {"roofline", Views::tr("Roofline"), {{limits, on_a_mesh}}, make<RooflineView>},
        {"breakdown", Views::tr("Breakdown"), {{limits, on_a_mesh}}, make<BreakdownView>},
        {"products", Views::tr("GEMMs"), {{limits, on_a_mesh}}, make<ProductsView>},
        {"path", Views::tr("Critical path"), {{timeline, on_a_mesh}}, make<PathView>},
        {"lineup", Views::tr("Algorithms"), {{compare, on_a_mesh}}, make<LineupView>},
        {"tuner", Views::tr("Tuner"), {{compare, on_a_mesh}}, make<TunerView>},
        {"summary", Views::tr("Summary"), {{summary, of_scenario}}, make<SummaryView>},
        {"trust", Views::tr("How far to trust this"), {{summary, training}}, make<TrustView>},
        {"sweep", Views::tr("Sweep"), {{compare, of_scenario}}, make<SweepsView>},
        {"plan",
         Views::tr("Plan"),
         {{compare, training, 0, Views::tr("Plans")},
          {timeline, training, 1, Views::tr("Pipeline")},
          {map, training, 2, Views::tr("Cluster")},
          {compare, training, 3, Views::tr("Number of chips")},
          {limits, training, 4, Views::tr("Parts of the plan")}},
         make<PlannerView>},
        {"measured", Views::tr("Measured trace"), {{timeline, training | serving}}, make<MeasuredView>},
        {"serving",
         Views::tr("Serving"),
         {{summary, serving, ServeView::steps, Views::tr("Serving")},
          {limits, serving, ServeView::memory, Views::tr("Memory of a chip")},
          {limits, serving, ServeView::batches, Views::tr("A step by the batch")},
          {limits, serving, ServeView::cache, Views::tr("KV cache")},
          {timeline, serving, ServeView::timeline, Views::tr("Servers over time")},
          {compare, serving, ServeView::frontier, Views::tr("Frontier")},
          {compare, serving, ServeView::layouts, Views::tr("Layouts")},
          {compare, serving, ServeView::schedules, Views::tr("Schedules")}},
         make<ServeView>},
        {"studies", Views::tr("Studies"), {{papers, only(Task::papers)}}, make<StudiesView>},
        {"lab", Views::tr("Lab"), {{lab, only(Task::lab)}}, make<LabView>},
        {"calibration", Views::tr("Fit to measurements"), {{lab, only(Task::lab)}}, make<CalibrationView>},
    };
}

std::vector<View*> makeViews(const std::vector<ViewEntry>& entries, Session* session, QWidget* parent) {
    std::vector<View*> views;
    for (const ViewEntry& entry : entries) {
        View* view = entry.make(session, parent);
        view->setObjectName(QLatin1String(entry.id));
        view->setWindowTitle(entry.title);
        if (view->accessibleName().isEmpty()) {
            view->setAccessibleName(entry.title);
        }
        view->follow();
        views.push_back(view);
    }
    return views;
}

std::vector<ViewPlace> placesOf(const std::vector<ViewEntry>& entries, const std::vector<View*>& views) {
    std::vector<ViewPlace> all;
    for (std::size_t k = 0; k < entries.size(); ++k) {
        for (const PlaceEntry& place : entries[k].places) {
            all.push_back({views[k], place.page, place.title.isEmpty() ? entries[k].title : place.title,
                           place.tab, place.tasks});
        }
    }
    return all;
}

QKeySequence keyOf(Tab tab) {
    return ctrl(Qt::Key_1 + static_cast<int>(tab));
}

QKeySequence keyOf(Task task) {
    switch (task) {
    case Task::gemm: return ctrl(Qt::Key_G);
    case Task::block: return ctrl(Qt::Key_B);
    case Task::training: return ctrl(Qt::Key_T);
    case Task::serving: return ctrl(Qt::Key_I); // inference
    case Task::papers: return keyOf(Tab::papers);
    case Task::lab: return keyOf(Tab::lab);
    }
    return {};
}

QString titleOf(Task task) {
    switch (task) {
    case Task::gemm: return Views::tr("GEMM");
    case Task::block: return Views::tr("Block");
    case Task::training: return Views::tr("Training run");
    case Task::serving: return Views::tr("Serving");
    case Task::papers: return Views::tr("Papers");
    case Task::lab: return Views::tr("Lab");
    }
    return {};
}

QString tipOf(Task task) {
    switch (task) {
    case Task::gemm: return Views::tr("One GEMM on a mesh of chips");
    case Task::block: return Views::tr("One block of a model on a mesh of chips: forward and backward pass");
    case Task::training: return Views::tr("The whole training run, planned over all chips");
    case Task::serving:
        return Views::tr("A model that answers requests: first token, tokens per second, memory");
    case Task::papers: return Views::tr("What publications measured, next to what the engine says");
    case Task::lab: return Views::tr("Rooflines, collectives, shardings and algorithms step by step");
    }
    return {};
}

std::vector<Task> allTasks() {
    return {Task::gemm, Task::block, Task::training, Task::serving, Task::papers, Task::lab};
}

} // namespace meshslice::ui
