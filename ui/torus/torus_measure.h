#pragma once

#include "core/explain/step_slack.h"
#include "ui/session/inquiry.h"
#include "ui/timeline/step_runs.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace meshslice::ui {

/// What the colours say: what happens at a moment, or of the marked stretch of time how busy each part is,
/// how many bytes it carries, or how much slack it has; or what has become at a moment of the tiles that feed
/// a reduce-scatter.
enum class TorusShows : std::uint8_t { now, load, bytes, slack, chunks };
/// Nothing is measured.
[[nodiscard]] constexpr bool atMoment(TorusShows shows) {
    return shows == TorusShows::now || shows == TorusShows::chunks;
}

/// What slack asks: all of these runs.
struct SlackRequest {
    StepRuns runs;

    bool operator==(const SlackRequest&) const = default;
};
/// By step.
using SlackPtr = std::shared_ptr<const std::vector<StepSlack>>;
/// Refused where a run is too large to look into.
[[nodiscard]] Result<SlackPtr> slackOf(const SlackRequest& request, const RunControl& control = {});

/// Of every row of a step's timeline a value over a stretch of time: a share, bytes or seconds.
struct TorusMeasure {
    TorusShows shows = TorusShows::now;
    TimeRange range; ///< over which
    /// By row; none where there is nothing to measure, and of busy times and bytes for a link that is dead or
    /// missing: what goes round it counts on the links it takes.
    std::vector<std::optional<double>> values;
    bool difference = false; ///< the values are B's less A's
    double most = 0; ///< of the links' values; a core has a scale of its own. Of differences of their sizes
    double most_of_cores = 0;

    /// How strongly a row is coloured, 0 to 1: a share itself; bytes against the most; slack the other way
    /// round, strongest where there is none.
    [[nodiscard]] double strength(const Row& row, std::size_t at) const;
    /// "71%", "1.20 MB", "12.0 us"; of differences with their sign. Empty where there is no value.
    [[nodiscard]] QString text(std::size_t at) const;
};

/// By row: the bytes that a link carries in the range (see carried_bytes); of a core what all links of its
/// chip send.
[[nodiscard]] TorusMeasure bytesIn(const StepRun& run, TimeRange range);
/// By row: the least slack of what it does in the range.
[[nodiscard]] TorusMeasure slackIn(const StepRun& run, TimeRange range, const StepSlack& slack);
/// By row: the share of the range in which it is busy.
[[nodiscard]] TorusMeasure loadMeasure(const StepRun& run, TimeRange range);
/// "Over 61.7 ms: cores are busy for 71% of the time on average, links for 32%; the busiest is ...".
[[nodiscard]] QString loadSentence(const StepRun& run, TimeRange range, const TorusMeasure& loads);

/// What measures ask: of each run that is shown, over its stretch.
struct MeasureRequest {
    struct Run {
        std::size_t step = 0;
        TimeRange range;

        bool operator==(const Run&) const = default;
    };
    StepRuns runs;
    TorusShows shows = TorusShows::load; ///< not atMoment()
    std::vector<Run> over;
    SlackPtr slack; ///< of all steps; null unless that is shown

    bool operator==(const MeasureRequest&) const = default;
};
/// By run of the request.
using MeasuresPtr = std::shared_ptr<const std::vector<TorusMeasure>>;
/// Refused when it is stopped.
[[nodiscard]] Result<MeasuresPtr> measuresOf(const MeasureRequest& request, const RunControl& control = {});

/// How much more of it each row has in B than in A, of two runs on tori that are alike; none where either has
/// no value.
[[nodiscard]] TorusMeasure differenceOf(const TorusMeasure& a, const TorusMeasure& b,
                                        const std::vector<Row>& rows);
/// "B against A: 512 links carry more, 512 less; the largest difference is +12.0 MB, of ...".
[[nodiscard]] QString differenceSentence(const StepRun& run, const TorusMeasure& difference);

/// "Over 61.7 ms: the links carry 12.0 GB, 98.0 MB to 210 MB each; the most is ...".
[[nodiscard]] QString measureSentence(const StepRun& run, TimeRange range, const TorusMeasure& measure);

} // namespace meshslice::ui
