#pragma once

#include "core/cost/gemm_roofline.h"
#include "core/machine/machine.h"
#include "core/model/transformer.h"
#include "core/question/question.h"
#include "core/sharding/notation.h"

#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {

/// Said next to estimates of a scenario with faults.
inline constexpr const char* estimates_are_of_a_healthy_machine =
    "Estimates assume a healthy machine: the faults are left out of them.";

/// The chip that is asked about where nothing else is said.
inline constexpr const char* usual_chip = "tpu-v5e";

/// As the names of presets are written.
[[nodiscard]] std::string lower_case(std::string words);

/// What a chip's network has to be for a form to offer it.
enum class ChipsOffered : std::uint8_t {
    tori,    ///< axes of a torus
    any,     ///< these, or switches
    planned, ///< what plans are made for
};
/// A chip by the name of a preset or by a file; "hardware".
[[nodiscard]] QuestionField chip_field(ChipsOffered offered, std::string help, int width = 1);
/// What such a field holds.
[[nodiscard]] Result<Machine> chip_of(const Asked& asked);

/// By its name, with capitals or without.
[[nodiscard]] Result<Machine> preset_machine(const std::string& name);

/// The model that "model" holds, by the name of a preset or in a file.
[[nodiscard]] Result<Transformer> model_of(const Asked& asked);

/// Which sequence was taken from a model's file as nothing else was said: a sentence, or none.
[[nodiscard]] std::vector<std::string> taken_sequence(const Asked& asked);
/// How long the requests are that a model from a file is asked to serve, where that was not said.
[[nodiscard]] std::string taken_lengths_words(const Asked& asked, const Transformer& model);

/// The axes that a text field names, "X=16,Y=4".
[[nodiscard]] Result<NamedMesh> named_mesh_of(const Asked& asked, std::string_view key);

/// A type of elements, from f32 to int4.
[[nodiscard]] QuestionField element_field(FieldRow row);
/// The type that a field names; none: `usual`.
[[nodiscard]] DataType element_of(const Asked& asked, std::string_view key, DataType usual);

/// Fields that only a command line asks for: key and name are those of the flag, "--micro-batch".
[[nodiscard]] QuestionField text_flag(std::string flag, std::string help);
[[nodiscard]] QuestionField switch_flag(std::string flag, std::string help);
[[nodiscard]] QuestionField whole_flag(std::string flag, std::string help, std::int64_t most);
/// One of some words, the first where nothing is said.
[[nodiscard]] QuestionField choice_flag(std::string flag, std::string help,
                                        const std::vector<std::string>& words);
/// What is in a file.
[[nodiscard]] QuestionField file_flag(std::string flag, std::string help);

/// A size of memory traffic or an array: its row is a quantity with what it may be.
[[nodiscard]] FieldRow memory_rate_row(FieldRow row);
[[nodiscard]] FieldRow exchange_bytes_row(FieldRow row);

} // namespace meshslice
