#include "core/papers/catalogue/studies.h"

#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/base/text/nearest.h"
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
    std::vector<std::string> ids = {"all"};
    for (const Study& one : studies()) {
        if (one.id == id) {
            return &one;
        }
        const std::string& its = one.publication().name;
        if (std::ranges::find(publications, its) == publications.end()) {
            publications.push_back(its);
        }
        ids.emplace_back(one.id);
    }
    ids.insert(ids.end(), publications.begin(), publications.end());
    return refuse(fmt::format("There is no study \"{}\"; {}", shortened(id), suggestion(id, ids)));
}

} // namespace meshslice
