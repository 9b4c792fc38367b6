#pragma once

#include <QWidget>

namespace meshslice::ui {

/// Lies over a widget that shows the previous result while the next one computes: lightens it and says so.
/// All parts of the window that show results say it with this. It takes no clicks and no keys.
class Veil : public QWidget {
    Q_OBJECT
  public:
    enum class Note : std::uint8_t {
        below, ///< a strip along the lower edge: titles and findings stay in sight
        right  ///< at the end of a line
    };

    Veil(QWidget* over, Note note);
    void setOn(bool on);

    [[nodiscard]] static QString note();

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    Note note_;
};

} // namespace meshslice::ui
