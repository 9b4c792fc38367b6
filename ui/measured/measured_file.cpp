#include "ui/measured/measured_file.h"

#include "core/calibrate/nccl_log.h"
#include "core/import/gzip_file.h"
#include "core/import/nsight_trace.h"
#include "core/import/run_log.h"

#include <QFile>

#include <istream>
#include <string>
#include <string_view>

namespace meshslice::ui {
namespace {

MeasuredFile fileOf(std::string_view first_bytes) {
    if (is_nccl_log(first_bytes)) {
        return MeasuredFile::collectives;
    }
    const auto has = [&](std::string_view what) { return first_bytes.find(what) != std::string_view::npos; };
    switch (kind_of_measured(first_bytes)) {
    case MeasuredKind::training: return has("iteration") ? MeasuredFile::training : MeasuredFile::none;
    case MeasuredKind::serving: return MeasuredFile::serving;
    case MeasuredKind::graph: return MeasuredFile::trace;
    case MeasuredKind::trace: break;
    }
    return is_sqlite(first_bytes) || has("\"traceEvents\"") || has("\"ph\"") ? MeasuredFile::trace
                                                                             : MeasuredFile::none;
}

} // namespace

MeasuredFile measuredFileAt(const QString& path) {
    const Result<MeasuredFile> found = read_through_gzip(
        QFile::encodeName(path).toStdString(), {}, [](std::istream& stream) -> Result<MeasuredFile> {
            std::string bytes(std::size_t{1} << 16, '\0');
            stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
            bytes.resize(static_cast<std::size_t>(stream.gcount()));
            return fileOf(bytes);
        });
    return found.value_or(MeasuredFile::none);
}

} // namespace meshslice::ui
