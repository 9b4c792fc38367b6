#pragma once

#include "core/run/run.h"
#include "core/run/run_key.h"

#include <string>
#include <utility>
#include <vector>

namespace meshslice {

/// A run of few bars, each with its words: what a closed form says, or a file.
class ListedRun final : public Run {
  public:
    struct Bar {
        Time start;
        Time end;
        Role role = Role::compute;
        RunLabel label;
        std::optional<RunKey> inside = {};
    };

    ListedRun(std::string title, RunReading reading) : title_(std::move(title)), reading_(reading) {}

    /// Adds a lane; its number.
    std::size_t add_lane(Lane lane);
    /// Adds a bar to a lane, not before the end of the one before it.
    void add(std::size_t lane, Bar bar);
    /// What a counter says, by time.
    void count(std::size_t lane, std::vector<RunValue> values) { lanes_[lane].values = std::move(values); }
    /// Says what bounds it.
    void bind(std::string part) { bound_ = std::move(part); }

    [[nodiscard]] std::string title() const override { return title_; }
    [[nodiscard]] RunReading reading() const override { return reading_; }
    [[nodiscard]] Time end() const override { return end_; }
    [[nodiscard]] std::size_t lane_count() const override { return lanes_.size(); }
    [[nodiscard]] Lane lane(std::size_t lane) const override { return lanes_[lane].lane; }
    [[nodiscard]] std::size_t place_count() const override { return places_; }
    [[nodiscard]] std::size_t slice_count() const override;
    void visit(std::size_t lane, Stretch stretch, double pixel, const SliceSink& sink) const override;
    [[nodiscard]] std::vector<RunValue> values(std::size_t lane, Stretch stretch) const override;
    [[nodiscard]] RunLabel label(std::size_t lane, std::uint64_t item) const override;
    [[nodiscard]] RunTotals totals() const override;
    [[nodiscard]] std::string bound() const override { return bound_; }
    [[nodiscard]] std::optional<RunKey> inside(std::size_t lane, std::uint64_t item) const override;

  private:
    struct Listed {
        Lane lane;
        std::vector<Bar> bars;
        std::vector<RunValue> values; ///< of a counter
    };
    std::string title_;
    RunReading reading_;
    std::string bound_;
    std::vector<Listed> lanes_;
    std::size_t places_ = 0;
    Time end_;
};

} // namespace meshslice
