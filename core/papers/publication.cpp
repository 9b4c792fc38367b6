#include "core/papers/publication.h"

#include "core/base/embedded_resources.h"
#include "core/base/json/json_reader.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/nearest.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

namespace meshslice {
namespace {

constexpr int study_version = 1;
constexpr const char* version_key = "meshslice_study";
constexpr std::array all_claim_kinds = {ClaimKind::utilization, ClaimKind::speed_up, ClaimKind::loss,
                                        ClaimKind::bytes,       ClaimKind::time,     ClaimKind::share,
                                        ClaimKind::count,       ClaimKind::rate};

/// Reads every object of the list under `key`; an id may be used once.
template <class T, class Read>
Result<std::vector<T>> listed_objects(const nlohmann::json& file, const std::string& key,
                                      const std::string& origin, Read read) {
    const auto list = file.find(key);
    if (list == file.end() || !list->is_array()) {
        return refuse(fmt::format("{}: expected a list of objects under \"{}\".", origin, key));
    }
    std::vector<T> all;
    for (std::size_t k = 0; k < list->size(); ++k) {
        JsonReader reader((*list)[k], fmt::format("{}, {} {}", origin, key, k + 1));
        T one = read(reader);
        if constexpr (requires { one.id; }) {
            const bool known = std::ranges::any_of(all, [&](const T& other) { return other.id == one.id; });
            reader.expect(!known, "id", "is used twice");
        }
        reader.no_other_keys();
        if (!reader.ok()) {
            return refuse(*reader.finding());
        }
        all.push_back(std::move(one));
    }
    return all;
}

Claim read_claim(JsonReader& reader) {
    Claim claim{reader.text("id"), reader.text("section"), reader.text("statement"), {}, 0};
    const std::optional<ClaimKind> kind = claim_kind(reader.text("kind"));
    reader.expect(kind.has_value(), "kind", "must be " + claim_kind_names());
    claim.kind = kind.value_or(ClaimKind::utilization);
    claim.value = reader.number("value", 0.0, 1e18);
    return claim;
}

Ordering read_ordering(JsonReader& reader) {
    return {reader.text("id"), reader.text("section"), reader.text("statement")};
}

NotReproduced read_not_reproduced(JsonReader& reader) {
    return {reader.text("section"), reader.text("statement"), reader.text("reason")};
}

} // namespace

std::string_view name(Reading reading) {
    constexpr std::array<std::string_view, 4> names = {"estimated", "simulated", "estimated and simulated",
                                                       "counted"};
    return names[static_cast<std::size_t>(reading)];
}

std::string_view name(ClaimKind kind) {
    constexpr std::array<std::string_view, all_claim_kinds.size()> names = {
        "utilization", "speed-up", "loss", "bytes", "time", "share", "count", "rate"};
    return names[static_cast<std::size_t>(kind)];
}

std::string claim_kind_names() {
    std::string names;
    for (const ClaimKind one : all_claim_kinds) {
        names += names.empty() ? "" : one == all_claim_kinds.back() ? " or " : ", ";
        names += name(one);
    }
    return names;
}

std::optional<ClaimKind> claim_kind(std::string_view called) {
    const auto* const found =
        std::ranges::find(all_claim_kinds, called, [](ClaimKind one) { return name(one); });
    return found == all_claim_kinds.end() ? std::nullopt : std::optional(*found);
}

std::string section_words(const Publication& publication, std::string_view section) {
    const bool several = section.substr(0, section.find(',')).find(" and ") != std::string_view::npos;
    return publication.has_chapters ? (several ? say("chapters {}", section) : say("chapter {}", section))
                                    : (several ? say("sections {}", section) : say("section {}", section));
}

Result<Publication> read_publication(std::string_view json, const std::string& origin) {
    const Result<nlohmann::json> parsed = parse_json(json, origin);
    if (!parsed) {
        return refuse(parsed.error());
    }
    JsonReader file(*parsed, origin);
    const std::int64_t version = file.whole(version_key, 1, std::numeric_limits<std::int32_t>::max());
    file.expect(version <= study_version, version_key,
                fmt::format("is {}, but this program reads files up to version {}", version, study_version));
    Publication published{
        file.text("name"), file.text("title"), file.text("citation"), file.text("source"), {}, {}, {}};
    (void)file.json_text("claims"); // Read one by one below.
    (void)file.json_text("orderings");
    (void)file.json_text("not_reproduced");
    const bool has_chapters = file.has("chapters") && file.flag("chapters");
    file.no_other_keys();
    if (!file.ok()) {
        return refuse(*file.finding());
    }
    auto claims = listed_objects<Claim>(*parsed, "claims", origin, read_claim);
    if (!claims) {
        return refuse(claims.error());
    }
    auto orderings = listed_objects<Ordering>(*parsed, "orderings", origin, read_ordering);
    if (!orderings) {
        return refuse(orderings.error());
    }
    auto not_reproduced =
        listed_objects<NotReproduced>(*parsed, "not_reproduced", origin, read_not_reproduced);
    if (!not_reproduced) {
        return refuse(not_reproduced.error());
    }
    published.has_chapters = has_chapters;
    published.not_reproduced = std::move(*not_reproduced);
    published.claims = std::move(*claims);
    published.orderings = std::move(*orderings);
    return published;
}

Result<const Publication*> publication(std::string_view name) {
    static const std::vector<Publication> all = [] {
        std::vector<Publication> publications;
        for (const EmbeddedFile& file : embedded_studies()) {
            if (file.name.find('/') != std::string_view::npos) {
                continue; // a study of the publication that its folder is named after
            }
            auto read = read_publication(file.text, std::string(file.name));
            assert(read && "the publications that come with the program must be readable");
            if (read) {
                publications.push_back(std::move(*read));
            }
        }
        return publications;
    }();
    std::vector<std::string> names;
    for (const Publication& one : all) {
        if (one.name == name) {
            return &one;
        }
        names.push_back(one.name);
    }
    return refuse(
        fmt::format("There is no publication \"{}\"; {}", shortened(name), suggestion(name, names)));
}

ClaimOutcome outcome(const Publication& publication, const std::string& id, double ours, Reading reading) {
    const std::vector<Claim>& claims = publication.claims;
    const auto claim = std::ranges::find(claims, id, &Claim::id);
    return {id, claim == claims.end() ? std::nullopt : std::optional(claim->value), ours, reading};
}

std::string claim_text(ClaimKind kind, double value) {
    switch (kind) {
    case ClaimKind::utilization:
    case ClaimKind::loss:
    case ClaimKind::share: return fmt::format("{:.1f}%", 100 * value);
    case ClaimKind::speed_up: return fmt::format("{:.3f}x", value);
    case ClaimKind::bytes: return si_text(value, "B");
    case ClaimKind::time: return si_text(value, "s");
    case ClaimKind::count: return value < 1000 ? fmt::format("{:.4g}", value) : fmt::format("{:.0f}", value);
    case ClaimKind::rate: return si_text(value, "B/s");
    }
    return {};
}

} // namespace meshslice
