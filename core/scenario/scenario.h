#pragma once

#include "core/base/result.h"
#include "core/cost/assumptions.h"
#include "core/machine/machine.h"
#include "core/model/gemm.h"
#include "core/model/transformer.h"
#include "core/scenario/plan/plan_asked.h"
#include "core/scenario/plan/planning.h"
#include "core/torus/torus.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// One GEMM by itself, instead of a model's training step.
struct SingleGemm {
    GemmShape shape;
    Dataflow dataflow = Dataflow::OS;

    bool operator==(const SingleGemm&) const = default;
};

/// What fields of the question of serving hold, by their keys, as they are typed; those that are not here are
/// as they begin.
using ServingTexts = std::map<std::string, std::string, std::less<>>;

/// Everything a user can edit, as one plain value: copy it, compare it, undo it, write it to a file. A new
/// field is a member here and a row of its table (core/scenario/fields.h).
struct Scenario {
    Transformer model;
    Machine hardware;
    /// Chips along the vertical and the horizontal axis (P_r, P_c); rests on a machine without a torus.
    std::vector<std::int32_t> mesh{32, 8};
    /// By axis: a link joins its last chip to its first, where the machine has one (see Pod).
    std::array<bool, 3> wraps{true, true, true};
    bool folded = false;      ///< algorithms take an axis that does not wrap for a ring folded onto its line
    std::int64_t batch = 128; ///< sequences
    std::int64_t sequence = 2048;   ///< tokens in a sequence
    std::optional<SingleGemm> gemm; ///< set: only this GEMM is run; model, batch, sequence rest

    PlanAsked plan;
    std::string compare = "collective"; ///< a second algorithm shown next to it; empty for none
    Assumptions assume;
    Planning planning;    ///< of the whole run; one block or GEMM on the mesh does not depend on it
    ServingTexts serving; ///< how the model is served; neither a block nor a run depends on it

    /// The mesh with its wrap-arounds; refused where Torus::create() refuses.
    [[nodiscard]] Result<Torus> torus() const;
    [[nodiscard]] std::int64_t tokens() const { return batch * sequence; }
    /// Chips of the whole run: those of the mesh where no other number is said.
    [[nodiscard]] std::int64_t chips() const;
    /// The scenario is one tensor-parallel group of a larger run: its rings are those of the run's torus.
    [[nodiscard]] bool is_group() const { return planning.batch.has_value(); }
    bool operator==(const Scenario&) const = default;
};

/// GPT-3 on a 32x8 torus, batch 128: the paper's main example (section 5.1).
[[nodiscard]] Scenario default_scenario();

/// Checks every field's range and what has to hold between the fields; whether the algorithm fits the mesh is
/// checked when its program is written.
[[nodiscard]] Result<Scenario> checked(const Scenario& scenario);

/// The version of the file that `write_scenario` writes. Older ones are read and brought up to date step by
/// step; newer ones are refused by number.
[[nodiscard]] int scenario_version();

/// Reads a scenario file. Strict: unknown keys, wrong types, fractions for whole numbers, repeated keys and
/// deep nesting are refused, each with the place in the file. `origin` names the file in errors.
[[nodiscard]] Result<Scenario> read_scenario(std::string_view json, const std::string& origin,
                                             std::vector<std::string>* all = nullptr);
/// A preset model or hardware is written by its name, any other in full, so the file stands alone.
[[nodiscard]] std::string write_scenario(const Scenario& scenario);

} // namespace meshslice
