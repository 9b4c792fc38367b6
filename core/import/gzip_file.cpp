#include "core/import/gzip_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <system_error>
#include <vector>
#include <zlib.h>

namespace meshslice {

class GzipFile::Buffer final : public std::streambuf {
  public:
    /// `progress`: where to say how much of its bytes has been read; null: nowhere.
    Buffer(const std::string& path, std::atomic<double>* progress)
        : file_(gzopen(path.c_str(), "rb")), part_(256u << 10), progress_(progress) {
        std::error_code unknown;
        bytes_ = static_cast<double>(std::filesystem::file_size(path, unknown));
    }

    [[nodiscard]] bool opened() const { return file_ != nullptr; }
    [[nodiscard]] bool broken() const { return broken_; }

  protected:
    int_type underflow() override {
        const int got = gzread(file_.get(), part_.data(), static_cast<unsigned>(part_.size()));
        if (got <= 0) {
            int code = Z_OK;
            gzerror(file_.get(), &code);
            broken_ = got < 0 || (code != Z_OK && code != Z_STREAM_END);
            return traits_type::eof();
        }
        if (progress_ != nullptr && bytes_ > 0) {
            progress_->store(std::min(1.0, static_cast<double>(gzoffset(file_.get())) / bytes_));
        }
        setg(part_.data(), part_.data(), part_.data() + got);
        return traits_type::to_int_type(part_.front());
    }

  private:
    struct Close {
        void operator()(gzFile file) const { gzclose(file); }
    };
    std::unique_ptr<gzFile_s, Close> file_;
    std::vector<char> part_;
    std::atomic<double>* progress_;
    double bytes_ = 0;
    bool broken_ = false;
};

GzipFile::GzipFile(std::string path, std::unique_ptr<Buffer> buffer)
    : path_(std::move(path))
    , buffer_(std::move(buffer))
    , stream_(std::make_unique<std::istream>(buffer_.get())) {}
GzipFile::GzipFile(GzipFile&& other) noexcept = default;
GzipFile& GzipFile::operator=(GzipFile&& other) noexcept = default;
GzipFile::~GzipFile() = default;

Result<GzipFile> GzipFile::open(const std::string& path, const RunControl& control) {
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(path, unknown)) {
        return refuse(std::filesystem::exists(path, unknown)
                          ? fmt::format("{} is a directory; expected a file.", path)
                          : fmt::format("There is no file {}.", path));
    }
    auto buffer = std::make_unique<Buffer>(path, control.progress);
    if (!buffer->opened()) {
        return refuse(fmt::format("{} cannot be read; check its permissions.", path));
    }
    return GzipFile(path, std::move(buffer));
}

std::istream& GzipFile::stream() {
    return *stream_;
}

Result<void> GzipFile::sound() const {
    return buffer_->broken()
               ? Result<void>(refuse(fmt::format(
                     "{} broke off while it was read: its gzip stream is damaged or cut.", path_)))
               : Result<void>();
}

} // namespace meshslice
