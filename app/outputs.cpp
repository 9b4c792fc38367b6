#include "app/outputs.h"

#include "core/base/json/json_reader.h"
#include "core/base/quantity.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <ios>
#include <unistd.h>
#include <utility>

namespace meshslice {
namespace {

constexpr std::int64_t much_text = 10'000'000; ///< bytes: said before they are written

} // namespace

Result<std::string> input_text(const std::string& path) {
    if (path != standard_stream) {
        return read_text_file(path);
    }
    static const Result<std::string> text = read_text_file("/dev/stdin"); // A pipe is read only once.
    return text;
}

Result<void> Outputs::open(const std::string& path) {
    return (path == standard_stream ? OutputFile::on(STDOUT_FILENO, "The standard output")
                                    : OutputFile::open(path))
        .map([&](OutputFile file) {
            paths_.push_back(path);
            files_.push_back(std::move(file));
        });
}

Result<void> Outputs::write(const std::string& path, std::int64_t about_bytes, const Write& write) {
    const auto opened = std::ranges::find(paths_, path);
    if (opened == paths_.end()) {
        return open(path).and_then([&] { return this->write(path, about_bytes, write); });
    }
    OutputFile& file = files_[static_cast<std::size_t>(opened - paths_.begin())];
    if (about_bytes > much_text && tell_) {
        tell_(fmt::format("{} will have about {}.", path, text(Bytes(about_bytes))));
    }
    progress_.says(fmt::format("Writing {}", path));
    file.watch([&](std::int64_t bytes) {
        if (about_bytes > 0) {
            progress_.share()->store(
                std::min(0.99, static_cast<double>(bytes) / static_cast<double>(about_bytes)));
        }
        return true;
    });
    const Result<void> written = write(file.stream());
    file.watch({});
    return written.and_then([&] { return file.finish(); });
}

Result<void> Outputs::put() {
    for (OutputFile& file : files_) {
        if (const Result<void> done = file.put(); !done) {
            return done;
        }
    }
    return {};
}

} // namespace meshslice
