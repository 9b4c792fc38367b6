#pragma once

#include "core/simulate/path/direct_dependencies.h"
#include "core/step/run/step_run.h"
#include "ui/session/inquiry.h"
#include "ui/session/selection.h"

#include <QString>

#include <functional>
#include <optional>

namespace meshslice::ui {

/// What the selected bar waited for and what waited for it, found off the UI thread: of a large run that
/// takes longer than a picture may.
class BarLinks {
  public:
    /// `found`: there is another answer.
    explicit BarLinks(std::function<void()> found);

    /// Asks about a bar of its run; about none with nothing selected, or what is not a bar.
    void ask(const StepRunPtr& run, const std::optional<Selected>& selected);
    /// The answer, if it is about this bar; null while there is none.
    [[nodiscard]] const DirectDependencies* of(const std::optional<Selected>& selected) const;
    /// Why there is no answer; empty while it is looked for, or where there is one.
    [[nodiscard]] QString refusal() const;

  private:
    struct Request {
        StepRunPtr run;
        Selected bar;

        bool operator==(const Request&) const = default;
    };
    [[nodiscard]] static Result<DirectDependencies> compute(const Request& request,
                                                            const RunControl& control);

    std::optional<Request> wanted_; ///< an older answer is about other bars
    Inquiry<Request, DirectDependencies> inquiry_;
};

} // namespace meshslice::ui
