#pragma once

#include "app/progress_line.h"
#include "core/base/output_file.h"
#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace meshslice {

/// The word that stands for the standard output or input.
inline constexpr const char* standard_stream = "-";

/// A file's text, or that of the standard input, which is read once.
[[nodiscard]] Result<std::string> input_text(const std::string& path);

/// The files that a command writes: opened before its work begins, so that nobody waits for what cannot be
/// written, and put into their places together, all or none.
class Outputs {
  public:
    /// Says how large a file will be, and how far it is.
    using Tell = std::function<void(const std::string& sentence)>;
    using Write = std::function<Result<void>(std::ostream& out)>;

    Outputs(Tell tell, ProgressLine& progress) : tell_(std::move(tell)), progress_(progress) {}

    [[nodiscard]] Result<void> open(const std::string& path);
    /// Writes what goes there, about so many bytes; 0 where they are few or nobody knows. A path that was
    /// not opened is opened now.
    [[nodiscard]] Result<void> write(const std::string& path, std::int64_t about_bytes, const Write& write);
    /// Puts all into their places.
    [[nodiscard]] Result<void> put();

  private:
    Tell tell_;
    ProgressLine& progress_;
    std::vector<std::string> paths_;
    std::vector<OutputFile> files_; ///< of the paths
};

} // namespace meshslice
