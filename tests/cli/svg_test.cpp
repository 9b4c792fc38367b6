// The picture of every command that has one: a file of well-formed XML that holds what is drawn.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshslice::test {
namespace {

using testing::HasSubstr;
using testing::Not;

bool is_name(std::string_view name) {
    return !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                   "0123456789-:_") == std::string_view::npos;
}

/// Whether the text holds one entity of XML where each & stands, and no <.
bool is_character_data(std::string_view text) {
    for (std::size_t at = text.find('&'); at != std::string_view::npos; at = text.find('&', at + 1)) {
        bool known = false;
        for (const char* entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#"}) {
            known = known || text.substr(at).starts_with(entity);
        }
        if (!known) {
            return false;
        }
    }
    return text.find('<') == std::string_view::npos;
}

/// What is wrong with it as XML: tags that do not nest, attributes without quotes, loose & and <. Empty where
/// nothing is.
std::string fault_of(std::string_view xml) {
    std::vector<std::string> open;
    std::size_t roots = 0;
    while (!xml.empty()) {
        const std::size_t tag = xml.find('<');
        const std::string_view between = xml.substr(0, tag);
        if (!is_character_data(between) ||
            (open.empty() && between.find_first_not_of(" \n") != std::string_view::npos)) {
            return "text: " + std::string(between);
        }
        if (tag == std::string_view::npos) {
            break;
        }
        const std::size_t end = xml.find('>', tag);
        if (end == std::string_view::npos) {
            return "a tag without an end";
        }
        std::string_view inside = xml.substr(tag + 1, end - tag - 1);
        xml.remove_prefix(end + 1);
        if (inside.starts_with('?')) {
            continue;
        }
        if (inside.starts_with('/')) {
            if (open.empty() || open.back() != inside.substr(1)) {
                return "</" + std::string(inside.substr(1)) + ">";
            }
            open.pop_back();
            continue;
        }
        const bool closed = inside.ends_with('/');
        inside.remove_suffix(closed ? 1 : 0);
        const std::string name(inside.substr(0, inside.find_first_of(" \n")));
        inside.remove_prefix(name.size());
        for (inside.remove_prefix(std::min(inside.find_first_not_of(" \n"), inside.size())); !inside.empty();
             inside.remove_prefix(std::min(inside.find_first_not_of(" \n"), inside.size()))) {
            const std::size_t equals = inside.find("=\"");
            const std::size_t quote =
                equals == std::string_view::npos ? equals : inside.find('"', equals + 2);
            if (quote == std::string_view::npos || !is_name(inside.substr(0, equals)) ||
                !is_character_data(inside.substr(equals + 2, quote - equals - 2))) {
                return "<" + name + " " + std::string(inside);
            }
            inside.remove_prefix(quote + 1);
        }
        roots += open.empty() ? 1 : 0;
        if (!is_name(name)) {
            return "<" + name;
        }
        if (!closed) {
            open.push_back(name);
        }
    }
    return open.empty() && roots == 1 ? "" : "its elements do not end";
}

TEST(CliSvgXml, ThisTestFindsWhatIsNotXml) {
    EXPECT_EQ(fault_of("<?xml version=\"1.0\"?>\n<a b=\"1 &amp; 2\">x &lt; y<c/></a>\n"), "");
    for (const char* wrong :
         {"<a>", "<a><b></a></b>", "<a>x & y</a>", "<a b=1/>", "<a b=\"<\"/>", "<a/><b/>", "x"}) {
        EXPECT_NE(fault_of(wrong), "") << wrong;
    }
}

struct Drawn {
    std::vector<std::string> arguments;
    std::vector<std::string> names; ///< that the picture holds
};

class CliSvg : public testing::TestWithParam<Drawn> {};

TEST_P(CliSvg, IsWellFormedAndHoldsTheNames) {
    const TemporaryFolder folder;
    std::vector<std::string> arguments = GetParam().arguments;
    const std::string without = printed(arguments);
    arguments.insert(arguments.end(), {"--svg", folder.path("picture.svg")});
    EXPECT_EQ(printed(arguments), without) << "what is printed is the same";
    const std::string svg = file_content(folder.path("picture.svg"));
    EXPECT_EQ(fault_of(svg), "");
    EXPECT_THAT(svg, HasSubstr("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    for (const std::string& name : GetParam().names) {
        EXPECT_TRUE(svg.find(">" + name) != std::string::npos)
            << name << ", as a text or the beginning of one";
    }
}

INSTANTIATE_TEST_SUITE_P(
    EveryCommand, CliSvg,
    testing::Values(
        Drawn{{"simulate", "--gemm", "1024x1024x1024", "--mesh", "4x4"}, {"time on one chip"}},
        Drawn{{"simulate", "--model", "llama-3-8b", "--machine", "tpu-v5e", "--mesh", "4x4", "--batch", "16",
               "--compare", "collective"},
              {"time on one chip", "QKV forward", "FF1 forward"}},
        Drawn{{"estimate", "--model", "llama-3-8b", "--machine", "tpu-v5e", "--mesh", "4x4", "--batch", "16"},
              {"time on one chip", "QKV forward", "FF1 forward"}},
        Drawn{{"tune", "--gemm", "1024x1024x1024", "--mesh", "4x4"}, {"Mesh", "4x4", "MeshSlice"}},
        Drawn{{"tune", "--model", "llama-3-8b", "--machine", "tpu-v5e", "--chips", "16", "--batch", "16"},
              {"Mesh", "4x4", "2x8", "8x2", "MeshSlice"}},
        Drawn{{"plan", "--model", "llama-3-8b", "--machine", "h100-nvs8", "--chips", "16", "--batch", "16"},
              {"expected time of a step", "compute", "1D: dp 16 x pp 1"}},
        Drawn{{"plan", "--model", "llama-3-8b", "--machine", "h100-nvs8", "--batch", "16", "--dp", "16",
               "--pp", "1", "--tp", "1x1"},
              {"expected time of a step"}},
        Drawn{{"sweep", "--gemm", "1024x1024x1024", "--vary", "mesh=4x4,2x8"}, {"4x4", "2x8"}},
        Drawn{{"roofline", "--gemm", "128x8192x32768"}, {"HBM"}},
        Drawn{{"collective", "all-gather", "--bytes", "34 MB", "--axes", "X=16"}, {"34.0", "formula"}},
        Drawn{{"transfer", "--slice", "X=4,Y=4", "--from", "0,0", "--to", "3,3", "--bytes", "17e6"},
              {"way 1", "links"}},
        Drawn{{"reproduce", "dataflows"}, {}}));

/// A model's name with what XML gives a meaning to.
TEST(CliSvgNames, AreEscaped) {
    const TemporaryFolder folder;
    std::string model = printed({"presets", "llama-3-8b"});
    const std::string title = "\"title\": \"Llama 3 8B\"";
    ASSERT_NE(model.find(title), std::string::npos) << model;
    model.replace(model.find(title), title.size(), "\"title\": \"A<b> & 'c' \\\"d\\\"\"");
    const std::string file = folder.file("model.json", model);
    const std::string svg = folder.path("picture.svg");
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"estimate", "--model", file, "--machine", "tpu-v5e", "--mesh", "4x4",
                                   "--svg", svg},
          {"sweep", "--model", file, "--vary", "batch=128,256", "--svg", svg},
          {"plan", "--model", file, "--machine", "h100-nvs8", "--chips", "16", "--batch", "16", "--svg",
           svg}}) {
        (void)printed(arguments);
        EXPECT_EQ(fault_of(file_content(svg)), "") << arguments.front();
        EXPECT_THAT(file_content(svg), Not(HasSubstr("A<b>"))) << arguments.front();
    }
}

TEST(CliSvgFlag, IsRefusedWhereThereIsNoPicture) {
    const TemporaryFolder folder;
    const std::string svg = folder.path("picture.svg");
    for (const auto& [arguments, words] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"reproduce", "--svg", svg}, "name one, or use --out DIR"},
             {{"reproduce", "mesh-shapes", "--fit", "--svg", svg}, "no effect with --fit"},
             {{"transfer", "--machine", "tpu-v5p", "--slice", "X=16,Y=16,Z=4", "--from", "0,0,0", "--to",
               "3,3,3", "--bytes", "17e6", "--svg", svg},
              "this answer has no picture"}}) {
        const Finished finished = meshslice_command(arguments);
        EXPECT_EQ(finished.exit_code, 2);
        EXPECT_THAT(finished.err, HasSubstr(words));
        EXPECT_EQ(folder.names(), std::vector<std::string>());
    }
}

} // namespace
} // namespace meshslice::test
