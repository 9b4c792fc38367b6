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

enum class Lettered : std::uint8_t { quiet, title, number, heading, body, item, warning, code, small_code };

struct PaperLines {
    std::string text; ///< UTF-8; "\n" begins a new line
    Lettered as = Lettered::body;
};
/// Cells as people read them; the first `left_aligned` columns hold words.
struct PaperTable {
    std::string caption;
    std::vector<std::string> columns; ///< may be empty
    std::vector<std::vector<std::string>> rows;
    std::size_t left_aligned = 1;
    std::vector<std::array<double, 3>>
        swatches; ///< a colour before each row, red green blue from 0 to 1; or none
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
