#pragma once

#include "ui/session/inquiry.h"
#include "ui/timeline/bars/bar_search.h"

#include <QString>

#include <functional>
#include <memory>

namespace meshslice::ui {

/// Searches off the UI thread: it reads every bar, which may be millions.
class BarFinder {
  public:
    /// `found`: there is another answer.
    explicit BarFinder(std::function<void()> found);

    /// Looks for words in the bars of these runs; for none with no words or no runs.
    void ask(const StepRuns& runs, const QString& words);
    [[nodiscard]] bool isSearching() const { return inquiry_.asked().has_value(); }
    /// The newest answer: of older words while newer ones are looked for; of no other runs.
    [[nodiscard]] const BarSearch& found() const;
    /// What searches, for tests.
    [[nodiscard]] LatestJob* job() { return inquiry_.job(); }

  private:
    struct Request {
        StepRuns runs;
        QString words;

        bool operator==(const Request&) const = default;
    };

    Inquiry<Request, std::shared_ptr<const BarSearch>> inquiry_;
};

} // namespace meshslice::ui
