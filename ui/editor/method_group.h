#pragma once

#include "ui/editor/scenario_group.h"
#include "ui/session/latest_job.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace meshslice::ui {

/// What only the engine can say about a scenario's choices.
struct MethodFindings {
    std::map<std::string, std::string> objections; ///< by algorithm: why it does not run here; empty: it does
    std::vector<std::int64_t> slices;              ///< the counts that work for all GEMMs

    bool operator==(const MethodFindings&) const = default;
};
[[nodiscard]] MethodFindings methodFindings(const Scenario& scenario);

/// How it is computed: the algorithm and what may be chosen about it. The lists are there at once; which
/// algorithms do not run and which slice counts work is filled in when the engine has found it out.
class MethodGroup : public ScenarioGroup {
    Q_OBJECT
  public:
    using Find = std::function<MethodFindings(const Scenario&)>;

    MethodGroup(Document* document, QWidget* parent);

    void refresh() override;

    /// What asks the engine in another thread; `methodFindings` unless a test says otherwise.
    void setFind(Find find) { find_ = std::move(find); }

  protected:
    bool makeSpecial(const Row& row) override;

  private:
    void ask();
    void take(MethodFindings found);
    /// Greys out the algorithms that do not run on this scenario; their tooltips say why.
    void showObjections(const char* field);
    /// A variant that is compared with another one is compared with no algorithm.
    void showReference();
    void showSlices();

    Find find_ = methodFindings;
    MethodFindings found_;
    std::vector<std::int64_t> offered_; ///< slice counts in the list
    std::optional<Scenario> asked_;     ///< about which the engine was asked last
    LatestJob job_;
};

} // namespace meshslice::ui
