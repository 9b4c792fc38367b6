#pragma once

#include "ui/look/palette.h"

#include <QFont>
#include <QObject>
#include <QPalette>

namespace meshslice::ui {

/// What the user chose in the View menu; `system` is what the desktop says.
enum class ThemeChoice : std::uint8_t { system, light, dark };

[[nodiscard]] QString name(ThemeChoice choice); ///< "system", for settings and the command line
/// `system` for a name that there is not.
[[nodiscard]] ThemeChoice themeChoice(const QString& name);

/// Sets the colours and the size of the text of the whole program, pictures included.
class Appearance : public QObject {
    Q_OBJECT
  public:
    static constexpr int least_percent = 70;
    static constexpr int most_percent = 250;
    static constexpr int step_percent = 10;
    static constexpr int most_projected_percent = 500;

    explicit Appearance(QObject* parent = nullptr);

    [[nodiscard]] ThemeChoice theme() const { return theme_; }
    void setTheme(ThemeChoice choice);

    /// Of the desktop's font size.
    [[nodiscard]] int fontPercent() const { return percent_; }
    void setFontPercent(int percent);
    /// Beyond what a user may choose: for a room.
    void setProjectedPercent(int percent);

  private:
    void takeFontPercent(int percent);

    ThemeChoice theme_ = ThemeChoice::system;
    int percent_ = 100;
};

} // namespace meshslice::ui
