#include "app/output_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

namespace meshslice {
namespace {

namespace fs = std::filesystem;

bool written_whole(const fs::path& path, const std::function<void(std::ostream&)>& write) {
    std::ofstream stream(path, std::ios::binary);
    if (stream) {
        write(stream);
        stream.close();
    }
    return static_cast<bool>(stream);
}

} // namespace

Result<void> write_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
    std::error_code failure;
    const fs::file_status status = fs::status(path, failure); // of what a symbolic link points to
    bool written = false;
    if (fs::is_other(status)) {
        written = written_whole(path, write); // renaming over a device would replace it
    } else if (!fs::is_directory(status)) {
        // A symbolic link stays one: the file that it points to is replaced.
        const fs::path place = fs::is_symlink(fs::symlink_status(path, failure)) && fs::exists(status)
                                   ? fs::canonical(path, failure)
                                   : fs::path(path);
        fs::path part = place;
        part += ".part";
        written = written_whole(part, write);
        failure.clear();
        if (written) {
            fs::rename(part, place, failure);
        }
        if (!written || failure) {
            written = false;
            std::error_code ignored;
            fs::remove(part, ignored);
        }
    }
    if (!written) {
        return refuse(
            fmt::format("{} cannot be written; a file name in a folder that exists and may be written to "
                        "was expected.",
                        path));
    }
    return {};
}

} // namespace meshslice
