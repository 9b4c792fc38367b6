// The pictures that the command line writes, read by Qt: as strict XML, and as SVG that it can draw.

#include "core/report/study_svg.h"

#include <QGuiApplication>
#include <QImage>
#include <QPainter>
#include <QSvgRenderer>
#include <QXmlStreamReader>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

TEST(StudySvg, IsStrictXmlAndDrawable) {
    const StudyInputs inputs = paper_inputs(*hardware_preset("tpu-v4-paper"));
    for (const Study& study : studies()) {
        const auto result = run_study(study, inputs);
        ASSERT_TRUE(result) << study.id;
        const QByteArray svg = QByteArray::fromStdString(study_svg(study, *result));
        QXmlStreamReader xml(svg);
        int texts = 0;
        while (!xml.atEnd()) {
            texts += xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("text");
        }
        EXPECT_FALSE(xml.hasError()) << study.id << ": " << xml.errorString().toStdString();
        EXPECT_GT(texts, 10) << study.id;
        QSvgRenderer renderer(svg);
        ASSERT_TRUE(renderer.isValid()) << study.id;
        EXPECT_EQ(renderer.defaultSize().width(), 1000) << study.id;
        QImage image(renderer.defaultSize(), QImage::Format_RGB32);
        image.fill(Qt::black);
        QPainter painter(&image);
        renderer.render(&painter);
        EXPECT_EQ(image.pixelColor(2, 2), QColor(Qt::white)) << study.id;
    }
}

} // namespace
} // namespace meshslice::ui
