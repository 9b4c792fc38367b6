#pragma once

#include <QObject>

#include <functional>

namespace meshslice::ui {

/// Ends the program in order when the system asks it to (SIGTERM, SIGINT, SIGHUP): calls `act` in the UI
/// thread, where anything may be done, instead of ending on the spot. One at a time.
class QuitSignals : public QObject {
    Q_OBJECT
  public:
    explicit QuitSignals(std::function<void()> act, QObject* parent = nullptr);
    /// The signals do what they did before.
    ~QuitSignals() override;

  private:
    std::function<void()> act_;
};

} // namespace meshslice::ui
