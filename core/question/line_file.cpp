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
constexpr off_t most_bytes_of_lines = off_t{1} << 30; // more than any of our files has

/// All of it, or none where the system does not give it.
Result<std::string> content(int file, const std::string& path) {
    std::string text;
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
            return text;
        }
        text.append(buffer.data(), static_cast<std::size_t>(read));
        at += read;
    }
}

} // namespace

struct LineFile::State {
    std::string path;
    int file = -1;
    std::vector<std::string> lines = {};
    std::string rest = {};
    off_t rest_at = 0;

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
    if (found.st_size > most_bytes_of_lines) {
        return refuse(fmt::format("{} has more than 1 GiB.", path));
    }
    const Result<std::string> text = content(file, path);
    if (!text) {
        return refuse(text.error());
    }
    std::size_t begin = 0;
    for (std::size_t end = text->find('\n'); end != std::string::npos; end = text->find('\n', begin)) {
        state->lines.push_back(text->substr(begin, end - begin));
        begin = end + 1;
    }
    state->rest = text->substr(begin);
    state->rest_at = static_cast<off_t>(begin);
    return LineFile(std::move(state));
}

const std::vector<std::string>& LineFile::lines() const {
    return state_->lines;
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
    const std::string whole = std::string(line) + "\n";
    for (std::string_view rest = whole; !rest.empty();) {
        const ssize_t written = ::write(state_->file, rest.data(), rest.size());
        if (written < 0 && errno != EINTR) {
            return refuse(not_written(state_->path, because_of(errno, state_->path)));
        }
        rest.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
    return {};
}

} // namespace meshslice
