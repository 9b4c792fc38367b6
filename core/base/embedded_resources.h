#pragma once

#include <string_view>
#include <vector>

namespace meshslice {

/// A file of resources/, compiled in.
struct EmbeddedFile {
    std::string_view name; ///< its path in the folder: "tpu-v5e.json", "command-line/plan.md"
    std::string_view text;
};

[[nodiscard]] std::vector<EmbeddedFile> embedded_docs();
[[nodiscard]] std::vector<EmbeddedFile> embedded_examples();
[[nodiscard]] std::vector<EmbeddedFile> embedded_lessons();
[[nodiscard]] std::vector<EmbeddedFile> embedded_machines();
[[nodiscard]] std::vector<EmbeddedFile> embedded_measured();
[[nodiscard]] std::vector<EmbeddedFile> embedded_models();
[[nodiscard]] std::vector<EmbeddedFile> embedded_studies();
[[nodiscard]] std::vector<EmbeddedFile> embedded_translations();

} // namespace meshslice
