#include "tests/cli/support/process.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

extern char** environ;

namespace meshslice::test {
namespace {

void check(int error, const char* what) {
    if (error != 0) {
        throw std::system_error(error, std::generic_category(), what);
    }
}

/// A pipe that closes itself and that no other child inherits.
class Pipe {
  public:
    Pipe() { check(::pipe2(ends_.data(), O_CLOEXEC) == 0 ? 0 : errno, "pipe2"); }
    ~Pipe() {
        close_end(0);
        close_end(1);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    [[nodiscard]] int reading() const { return ends_[0]; }
    [[nodiscard]] int writing() const { return ends_[1]; }
    void close_writing() { close_end(1); }

  private:
    void close_end(std::size_t end) {
        if (ends_[end] >= 0) {
            ::close(ends_[end]);
            ends_[end] = -1;
        }
    }

    std::array<int, 2> ends_{-1, -1};
};

pid_t start(const std::vector<std::string>& command, const Pipe& out, const Pipe& err) {
    std::vector<char*> arguments;
    for (const std::string& argument : command) {
        arguments.push_back(const_cast<char*>(argument.c_str())); // posix_spawn does not write to them.
    }
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    check(posix_spawn_file_actions_init(&actions), "posix_spawn_file_actions_init");
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out.writing(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err.writing(), STDERR_FILENO);
    pid_t process = 0;
    const int error = posix_spawn(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    check(error, command.front().c_str());
    return process;
}

/// Reads both pipes until both are closed: reading one after the other would let the program block on the
/// second. False when `deadline` comes first.
bool read_both(const Pipe& out, const Pipe& err, std::chrono::steady_clock::time_point deadline,
               Finished& into) {
    std::array<pollfd, 2> waiting{{{out.reading(), POLLIN, 0}, {err.reading(), POLLIN, 0}}};
    const std::array<std::string*, 2> texts = {&into.out, &into.err};
    while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        if (left.count() <= 0) {
            return false;
        }
        const int ready = ::poll(waiting.data(), waiting.size(), static_cast<int>(left.count()));
        if (ready < 0 && errno != EINTR) {
            check(errno, "poll");
        }
        for (std::size_t k = 0; ready > 0 && k < waiting.size(); ++k) {
            if (waiting[k].fd < 0 || waiting[k].revents == 0) {
                continue;
            }
            std::array<char, 65536> bytes;
            const ssize_t count = ::read(waiting[k].fd, bytes.data(), bytes.size());
            if (count > 0) {
                texts[k]->append(bytes.data(), static_cast<std::size_t>(count));
            } else if (count == 0 || errno != EINTR) {
                waiting[k].fd = -1; // poll() skips it.
            }
        }
    }
    return true;
}

} // namespace

Finished run_process(const std::vector<std::string>& command, std::chrono::milliseconds limit) {
    const auto deadline = std::chrono::steady_clock::now() + limit;
    Pipe out;
    Pipe err;
    const pid_t process = start(command, out, err);
    out.close_writing();
    err.close_writing();
    Finished finished;
    if (!read_both(out, err, deadline, finished)) {
        finished.timed_out = true;
        ::kill(process, SIGKILL);
    }
    int status = 0;
    while (::waitpid(process, &status, 0) < 0) {
        if (errno != EINTR) {
            check(errno, "waitpid");
        }
    }
    if (WIFEXITED(status)) {
        finished.exit_code = WEXITSTATUS(status);
    } else if (WIFSIGNALED(status)) {
        finished.signal = WTERMSIG(status);
    }
    return finished;
}

} // namespace meshslice::test
