#pragma once

#include "ui/charts/chart_layout.h"

namespace meshslice::ui {

/// Writes the labels of the emphasized series' points next to them, off all marks, lines and other words;
/// points that cover each other share theirs. Those in `numbered` are written as their numbers in it, from 1.
/// A label without room is left out; whether all had room.
bool placePointLabels(const ChartPanel& panel, PanelLayout& out, const std::vector<std::string>& numbered);

} // namespace meshslice::ui
