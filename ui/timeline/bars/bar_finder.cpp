#include "ui/timeline/bars/bar_finder.h"

#include <utility>

namespace meshslice::ui {

BarFinder::BarFinder(std::function<void()> found)
    : inquiry_(
          [](const Request& request, const RunControl& control) -> Result<std::shared_ptr<const BarSearch>> {
              return std::make_shared<const BarSearch>(request.runs, request.words, control.stop);
          },
          std::move(found)) {}

void BarFinder::ask(const StepRuns& runs, const QString& words) {
    if (runs.empty() || words.trimmed().isEmpty()) {
        inquiry_.clear();
        return;
    }
    if (inquiry_.answered() && inquiry_.answered()->runs != runs) {
        inquiry_.clear(); // its bars are others
    }
    inquiry_.ask({runs, words});
}

const BarSearch& BarFinder::found() const {
    static const BarSearch nothing;
    return inquiry_.answer() ? **inquiry_.answer() : nothing;
}

} // namespace meshslice::ui
