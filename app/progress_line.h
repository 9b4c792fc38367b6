#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace meshslice {

/// How far a long run is, as one line that is written over on the standard error and gone at the end: from
/// the first second on, and only where somebody reads along at a terminal. Where the share is not known, only
/// what is done.
class ProgressLine {
  public:
    explicit ProgressLine(std::string what);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// From now on it is about this; nothing of it is done.
    void says(const std::string& what);
    /// For RunControl: the share done, 0 to 1.
    [[nodiscard]] std::atomic<double>* share() { return &share_; }

  private:
    void tell();
    void write(const std::string& line);

    std::string what_;
    std::atomic<double> share_ = 0;
    std::mutex mutex_;
    std::condition_variable ends_;
    bool ended_ = false;
    std::size_t longest_ = 0; ///< line that was written
    std::thread teller_;
};

} // namespace meshslice
