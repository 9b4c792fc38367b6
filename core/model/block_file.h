#pragma once

#include "core/base/json/json_reader.h"
#include "core/base/json/tree.h"
#include "core/base/result.h"
#include "core/model/transformer.h"

namespace meshslice {

/// The largest width of anything in a model, some hundred times what there is.
inline constexpr std::int64_t most_width = std::int64_t{1} << 20; ///< three multiply without overflow
inline constexpr std::int64_t most_blocks = 10'000;
inline constexpr std::int64_t most_published = 1'000'000'000'000'000; ///< parameters

/// What a file of ours says of blocks that are not all alike: "kinds", "pattern", "towers", ...; only what
/// is not as in a plain block is written.
void write_blocks(const Transformer& model, Tree& file);
/// Reads them, with the finding noted in the reader, and sets the numbers that stand for all.
void read_blocks(JsonReader& file, Transformer& model);
/// Their keys in the schema of such a file.
void add_blocks(Tree& schema);

/// Refuses numbers out of range and kinds whose numbers do not fit together: the words after "The model X ".
[[nodiscard]] Result<void> check_blocks(const Transformer& model);

} // namespace meshslice
