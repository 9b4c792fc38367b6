#include "ui/shell/pictures/record.h"

#include "ui/lab/lab_view.h"
#include "ui/recording/record_dialog.h"
#include "ui/shell/main_window.h"
#include "ui/torus/torus_view.h"
#include "ui/view/picture_area.h"

#include <utility>
#include <vector>

namespace meshslice::ui {

RecordDialog* openRecordDialog(MainWindow* window) {
    std::vector<Moving> moving;
    int first = 0;
    for (View* view : window->views()) {
        if (auto* torus = qobject_cast<TorusView*>(view)) {
            moving.push_back(movingTorus(torus));
        } else if (auto* lab = qobject_cast<LabView*>(view)) {
            moving.push_back(movingStepper(lab));
            if (window->pictures()->currentView() == lab) {
                first = static_cast<int>(moving.size()) - 1;
            }
        }
    }
    auto* dialog = new RecordDialog(std::move(moving), first, window);
    dialog->show();
    return dialog;
}

} // namespace meshslice::ui
