#pragma once

#include <string_view>
#include <vector>

namespace meshslice::test {

/// Something that reads what a user or a file gives us. Any bytes may come: it answers with a value or a
/// refusal.
struct Reader {
    const char* name;
    /// Reads; fails an assertion (aborts) where what it read does not survive being written and read again.
    void (*read)(std::string_view input);
    /// Folders of the source tree with inputs to start from.
    std::vector<const char*> seeds;
};

[[nodiscard]] const std::vector<Reader>& readers();

} // namespace meshslice::test
