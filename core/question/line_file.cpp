#include "core/question/line_file.h"

#include "core/base/output_file.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace meshslice {
namespace {

constexpr mode_t mode_of_new_files = 0666;
constexpr std::size_t most_bytes_of_line = std::size_t{1} << 26; // more than any of ours has

/// Hands over its lines without their ends, until `take` returns false; what follows the last end.
Result<std::string> each_line(int file, const std::string& path,
                              const std::function<bool(const std::string& line)>& take) {
    std::string open;
    std::array<char, 1U << 16U> buffer{};
    for (off_t at = 0;;) {
        const ssize_t read = ::pread(file, buffer.data(), buffer.size(), at);
        if (read < 0 && errno == EINTR) {
            continue;
        }
        if (read < 0) {
            return refuse(fmt::format("{} cannot be read: {}.", path, because_of(errno, path)));
        }
        if (read == 0) {
            return open;
        }
        at += read;
        std::string_view part(buffer.data(), static_cast<std::size_t>(read));
        for (std::size_t end = part.find('\n'); end != std::string_view::npos; end = part.find('\n')) {
            open.append(part.substr(0, end));
            if (!take(open)) {
                return std::string();
            }
            open.clear();
            part.remove_prefix(end + 1);
        }
        open.append(part);
        if (open.size() > most_bytes_of_line) {
            return refuse(fmt::format("{} has a line of more than 64 MiB.", path));
        }
    }
}

} // namespace

struct LineFile::State {
    std::string path;
    int file = -1;
    std::size_t count = 0;
    std::string rest = {};
    off_t rest_at = 0;
    Result<void> broken = {}; ///< since a line could not be written

    State(std::string its_path, int its_file) : path(std::move(its_path)), file(its_file) {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() { ::close(file); } // gives up its lock
};

LineFile::LineFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
LineFile::LineFile(LineFile&& other) noexcept = default;
LineFile& LineFile::operator=(LineFile&& other) noexcept = default;
LineFile::~LineFile() = default;

Result<LineFile> LineFile::open(const std::string& path) {
    const int file =
        ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, mode_of_new_files);
    if (file < 0) {
        return refuse(not_written(path, because_of(errno, path)));
    }
    auto state = std::make_unique<State>(path, file);
    struct stat found {};
    if (::fstat(file, &found) != 0 || !S_ISREG(found.st_mode)) {
        return refuse(not_written(path, "it is not a file"));
    }
    if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
        return refuse(
            not_written(path, errno == EWOULDBLOCK ? "another process writes it" : because_of(errno, path)));
    }
    Result<std::string> rest = each_line(file, path, [&](const std::string& line) {
        ++state->count;
        state->rest_at += static_cast<off_t>(line.size() + 1);
        return true;
    });
    if (!rest) {
        return refuse(rest.error());
    }
    state->rest = *std::move(rest);
    return LineFile(std::move(state));
}

std::size_t LineFile::count() const {
    return state_->count;
}

Result<void> LineFile::each(const std::function<bool(const std::string& line)>& take) const {
    std::size_t left = state_->count;
    const Result<std::string> rest = each_line(state_->file, state_->path, [&](const std::string& line) {
        return left > 0 && take(line) && --left > 0;
    });
    return rest ? Result<void>() : refuse(rest.error());
}

const std::string& LineFile::rest() const {
    return state_->rest;
}

Result<void> LineFile::cut_rest() {
    if (!state_->rest.empty() && ::ftruncate(state_->file, state_->rest_at) != 0) {
        return refuse(not_written(state_->path, because_of(errno, state_->path)));
    }
    state_->rest.clear();
    return {};
}

Result<void> LineFile::add(std::string_view line) {
    if (!state_->broken) {
        return state_->broken;
    }
    const std::string whole = std::string(line) + "\n";
    for (std::string_view rest = whole; !rest.empty();) {
        const ssize_t written = ::write(state_->file, rest.data(), rest.size());
        if (written < 0 && errno != EINTR) {
            return state_->broken = refuse(not_written(state_->path, because_of(errno, state_->path)));
        }
        rest.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
    ++state_->count;
    return {};
}

} // namespace meshslice
