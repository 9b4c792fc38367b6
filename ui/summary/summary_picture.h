#pragma once

#include "core/question/sensitivity.h"
#include "core/report/summary/findings.h"
#include "core/report/summary/summary.h"
#include "ui/look/palette.h"

#include <QCoreApplication>
#include <QFont>
#include <QRectF>
#include <QSize>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

class QPainter;

namespace meshslice::ui {

/// What a summary shows. What is computed apart from the run is there or has a sentence in its place.
struct SummaryShown {
    Summary summary;
    QString expected; ///< what measured runs make of the time, or why nothing is known; empty of a block
    QStringList own;  ///< what the user's own measured step says to that
    QStringList bill; ///< what the whole training comes to, where it is asked
    /// A measured run next to it, which a click loads.
    struct NearRun {
        std::string id;
        QString words;  ///< measured and expected
        QString source; ///< where it was published
        QString whyNot; ///< why it cannot be loaded; empty where it can
    };
    std::vector<NearRun> near;
    QString instead_of_near; ///< why there is none
    std::optional<std::vector<Finding>> findings;
    QString instead_of_findings;
    std::optional<Sensitivity> numbers;
    QString instead_of_numbers;
    QString about_numbers; ///< by estimate, or with the plan as it is
};

/// One of the two bars of a number of the machine.
struct NumberBar {
    std::size_t number = 0; ///< place in Sensitivity::ranked
    bool twice = false;
    QRectF area; ///< all that a click on it may hit
    QRectF bar;
    QRectF words_area;
    QString words; ///< "1.31× faster"
};

/// A summary laid out for one width: the answer, time, memory and findings, and next to them where there is
/// room and else below, how far to trust it and the numbers of the machine by what they are worth.
class SummaryPicture {
    Q_DECLARE_TR_FUNCTIONS(SummaryPicture)
  public:
    static constexpr std::size_t most_findings = 3;

    /// `buttons`: room is left for a button at the end of each finding.
    SummaryPicture(SummaryShown shown, double width, Theme theme, bool buttons);

    [[nodiscard]] const SummaryShown& shown() const { return shown_; }
    [[nodiscard]] double height() const { return height_; }
    [[nodiscard]] double width() const { return width_; }
    /// How much larger than usual the letters are: they grow with the width.
    [[nodiscard]] double enlarged() const { return unit_; }
    [[nodiscard]] const std::vector<QRectF>& buttons() const { return buttons_; }
    [[nodiscard]] const std::vector<NumberBar>& bars() const { return bars_; }
    /// Where each of SummaryShown::near stands.
    [[nodiscard]] const std::vector<QRectF>& runs() const { return runs_; }
    /// Where the words of all that is written stand, for those who check that nothing covers anything.
    [[nodiscard]] std::vector<QRectF> written() const;
    /// What is said about a point, line by line.
    [[nodiscard]] QStringList linesAt(const QPointF& point) const;
    [[nodiscard]] QStringList linesOf(const NumberBar& bar) const;
    [[nodiscard]] QStringList linesOf(const SummaryShown::NearRun& run) const;
    /// Parts of the bars of memory and time, with what they stand for.
    struct Part {
        QRectF area;
        SummaryPart of;
        QString words; ///< "weights 12.1 GB, 38%"
    };
    [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }

    /// `marked`: a bar, or after the bars a run.
    void paint(QPainter& painter, std::optional<std::size_t> marked = std::nullopt) const;

  private:
    struct Words {
        QRectF area;
        QString text;
        QFont font;
        QColor color;
        Qt::Alignment aligned = Qt::AlignLeft | Qt::AlignVCenter;
    };
    struct Swatch {
        QRectF area;
        Role role;
        bool exposed;
    };
    struct Column {
        double left, width, y;
    };

    [[nodiscard]] QFont font(double pixels, bool bold = false) const;
    [[nodiscard]] QColor ink() const { return color(Role::text, theme_); }
    [[nodiscard]] QColor quiet() const { return color(Role::quietText, theme_); }
    void addLines(Column& column, const QString& text, const QFont& font, const QColor& color);
    void addHeading(Column& column, const QString& text);
    void addAnswer(Column& column);
    void addBill(Column& column);
    void addTrust(Column& column);
    void addMemory(Column& column);
    void addTime(Column& column);
    void addBar(Column& column, const std::vector<SummaryPart>& parts, double whole,
                QString (*amount)(double));
    void addFindings(Column& column, bool buttons);
    void addNumbers(Column& column);
    void addNumber(Column& column, std::size_t number, double names, bool values, double middle, double room,
                   double most);
    void gap(Column& column, double pixels) const { column.y += pixels * unit_; }

    SummaryShown shown_;
    double width_;
    Theme theme_;
    double unit_ = 1;
    double height_ = 0;
    std::vector<Words> words_;
    std::vector<Part> parts_;
    std::vector<Swatch> swatches_;
    std::optional<QRectF> capacity_; ///< the end of a chip's memory
    std::vector<QRectF> buttons_;
    std::vector<NumberBar> bars_;
    std::vector<QRectF> runs_;
    std::optional<QLineF> now_;
    std::vector<QLineF> lines_;
};

} // namespace meshslice::ui
