// The page that is made of a question, with a question and a workload that no program has.

#include "core/question/catalogue/questions.h"
#include "tests/core/question/toy_question.h"
#include "tests/core/work/toy_workload.h"
#include "tests/ui/support/hand_made_session.h"
#include "ui/charts/chart_canvas.h"
#include "ui/lab/form/question_form.h"
#include "ui/lab/form/question_page.h"
#include "ui/lab/lab_view.h"
#include "ui/look/words.h"

#include <QComboBox>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

/// 10 m, two coats, 60 s a metre; with a roller 20 s.
TEST(ToyPage, IsAPageOfTheWindow) {
    HandMadeSession session;
    LabView view(&session, nullptr, {wall_question()});
    view.resize(900, 560);
    view.show();
    EXPECT_EQ(view.pages().last(), QStringLiteral("walls"));
    view.turnTo(static_cast<int>(view.pages().size()) - 1);
    QuestionPage& page = *view.questionPage("walls");
    EXPECT_EQ(page.canvas()->surface()->chart()->title, "The wall takes 1200\u2009s");
    auto* const tool = qobject_cast<QComboBox*>(page.form()->field("tool"));
    ASSERT_NE(tool, nullptr);
    EXPECT_EQ(tool->currentText(), QStringLiteral("a brush"));
    tool->setCurrentIndex(tool->findData(QStringLiteral("roller")));
    EXPECT_EQ(page.canvas()->surface()->chart()->title, "The wall takes 400\u2009s");
    auto* const coats = qobject_cast<QLineEdit*>(page.form()->field("coats"));
    coats->setText(QStringLiteral("99"));
    EXPECT_FALSE(view.isCurrent());
    EXPECT_TRUE(page.notice()->text().contains(QStringLiteral("a whole number from 1 to 9")));
    coats->setText(QStringLiteral("3"));
    EXPECT_TRUE(view.isCurrent());
    // What is exported: the table, the caption and the picture.
    EXPECT_EQ(static_cast<const View&>(view).table().columns.front(), "coat");
    EXPECT_EQ(static_cast<const View&>(view).table().rows.size(), 3u);
    EXPECT_TRUE(view.caption().contains(QStringLiteral("a wall"))) << view.caption().toStdString();
    QImage image(800, 500, QImage::Format_ARGB32);
    image.fill(Qt::white);
    const QImage blank = image;
    QPainter painter(&image);
    view.paintPicture(painter, image.size(), Theme::light);
    painter.end();
    EXPECT_NE(image, blank);
    // As a lesson shows it.
    view.present({"walls", {{"wall", "20"}}});
    EXPECT_EQ(page.canvas()->surface()->chart()->title, "The wall takes 2400\u2009s");
}

/// Plans of a workload of one file: data-parallel 4, 8 stages, 8 chips that share each block; then 16 stages,
/// which are more than four data-parallel groups leave chips for.
TEST(ToyPage, ShowsPlansOfAWorkload) {
    Question plans = plan_question(toy_workload);
    plans.page = "toy-plans";
    for (QuestionField& field : plans.fields) {
        field.shown = field.row.key == "top" ? "1" : "";
    }
    HandMadeSession session;
    LabView view(&session, nullptr, {plans});
    view.turnTo(static_cast<int>(view.pages().size()) - 1);
    QuestionPage& page = *view.questionPage("toy-plans");
    EXPECT_TRUE(page.isCurrent()) << page.notice()->text().toStdString();
    const Table table = static_cast<const View&>(view).table();
    ASSERT_EQ(table.rows.size(), 1u);
    EXPECT_EQ(table.columns.front(), "rank");
    qobject_cast<QLineEdit*>(page.form()->field("placement"))->setText(QStringLiteral("1,1,1,1"));
    EXPECT_FALSE(page.isCurrent());
    EXPECT_TRUE(page.notice()->text().contains(QStringLiteral("applies to one plan")))
        << page.notice()->text().toStdString();
}

} // namespace
} // namespace meshslice::ui
