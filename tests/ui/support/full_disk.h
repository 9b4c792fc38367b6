#pragma once

#include <csignal>
#include <sys/resource.h>

namespace meshslice::ui {

/// While one of these lives, no file can grow beyond `bytes`: as on a full disk, the system takes the bytes
/// of a write only when they are flushed, and refuses them then.
class FullDisk {
  public:
    explicit FullDisk(rlim_t bytes = 0) : before_(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &limit_);
        const rlimit full{bytes, limit_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &full);
    }
    ~FullDisk() {
        setrlimit(RLIMIT_FSIZE, &limit_);
        std::signal(SIGXFSZ, before_);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

  private:
    using Handler = void (*)(int);
    rlimit limit_{};
    Handler before_;
};

} // namespace meshslice::ui
