#include "core/base/say.h"
#include "core/base/text.h"
#include "core/report/document/document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace meshslice {
namespace {

/// A text in which nothing is a mark.
std::string plain(const std::string& text) {
    std::string marked;
    for (const char letter : text) {
        if (std::string_view("\\`*_[]<>|#").find(letter) != std::string_view::npos) {
            marked += '\\';
        }
        marked += letter == '\n' ? ' ' : letter;
    }
    return marked;
}

class MarkdownBlock {
  public:
    explicit MarkdownBlock(std::string& page) : page_(page) {}

    void operator()(const DocumentText& text) const {
        for (const std::string& one : text.paragraphs) {
            page_ += fmt::format("{}{}\n\n", text.warns ? "> " : "", plain(one));
        }
    }
    void operator()(const DocumentList& list) const {
        for (const std::string& one : list.items) {
            page_ += fmt::format("{} {}\n", list.numbered ? "1." : "-", plain(one));
        }
        page_ += "\n";
    }
    void operator()(const DocumentTable& table) const {
        page_ += table.caption.empty() ? "" : plain(table.caption) + "\n\n";
        const std::size_t width =
            table.columns.empty() && !table.rows.empty() ? table.rows.front().size() : table.columns.size();
        std::vector<std::string> columns = table.columns;
        columns.resize(width);
        row(columns);
        std::vector<std::string> rule;
        for (std::size_t k = 0; k < width; ++k) {
            rule.emplace_back(table.is_left(k) ? ":--" : "--:");
        }
        page_ += fmt::format("| {} |\n", fmt::join(rule, " | "));
        for (std::size_t k = 0; k < table.rows.size(); ++k) {
            row(table.rows[k], [&](std::size_t column) { return table.marks(k, column); });
        }
        page_ += "\n";
        for (const std::string& note : table.notes) {
            page_ += plain(note) + "\n\n";
        }
    }
    void operator()(const DocumentBar& bar) const {
        DocumentTable table{bar.caption, {said("part"), said("amount"), said("share")}, {}};
        for (const DocumentBar::Part& part : bar.parts) {
            table.rows.push_back({part.name, part.amount, percent_text(part.share)});
        }
        (*this)(table);
    }
    void operator()(const Chart& chart) const {
        for (const ChartPanel& panel : chart.panels) {
            const std::string title = panel.title.empty() ? chart.title : chart.title + ": " + panel.title;
            const ChartAxis& names = panel.categories();
            DocumentTable table{title, {said("series"), panel.x.label, panel.y.label}, {}};
            if (!names.categories.empty()) {
                table.columns = {said("series"), names.label, panel.values().label};
                table.left_aligned = 2;
            }
            for (const ChartSeries& series : panel.series) {
                for (const ChartPoint& point : points_of(panel, series)) {
                    table.rows.push_back(names.categories.empty()
                                             ? std::vector{series.name, value_text(panel.x, point.x),
                                                           value_text(panel.y, point.y)}
                                             : named(panel, series, point));
                }
            }
            (*this)(table);
        }
        for (const std::string& note : chart.notes) {
            page_ += plain(note) + "\n\n";
        }
    }
    void operator()(const DocumentCode& code) const {
        page_ += code.summary.empty() ? "" : plain(code.summary) + ":\n\n";
        page_ += fmt::format("```text\n{}{}```\n\n", code.lines, code.lines.ends_with('\n') ? "" : "\n");
    }

  private:
    static std::vector<std::string> named(const ChartPanel& panel, const ChartSeries& series,
                                          const ChartPoint& point) {
        const double place = panel.horizontal() ? point.y : point.x;
        const double value = panel.horizontal() ? point.x : point.y;
        return {series.name, panel.categories().categories[static_cast<std::size_t>(place)],
                value_text(panel.values(), value)};
    }
    void row(const std::vector<std::string>& cells,
             const std::function<bool(std::size_t column)>& marked = {}) const {
        page_ += "|";
        for (std::size_t k = 0; k < cells.size(); ++k) {
            page_ += marked && marked(k) ? fmt::format(" **{}** |", plain(cells[k]))
                                         : fmt::format(" {} |", plain(cells[k]));
        }
        page_ += "\n";
    }

    std::string& page_;
};

} // namespace

std::string markdown(const Document& document) {
    std::string page = fmt::format("# {}\n\n{}\n\n", plain(document.title), plain(document.kind));
    page += document.how.empty() ? "" : plain(document.how) + "\n\n";
    for (const std::string& one : document.warnings) {
        page += fmt::format("> {}\n\n", plain(one));
    }
    page += document.number.empty() ? "" : fmt::format("**{}**\n\n", plain(document.number));
    page += document.answer.empty() ? "" : plain(document.answer) + "\n\n";
    if (!document.further.empty()) {
        const MarkdownBlock block(page);
        block(DocumentList{document.further});
    }
    for (const DocumentSection& section : document.sections) {
        page += fmt::format("## {}\n\n", plain(section.title));
        for (const DocumentBlock& block : section.blocks) {
            std::visit(MarkdownBlock(page), block);
        }
    }
    return page + plain(document.made_by) + "\n";
}

} // namespace meshslice
