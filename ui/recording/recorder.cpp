#include "ui/recording/recorder.h"

#include "ui/document/whole_file.h"
#include "ui/look/words.h"
#include "ui/recording/gif_writer.h"

#include <QBuffer>
#include <QFileInfo>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace meshslice::ui {
namespace {

Result<void> writePng(const QImage& picture, const QString& path) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    picture.save(&buffer, "PNG");
    return writeWhole(path, bytes);
}

} // namespace

QString numberedPath(const QString& path, int number, int pictures) {
    const int digits = std::max<int>(3, static_cast<int>(QString::number(pictures).size()));
    const QFileInfo file(path);
    const QString ending = file.suffix().isEmpty() ? QStringLiteral("png") : file.suffix();
    return QStringLiteral("%1/%2-%3.%4")
        .arg(file.path(), file.completeBaseName())
        .arg(number + 1, digits, 10, QLatin1Char('0'))
        .arg(ending);
}

Recorder::Recorder(Footage footage, QObject* parent)
    : QObject(parent), footage_(std::move(footage)), gif_(std::make_shared<GifWriter>(footage_.size)) {}

Recorder::~Recorder() = default;

void Recorder::start() {
    QTimer::singleShot(0, this, &Recorder::next);
}

void Recorder::cancel() {
    over_ = true;
    job_.cancel();
}

double Recorder::progress() const {
    return static_cast<double>(done_) / std::max(1, footage_.pictures);
}

void Recorder::next() {
    if (over_) {
        return;
    }
    const bool gif = footage_.format == RecordingFormat::gif;
    if (done_ == footage_.pictures) {
        const Result<QByteArray> bytes = gif ? gif_->finish() : Result<QByteArray>(QByteArray());
        end(!bytes ? refuse(bytes.error()) : gif ? writeWhole(footage_.path, *bytes) : Result<void>());
        return;
    }
    job_.start([this, gif, picture = footage_.paint(done_), writer = gif_, hundredths = footage_.hundredths,
                path = numberedPath(footage_.path, done_, footage_.pictures)](const RunControl&) {
        Result<void> added = gif ? writer->add(picture, hundredths) : writePng(picture, path);
        return [this, added = std::move(added)] { take(added); };
    });
}

void Recorder::end(const Result<void>& written) {
    over_ = true;
    emit finished(written ? QString() : words(written.error().sentence));
}

void Recorder::take(const Result<void>& added) {
    if (!added) {
        end(added);
        return;
    }
    ++done_;
    emit progressed();
    QTimer::singleShot(0, this, &Recorder::next);
}

} // namespace meshslice::ui
