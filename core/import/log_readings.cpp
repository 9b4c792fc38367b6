#include "core/import/log_readings.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/import/gzip_file.h"

#include <array>
#include <istream>
#include <system_error>
#include <utility>

namespace meshslice {
namespace {

constexpr std::size_t most_log_bytes = 256u << 20;

} // namespace

Result<std::string> read_log_text(const std::string& path, std::size_t most, const std::string& expected,
                                  const RunControl& control) {
    return read_through_gzip(path, control, [&](std::istream& stream) -> Result<std::string> {
        std::string text;
        std::array<char, 1u << 16> part{};
        while (stream.read(part.data(), part.size()) || stream.gcount() > 0) {
            text.append(part.data(), static_cast<std::size_t>(stream.gcount()));
            if (text.size() > most) {
                return refuse(say("{} has more than {}; expected {}.", path,
                                  bytes_text(static_cast<double>(most)), expected));
            }
            if (control.stop.stop_requested()) {
                return cancelled();
            }
        }
        return text;
    });
}

LogReadings::Written LogReadings::written(const std::string& path) {
    std::error_code none; // a file that is not there is refused when it is read
    Written now;
    now.path = path;
    now.bytes = std::filesystem::file_size(path, none);
    now.at = std::filesystem::last_write_time(path, none);
    return now;
}

template <class Log, class Read>
Result<std::shared_ptr<const Log>> LogReadings::kept_or_read(Kept<Log>& kept, const std::string& path,
                                                             const Read& read) {
    const Written now = written(path);
    {
        const std::scoped_lock lock(mutex_);
        if (kept.log && kept.of == now) {
            return kept.log;
        }
        ++reads_;
    }
    Result<Log> made = read();
    if (!made) {
        return refuse(made.error());
    }
    auto log = std::make_shared<const Log>(*std::move(made));
    const std::scoped_lock lock(mutex_);
    kept = {now, log};
    return log;
}

Result<std::shared_ptr<const TrainingLog>> LogReadings::training(const std::string& path,
                                                                 const RunControl& control) {
    return kept_or_read(training_, path, [&] {
        return read_through_gzip(path, control, [&](std::istream& stream) -> Result<TrainingLog> {
            return read_training_log(stream, path, control);
        });
    });
}

Result<std::shared_ptr<const std::vector<ServingLog>>> LogReadings::serving(const std::string& path,
                                                                            const RunControl& control) {
    return kept_or_read(serving_, path, [&] {
        return read_log_text(path, most_log_bytes,
                             said("what vllm bench serve saves without --save-detailed"), control)
            .and_then([&](const std::string& text) { return read_serving_logs(text, path); });
    });
}

std::size_t LogReadings::reads() const {
    const std::scoped_lock lock(mutex_);
    return reads_;
}

} // namespace meshslice
