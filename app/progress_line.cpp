#include "app/progress_line.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <unistd.h>
#include <utility>

namespace meshslice {
namespace {

using namespace std::chrono_literals;
constexpr auto patience = 1s;
constexpr auto between = 200ms;

} // namespace

ProgressLine::ProgressLine(std::string what) : what_(std::move(what)) {
    if (isatty(STDERR_FILENO) == 1) {
        teller_ = std::thread([this] { tell(); });
    }
}

ProgressLine::~ProgressLine() {
    {
        const std::scoped_lock lock(mutex_);
        ended_ = true;
    }
    ends_.notify_all();
    if (teller_.joinable()) {
        teller_.join();
    }
}

void ProgressLine::tell() {
    std::unique_lock lock(mutex_);
    const auto ended = [this] { return ended_; };
    bool told = false;
    for (auto wait = std::chrono::milliseconds(patience); !ends_.wait_for(lock, wait, ended);
         wait = between) {
        const double share = share_.load();
        fmt::print(stderr, "\r{}",
                   share > 0 ? fmt::format("{}: {:.0f}%", what_, 100 * share) : what_ + " ...");
        std::fflush(stderr);
        told = true;
    }
    if (told) {
        fmt::print(stderr, "\r{}\r", std::string(what_.size() + 6, ' '));
        std::fflush(stderr);
    }
}

} // namespace meshslice
