#include "core/question/catalogue/study/studies.h"

#include "core/base/embedded_resources.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/base/text/nearest.h"
#include "core/papers/meshslice/studies.h"
#include "core/papers/selene/studies.h"
#include "core/papers/t3/studies.h"
#include "core/papers/transformers/studies.h"
#include "core/question/catalogue/study/file_studies.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace meshslice {

namespace {

/// Those that are written in C++.
const std::vector<Study>& compiled_studies() {
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

} // namespace

const std::vector<Study>& studies() {
    static const std::vector<Study> all = [] {
        std::vector<Study> some = compiled_studies();
        some.insert(some.end(), file_studies().begin(), file_studies().end());
        return some;
    }();
    return all;
}

std::vector<StudyName> study_names() {
    std::vector<StudyName> names;
    for (const Study& one : compiled_studies()) {
        names.push_back({one.publication().name, std::string(one.id)});
    }
    for (const EmbeddedFile& file : embedded_studies()) {
        const std::size_t slash = file.name.find('/');
        if (slash != std::string_view::npos) {
            const std::string_view own = file.name.substr(slash + 1);
            names.push_back(
                {std::string(file.name.substr(0, slash)), std::string(own.substr(0, own.find('.')))});
        }
    }
    return names;
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
