#include "app/output_file.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace meshslice {
namespace {

namespace fs = std::filesystem;

/// The file that a path means: what its symbolic links point to, also where that is not there yet.
fs::path place_of(const fs::path& path) {
    constexpr int most_links = 40; // as many as Linux follows
    std::error_code failure;
    fs::path place = fs::absolute(path, failure);
    for (int k = 0; k < most_links && fs::is_symlink(fs::symlink_status(place, failure)); ++k) {
        place = place.parent_path() / fs::read_symlink(place, failure); // an absolute target replaces it all
    }
    const fs::path known = fs::weakly_canonical(place, failure);
    return failure ? place : known;
}

/// Whether both name the same file, whether it is there yet or not.
bool same_file(const std::string& one, const std::string& other) {
    if (one.empty() || other.empty()) {
        return false;
    }
    std::error_code failure;
    if (fs::is_other(fs::status(one, failure))) {
        return false;
    }
    return fs::equivalent(one, other, failure) || place_of(one) == place_of(other);
}

/// A file of our own next to the one that it will replace, under a name that nobody has. Gone at the end,
/// unless it was put into its place; also when the program is interrupted or ended meanwhile. One at a time.
class PartialFile {
  public:
    explicit PartialFile(const fs::path& folder) {
        struct sigaction action {};
        action.sa_handler = end;
        for (std::size_t k = 0; k < signals.size(); ++k) {
            sigaction(signals[k], nullptr, &before_[k]);
            if (before_[k].sa_handler == SIG_DFL) { // Whoever ignores a signal goes on to.
                sigaction(signals[k], &action, nullptr);
            }
        }
        // A short name: the one to be replaced may be as long as names can be.
        for (int k = 0; file_ < 0 && k < 1000; ++k) {
            path_ = (folder / fmt::format(".meshslice-{}-{}.part", ::getpid(), k)).string();
            sigset_t meanwhile;
            sigset_t usual;
            sigfillset(&meanwhile);
            ::pthread_sigmask(SIG_BLOCK, &meanwhile, &usual); // until it is known that the file is ours
            file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            const int problem = errno;
            ours_ = file_ >= 0 ? 1 : 0;
            ::pthread_sigmask(SIG_SETMASK, &usual, nullptr);
            if (file_ < 0 && problem != EEXIST) {
                break;
            }
        }
    }
    ~PartialFile() {
        if (ours_ != 0) {
            ::unlink(path_.c_str());
        }
        ours_ = 0;
        if (file_ >= 0) {
            ::close(file_);
        }
        for (std::size_t k = 0; k < signals.size(); ++k) {
            sigaction(signals[k], &before_[k], nullptr);
        }
    }
    PartialFile(const PartialFile&) = delete;
    PartialFile& operator=(const PartialFile&) = delete;

    [[nodiscard]] bool exists() const { return file_ >= 0; }
    [[nodiscard]] fs::path path() const { return path_; }

    /// All of it is on the disk before the name is: a power cut leaves the old file or the new one.
    bool replace(const fs::path& place) {
        // Some file systems know no fsync and say so.
        if (::fsync(file_) != 0 && errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) {
            return false;
        }
        if (::rename(path_.c_str(), place.c_str()) != 0) {
            return false;
        }
        ours_ = 0;
        return true;
    }

  private:
    static constexpr std::array signals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};

    static void end(int signal) {
        if (ours_ != 0) {
            ::unlink(path_.c_str());
        }
        std::signal(signal, SIG_DFL);
        std::raise(signal); // It comes when this has returned.
    }

    inline static std::string path_;
    inline static volatile std::sig_atomic_t ours_ = 0; ///< whether the file of that name is
    int file_ = -1;
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

bool replaced(const fs::path& place, const std::function<void(std::ostream&)>& write) {
    PartialFile part(place.parent_path());
    return part.exists() && written_whole(part.path(), write) && part.replace(place);
}

} // namespace

Result<void> write_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
    std::error_code failure;
    const fs::file_status status = fs::status(path, failure); // of what a symbolic link points to
    // Renaming over a device would replace it; a symbolic link stays one.
    const bool written = fs::is_other(status) ? written_whole(path, write)
                                              : !fs::is_directory(status) && replaced(place_of(path), write);
    if (!written) {
        return refuse(fmt::format("{} cannot be written; expected a file name in a folder that exists and "
                                  "may be written to, with room for it.",
                                  path));
    }
    return {};
}

Result<void> keeps_what_is_read(const std::vector<std::string>& read,
                                const std::vector<std::string>& written) {
    for (std::size_t k = 0; k < written.size(); ++k) {
        for (const std::string& input : read) {
            if (same_file(written[k], input)) {
                return refuse(fmt::format("{} is read by this command and would be overwritten; expected "
                                          "another name for what it writes.",
                                          written[k]));
            }
        }
        for (std::size_t earlier = 0; earlier < k; ++earlier) {
            if (same_file(written[k], written[earlier])) {
                return refuse(fmt::format("{} would be written twice; expected two names.", written[k]));
            }
        }
    }
    return {};
}

} // namespace meshslice
