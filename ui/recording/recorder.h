#pragma once

#include "core/base/result.h"
#include "ui/session/latest_job.h"

#include <QImage>
#include <QObject>
#include <QSize>
#include <QString>

#include <cstdint>
#include <functional>
#include <memory>

namespace meshslice::ui {

class GifWriter;

/// What a recording becomes.
enum class RecordingFormat : std::uint8_t {
    gif,     ///< one animated file
    pictures ///< "name-001.png" and so on, for slides that turn pages
};

/// Moving pictures to be written: `paint` makes each, in the UI thread.
struct Footage {
    int pictures = 0;
    QSize size;
    int hundredths = 10; ///< of a second, how long each is seen
    RecordingFormat format = RecordingFormat::gif;
    QString path; ///< of the file; of pictures, to which numbers are added
    std::function<QImage(int)> paint;
};

/// Where the picture of that number, counted from 0, of so many is written: "torus-007.png".
[[nodiscard]] QString numberedPath(const QString& path, int number, int pictures);

/// Paints one picture after the other and lets another thread compress and write it, so that the window goes
/// on answering. A GIF is there whole or not at all.
class Recorder : public QObject {
    Q_OBJECT
  public:
    explicit Recorder(Footage footage, QObject* parent = nullptr);
    ~Recorder() override;

    void start();
    /// Gives up; a GIF is not written, pictures that are written stay. Says nothing more.
    void cancel();
    /// 0 to 1.
    [[nodiscard]] double progress() const;
    [[nodiscard]] LatestJob* job() { return &job_; }

  signals:
    void progressed();
    /// All is written, or why not; empty where it is.
    void finished(const QString& refusal);

  private:
    void next();
    void take(const Result<void>& added);
    void end(const Result<void>& written);

    Footage footage_;
    std::shared_ptr<GifWriter> gif_;
    int done_ = 0;
    bool over_ = false;
    LatestJob job_;
};

} // namespace meshslice::ui
