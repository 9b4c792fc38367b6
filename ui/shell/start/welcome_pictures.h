#pragma once

#include "core/work/memory_use.h"
#include "ui/look/palette.h"
#include "ui/session/inquiry.h"

#include <QObject>
#include <QSize>
#include <QString>

#include <memory>
#include <vector>

class QPainter;
class QWidget;

namespace meshslice::ui {

class Document;
class Session;
class TimelineView;

/// The small pictures of the welcome's questions. The engine makes them when they are wanted, off the UI
/// thread: timeline and torus of one GEMM on 16 chips, what a new window's model takes, in memory and in
/// time, and what a served model gives its users.
class WelcomePictures : public QObject {
    Q_OBJECT
  public:
    WelcomePictures();
    ~WelcomePictures() override;

    void begin();
    /// All of them are there.
    [[nodiscard]] bool isReady() const;

    void paintMemory(QPainter& painter, const QSize& size, Theme theme) const;
    void paintTimes(QPainter& painter, const QSize& size, Theme theme) const;
    void paintTimeline(QPainter& painter, const QSize& size, Theme theme) const;
    void paintServing(QPainter& painter, const QSize& size, Theme theme) const;
    void paintTorus(QPainter& painter, const QSize& size, Theme theme) const;

  signals:
    void changed();

  private:
    /// One block of the model on so many chips.
    struct OnChips {
        int chips = 0;
        double seconds = 0;
        bool operator==(const OnChips&) const = default;
    };
    /// What each of so many users that are served at once gets.
    struct ForUsers {
        int users = 0;
        double tokens_per_s = 0;
        bool operator==(const ForUsers&) const = default;
    };
    struct Sizes {
        MemoryUse memory;
        double capacity = 0;
        std::vector<OnChips> times;
        std::vector<ForUsers> served;
    };
    [[nodiscard]] static Result<Sizes> sizes(const RunControl& control);

    std::unique_ptr<Document> document_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<QWidget> holder_; ///< of the view, which is never shown: gone before its session
    TimelineView* timeline_;
    Inquiry<int, Sizes> sizes_;
};

} // namespace meshslice::ui
