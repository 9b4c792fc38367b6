#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace meshslice {

/// A document as it goes to paper: plain data with pictures drawn already. What puts it on pages is loaded
/// only when a PDF file is written (pdf.h), and knows nothing else of the program.

enum class Lettered : std::uint8_t {
    quiet,
    caption,
    title,
    number,
    heading,
    body,
    item,
    warning,
    code,
    small_code
};

struct PaperLines {
    std::string text; ///< UTF-8; "\n" begins a new line
    Lettered as = Lettered::body;
};
/// Cells as people read them.
struct PaperTable {
    std::string caption;
    std::vector<std::string> columns; ///< may be empty
    std::vector<std::vector<std::string>> rows;
    std::vector<bool> words = {}; ///< by column: words, else numbers
    std::vector<std::array<double, 3>> swatches =
        {}; ///< a colour before each row, red green blue from 0 to 1; or none
    std::vector<std::vector<bool>> marked = {}; ///< by row and column: cells that stand out; or none

    [[nodiscard]] bool holds_words(std::size_t column) const {
        return column < words.size() && words[column];
    }
    [[nodiscard]] bool marks(std::size_t row, std::size_t column) const {
        return row < marked.size() && column < marked[row].size() && marked[row][column];
    }
};
struct PaperPicture {
    std::string svg; ///< as wide as the page, at most half as high
};
using PaperBlock = std::variant<PaperLines, PaperTable, PaperPicture>;

struct Paper {
    std::string title;  ///< of the file
    std::string footer; ///< at the bottom of each page, before its number
    std::vector<PaperBlock> blocks;
};

/// The one function of that library, by its name in the library: the bytes of a PDF file, or a sentence that
/// says what went wrong. A4, light; letters and pictures are vectors, headings are an outline. The same
/// document gives the same bytes with the same fonts.
using WritePdf = bool(const Paper& paper, std::string& bytes, std::string& fault);
inline constexpr const char* write_pdf_name = "meshslice_write_pdf";

} // namespace meshslice
