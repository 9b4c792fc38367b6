// Puts a document on the pages of a PDF file with Pango, Cairo and librsvg. A library of its own, loaded when
// it is needed: those three bring some forty others, which every start of the program would wait for.

#include "core/report/paper/paper.h"

#include <algorithm>
#include <array>
#include <cairo/cairo-pdf.h>
#include <cstddef>
#include <librsvg/rsvg.h>
#include <memory>
#include <numeric>
#include <pango/pangocairo.h>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace meshslice {
namespace {

// Points; A4.
constexpr double page_width = 595.28;
constexpr double page_height = 841.89;
constexpr double margin = 48;
constexpr double width = page_width - 2 * margin;
constexpr double bottom = page_height - margin - 14; ///< above the footer
constexpr double cell_gap = 9;
constexpr double swatch = 12; ///< a colour before a row, and the space after it
/// So much smaller a picture may be to stand on the rest of a page.
constexpr double least_of_picture = 0.75;

struct Grey {
    double value = 0;
};
constexpr Grey ink{0.07};
constexpr Grey pale_ink{0.38};
constexpr Grey rule{0.82};

/// Calls the function of a C library that ends a thing's life.
template <auto ends>
struct Ends {
    template <typename Thing>
    void operator()(Thing* thing) const {
        ends(thing);
    }
};
template <typename Thing, auto ends>
using Held = std::unique_ptr<Thing, Ends<ends>>;

struct Letters {
    const char* font;
    double before, after; ///< empty space above and below
    Grey grey = ink;
};

Letters letters_of(Lettered as) {
    switch (as) {
    case Lettered::quiet:
    case Lettered::caption: return {"sans-serif 8.5", 0, 2, pale_ink};
    case Lettered::title: return {"sans-serif bold 17", 0, 8};
    case Lettered::number: return {"sans-serif bold 26", 4, 2};
    case Lettered::heading: return {"sans-serif bold 12.5", 16, 5};
    case Lettered::body:
    case Lettered::item:
    case Lettered::warning: return {"sans-serif 9.5", 2, 4};
    case Lettered::code: return {"monospace 7.5", 2, 4};
    case Lettered::small_code: return {"monospace 6.5", 2, 4};
    }
    return {"sans-serif 9.5", 2, 4};
}

/// The same letters, bold: "sans-serif bold 8.5".
std::string bold(std::string font) {
    return font.insert(font.find(' '), " bold");
}

class PdfPages {
  public:
    PdfPages(const Paper& paper, std::string& bytes)
        : paper_(paper)
        , surface_(cairo_pdf_surface_create_for_stream(append, &bytes, page_width, page_height))
        , pen_(cairo_create(surface_.get())) {
        cairo_pdf_surface_set_metadata(surface_.get(), CAIRO_PDF_METADATA_TITLE, paper.title.c_str());
        // Without a date: the same document is the same file.
        cairo_pdf_surface_set_metadata(surface_.get(), CAIRO_PDF_METADATA_CREATE_DATE, "");
    }

    /// Empty, or what went wrong.
    std::string write() {
        for (std::size_t k = 0; k < paper_.blocks.size(); ++k) {
            keep(together(k));
            std::visit(
                [this](const auto& one) {
                    using Block = std::decay_t<decltype(one)>;
                    if constexpr (std::is_same_v<Block, PaperLines>) {
                        lines(one);
                    } else if constexpr (std::is_same_v<Block, PaperTable>) {
                        table(one);
                    } else {
                        picture(one);
                    }
                },
                paper_.blocks[k]);
        }
        end_page();
        cairo_surface_finish(surface_.get());
        const cairo_status_t status = cairo_surface_status(surface_.get());
        if (fault_.empty() && status != CAIRO_STATUS_SUCCESS) {
            fault_ = cairo_status_to_string(status);
        }
        return fault_;
    }

  private:
    using Layout = Held<PangoLayout, g_object_unref>;

    static cairo_status_t append(void* bytes, const unsigned char* data, unsigned int length) {
        static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
        return CAIRO_STATUS_SUCCESS;
    }

    void colour(Grey grey) const { cairo_set_source_rgb(pen_.get(), grey.value, grey.value, grey.value); }

    /// A text in letters of one font; `wide` < 0: as wide as it is.
    Layout set(const std::string& text, const char* font, double wide) const {
        Layout layout(pango_cairo_create_layout(pen_.get()));
        const Held<PangoFontDescription, pango_font_description_free> described(
            pango_font_description_from_string(font));
        pango_layout_set_font_description(layout.get(), described.get());
        pango_layout_set_wrap(layout.get(), PANGO_WRAP_WORD_CHAR);
        pango_layout_set_width(layout.get(), wide < 0 ? -1 : static_cast<int>(wide * PANGO_SCALE));
        pango_layout_set_text(layout.get(), text.c_str(), static_cast<int>(text.size()));
        return layout;
    }
    static double wide(const Layout& layout) {
        PangoRectangle box;
        pango_layout_get_extents(layout.get(), nullptr, &box);
        return static_cast<double>(box.width) / PANGO_SCALE;
    }
    static double high(const Layout& layout) {
        PangoRectangle box;
        pango_layout_get_extents(layout.get(), nullptr, &box);
        return static_cast<double>(box.height) / PANGO_SCALE;
    }
    void show(const Layout& layout, double x, double y) const {
        cairo_move_to(pen_.get(), x, y);
        pango_cairo_show_layout(pen_.get(), layout.get());
    }

    void end_page() {
        colour(pale_ink);
        show(set(paper_.footer, "sans-serif 7.5", width), margin, page_height - margin);
        const Layout number = set(std::to_string(page_), "sans-serif 7.5", -1);
        show(number, page_width - margin - wide(number), page_height - margin);
        cairo_show_page(pen_.get());
        ++page_;
        at_ = margin;
    }
    /// A new page where less than that is left of this one.
    void keep(double height) {
        if (at_ > margin && at_ + height > bottom) {
            end_page();
        }
    }

    /// How much of the blocks from this one on stands on one page: a heading with what follows it, a picture,
    /// a short table or paragraph, the beginning of a long one.
    [[nodiscard]] double together(std::size_t k) const {
        if (k >= paper_.blocks.size()) {
            return 0;
        }
        if (const auto* const text = std::get_if<PaperLines>(&paper_.blocks[k])) {
            const Letters letters = letters_of(text->as);
            constexpr double few_lines = 45, two_lines = 26;
            const double its = high(set(text->text, letters.font, width - indent_of(text->as)));
            const bool leads =
                text->as == Lettered::heading || text->as == Lettered::title || text->as == Lettered::caption;
            return letters.before + (leads              ? its + letters.after + together(k + 1)
                                     : its <= few_lines ? its
                                                        : two_lines);
        }
        if (const auto* const cells = std::get_if<PaperTable>(&paper_.blocks[k])) {
            return together(*cells);
        }
        const Drawn drawn = drawing_of(std::get<PaperPicture>(paper_.blocks[k]));
        const double its = drawn.height * drawn.scale + 4;
        constexpr double bar = 40; // as low as that it is the head of the table below it
        return drawn.svg == nullptr ? 0 : its < bar ? its + together(k + 1) : its * least_of_picture;
    }
    [[nodiscard]] double together(const PaperTable& table) const {
        constexpr double short_table = (bottom - margin) / 4;
        constexpr std::size_t least_rows = 3;
        const SetTable form = form_of(table);
        if (form.widths.empty() || table.rows.empty()) {
            return 100;
        }
        double all =
            table.caption.empty() ? 0 : high(set(table.caption, letters_of(Lettered::quiet).font, width)) + 2;
        all += table.columns.empty() ? 0 : row_height(table.columns, form);
        double first = 0;
        for (std::size_t k = 0; k < table.rows.size() && all <= short_table; ++k) {
            all += row_height(table.rows[k], form);
            first = k < least_rows ? all : first;
        }
        return all <= short_table ? all : first;
    }

    static double indent_of(Lettered as) { return as == Lettered::item || as == Lettered::warning ? 10 : 0; }

    void lines(const PaperLines& one) {
        const Letters letters = letters_of(one.as);
        const bool warns = one.as == Lettered::warning;
        const double indent = indent_of(one.as);
        const Layout layout = set(one.text, letters.font, width - indent);
        at_ += at_ > margin ? letters.before : 0;
        const int count = pango_layout_get_line_count(layout.get());
        int done = 0;
        if (one.as == Lettered::heading) {
            // Place and zoom as the PDF reference has them: in points from the top left.
            const std::string place =
                "page=" + std::to_string(page_) + " pos=[0 " + std::to_string(static_cast<int>(at_)) + "]";
            cairo_pdf_surface_add_outline(surface_.get(), CAIRO_PDF_OUTLINE_ROOT, one.text.c_str(),
                                          place.c_str(), CAIRO_PDF_OUTLINE_FLAG_OPEN);
        }
        if (one.as == Lettered::item) {
            colour(letters.grey);
            show(set("\xE2\x80\xA2", letters.font, -1), margin, at_);
        }
        const Held<PangoLayoutIter, pango_layout_iter_free> line(pango_layout_get_iter(layout.get()));
        do {
            PangoRectangle box;
            pango_layout_iter_get_line_extents(line.get(), nullptr, &box);
            const double height = static_cast<double>(box.height) / PANGO_SCALE;
            keep(count - done == 2 ? 2 * height : height); // the last line does not go alone
            ++done;
            if (warns) {
                cairo_set_source_rgb(pen_.get(), 0.78, 0.49, 0);
                cairo_rectangle(pen_.get(), margin, at_, 3, height);
                cairo_fill(pen_.get());
            }
            colour(letters.grey);
            const double base =
                static_cast<double>(pango_layout_iter_get_baseline(line.get()) - box.y) / PANGO_SCALE;
            cairo_move_to(pen_.get(), margin + indent + static_cast<double>(box.x) / PANGO_SCALE, at_ + base);
            pango_cairo_show_layout_line(pen_.get(), pango_layout_iter_get_line_readonly(line.get()));
            at_ += height;
        } while (pango_layout_iter_next_line(line.get()) != 0);
        at_ += letters.after;
    }

    /// How wide each column is in a font: as wide as its widest cell, or, where that is too much for the
    /// page, columns of words share what the numbers leave. Nothing where that is less than a word needs.
    [[nodiscard]] std::vector<double> column_widths(const PaperTable& table, const char* font) const {
        std::size_t count = table.columns.size();
        for (const auto& row : table.rows) {
            count = std::max(count, row.size());
        }
        std::vector<double> cells(count, 0), heads(count, 0), head_words(count, 0);
        const auto measure = [&](const std::string& text, double& into) {
            into = std::max(into, wide(set(text, font, -1)) + 1);
        };
        for (const auto& row : table.rows) {
            for (std::size_t k = 0; k < row.size(); ++k) {
                measure(row[k], cells[k]);
            }
        }
        for (std::size_t k = 0; k < table.columns.size(); ++k) {
            measure(table.columns[k], heads[k]);
            std::istringstream words(table.columns[k]);
            for (std::string word; words >> word;) {
                measure(word, head_words[k]);
            }
        }
        const double room =
            width - cell_gap * static_cast<double>(count - 1) - (table.swatches.empty() ? 0 : swatch);
        std::vector<double> widths(count, 0);
        std::ranges::transform(cells, heads, widths.begin(),
                               [](double a, double b) { return std::max(a, b); });
        if (std::accumulate(widths.begin(), widths.end(), 0.0) <= room) {
            return widths;
        }
        // Heads may break between words.
        std::ranges::transform(cells, head_words, widths.begin(),
                               [](double a, double b) { return std::max(a, b); });
        std::vector<std::size_t> order; // columns of words
        double numbers = 0, least = 0;
        constexpr double least_word = 60;
        for (std::size_t k = 0; k < count; ++k) {
            if (table.holds_words(k)) {
                order.push_back(k);
                least += std::min(widths[k], least_word);
            } else {
                numbers += widths[k];
            }
        }
        const std::size_t words = order.size();
        if (std::accumulate(widths.begin(), widths.end(), 0.0) <= room) {
            return widths;
        }
        if (words == 0 || room - numbers < least) {
            return {};
        }
        // Narrow columns of words keep their width; the others share the rest.
        double left = room - numbers;
        std::ranges::sort(order, {}, [&](std::size_t k) { return widths[k]; });
        for (std::size_t k = 0; k < words; ++k) {
            const double share = left / static_cast<double>(words - k);
            widths[order[k]] = std::min(widths[order[k]], share);
            left -= widths[order[k]];
        }
        return widths;
    }

    /// A table's letters, and how wide its columns are in them; no widths where it is too wide.
    struct SetTable {
        const char* font = nullptr;
        std::vector<double> widths;
    };
    [[nodiscard]] SetTable form_of(const PaperTable& table) const {
        static constexpr std::array fonts = {"sans-serif 8.5", "sans-serif 7.5", "sans-serif 6.5"};
        constexpr double much_lower = 0.75; // smaller letters alone make it less than that
        SetTable form;
        double height = 0;
        for (const char* const one : fonts) {
            SetTable smaller{one, column_widths(table, one)};
            const double its = smaller.widths.empty() ? 0 : height_of(table, smaller);
            if (form.widths.empty() || (its > 0 && its < much_lower * height)) {
                form = std::move(smaller);
                height = its;
            }
        }
        return form;
    }
    [[nodiscard]] double height_of(const PaperTable& table, const SetTable& form) const {
        double height = table.columns.empty() ? 0 : row_height(table.columns, form);
        for (const auto& cells : table.rows) {
            height += row_height(cells, form);
        }
        return height;
    }
    [[nodiscard]] double row_height(const std::vector<std::string>& cells, const SetTable& form) const {
        double height = 0;
        for (std::size_t k = 0; k < std::min(cells.size(), form.widths.size()); ++k) {
            height = std::max(height, high(set(cells[k], form.font, form.widths[k])));
        }
        return height + 4;
    }

    void row(const std::vector<std::string>& cells, const PaperTable& table,
             const std::vector<double>& widths, const char* font) {
        std::vector<Layout> set_cells;
        std::vector<std::size_t> marks;
        double height = 0;
        for (std::size_t k = 0; k < cells.size(); ++k) {
            const bool marked = &cells != &table.columns &&
                                table.marks(static_cast<std::size_t>(&cells - table.rows.data()), k);
            set_cells.push_back(set(cells[k], marked ? bold(font).c_str() : font, widths[k]));
            if (marked) {
                marks.push_back(k);
            }
            height = std::max(height, high(set_cells.back()));
        }
        if (at_ + height > bottom) {
            end_page();
            if (&cells != &table.columns && !table.columns.empty()) {
                row(table.columns, table, widths, font);
            }
        }
        double x = margin;
        const auto index = static_cast<std::size_t>(&cells - table.rows.data());
        if (&cells != &table.columns && index < table.swatches.size()) {
            const auto& [red, green, blue] = table.swatches[index];
            cairo_set_source_rgb(pen_.get(), red, green, blue);
            cairo_rectangle(pen_.get(), x, at_ + 2, 7, 7);
            cairo_fill(pen_.get());
        }
        x += table.swatches.empty() ? 0 : swatch;
        colour(&cells == &table.columns ? pale_ink : ink);
        for (std::size_t k = 0; k < set_cells.size(); ++k) {
            if (std::ranges::find(marks, k) != marks.end()) {
                cairo_set_source_rgb(pen_.get(), 1, 0.93, 0.78);
                cairo_rectangle(pen_.get(), x - 2, at_, widths[k] + 4, height);
                cairo_fill(pen_.get());
                colour(ink);
            }
            const bool words = table.holds_words(k);
            pango_layout_set_alignment(set_cells[k].get(), words ? PANGO_ALIGN_LEFT : PANGO_ALIGN_RIGHT);
            show(set_cells[k], x, at_);
            x += widths[k] + cell_gap;
        }
        at_ += height + 2.5;
        colour(rule);
        cairo_set_line_width(pen_.get(), 0.5);
        cairo_move_to(pen_.get(), margin, at_ - 1);
        cairo_line_to(pen_.get(), margin + std::min(x - margin - cell_gap, width), at_ - 1);
        cairo_stroke(pen_.get());
        at_ += 1.5;
    }

    /// A table that is wider than the page, as two under each other: both begin with its first column.
    void halves(const PaperTable& table, std::size_t count) {
        const std::size_t middle = count / 2 + 1;
        const auto part = [&](const auto& cells, std::size_t from, std::size_t to) {
            std::decay_t<decltype(cells)> some;
            if (from > 0 && !cells.empty()) {
                some.push_back(cells.front());
            }
            for (std::size_t k = from; k < std::min(to, cells.size()); ++k) {
                some.push_back(cells[k]);
            }
            return some;
        };
        const auto half = [&](std::size_t from, std::size_t to) {
            PaperTable some{from == 0 ? table.caption : "", part(table.columns, from, to), {}};
            some.words = part(table.words, from, to);
            for (const auto& cells : table.rows) {
                some.rows.push_back(part(cells, from, to));
            }
            for (const auto& marks : table.marked) {
                some.marked.push_back(part(marks, from, to));
            }
            this->table(some);
        };
        half(0, middle);
        half(middle, count);
    }

    void table(const PaperTable& table) {
        if (table.rows.empty()) {
            return;
        }
        auto [font, widths] = form_of(table);
        const std::size_t count = std::max(table.columns.size(), table.rows.front().size());
        if (widths.empty() && count > 2) {
            halves(table, count);
            return;
        }
        if (widths.empty()) { // two columns of very long words: broken where they have to be
            widths.assign(count, (width - cell_gap) / static_cast<double>(count));
        }
        if (!table.caption.empty()) {
            lines({table.caption, Lettered::quiet});
        }
        if (!table.columns.empty()) {
            row(table.columns, table, widths, font);
        }
        for (const auto& cells : table.rows) {
            row(cells, table, widths, font);
        }
        at_ += 6;
    }

    /// A picture as it is drawn: so large, times the scale.
    struct Drawn {
        Held<RsvgHandle, g_object_unref> svg;
        double width = 0, height = 0, scale = 0;
        std::string fault{};
    };
    static Drawn drawing_of(const PaperPicture& one) {
        GError* error = nullptr;
        Drawn drawn{Held<RsvgHandle, g_object_unref>(rsvg_handle_new_from_data(
            reinterpret_cast<const guint8*>(one.svg.data()), one.svg.size(), &error))};
        if (drawn.svg == nullptr) {
            drawn.fault = error->message;
            g_error_free(error);
        } else if (rsvg_handle_get_intrinsic_size_in_pixels(drawn.svg.get(), &drawn.width, &drawn.height) ==
                       0 ||
                   drawn.width <= 0 || drawn.height <= 0) {
            drawn.fault = "a picture has no size";
            drawn.svg = nullptr;
        } else {
            drawn.scale = std::min(width / drawn.width, (bottom - margin) / 2 / drawn.height);
        }
        return drawn;
    }

    void picture(const PaperPicture& one) {
        const Drawn drawn = drawing_of(one);
        if (drawn.svg == nullptr) {
            fault_ = drawn.fault;
            return;
        }
        const double room = (bottom - at_ - 4) / (drawn.height * drawn.scale);
        const double scale = drawn.scale * std::min(1.0, std::max(room, least_of_picture));
        const RsvgRectangle place{margin, at_ + 2, drawn.width * scale, drawn.height * scale};
        GError* error = nullptr;
        if (rsvg_handle_render_document(drawn.svg.get(), pen_.get(), &place, &error) == 0) {
            fault_ = error->message;
            g_error_free(error);
            return;
        }
        at_ += drawn.height * scale + 8;
    }

    const Paper& paper_;
    Held<cairo_surface_t, cairo_surface_destroy> surface_;
    Held<cairo_t, cairo_destroy> pen_;
    int page_ = 1;
    double at_ = margin; ///< where the next block begins, from the top of the page
    std::string fault_;
};

} // namespace
} // namespace meshslice

extern "C" __attribute__((visibility("default"))) bool
meshslice_write_pdf(const meshslice::Paper& paper, std::string& bytes, std::string& fault) {
    fault = meshslice::PdfPages(paper, bytes).write();
    return fault.empty();
}
