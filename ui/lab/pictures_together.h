#pragma once

#include <QString>
#include <QWidget>

#include <array>

class QSplitter;
class QTabWidget;

namespace meshslice::ui {

/// A picture and what it is called where only one is seen at a time.
struct NamedPicture {
    QWidget* widget = nullptr;
    QString title;
    QString tip;
};

/// Three pictures of one thing: a large one over two that stand next to each other. Where there is no room
/// for nearly all of it and the two below, they take turns, as pages.
class PicturesTogether : public QWidget {
    Q_OBJECT
  public:
    /// `name`: of the pages, for screen readers. The first picture is the large one; `whole` is the part of
    /// it whose minimum height is that of all of it.
    PicturesTogether(const std::array<NamedPicture, 3>& pictures, const QWidget* whole, const QString& name,
                     QWidget* parent);

    /// Once the height of the large picture is another one. Not at once: what resizes them is at work on
    /// what would change its place.
    void arrange();
    [[nodiscard]] bool areTogether() const { return together_; }
    [[nodiscard]] QTabWidget* pages() { return pages_; }

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void place();
    void share();

    std::array<NamedPicture, 3> pictures_;
    const QWidget* whole_;
    QSplitter* all_;
    QSplitter* lower_;
    QTabWidget* pages_;
    bool together_ = true;
    bool shared_by_user_ = false;
};

} // namespace meshslice::ui
