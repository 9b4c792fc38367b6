#include "core/papers/catalogue/studies.h"

#include "core/base/listing.h"
#include "core/base/text.h"
#include "core/papers/meshslice/studies.h"
#include "core/papers/selene/studies.h"
#include "core/papers/t3/studies.h"
#include "core/papers/transformers/studies.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace meshslice {

const std::vector<Study>& studies() {
    static const std::vector<Study> all = {
#define STUDY(name) name##_study,
#include "core/papers/meshslice/studies.def"
#include "core/papers/selene/studies.def"
#include "core/papers/t3/studies.def"
#include "core/papers/transformers/studies.def"
#undef STUDY
    };
    return all;
}

Result<const Study*> study(std::string_view id) {
    std::vector<std::string> publications;
    std::string ids;
    for (const Study& one : studies()) {
        if (one.id == id) {
            return &one;
        }
        const std::string& its = one.publication().name;
        if (std::ranges::find(publications, its) == publications.end()) {
            publications.push_back(its);
        }
        ids += fmt::format("{}{}", ids.empty() ? "" : ", ", one.id);
    }
    return refuse(fmt::format("There is no study called \"{}\"; there are those of {}, or all, or one of {}.",
                              shortened(id), listed(publications), ids));
}

} // namespace meshslice
