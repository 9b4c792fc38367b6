#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/import/run_log.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace meshslice {

/// Reads logs, which may be compressed, and keeps the last of each kind as long as its file has the same size
/// and time of writing. From any thread.
class LogReadings {
  public:
    [[nodiscard]] Result<std::shared_ptr<const TrainingLog>> training(const std::string& path,
                                                                      const RunControl& control);
    [[nodiscard]] Result<std::shared_ptr<const std::vector<ServingLog>>> serving(const std::string& path,
                                                                                 const RunControl& control);
    /// Times that a file was read.
    [[nodiscard]] std::size_t reads() const;

  private:
    /// What says that a file is still the same.
    struct Written {
        std::string path;
        std::uintmax_t bytes = 0;
        std::filesystem::file_time_type at;

        bool operator==(const Written&) const = default;
    };
    template <class Log>
    struct Kept {
        Written of;
        std::shared_ptr<const Log> log; ///< null: none
    };

    static Written written(const std::string& path);
    template <class Log, class Read>
    Result<std::shared_ptr<const Log>> kept_or_read(Kept<Log>& kept, const std::string& path,
                                                    const Read& read);

    mutable std::mutex mutex_;
    Kept<TrainingLog> training_;
    Kept<std::vector<ServingLog>> serving_;
    std::size_t reads_ = 0;
};

/// All of a text file, which may be compressed. Refuses one of more than `most` bytes, with what was expected
/// of it.
[[nodiscard]] Result<std::string> read_log_text(const std::string& path, std::size_t most,
                                                const std::string& expected, const RunControl& control);

} // namespace meshslice
