#pragma once

#include <string>

class QComboBox;

namespace meshslice::ui {

/// The clusters that plans can be for, each with its name as data: fast domains, then tori.
void fillClusters(QComboBox* list);
/// Chooses one, also one that a file says and the list has not: with domains of another size.
void chooseCluster(QComboBox* list, const std::string& name);

} // namespace meshslice::ui
