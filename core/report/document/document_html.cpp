#include "core/report/chart/svg/chart_svg.h"
#include "core/report/chart/svg/palette.h"
#include "core/report/chart/svg/svg_text.h"
#include "core/report/document/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace meshslice {
namespace {

constexpr std::string_view style = R"(
:root { --ground: #ffffff; --card: #f6f7f9; --line: #d5d9df; --text: #16191d; --quiet: #5a626d; --accent: #0a5fa8;
  --warning: #fff3d6; --warning-line: #c77d00; }
@media (prefers-color-scheme: dark) { :root { --ground: #14171b; --card: #1d2126; --line: #383f48; --text: #e9ecf0;
  --quiet: #a3acb8; --accent: #7cb9f2; --warning: #3a2f14; --warning-line: #d79a2b; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); line-height: 1.5;
  font: 16px/1.5 system-ui, "Segoe UI", "Noto Sans", "Noto Sans CJK SC", sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
.kind { color: var(--quiet); margin: 0; font-size: .875rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .2rem 0 .8rem; }
h2 { font-size: 1.2rem; margin: 2.4rem 0 .6rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); }
.number { font-size: 2.6rem; font-weight: 650; line-height: 1.1; margin: 0; font-variant-numeric: tabular-nums; }
.answer { font-size: 1.1rem; margin: .4rem 0 0; }
.warns { background: var(--warning); border-left: 4px solid var(--warning-line); padding: .5rem .9rem; margin: .8rem 0; }
.warns p { margin: .2rem 0; }
.wide { overflow-x: auto; margin: .8rem 0; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--quiet); padding-bottom: .3rem; }
th, td { padding: .25rem .9rem .25rem 0; text-align: right; vertical-align: top; border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
th.words, td.words { text-align: left; }
td { white-space: nowrap; } td.words { white-space: normal; min-width: 5rem; }
td.marked { font-weight: 700; background: var(--warning); box-shadow: inset 3px 0 0 var(--warning-line); padding-left: .5rem; }
.how { margin: -.5rem 0 .8rem; color: var(--quiet); }
.bar { display: flex; height: 1.6rem; border-radius: 4px; overflow: hidden; margin: .4rem 0 .6rem; }
.bar i { display: block; min-width: 1px; }
.swatch { display: inline-block; width: .75rem; height: .75rem; border-radius: 2px; margin-right: .5rem; }
figure { margin: 1rem 0; padding: .5rem; border: 1px solid var(--line); border-radius: 6px; overflow-x: auto; }
figure svg { display: block; width: 100%; height: auto; }
figure svg.narrow { display: none; width: auto; max-width: none; }
@media screen and (max-width: 600px) { figure svg { display: none; } figure svg.narrow { display: block; }
  main { padding: 1rem .8rem 3rem; } h1 { font-size: 1.3rem; } .number { font-size: 2.1rem; } }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .8rem; overflow-x: auto;
  font-size: .82rem; line-height: 1.4; }
summary { cursor: pointer; color: var(--accent); }
footer { margin-top: 3rem; color: var(--quiet); font-size: .85rem; }
@media print { :root { --ground: #ffffff; --card: #f6f7f9; --line: #c8ccd2; --text: #000000; --quiet: #444444;
    --warning: #ffffff; }
  body { font-size: 10.5pt; } main { max-width: none; padding: 0; }
  figure, table, .bar { break-inside: avoid; } h2 { break-after: avoid; } pre { white-space: pre-wrap; } }
)";

constexpr double page_width = 920; ///< pixels of a picture on a screen

/// Pictures are drawn for light; in the dark each role has its other colour.
std::string dark_pictures() {
    std::string rules;
    std::vector<std::string> light;
    for (std::size_t k = 0; k <= static_cast<std::size_t>(Role::quietText); ++k) {
        const auto role = static_cast<Role>(k);
        const std::string from = hex(rgb(role, Theme::light)), to = hex(rgb(role, Theme::dark));
        if (std::ranges::find(light, from) == light.end()) { // two roles may look alike
            light.push_back(from);
            rules += fmt::format(
                "  svg [fill=\"{0}\"] {{ fill: {1}; }} svg [stroke=\"{0}\"] {{ stroke: {1}; }}\n", from, to);
        }
    }
    return "@media screen and (prefers-color-scheme: dark) {\n" + rules + "}\n";
}

/// A block as HTML; appended to what there is.
class HtmlBlock {
  public:
    explicit HtmlBlock(std::string& page) : page_(page) {}

    void operator()(const DocumentText& text) const {
        page_ += text.warns ? "<div class=\"warns\">\n" : "";
        for (const std::string& one : text.paragraphs) {
            page_ += fmt::format("<p>{}</p>\n", xml_text(one));
        }
        page_ += text.warns ? "</div>\n" : "";
    }

    void operator()(const DocumentList& list) const {
        const std::string_view tag = list.numbered ? "ol" : "ul";
        page_ += fmt::format("<{}>\n", tag);
        for (const std::string& one : list.items) {
            page_ += fmt::format("<li>{}</li>\n", xml_text(one));
        }
        page_ += fmt::format("</{}>\n", tag);
    }

    void operator()(const DocumentTable& table) const {
        page_ += "<div class=\"wide\"><table>\n";
        if (!table.caption.empty()) {
            page_ += fmt::format("<caption>{}</caption>\n", xml_text(table.caption));
        }
        if (!table.columns.empty()) {
            row(table.columns, "th", table, {});
        }
        for (std::size_t k = 0; k < table.rows.size(); ++k) {
            row(table.rows[k], "td", table, k);
        }
        page_ += "</table></div>\n";
        for (const std::string& note : table.notes) {
            page_ += fmt::format("<p class=\"kind\">{}</p>\n", xml_text(note));
        }
    }

    void operator()(const DocumentBar& bar) const {
        page_ += bar.caption.empty() ? "" : fmt::format("<p>{}</p>\n", xml_text(bar.caption));
        page_ += fmt::format("<div class=\"bar\" role=\"img\" aria-label=\"{}\"{}>", xml_text(bar.caption),
                             bar.length < 1 ? fmt::format(" style=\"width:{:.3f}%\"", 100 * bar.length) : "");
        for (const DocumentBar::Part& part : bar.parts) {
            page_ += fmt::format("<i style=\"width:{:.3f}%;background:{}\" title=\"{}: {}\"></i>",
                                 100 * part.share, hex(rgb(part.role, Theme::light)), xml_text(part.name),
                                 xml_text(part.amount));
        }
        page_ += "</div>\n<div class=\"wide\"><table>\n";
        for (const DocumentBar::Part& part : bar.parts) {
            page_ +=
                fmt::format("<tr><td class=\"words\"><span class=\"swatch\" style=\"background:{}\"></span>"
                            "{}</td><td>{}</td><td>{:.1f}%</td></tr>\n",
                            hex(rgb(part.role, Theme::light)), xml_text(part.name), xml_text(part.amount),
                            100 * part.share);
        }
        page_ += "</table></div>\n";
    }

    void operator()(const Chart& chart) const {
        page_ += "<figure>\n" + picture(chart, page_width, {}) +
                 picture(chart, narrow_width(chart), "narrow") + "</figure>\n";
    }

    void operator()(const DocumentCode& code) const {
        const std::string lines = fmt::format("<pre>{}</pre>\n", xml_text(code.lines));
        page_ += code.summary.empty() ? lines
                                      : fmt::format("<details><summary>{}</summary>\n{}</details>\n",
                                                    xml_text(code.summary), lines);
    }

  private:
    /// So wide that its letters are as large as they are meant to be.
    static std::string picture(const Chart& chart, double width, std::string_view as) {
        std::string svg = chart_svg(chart, chart.title, width);
        svg.erase(0, svg.find("<svg") + 4); // without the line that only a file begins with
        if (as.empty()) {
            return "<svg" + svg;
        }
        // A pattern of a picture that is not shown draws nothing: each kind of picture has its own.
        for (std::size_t at = svg.find("hatch\""); at != std::string::npos;
             at = svg.find("hatch\"", at + 1)) {
            svg.replace(at, 6, "narrow-hatch\"");
            at += 7;
        }
        for (std::size_t at = svg.find("#hatch)"); at != std::string::npos;
             at = svg.find("#hatch)", at + 1)) {
            svg.replace(at, 7, "#narrow-hatch)");
        }
        return fmt::format("<svg class=\"{}\"", as) + svg;
    }
    /// `place`: of a row below the heads.
    void row(const std::vector<std::string>& cells, std::string_view tag, const DocumentTable& table,
             std::optional<std::size_t> place) const {
        page_ += "<tr>";
        for (std::size_t k = 0; k < cells.size(); ++k) {
            const bool marked = place && table.marks(*place, k);
            const char* as = table.is_left(k) && marked ? " class=\"words marked\""
                             : table.is_left(k)         ? " class=\"words\""
                             : marked                   ? " class=\"marked\""
                                                        : "";
            page_ += fmt::format("<{0}{1}>{2}</{0}>", tag, as, xml_text(cells[k]));
        }
        page_ += "</tr>\n";
    }

    std::string& page_;
};

} // namespace

std::string html(const Document& document) {
    std::string page = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n",
        xml_text(document.language), xml_text(document.title), std::string(style) + dark_pictures());
    page += fmt::format("<p class=\"kind\">{}</p>\n<h1>{}</h1>\n", xml_text(document.kind),
                        xml_text(document.title));
    page += document.how.empty() ? "" : fmt::format("<p class=\"how\">{}</p>\n", xml_text(document.how));
    if (!document.warnings.empty()) {
        const HtmlBlock block(page);
        block(DocumentText{document.warnings, true});
    }
    page +=
        document.number.empty() ? "" : fmt::format("<p class=\"number\">{}</p>\n", xml_text(document.number));
    page +=
        document.answer.empty() ? "" : fmt::format("<p class=\"answer\">{}</p>\n", xml_text(document.answer));
    if (!document.further.empty()) {
        const HtmlBlock block(page);
        block(DocumentList{document.further});
    }
    for (const DocumentSection& section : document.sections) {
        page += fmt::format("<h2>{}</h2>\n", xml_text(section.title));
        for (const DocumentBlock& block : section.blocks) {
            std::visit(HtmlBlock(page), block);
        }
    }
    page += fmt::format("<footer>{}</footer>\n</main>\n</body>\n</html>\n", xml_text(document.made_by));
    return page;
}

} // namespace meshslice
