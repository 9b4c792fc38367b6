#include "ui/summary/measured_run.h"

#include "core/evidence/measured_scenario.h"
#include "ui/document/document.h"
#include "ui/look/words.h"
#include "ui/session/session.h"

namespace meshslice::ui {

void loadMeasuredRun(Session& session, std::string_view id) {
    const TrainingRow* row = measured_run(id);
    if (row == nullptr) {
        return;
    }
    const Result<Scenario> loaded = measured_scenario(*row, session.document()->scenario());
    if (!loaded) {
        session.document()->refuseEdit("model", words(loaded.error().sentence));
        return;
    }
    session.edit([&](Scenario& next) { next = *loaded; }, "model");
    session.setTask(Task::training);
}

} // namespace meshslice::ui
