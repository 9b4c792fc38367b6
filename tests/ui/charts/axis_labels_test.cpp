#include "core/base/json/json_reader.h"
#include "core/report/chart/step_charts.h"
#include "ui/charts/chart_layout.h"

#include <QTransform>
#include <gtest/gtest.h>

#include <algorithm>

namespace meshslice::ui {
namespace {

/// The roofline of a GEMM that is so small that its rates are ten-thousandths of the peak.
Chart tinyRoofline() {
    const std::string path = MESHSLICE_SOURCE_DIR "/tests/cli/scenarios/small-gemm-4x2.json";
    const Scenario scenario = read_scenario(read_text_file(path).value(), path).value();
    std::vector<TrainingStep> steps;
    for (const std::string& id : {scenario.plan.algorithm, scenario.compare}) {
        steps.push_back(training_step(scenario, id, Depth::estimate).value());
    }
    return roofline_chart(steps, scenario, "This GEMM is bound by links");
}

QPolygonF lettersOf(const ChartWords& one) {
    const double width = textWidth(lettering(one.size, one.bold), one.words);
    const double height = static_cast<int>(one.size) * 0.8;
    const double room = one.area.width() - width;
    const double left = (one.side & Qt::AlignRight) ? room : (one.side & Qt::AlignHCenter) ? room / 2 : 0.0;
    const QRectF ink(one.area.left() + left, one.area.center().y() - height / 2, width, height);
    const QPointF middle = one.area.center();
    return (QTransform::fromTranslate(-middle.x(), -middle.y()) * QTransform().rotate(one.turn) *
            QTransform::fromTranslate(middle.x(), middle.y()))
        .map(QPolygonF(ink));
}

/// Of a panel: whole, none on another, within the picture. From the room that the window of 960 x 600 leaves
/// to a large screen.
TEST(AxisLabels, OfATinyGemmAreWholeAndApart) {
    const Chart chart = tinyRoofline();
    for (const QSize& size : {QSize(640, 440), QSize(900, 620), QSize(1280, 800), QSize(1900, 1000)}) {
        const ChartLayout layout = layoutChart(chart, size);
        for (const PanelLayout& panel : layout.panels) {
            for (const ChartWords& one : panel.words) {
                const std::string said = one.words.toStdString() + " at " + std::to_string(size.width());
                EXPECT_LE(textWidth(lettering(one.size, one.bold), one.words), one.area.width() + 0.5)
                    << said;
                const QPolygonF letters = lettersOf(one);
                EXPECT_TRUE(QRectF(QPointF(0, 0), size).contains(letters.boundingRect())) << said;
                for (const ChartWords& other : panel.words) {
                    EXPECT_TRUE(&one == &other || letters.intersected(lettersOf(other)).isEmpty())
                        << said << " on " << other.words.toStdString();
                }
            }
        }
    }
}

} // namespace
} // namespace meshslice::ui
