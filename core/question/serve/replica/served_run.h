#pragma once

#include "core/run/run.h"
#include "core/run/run_key.h"
#include "core/serve/serving_result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// What of a simulation is shown as a run.
struct ServedStretch {
    double from = 0, to = 0; ///< s
    bool whole = true;       ///< all that happens between them is there; else the simulation made more of it
};

/// Servers and their requests over time. Each server is a place: its steps are the first lane, below them
/// come the slots of its batch, each with one request after the other, and then what waits for it. Requests
/// take the lowest slot that is free. Times are those of the simulation.
class ServedRun final : public Run {
  public:
    using Inside = std::function<std::optional<RunKey>(const ServerStretch&)>;

    /// `prefill`: so many of the servers, the first ones, take prompts alone. `inside`: the recipe by which
    /// steps open; none: they do not.
    ServedRun(std::shared_ptr<const ServingResult> result, std::int64_t prefill, const ServedStretch& shown,
              Inside inside = {});

    [[nodiscard]] const ServedStretch& shown() const { return shown_; }
    [[nodiscard]] std::string title() const override;
    [[nodiscard]] RunReading reading() const override { return RunReading::simulated; }
    [[nodiscard]] Time end() const override { return seconds(shown_.to); }
    [[nodiscard]] std::size_t lane_count() const override { return lanes_.size(); }
    [[nodiscard]] Lane lane(std::size_t lane) const override;
    [[nodiscard]] std::size_t place_count() const override { return result_->servers.size(); }
    [[nodiscard]] std::size_t slice_count() const override;
    void visit(std::size_t lane, Stretch stretch, double pixel, const SliceSink& sink) const override;
    [[nodiscard]] RunLabel label(std::size_t lane, std::uint64_t item) const override;
    [[nodiscard]] RunTotals totals() const override;
    [[nodiscard]] std::vector<Stretch> recorded() const override {
        return {{seconds(shown_.from), seconds(shown_.to)}};
    }
    [[nodiscard]] std::optional<RunKey> inside(std::size_t lane, std::uint64_t item) const override;

  private:
    enum class Kind : std::uint8_t { steps, slot, queue };
    struct Line {
        std::int32_t server = 0;
        Kind kind = Kind::steps;
        int number = 0;                  ///< of the slot, or of the place in the queue
        std::vector<std::size_t> bars{}; ///< among the stretches, or the stages, of the result
    };
    void add_requests(std::int32_t server, const std::vector<std::size_t>& stages);
    [[nodiscard]] RunSlice slice(const Line& line, std::size_t bar) const;

    std::shared_ptr<const ServingResult> result_;
    std::int64_t prefill_ = 0;
    ServedStretch shown_;
    Inside inside_;
    std::vector<Line> lanes_;
};

/// "prefill": what a request does or waits for.
[[nodiscard]] std::string name(RequestStage stage);

} // namespace meshslice
