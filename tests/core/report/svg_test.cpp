#include "core/report/study_svg.h"
#include "core/report/svg.h"

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <gmock/gmock.h>

#include <set>
#include <sstream>

namespace meshslice {
namespace {

using boost::property_tree::ptree;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

/// Refuses what is no XML: read_xml throws.
ptree read(const std::string& xml) {
    std::istringstream stream(xml);
    ptree tree;
    boost::property_tree::read_xml(stream, tree);
    return tree;
}

/// The texts of all elements of a name, in their order.
void collect(const ptree& tree, const std::string& name, std::vector<std::string>& found) {
    for (const auto& [key, child] : tree) {
        if (key == name) {
            found.push_back(child.data());
        }
        collect(child, name, found);
    }
}

std::vector<std::string> all(const std::string& xml, const std::string& name) {
    std::vector<std::string> found;
    collect(read(xml), name, found);
    return found;
}

TEST(XmlText, EscapesMarkup) {
    EXPECT_EQ(xml_text("a < b & \"c\" > 'd'"), "a &lt; b &amp; &quot;c&quot; &gt; &apos;d&apos;");
    EXPECT_EQ(xml_text("49.9\u2009\u00b5s"), "49.9\u2009\u00b5s");
}

/// Control characters, a byte that begins nothing, a character cut off, one written too long, a surrogate.
TEST(XmlText, ReplacesWhatXmlCannotHold) {
    EXPECT_EQ(xml_text("a\x01z"), "a\ufffdz");
    EXPECT_EQ(xml_text("a\xFFz"), "a\ufffdz");
    EXPECT_EQ(xml_text("a\xC3"), "a\ufffd");
    EXPECT_EQ(xml_text("\xC0\xAF"), "\ufffd\ufffd");
    EXPECT_EQ(xml_text("\xED\xA0\x80"), "\ufffd\ufffd\ufffd");
    EXPECT_EQ(xml_text("\xF0\x9F\x98\x80"), "\xF0\x9F\x98\x80");
}

/// Letters of 10 pixels have their base line 3.6 pixels below their middle.
TEST(Svg, WritesShapesByHand) {
    Svg svg(100, 50, "T", "D", {255, 255, 255});
    svg.rectangle({1, 2.5, 3, 4}, {{0, 114, 178}});
    svg.circle({0, 0, 9, 9}, {{26, 26, 26}, false, 1.5, "a & b"});
    svg.polygon({{0, 0}, {1.333, 0}, {-0.001, 1}}, {{1, 2, 3}});
    svg.line({0, 1}, {2, 3}, {230, 230, 230}, 1);
    svg.text({5, 10}, Anchor::end, "1 < 2", {10, true}, {0, 0, 0});
    svg.text({5, 10}, Anchor::middle, "up", {10, false}, {0, 0, 0}, true);
    const std::string xml = svg.document();
    EXPECT_THAT(xml, HasSubstr("width=\"100\" height=\"50\" viewBox=\"0 0 100 50\""));
    EXPECT_THAT(xml, HasSubstr("<rect x=\"1\" y=\"2.5\" width=\"3\" height=\"4\" fill=\"#0072b2\"/>"));
    EXPECT_THAT(xml, HasSubstr("<circle cx=\"4.5\" cy=\"4.5\" r=\"4.5\" fill=\"none\" stroke=\"#1a1a1a\" "
                               "stroke-width=\"1.5\"><title>a &amp; b</title></circle>"));
    EXPECT_THAT(xml, HasSubstr("<polygon points=\"0,0 1.33,0 0,1\" fill=\"#010203\"/>"));
    EXPECT_THAT(xml, HasSubstr("<line x1=\"0\" y1=\"1\" x2=\"2\" y2=\"3\" stroke=\"#e6e6e6\""));
    EXPECT_THAT(xml, HasSubstr("<text x=\"5\" y=\"13.6\" font-size=\"10\" font-weight=\"bold\" "
                               "text-anchor=\"end\" fill=\"#000000\">1 &lt; 2</text>"));
    EXPECT_THAT(xml, HasSubstr("transform=\"rotate(-90 8.6 10)\""));
    EXPECT_THAT(all(xml, "text"), ElementsAre("1 < 2", "up"));
    EXPECT_THAT(all(xml, "title"), ElementsAre("T", "a & b"));
}

/// Every study's picture is XML, names its finding, its panels, series, categories and axes, and the same
/// answer gives the same bytes.
TEST(StudySvg, NamesEverythingThatItDraws) {
    const StudyInputs inputs = paper_inputs(*hardware_preset("tpu-v4-paper"));
    for (const Study& study : studies()) {
        const auto result = run_study(study, inputs);
        ASSERT_TRUE(result) << study.id;
        const std::string svg = study_svg(study, *result);
        EXPECT_EQ(svg, study_svg(study, *result)) << study.id;
        EXPECT_EQ(all(svg, "title").front(), result->finding) << study.id;
        std::string said;
        for (const std::string& text : all(svg, "text")) {
            said += text + " ";
        }
        std::set<std::string> titles;
        for (const std::string& text : all(svg, "title")) {
            titles.insert(text.substr(0, text.rfind(": ")));
        }
        for (const Panel& panel : result->panels) {
            EXPECT_THAT(said, HasSubstr(panel.title)) << study.id;
            EXPECT_THAT(said, HasSubstr(panel.category_name)) << study.id;
            EXPECT_THAT(said, HasSubstr(panel.value_name)) << study.id;
            for (const std::string& category : panel.categories) {
                EXPECT_THAT(said, HasSubstr(category)) << study.id;
            }
            for (const Series& series : panel.series) {
                EXPECT_THAT(said, HasSubstr(series.name)) << study.id;
                for (std::size_t k = 0; k < panel.categories.size(); ++k) {
                    const std::string mark = series.name + ", " + panel.categories[k];
                    EXPECT_EQ(titles.count(mark), series.values[k] ? 1u : 0u) << study.id << ' ' << mark;
                }
            }
        }
        EXPECT_THAT(said, Not(HasSubstr("\u2026"))) << study.id << ": there is room for all words";
    }
}

/// Where a text of the picture stands; of a turned one, which reads upward, too.
struct WrittenText {
    std::string words;
    Box place;
};

std::vector<WrittenText> written_texts(const std::string& svg) {
    std::vector<WrittenText> texts;
    const ptree tree = read(svg);
    for (const auto& [name, child] : tree.get_child("svg")) {
        if (name != "text") {
            continue;
        }
        const auto attribute = [&, &element = child](const char* of) {
            return element.get<std::string>(std::string("<xmlattr>.") + of, "");
        };
        const Letters letters{std::stod(attribute("font-size")), attribute("font-weight") == "bold"};
        const double width = dejavu_width(child.data(), letters);
        const std::string anchor = attribute("text-anchor");
        const double before = anchor == "end" ? width : anchor == "middle" ? width / 2 : 0;
        const double x = std::stod(attribute("x"));
        const double y = std::stod(attribute("y"));
        // From the top of the capitals to the base line.
        const double height = 0.73 * letters.pixels;
        texts.push_back({child.data(), attribute("transform").empty()
                                           ? Box{x - before, y - height, width, height}
                                           : Box{x - height, y - width + before, height, width}});
    }
    return texts;
}

/// On the paper's hardware and on another, about its models and about another: no text lies on another one or
/// leaves the picture.
TEST(StudySvg, LaysNoTextOnAnother) {
    StudyInputs others = paper_inputs(*hardware_preset("tpu-v5e"));
    others.models = {*model_preset("llama-3-8b")};
    for (const StudyInputs& inputs : {paper_inputs(*hardware_preset("tpu-v4-paper")), others}) {
        for (const Study& study : studies()) {
            const auto result = run_study(study, inputs);
            ASSERT_TRUE(result) << study.id;
            const std::string svg = study_svg(study, *result);
            const double height = read(svg).get<double>("svg.<xmlattr>.height");
            const std::vector<WrittenText> texts = written_texts(svg);
            EXPECT_GT(texts.size(), 10u) << study.id;
            for (std::size_t a = 0; a < texts.size(); ++a) {
                const Box& place = texts[a].place;
                EXPECT_TRUE(place.left >= 0 && place.right() <= 1000 && place.top >= 0 &&
                            place.bottom() <= height)
                    << study.id << ": " << texts[a].words;
                for (std::size_t b = 0; b < a; ++b) {
                    EXPECT_FALSE(place.intersects(texts[b].place))
                        << study.id << ": " << texts[a].words << " on " << texts[b].words;
                }
            }
        }
    }
}

/// A title that would be markup, a category that does not run and a published value.
TEST(StudySvg, DrawsWhatIsSpecial) {
    StudyResult result;
    result.finding = "5 < 6 & true";
    result.panels = {{"P",
                      "algorithm",
                      {"a", "b"},
                      "share",
                      PanelUnit::share,
                      false,
                      {{"ours", {0.5, std::nullopt}, {0.6, std::nullopt}}}}};
    const std::string svg = study_svg(studies().front(), result);
    EXPECT_EQ(all(svg, "title").front(), "5 < 6 & true");
    EXPECT_THAT(all(svg, "text"), IsSupersetOf({"5 < 6 & true", "does not run", "solid: ours",
                                                "hollow: the paper's (MeshSlice, ISCA 2025)"}));
    EXPECT_THAT(all(svg, "title"), IsSupersetOf({"ours, a: 50.0%", "ours, a: 60.0%, the paper's"}));
    EXPECT_THAT(svg, HasSubstr("fill=\"none\""));
}

} // namespace
} // namespace meshslice
