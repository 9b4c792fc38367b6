#pragma once

#include <QObject>

#include <cstdint>
#include <optional>

namespace meshslice::ui {

class MainWindow;

/// What somebody sits in front of the window for.
enum class WindowLayout : std::uint8_t {
    explore, ///< one picture between the scenario and its details: as for a new user
    compare, ///< two pictures side by side, with the scenario where there is room
    teach,   ///< large letters, the timeline and the torus, and nothing else
    tune     ///< the tuner and the details
};

/// Arranges the window for a purpose. What the user changes afterwards stays as it is.
class WindowLayouts : public QObject {
    Q_OBJECT
  public:
    /// For a room: one and a half times is too little from the last row.
    static constexpr int teaching_percent = 160;

    explicit WindowLayouts(MainWindow* window);

    void take(WindowLayout layout);
    /// The window as a new user sees it, with the text that the user chose.
    void reset();
    /// The size of the text, in percent, that comes back when teaching is over; none while nobody teaches.
    [[nodiscard]] std::optional<int> textBefore() const { return text_before_; }
    void setTextBefore(std::optional<int> percent) { text_before_ = percent; }

  private:
    void takeText(bool teach);
    void show(const char* view);

    MainWindow* window_;
    std::optional<int> text_before_;
};

} // namespace meshslice::ui
