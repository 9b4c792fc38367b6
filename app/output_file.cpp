#include "app/output_file.h"

#include <fmt/format.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace meshslice {
namespace {

namespace fs = std::filesystem;

/// Whether both name the same file, whether it is there yet or not.
bool same_file(const std::string& one, const std::string& other) {
    if (one.empty() || other.empty()) {
        return false;
    }
    std::error_code failure;
    if (fs::is_other(fs::status(one, failure))) {
        return false;
    }
    if (fs::equivalent(one, other, failure)) {
        return true;
    }
    const fs::path first = fs::weakly_canonical(one, failure);
    const fs::path second = fs::weakly_canonical(other, failure);
    return !failure && first == second;
}

/// While there is one, who interrupts the program or ends it takes the half-written file away with it.
class GoneWhenInterrupted {
  public:
    explicit GoneWhenInterrupted(const fs::path& file) {
        file_ = file.string();
        struct sigaction action {};
        action.sa_handler = end;
        for (std::size_t k = 0; k < signals.size(); ++k) {
            sigaction(signals[k], nullptr, &before_[k]);
            if (before_[k].sa_handler == SIG_DFL) { // Who is to ignore it goes on to.
                sigaction(signals[k], &action, nullptr);
            }
        }
    }
    ~GoneWhenInterrupted() {
        for (std::size_t k = 0; k < signals.size(); ++k) {
            sigaction(signals[k], &before_[k], nullptr);
        }
    }
    GoneWhenInterrupted(const GoneWhenInterrupted&) = delete;
    GoneWhenInterrupted& operator=(const GoneWhenInterrupted&) = delete;

  private:
    static constexpr std::array signals = {SIGINT, SIGTERM, SIGHUP};

    static void end(int signal) {
        ::unlink(file_.c_str());
        std::signal(signal, SIG_DFL);
        std::raise(signal); // It comes when this has returned.
    }

    inline static std::string file_;
    std::array<struct sigaction, signals.size()> before_{};
};

bool written_whole(const fs::path& path, const std::function<void(std::ostream&)>& write) {
    std::ofstream stream(path, std::ios::binary);
    if (stream) {
        write(stream);
        stream.close();
    }
    return static_cast<bool>(stream);
}

} // namespace

Result<void> write_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
    std::error_code failure;
    const fs::file_status status = fs::status(path, failure); // of what a symbolic link points to
    bool written = false;
    if (fs::is_other(status)) {
        written = written_whole(path, write); // renaming over a device would replace it
    } else if (!fs::is_directory(status)) {
        // A symbolic link stays one: the file that it points to is replaced.
        const fs::path place = fs::is_symlink(fs::symlink_status(path, failure)) && fs::exists(status)
                                   ? fs::canonical(path, failure)
                                   : fs::path(path);
        fs::path part = place;
        part += ".part";
        const GoneWhenInterrupted guard(part);
        written = written_whole(part, write);
        failure.clear();
        if (written) {
            fs::rename(part, place, failure);
        }
        if (!written || failure) {
            written = false;
            std::error_code ignored;
            fs::remove(part, ignored);
        }
    }
    if (!written) {
        return refuse(
            fmt::format("{} cannot be written; a file name in a folder that exists and may be written to, "
                        "with room for it, was expected.",
                        path));
    }
    return {};
}

Result<void> keeps_what_is_read(const std::vector<std::string>& read,
                                const std::vector<std::string>& written) {
    for (std::size_t k = 0; k < written.size(); ++k) {
        for (const std::string& input : read) {
            if (same_file(written[k], input)) {
                return refuse(fmt::format(
                    "{} is read by this command and would be written over; another name for what it writes "
                    "was expected.",
                    written[k]));
            }
        }
        for (std::size_t earlier = 0; earlier < k; ++earlier) {
            if (same_file(written[k], written[earlier])) {
                return refuse(fmt::format("{} would be written twice; two names were expected.", written[k]));
            }
        }
    }
    return {};
}

} // namespace meshslice
