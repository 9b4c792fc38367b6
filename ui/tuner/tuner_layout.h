#pragma once

#include <QRectF>
#include <QSize>
#include <QStringList>

#include <cstddef>
#include <vector>

class QPainter;

namespace meshslice::ui {

/// The measures of the tuner's pictures, in the pixels they are laid out in.
namespace tuner_measure {
inline constexpr double title_line = 20;
inline constexpr double controls_height = 30;
inline constexpr double margin = 12;
inline constexpr double row_names = 74;
inline constexpr double column_names = 24; ///< the slice counts
inline constexpr double key_line = 17;     ///< of the lines below them, which say what is what
inline constexpr double line = 20;
} // namespace tuner_measure

/// Where the controls are: at the top, left of the legend of the colours. More of them need more room.
[[nodiscard]] QRectF tunerControls(const QSize& size, bool many = false);

/// What a picture of the tuner has to have room for.
struct TunerDemand {
    std::size_t titles = 1; ///< lines
    std::size_t rows = 1;
    std::size_t columns = 1;
    double list = 0;            ///< the whole height of the list next to the bars, or below them
    bool many_controls = false; ///< there is a choice of what is shown, too
    std::size_t keys = 2;       ///< lines that say what is what
};

/// The tuner laid out for one size: controls and legend, title, heat map, and below it the bars of the
/// selected cell next to a list, or above it where the picture is narrow.
struct TunerLayout {
    QRectF scale; ///< the legend of the colours
    QRectF heat;  ///< all cells together
    std::size_t rows = 0;
    std::size_t columns = 0;
    QRectF bars;
    QRectF list;
    std::size_t keys = 2; ///< lines that say what is what
    bool whole = false;   ///< all rows and the whole list have their room

    [[nodiscard]] QRectF cell(std::size_t row, std::size_t column) const;
};
[[nodiscard]] TunerLayout tunerLayout(const QSize& size, const TunerDemand& demand);
/// How wide the list is where all of it has its room.
[[nodiscard]] double tunerListWidth(double width);
/// How high a picture so wide has to be for all of it.
[[nodiscard]] double leastHeight(const TunerDemand& demand, double width);

/// What is what below the cells: each sentence on lines of its own, all of them whole.
[[nodiscard]] QStringList tunerKeyLines(const QStringList& sentences, double width);
/// Draws as many of them as there is room for; the last has the rest.
void paintTunerKey(QPainter& painter, const QRectF& heat, const QStringList& lines, double width,
                   std::size_t most);

/// A finding as a title of at most three lines, the last of which may be too long.
[[nodiscard]] QStringList tunerTitle(const QString& finding, double width);

} // namespace meshslice::ui
