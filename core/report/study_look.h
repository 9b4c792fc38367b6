#pragma once

#include "core/papers/meshslice/study.h"
#include "core/report/box.h"
#include "core/report/palette.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// Whether a series stands out: MeshSlice, and the second of two, which is compared with the first. No part
/// of a stack does.
[[nodiscard]] bool is_emphasised(const Panel& panel, std::size_t series);
/// Whether categories follow each other, so that a line between them means something.
[[nodiscard]] bool is_ordered(const Panel& panel);
/// What a series is coloured by: stacked ones are causes of time, others are told apart by shape and name.
[[nodiscard]] Role series_role(const Panel& panel, std::size_t series);
/// The second half of the colour, where a series adds two roles up: transfers along both axes.
[[nodiscard]] std::optional<Role> second_role(const Panel& panel, std::size_t series);

/// The outline of a series' mark within `area`; of a round one no corners.
[[nodiscard]] std::vector<Point> mark_outline(std::size_t series, const Box& area);

/// A value of a panel in words: "82.1%", "1.72×", "49.9 ms", "322 MB".
[[nodiscard]] std::string value_text(PanelUnit unit, double value);
/// The sum of a stack.
[[nodiscard]] double stack_sum(const Panel& panel, std::size_t category);
/// Which series do not run where others do, as sentences: "Cannon does not run on 32 and 128 chips." Empty
/// where all run.
[[nodiscard]] std::string not_running(const std::vector<Panel>& panels);

} // namespace meshslice
