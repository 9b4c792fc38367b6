#include "core/report/paper/pdf.h"

#include "core/report/chart/svg/chart_svg.h"
#include "core/report/chart/svg/palette.h"
#include "core/report/chart/svg/svg_text.h"
#include "core/report/paper/paper.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

namespace meshslice {
namespace {

/// Of a chart on a page of 500 points, in pixels: its letters come out at 8 points, or at 6.5 where bars need
/// room next to their names, or two plots stand next to each other.
double chart_width(const Chart& chart) {
    constexpr std::size_t next_to_each_other = 2;
    const bool wide = std::ranges::any_of(chart.panels, &ChartPanel::horizontal) ||
                      chart.panels.size() == next_to_each_other;
    return wide ? 820 : 680;
}

/// The parts of a bar as a picture.
std::string bar_svg(const DocumentBar& bar) {
    constexpr double width = 1000;
    constexpr double height = 36;
    std::string svg = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
                                  "viewBox=\"0 0 {0} {1}\">",
                                  width, height);
    double x = 0;
    for (const DocumentBar::Part& part : bar.parts) {
        svg += fmt::format("<rect x=\"{:.2f}\" y=\"0\" width=\"{:.2f}\" height=\"{}\" fill=\"{}\"/>", x,
                           bar.length * width * part.share, height, hex(rgb(part.role, Theme::light)));
        x += bar.length * width * part.share;
    }
    return svg + "</svg>";
}

class OnPaper {
  public:
    explicit OnPaper(const Document& document) : paper_{document.title, document.made_by, {}} {
        add(document.kind, Lettered::caption);
        add(document.title, Lettered::title);
        add(document.how, Lettered::body);
        for (const std::string& one : document.warnings) {
            add(one, Lettered::warning);
        }
        add(document.number, Lettered::number);
        add(document.answer, Lettered::body);
        if (!document.further.empty()) {
            (*this)(DocumentList{document.further});
        }
        for (const DocumentSection& section : document.sections) {
            add(section.title, Lettered::heading);
            for (const DocumentBlock& block : section.blocks) {
                std::visit(*this, block);
            }
        }
    }
    [[nodiscard]] const Paper& paper() const { return paper_; }

    void operator()(const DocumentText& text) {
        for (const std::string& one : text.paragraphs) {
            add(one, text.warns ? Lettered::warning : Lettered::body);
        }
    }
    void operator()(const DocumentList& list) {
        std::size_t number = 0;
        for (const std::string& one : list.items) {
            ++number;
            if (list.numbered) {
                add(fmt::format("{}. {}", number, one), Lettered::body);
            } else {
                add(one, Lettered::item);
            }
        }
    }
    void operator()(const DocumentTable& table) {
        PaperTable made{table.caption, table.columns, table.rows};
        const std::size_t count =
            std::max(table.columns.size(), table.rows.empty() ? 0 : table.rows.front().size());
        for (std::size_t k = 0; k < count; ++k) {
            made.words.push_back(table.is_left(k));
        }
        for (std::size_t row = 0; row < (table.marked.empty() ? 0 : table.rows.size()); ++row) {
            std::vector<bool>& marks = made.marked.emplace_back();
            for (std::size_t k = 0; k < count; ++k) {
                marks.push_back(table.marks(row, k));
            }
        }
        paper_.blocks.emplace_back(std::move(made));
        for (const std::string& note : table.notes) {
            add(note, Lettered::quiet);
        }
    }
    void operator()(const DocumentBar& bar) {
        add(bar.caption, Lettered::caption);
        paper_.blocks.emplace_back(PaperPicture{bar_svg(bar)});
        PaperTable table;
        table.words = {true};
        for (const DocumentBar::Part& part : bar.parts) {
            const Rgb colour = rgb(part.role, Theme::light);
            table.rows.push_back({part.name, part.amount, fmt::format("{:.1f}%", 100 * part.share)});
            table.swatches.push_back({colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0});
        }
        paper_.blocks.emplace_back(std::move(table));
    }
    void operator()(const Chart& chart) {
        paper_.blocks.emplace_back(PaperPicture{chart_svg(chart, chart.title, chart_width(chart))});
    }
    void operator()(const DocumentCode& code) {
        add(code.summary, Lettered::caption);
        add(code.lines, code.summary.empty() ? Lettered::code : Lettered::small_code);
    }

  private:
    void add(const std::string& text, Lettered as) {
        if (!text.empty()) {
            paper_.blocks.emplace_back(PaperLines{text, as});
        }
    }

    Paper paper_;
};

/// The library that writes PDF files, as it lies where the program was built or installed: ../lib/meshslice
/// from the program's own folder.
Result<WritePdf*> writer() {
    namespace fs = std::filesystem;
    std::error_code unknown;
    const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
    const fs::path library =
        program.parent_path().parent_path() / "lib" / "meshslice" / "libmeshslice_paper.so";
    // Stays loaded: what Pango brings cannot be unloaded.
    void* const loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (loaded == nullptr) {
        const char* const why = dlerror();
        return refuse(fmt::format("PDF files are written by {}, which could not be loaded ({}). Write a page "
                                  "that ends with .html, or Markdown that ends with .md.",
                                  library.string(), why == nullptr ? "" : why));
    }
    auto* const write = reinterpret_cast<WritePdf*>(dlsym(loaded, write_pdf_name));
    if (write == nullptr) {
        return refuse(
            fmt::format("{} is of another version: it has no {}.", library.string(), write_pdf_name));
    }
    return write;
}

} // namespace

Result<std::string> pdf(const Document& document) {
    return writer().and_then([&](WritePdf* write) -> Result<std::string> {
        std::string bytes;
        std::string fault;
        if (!write(OnPaper(document).paper(), bytes, fault)) {
            return refuse(fmt::format("The PDF file was not written: {}.", fault));
        }
        return bytes;
    });
}

} // namespace meshslice
