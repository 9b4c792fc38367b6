#include "core/scenario/examples.h"

#include "core/base/embedded_resources.h"
#include "core/base/language.h"
#include "core/base/say.h"
#include "core/base/text/parse.h"
#include "core/base/text/sections.h"

#include <algorithm>
#include <cassert>

namespace meshslice {

const std::vector<ExampleProject>& example_projects() {
    static const std::vector<ExampleProject> all = [] {
        std::string_view text = document_in_language("examples");
        for (const EmbeddedFile& file : embedded_docs()) {
            text = text.empty() && file.name == "examples.md" ? file.text : text;
        }
        const std::vector<Section> points = sections(text);
        std::vector<ExampleProject> examples;
        for (const EmbeddedFile& file : embedded_examples()) {
            auto project = read_project(file.text, std::string(file.name));
            assert(project && "the examples that come with the program must be readable");
            if (!project) {
                continue;
            }
            ExampleProject one{std::string(file.name), {}, *std::move(project)};
            if (const auto point = std::ranges::find(points, one.file, &Section::title);
                point != points.end()) {
                for (const std::string& line : point->lines) {
                    one.point += (one.point.empty() ? std::string() : said(" ")) + line;
                }
            }
            examples.push_back(std::move(one));
        }
        return examples;
    }();
    return all;
}

bool is_example(std::string_view file, std::string_view text) {
    return std::ranges::any_of(embedded_examples(),
                               [&](const EmbeddedFile& one) { return one.name == file && one.text == text; });
}

std::string shown_name(const std::string& variant) {
    constexpr std::string_view numbered = "Variant ";
    if ((variant.starts_with("A (") || variant.starts_with("B (")) && variant.ends_with(')')) {
        return variant.substr(0, 3) + shown_name(variant.substr(3, variant.size() - 4)) + ")";
    }
    if (variant.starts_with(numbered)) {
        const Result<std::int64_t> number = parse_whole(variant.substr(numbered.size()));
        return number ? say("Variant {}", *number) : variant;
    }
    const bool known = std::ranges::any_of(example_projects(), [&](const ExampleProject& example) {
        return std::ranges::find(example.project.variants, variant, &Variant::name) !=
               example.project.variants.end();
    });
    return known ? said(variant) : variant;
}

} // namespace meshslice
