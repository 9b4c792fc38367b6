#include "app/progress_line.h"

#include "core/base/text/printable.h"

#include <fmt/format.h>

#include <algorithm>
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

void ProgressLine::says(const std::string& what) {
    const std::scoped_lock lock(mutex_);
    what_ = printable(what);
    share_ = 0;
}

/// Over the line before. A closed standard error is not an error.
void ProgressLine::write(const std::string& line) {
    const std::string cover(longest_ > line.size() ? longest_ - line.size() : 0, ' ');
    longest_ = std::max(longest_, line.size());
    const std::string all = "\r" + line + cover;
    (void)std::fwrite(all.data(), 1, all.size(), stderr);
    (void)std::fflush(stderr);
}

void ProgressLine::tell() {
    std::unique_lock lock(mutex_);
    const auto ended = [this] { return ended_; };
    bool told = false;
    for (auto wait = std::chrono::milliseconds(patience); !ends_.wait_for(lock, wait, ended);
         wait = between) {
        const double share = share_.load();
        write(share > 0 ? fmt::format("{}: {:.0f}%", what_, 100 * share) : what_ + " ...");
        told = true;
    }
    if (told) {
        write({});
        write("\r");
    }
}

} // namespace meshslice
