#include "ui/shell/quit_signals.h"

#include <QSocketNotifier>

#include <array>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr std::array quit_signals = {SIGTERM, SIGINT, SIGHUP};
/// A handler may do no more than write a byte: this is where to, and where the UI thread reads it.
std::array<int, 2> wire = {-1, -1};
/// What the signals did before.
std::array<struct sigaction, quit_signals.size()> before;

extern "C" void writeByte(int /*signal*/) {
    const int error = errno; // of what is interrupted
    const char byte = 1;
    [[maybe_unused]] const ssize_t written = ::write(wire[0], &byte, 1);
    errno = error;
}

} // namespace

QuitSignals::QuitSignals(std::function<void()> act, QObject* parent) : QObject(parent), act_(std::move(act)) {
    assert(wire[0] < 0 && "one at a time");
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, wire.data()) != 0) {
        wire = {-1, -1};
        return; // the program then ends on the spot, as without this
    }
    auto* notifier = new QSocketNotifier(wire[1], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this] {
        char byte = 0;
        [[maybe_unused]] const ssize_t read = ::read(wire[1], &byte, 1);
        act_();
    });
    for (std::size_t k = 0; k < quit_signals.size(); ++k) {
        ::sigaction(quit_signals[k], nullptr, &before[k]);
        if (before[k].sa_handler == SIG_IGN) {
            continue; // nohup, or a job of a script
        }
        struct sigaction action {};
        action.sa_handler = writeByte;
        action.sa_flags = SA_RESTART;
        ::sigaction(quit_signals[k], &action, nullptr);
    }
}

QuitSignals::~QuitSignals() {
    for (std::size_t k = 0; k < quit_signals.size() && wire[0] >= 0; ++k) {
        ::sigaction(quit_signals[k], &before[k], nullptr);
    }
    for (int& end : wire) {
        if (end >= 0) {
            ::close(std::exchange(end, -1));
        }
    }
}

} // namespace meshslice::ui
