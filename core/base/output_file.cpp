#include "core/base/output_file.h"

#include "core/base/say.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <streambuf>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace meshslice {
namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40; // as many as Linux follows
constexpr mode_t for_all = 0666;
constexpr mode_t for_the_owner = 0600;
constexpr mode_t write_bits = 0222;
constexpr mode_t mode_bits = 07777;

/// The file that a path means: what its symbolic links point to, also where that is not there yet.
fs::path place_of(const fs::path& path) {
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

std::string part_name(int number) {
    // Short: the name that it will replace may be as long as names can be.
    return fmt::format(".meshslice-{}-{}.part", ::getpid(), number);
}

/// Parts of processes that were ended: who writes one holds a lock on it.
void remove_forgotten_parts(const fs::path& folder) {
    std::error_code failure;
    for (fs::directory_iterator file(folder, failure), end; !failure && file != end;
         file.increment(failure)) {
        const std::string name = file->path().filename().string();
        if (!name.starts_with(".meshslice-") || !name.ends_with(".part")) {
            continue;
        }
        const int opened = ::open(file->path().c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
        if (opened < 0) {
            continue;
        }
        if (::flock(opened, LOCK_EX | LOCK_NB) == 0) {
            ::unlink(file->path().c_str());
        }
        ::close(opened);
    }
}

/// Writes to a descriptor and remembers why it could not.
class DescriptorBuffer : public std::streambuf {
  public:
    explicit DescriptorBuffer(int descriptor) : descriptor_(descriptor) { empty(); }

    [[nodiscard]] int problem() const { return problem_; }
    std::function<bool(std::int64_t)> watcher;

  protected:
    int_type overflow(int_type letter) override {
        if (!flush()) {
            return traits_type::eof();
        }
        if (!traits_type::eq_int_type(letter, traits_type::eof())) {
            *pptr() = traits_type::to_char_type(letter);
            pbump(1);
        }
        return traits_type::not_eof(letter);
    }
    int sync() override { return flush() ? 0 : -1; }

  private:
    void empty() { setp(bytes_.data(), bytes_.data() + bytes_.size()); }

    bool flush() {
        const char* from = pbase();
        while (problem_ == 0 && from < pptr()) {
            const ssize_t count = ::write(descriptor_, from, static_cast<std::size_t>(pptr() - from));
            if (count < 0 && errno != EINTR) {
                problem_ = errno;
            }
            from += count > 0 ? count : 0;
        }
        written_ += from - pbase();
        empty();
        if (problem_ == 0 && watcher && !watcher(written_)) {
            problem_ = ECANCELED;
        }
        return problem_ == 0;
    }

    int descriptor_;
    int problem_ = 0;
    std::int64_t written_ = 0;
    std::array<char, 64u << 10> bytes_{};
};

} // namespace

std::string because_of(int problem, const fs::path& path) {
    std::error_code failure;
    const fs::path folder = fs::absolute(path, failure).parent_path();
    switch (problem) {
    case ENOSPC: return said("its disk has no room left");
    case EDQUOT: return said("you have no room left on its disk");
    case EFBIG: return said("its disk takes no file that large");
    case EACCES:
    case EPERM: return said("you have no permission");
    case EROFS: return said("its disk is read-only");
    case ENOENT: return say("there is no folder {}", folder.string());
    case ENOTDIR: return say("{} is not a folder", folder.string());
    case EISDIR: return said("it is a folder");
    case ENAMETOOLONG: return said("its name is too long");
    case ELOOP: return said("its links lead back to themselves");
    case EMFILE:
    case ENFILE: return said("too many files are open");
    default: return std::strerror(problem);
    }
}

Error not_written(std::string_view path, std::string_view because) {
    return {say("{} cannot be written: {}.", path, because)};
}

struct OutputFile::State {
    explicit State(int opened) : descriptor(opened), buffer(opened), stream(&buffer) {}
    ~State() {
        if (!part.empty()) {
            ::unlink(part.c_str());
        }
        ::close(descriptor);
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    int descriptor;
    std::string name = {}; ///< as the user gave it
    fs::path place = {};   ///< empty: written to as it is
    fs::path part = {};    ///< the name that it has meanwhile; none
    DescriptorBuffer buffer;
    std::ostream stream;

    [[nodiscard]] tl::unexpected<Error> refused(int problem) const {
        return problem == ECANCELED ? cancelled() : refuse(not_written(name, because_of(problem, place)));
    }

    /// Gives what has no name yet one of its own; errno, or 0.
    int take_part_name() {
        for (int k = 0;; ++k) {
            const fs::path free = place.parent_path() / part_name(k);
            const std::string open_file = fmt::format("/proc/self/fd/{}", descriptor);
            if (::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, free.c_str(), AT_SYMLINK_FOLLOW) == 0) {
                part = free;
                return 0;
            }
            if (errno != EEXIST) {
                return errno;
            }
        }
    }
};

OutputFile::OutputFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
OutputFile::OutputFile(OutputFile&& other) noexcept = default;
OutputFile& OutputFile::operator=(OutputFile&& other) noexcept = default;
OutputFile::~OutputFile() = default;

namespace {

/// A file in the folder of `place` that nobody sees, or else one with a name of its own, which goes to
/// `part`. A descriptor, or -1 and errno.
int open_next_to(const fs::path& place, mode_t mode, fs::path& part) {
    const fs::path folder = place.parent_path();
    remove_forgotten_parts(folder);
    int opened = -1;
    // Without /proc it could not get a name later.
    if (::access("/proc/self/fd", X_OK) == 0) {
        opened = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
        if (opened < 0 && errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) {
            return -1;
        }
    }
    for (int k = 0; opened < 0; ++k) {
        part = folder / part_name(k);
        opened = ::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (opened < 0 && errno != EEXIST) {
            part.clear();
            return -1;
        }
        struct stat found {};
        if (opened >= 0 && ::flock(opened, LOCK_EX | LOCK_NB) == 0 && ::fstat(opened, &found) == 0 &&
            found.st_nlink == 0) {
            ::close(opened); // taken for a forgotten one before it was locked
            opened = -1;
        }
    }
    (void)::flock(opened, LOCK_EX | LOCK_NB);
    return opened;
}

} // namespace

Result<OutputFile> OutputFile::open(const std::string& path, OutputRules rules) {
    const auto refused = [&](int problem) { return refuse(not_written(path, because_of(problem, path))); };
    struct stat found {};
    if (!rules.through_links && ::lstat(path.c_str(), &found) == 0 && S_ISLNK(found.st_mode)) {
        return refuse(not_written(path, said("it is a link")));
    }
    const bool there = ::stat(path.c_str(), &found) == 0; // of what a symbolic link points to
    if (!there && errno != ENOENT) {
        return refused(errno);
    }
    if (there && S_ISDIR(found.st_mode)) {
        return refused(EISDIR);
    }
    if (there && !S_ISREG(found.st_mode)) { // Renaming over a device would replace it.
        const int opened = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        return opened < 0 ? Result<OutputFile>(refused(errno)) : on(opened, path).map([&](OutputFile file) {
            ::close(opened);
            return file;
        });
    }
    if (there &&
        ((found.st_mode & write_bits) == 0 || ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0)) {
        return refuse(not_written(path, said("it is write-protected")));
    }
    const fs::path place = place_of(path);
    fs::path part;
    const int opened = open_next_to(place, rules.private_file ? for_the_owner : for_all, part);
    if (opened < 0) {
        return refused(errno);
    }
    auto state = std::make_unique<State>(opened);
    state->name = path;
    state->place = place;
    state->part = part;
    if (there) {
        struct stat mine {};
        if (::fstat(opened, &mine) == 0 && (mine.st_uid != found.st_uid || mine.st_gid != found.st_gid) &&
            ::fchown(opened, found.st_uid, found.st_gid) != 0) {
            (void)!::fchown(opened, static_cast<uid_t>(-1), found.st_gid); // Only root gives files away.
        }
        (void)::fchmod(opened, rules.private_file ? for_the_owner : found.st_mode & mode_bits);
    }
    return OutputFile(std::move(state));
}

Result<OutputFile> OutputFile::on(int descriptor, const std::string& name) {
    const int own = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    if (own < 0) {
        return refuse(not_written(name, because_of(errno, name)));
    }
    auto state = std::make_unique<State>(own);
    state->name = name;
    return OutputFile(std::move(state));
}

std::ostream& OutputFile::stream() {
    return state_->stream;
}

void OutputFile::watch(std::function<bool(std::int64_t)> watcher) {
    state_->buffer.watcher = std::move(watcher);
}

Result<void> OutputFile::finish() {
    state_->stream.flush();
    if (!state_->stream) {
        return state_->refused(state_->buffer.problem() != 0 ? state_->buffer.problem() : EIO);
    }
    // Before the name is: a power cut leaves the old file or the new one. Some file systems know no fsync.
    if (!state_->place.empty() && ::fsync(state_->descriptor) != 0 && errno != EINVAL && errno != ENOSYS &&
        errno != ENOTSUP) {
        return state_->refused(errno);
    }
    return {};
}

Result<void> OutputFile::put() {
    if (state_->place.empty()) {
        return {};
    }
    if (const int problem = state_->part.empty() ? state_->take_part_name() : 0; problem != 0) {
        return state_->refused(problem);
    }
    std::error_code failure;
    fs::rename(state_->part, state_->place, failure);
    if (failure) {
        return state_->refused(failure.value());
    }
    state_->part.clear();
    return {};
}

Result<void> put_all(std::vector<OutputFile>& files) {
    Result<void> done;
    for (OutputFile& file : files) {
        done = done.and_then([&] { return file.finish(); });
    }
    for (OutputFile& file : files) {
        done = done.and_then([&] { return file.put(); });
    }
    return done;
}

Result<void> write_file(const std::string& path, const std::function<void(std::ostream&)>& write,
                        OutputRules rules) {
    return OutputFile::open(path, rules).and_then([&](OutputFile file) {
        write(file.stream());
        return file.finish().and_then([&] { return file.put(); });
    });
}

Result<void> takes_files(const std::string& folder) {
    std::error_code failure;
    fs::path made = fs::absolute(folder, failure);
    while (!fs::exists(made, failure) && made.has_relative_path()) {
        made = made.parent_path();
    }
    if (!fs::is_directory(made, failure)) {
        return refuse(not_written(folder, say("{} is not a folder", made.string())));
    }
    if (::faccessat(AT_FDCWD, made.c_str(), W_OK | X_OK, AT_EACCESS) != 0) {
        return refuse(not_written(folder, because_of(errno, made)));
    }
    return {};
}

Result<void> keeps_what_is_read(const std::vector<std::string>& read,
                                const std::vector<std::string>& written) {
    for (std::size_t k = 0; k < written.size(); ++k) {
        for (const std::string& input : read) {
            if (same_file(written[k], input)) {
                return refuse(
                    fmt::format("{} is read by this command and would be overwritten; give what it writes "
                                "another name.",
                                written[k]));
            }
        }
        for (std::size_t earlier = 0; earlier < k; ++earlier) {
            if (same_file(written[k], written[earlier])) {
                return refuse(fmt::format("{} would be written twice; give two names.", written[k]));
            }
        }
    }
    return {};
}

} // namespace meshslice
