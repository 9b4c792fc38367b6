#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// A chip that training was measured on, by its data sheet: rates without sparsity.
struct TrainingChip {
    std::string name, sibling, source;
    std::vector<std::string> words;    ///< in small letters, of which a row's name has one
    double bf16 = 0, fp8 = 0, fp4 = 0; ///< FLOP/s; 0: it has none of its own
    double hbm_rate = 0;               ///< bytes/s
    double capacity = 0;               ///< bytes
    std::int64_t domain = 8;           ///< chips that the fast network joins
    double inside = 0;  ///< bytes/s of a chip within it, all links; 0: as collectives were measured
    double outside = 0; ///< bytes/s of a chip to other domains, where the row does not say
    /// The links of a machine that is asked about, as many times as fast as those of the measured machines.
    double inside_times = 1, outside_times = 1;

    [[nodiscard]] bool torus() const { return inside > 0 && name.starts_with("TPU"); }
    /// Chips that borrow from each other: those of one kind of stack.
    [[nodiscard]] std::string_view family() const { return name.starts_with("TPU") ? "TPU" : "GPU"; }
};

/// What a row's columns do not say of a model.
struct TrainingModelFacts {
    std::vector<std::string> words;
    std::int64_t shared_experts = 0, first_dense_layers = 0, experts_every = 1;
    std::int64_t groups = 1, groups_per_token = 1; ///< of experts, that a router chooses first
    double window = 0;                             ///< tokens that a layer sees; 0: all
    double windowed = 0, windowed_in = 1;          ///< so many layers of so many have it
};

struct TrainingFacts {
    std::vector<TrainingChip> chips;
    std::vector<TrainingModelFacts> models;

    /// The first that has a word in the name; null where none has.
    [[nodiscard]] const TrainingChip* chip(std::string_view name) const;
    [[nodiscard]] TrainingModelFacts model(std::string_view name) const;
};
[[nodiscard]] Result<TrainingFacts> read_training_facts(std::string_view json, const std::string& origin);
/// Of resources/measured/training-facts.json.
[[nodiscard]] const TrainingFacts& training_facts();

/// A file of resources/measured; empty where there is none.
[[nodiscard]] std::string_view measured_file(std::string_view name);

} // namespace meshslice
