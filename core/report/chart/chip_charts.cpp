#include "core/report/chart/chip_charts.h"

#include "core/base/say.h"
#include "core/base/text.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

namespace meshslice {
namespace {

/// Numbers in larger arrays are in tooltips alone.
constexpr std::int64_t most_written = 12;

std::string cell_words(const SystolicCell& cell) {
    return cell.works    ? say("operand {}, row {} of X: {} times the weight {}, the sum is {}",
                               cell.operand + 1, cell.row + 1, cell.input, cell.weight, cell.sum)
           : cell.loaded ? say("waits with the weight {}", cell.weight)
                         : said("has no weight yet");
}

} // namespace

Chart cell_chart(const SystolicRun& run) {
    const std::int64_t size = run.size();
    const auto edge = static_cast<double>(size);
    ChartPanel panel{{},
                     {said("column of the array, weights come from above"), ChartUnit::none},
                     {said("row, inputs come from the left"), ChartUnit::none}};
    panel.x.low = 0.0;
    panel.x.high = edge + 1;
    panel.y.low = 0.0;
    panel.y.high = edge + 1;
    for (std::int64_t k = 1; k <= size; ++k) {
        panel.x.names.emplace_back(static_cast<double>(k), std::to_string(k));
        panel.y.names.emplace_back(static_cast<double>(k), std::to_string(size + 1 - k));
    }
    ChartSeries works{said("multiplies"), SeriesKind::points}, waits{said("waits"), SeriesKind::points},
        empty{said("no weight yet"), SeriesKind::points};
    works.role = Role::compute;
    works.emphasized = true;
    waits.role = Role::waits;
    empty.role = Role::quietText;
    for (std::int64_t row = 0; row < size; ++row) {
        for (std::int64_t column = 0; column < size; ++column) {
            const SystolicCell& cell = run.cells()[static_cast<std::size_t>(row * size + column)];
            ChartSeries& its = cell.works ? works : cell.loaded ? waits : empty;
            its.points.push_back(
                {static_cast<double>(column + 1), static_cast<double>(size - row),
                 cell.works && size <= most_written ? std::to_string(cell.sum) : std::string(),
                 cell_words(cell)});
            its.points.back().open = !cell.loaded;
        }
    }
    for (ChartSeries* one : {&works, &waits, &empty}) {
        if (!one->points.empty()) {
            panel.series.push_back(std::move(*one));
        }
    }
    return {say("Cycle {} of {}: {} of {} cells multiply", run.cycle(), run.cycles(),
                run.working(run.cycle()), size * size),
            {std::move(panel)}};
}

Chart systolic_use_chart(const SystolicRun& run, const SystolicTime& time) {
    const std::int64_t cycle = run.cycle();
    ChartPanel panel{{}, {said("cycle"), ChartUnit::none}, {said("cells that multiply"), ChartUnit::share}};
    panel.y.high = 1;
    ChartSeries use{said("cells that multiply"), SeriesKind::line};
    use.role = Role::compute;
    const auto cells = static_cast<double>(run.size() * run.size());
    for (std::int64_t k = 1; k <= run.cycles(); ++k) {
        use.points.push_back({static_cast<double>(k), static_cast<double>(run.working(k)) / cells});
    }
    ChartSeries here{say("cycle {}", cycle), SeriesKind::points};
    here.role = Role::text;
    here.emphasized = true;
    here.points = {{static_cast<double>(cycle), static_cast<double>(run.working(cycle)) / cells}};
    panel.series = {std::move(use),
                    rule(say("on average: {}", percent_text(time.utilization)), Role::quietText,
                         {{1, time.utilization}, {static_cast<double>(run.cycles()), time.utilization}},
                         true),
                    std::move(here)};
    const std::int64_t busy = std::llround(time.utilization * static_cast<double>(time.cycles));
    const std::int64_t crossing = time.cycles - busy - time.waiting;
    return {time.waiting == 0
                ? say("{} used: {} of {} cycles fill and drain the array", percent_text(time.utilization),
                      crossing, time.cycles)
                : say("{} used: of {} cycles {} fill and drain the array, in {} it waits for weights",
                      percent_text(time.utilization), time.cycles, crossing, time.waiting),
            {std::move(panel)}};
}

Chart warp_chart(const std::vector<WarpBranch>& branches, std::int64_t before, std::int64_t after) {
    ChartPanel panel{{}, {said("cycle"), ChartUnit::none}, {}};
    panel.y.where = said("lane {}");
    ChartSeries common{said("all lanes"), SeriesKind::stack}, masked{said("masked"), SeriesKind::stack},
        own{said("own branch"), SeriesKind::stack}, later{said("masked, later branches"), SeriesKind::stack},
        last{said("all lanes again"), SeriesKind::stack};
    common.role = last.role = Role::compute;
    own.role = Role::transferHorizontal;
    masked.role = later.role = Role::grid;
    std::int64_t all = 0, done = 0, lane = 0;
    for (const WarpBranch& one : branches) {
        all += one.instructions;
    }
    for (std::size_t k = 0; k < branches.size(); ++k) {
        const WarpBranch& one = branches[k];
        for (std::int64_t n = 0; n < one.lanes; ++n, ++lane) {
            panel.y.categories.push_back(std::to_string(lane));
            panel.y.groups.push_back(say("branch {}", k + 1));
            common.values.emplace_back(static_cast<double>(before));
            masked.values.emplace_back(static_cast<double>(done));
            own.values.emplace_back(static_cast<double>(one.instructions));
            later.values.emplace_back(static_cast<double>(all - done - one.instructions));
            last.values.emplace_back(static_cast<double>(after));
        }
        done += one.instructions;
    }
    panel.series = {std::move(common), std::move(masked), std::move(own), std::move(later), std::move(last)};
    const std::vector<WarpStretch> timeline = warp_timeline(branches, before, after);
    return {say("{} cycles, lanes are active in {} of them on average", before + all + after,
                percent_text(active_share(timeline))),
            {std::move(panel)}};
}

} // namespace meshslice
