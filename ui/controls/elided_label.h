#pragma once

#include <QStringList>
#include <QWidget>

namespace meshslice::ui {

/// Text in as few lines as it takes, at most a given number. What has no room is left out from the end, by
/// whole parts of the sentence, and is then in its tooltip. It never forces a window to be wide.
class ElidedLabel : public QWidget {
    Q_OBJECT
  public:
    explicit ElidedLabel(QWidget* parent = nullptr, int most_lines = 1);

    void setText(const QString& text);
    /// What the tooltip says below the text, as rich text.
    void setMore(const QString& more);
    [[nodiscard]] const QString& text() const { return text_; }
    /// As they are painted.
    [[nodiscard]] const QStringList& lines() const { return lines_; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void renewTip();
    void breakLines();

    int most_lines_;
    QString text_;
    QString more_;
    QStringList lines_;
};

} // namespace meshslice::ui
