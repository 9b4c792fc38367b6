#include "app/arguments/version.h"

#include <meshslice_commit.h> // made by app/commit.cmake

namespace meshslice {

std::string version_text(const std::string& program) {
    const std::string commit = MESHSLICE_COMMIT;
    return program + " " + MESHSLICE_VERSION + (commit.empty() ? "" : " (commit " + commit + ")");
}

} // namespace meshslice
