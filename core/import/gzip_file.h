#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"

#include <istream>
#include <memory>
#include <streambuf>
#include <string>
#include <utility>

namespace meshslice {

/// A file through zlib, which hands over plain text as it is.
class GzipFile {
  public:
    /// Refuses what is not there, a directory, and what may not be read. `control.progress` says how much of
    /// its bytes has been read.
    [[nodiscard]] static Result<GzipFile> open(const std::string& path, const RunControl& control);

    GzipFile(GzipFile&& other) noexcept;
    GzipFile& operator=(GzipFile&& other) noexcept;
    ~GzipFile();

    [[nodiscard]] std::istream& stream();
    /// Once it has been read: refuses a damaged or cut stream.
    [[nodiscard]] Result<void> sound() const;

  private:
    class Buffer;
    explicit GzipFile(std::string path, std::unique_ptr<Buffer> buffer);

    std::string path_;
    std::unique_ptr<Buffer> buffer_;
    std::unique_ptr<std::istream> stream_;
};

/// What `read` makes of a file, or why the file broke off.
template <class Read>
auto read_through_gzip(const std::string& path, const RunControl& control, const Read& read)
    -> decltype(read(std::declval<std::istream&>())) {
    Result<GzipFile> file = GzipFile::open(path, control);
    if (!file) {
        return refuse(file.error());
    }
    auto made = read(file->stream());
    if (const Result<void> sound = file->sound(); !sound) {
        return refuse(sound.error());
    }
    return made;
}

} // namespace meshslice
