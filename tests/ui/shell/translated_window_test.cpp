// What must hold of the window in every language. English is asked here; the last test asks the same of
// Chinese, in a process of its own: what a program has said once stays as it is.

#include "core/base/language.h"
#include "core/machine/catalogue.h"
#include "core/model/transformer.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/charts/chart_view.h"
#include "ui/commands/examples.h"
#include "ui/controls/elided_label.h"
#include "ui/details/details_panel.h"
#include "ui/document/document.h"
#include "ui/session/session.h"
#include "ui/settings/appearance.h"
#include "ui/shell/bars/headline_bar.h"
#include "ui/shell/main_window.h"
#include "ui/timeline/strip/time_marks.h"
#include "ui/variants/variant_card.h"
#include "ui/view/picture_area.h"
#include "ui/view/view.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QProcess>
#include <QRegularExpression>
#include <QSlider>
#include <QTabBar>
#include <QTest>
#include <QTextDocumentFragment>
#include <QToolBar>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

namespace meshslice::ui {
namespace {

bool hasHan(const QString& text) {
    return std::ranges::any_of(text, [](QChar c) { return c.script() == QChar::Script_Han; });
}

/// What machines and models are called, the longest first, so that none leaves the end of another.
const QStringList& titlesOfPresets() {
    static const QStringList all = [] {
        QStringList titles;
        for (const Machine& machine : machine_presets()) {
            titles << QString::fromStdString(machine.title);
        }
        for (const meshslice::Transformer& model : model_presets()) {
            titles << QString::fromStdString(model.title);
        }
        std::ranges::sort(titles, std::greater(), [](const QString& title) { return title.size(); });
        return titles;
    }();
    return all;
}

/// English words of a text that are not names, units or key strokes.
QString englishWords(QString text) {
    if (Qt::mightBeRichText(text)) {
        text = QTextDocumentFragment::fromHtml(text).toPlainText();
    }
    // Names of the field and of files, what is typed into a field, and titles that hardware files bring
    // along.
    static const QRegularExpression names(QStringLiteral(
        "NVIDIA [^<）；：，,]*, domains of \\d+|TPU v\\d[^<）；：，]*|GPU( like|, as in| of| with "
        "twice)[^<）；：]*|MeshSlice|Explorer|Collective|Cannon|Wang|Perfetto|Hugging "
        "Face|Ulysses|Megatron-\\w+|Mega-GPT|Turing|"
        "Llama|Roofline|roofline|English|Language|Chrome "
        "trace|config\\.json|auto|GPipe|DualPipe|bf16|mxfp8|nvfp4|int4|int8|unbounded|meshslice|"
        "token|pod|Tensor|RT|vLLM|SGLang|logits|all-gather|reduce-scatter|send-receive|all-reduce|brain|Qt|"
        "Home|Enter|Esc\\w*|"
        "Space|"
        "Ctrl|Shift|Page|Tab|Alt|Transformer|Softmax|Adam|Output|"
        "output_tile_rows|tiled|tensor parallel"));
    for (const QString& title : titlesOfPresets()) {
        text.remove(title);
    }
    text.remove(names);
    static const QRegularExpression word(QStringLiteral("[A-Za-z][a-z]{2,}"));
    QStringList found;
    for (auto it = word.globalMatch(text); it.hasNext();) {
        found << it.next().captured();
    }
    return found.join(QLatin1Char(' '));
}

class TranslatedWindowTest : public ::testing::Test {
  protected:
    TranslatedWindowTest() {
        window.document()->restore(project_of(smallScenario()), {});
        window.resize(1280, 800);
        window.show();
        EXPECT_TRUE(QTest::qWaitFor(
            [this] { return window.session()->current() && !window.session()->isExplaining(); },
            patience_ms));
        QApplication::processEvents();
    }
    ~TranslatedWindowTest() override { window.appearance()->setFontPercent(100); }

    static bool inChinese() { return language() == "zh_CN"; }

    /// In English no Chinese character, in Chinese some, or nothing that would need one.
    static void expectLanguage(const QString& text, const char* what) {
        if (inChinese()) {
            EXPECT_EQ(englishWords(text), QString()) << what << ": " << text.toStdString();
        } else if (text != QStringLiteral("简体中文")) {
            EXPECT_FALSE(hasHan(text)) << what << ": " << text.toStdString();
        }
    }

    static void expectMenu(const QMenu& menu) {
        for (const QAction* action : menu.actions()) {
            expectLanguage(action->text(), "entry of a menu");
            expectLanguage(action->statusTip(), "status tip");
            if (action->menu() != nullptr) {
                expectMenu(*action->menu());
            }
        }
    }

    /// What a user can read of the window now, tooltips too.
    void expectWindow() {
        for (const QWidget* widget : window.findChildren<QWidget*>()) {
            if (!widget->isVisible() || qobject_cast<const QMenu*>(widget) != nullptr) {
                continue;
            }
            if (const auto* label = qobject_cast<const QLabel*>(widget)) {
                expectLanguage(label->text(), "label");
            } else if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) {
                expectLanguage(button->text(), "button");
            } else if (const auto* list = qobject_cast<const QComboBox*>(widget)) {
                for (int k = 0; k < list->count(); ++k) {
                    expectLanguage(list->itemText(k), "entry of a list");
                }
            } else if (const auto* tabs = qobject_cast<const QTabBar*>(widget)) {
                for (int k = 0; k < tabs->count(); ++k) {
                    expectLanguage(tabs->tabText(k), "tab");
                }
            }
            expectLanguage(widget->accessibleName(), "accessible name");
        }
    }

    /// Words that have no room, and parts that stand on each other.
    void expectRoom(const std::string& where) {
        for (const QWidget* widget : window.findChildren<QWidget*>()) {
            if (!widget->isVisible() || widget->visibleRegion().isEmpty()) {
                continue;
            }
            const auto* label = qobject_cast<const QLabel*>(widget);
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            if (label != nullptr && !label->wordWrap() && !label->text().isEmpty() &&
                qobject_cast<const ElidedLabel*>(widget) == nullptr) {
                EXPECT_GE(label->width(), label->minimumSizeHint().width())
                    << where << ": " << label->text().toStdString();
                EXPECT_GE(label->height(), label->fontMetrics().height())
                    << where << ": " << label->text().toStdString();
            }
            if (button != nullptr && !button->text().isEmpty()) {
                EXPECT_GE(button->width(), button->fontMetrics().horizontalAdvance(
                                               QString(button->text()).remove(QLatin1Char('&'))))
                    << where << ": " << button->text().toStdString();
            }
            if (const auto* tabs = qobject_cast<const QTabBar*>(widget)) {
                for (int k = 0; k < tabs->count(); ++k) {
                    EXPECT_GE(tabs->tabRect(k).width(),
                              tabs->fontMetrics().horizontalAdvance(tabs->tabText(k)))
                        << where << ": " << tabs->tabText(k).toStdString();
                }
            }
            if (!hasWords(widget)) {
                continue;
            }
            for (const QWidget* other :
                 widget->parentWidget()->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
                if (other > widget && other->isVisible() && hasWords(other)) {
                    EXPECT_FALSE(other->geometry().intersects(widget->geometry()))
                        << where << ": " << widget->metaObject()->className() << " on "
                        << other->metaObject()->className();
                }
            }
        }
    }

    static bool hasWords(const QWidget* widget) {
        const auto* label = qobject_cast<const QLabel*>(widget);
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        return (label != nullptr && !label->text().isEmpty()) ||
               (button != nullptr && !button->text().isEmpty()) ||
               qobject_cast<const QComboBox*>(widget) != nullptr;
    }

    MainWindow window{Memory::forget};
};

TEST_F(TranslatedWindowTest, MenusAreInItsLanguage) {
    ASSERT_GE(window.menuBar()->actions().size(), 5);
    for (const QAction* entry : window.menuBar()->actions()) {
        expectLanguage(entry->text(), "menu");
        EXPECT_EQ(hasHan(entry->text()), inChinese()) << entry->text().toStdString();
        expectMenu(*entry->menu());
    }
}

TEST_F(TranslatedWindowTest, WhatIsReadIsInItsLanguage) {
    EXPECT_EQ(hasHan(window.headline()->text()), inChinese()) << window.headline()->text().toStdString();
    expectLanguage(window.headline()->text(), "headline");
    const auto* details = window.findChild<DetailsPanel*>();
    ASSERT_NE(details, nullptr);
    EXPECT_EQ(hasHan(details->toPlainText()), inChinese());
    for (View* view : window.views()) {
        window.pictures()->show(view);
        QApplication::processEvents();
        EXPECT_EQ(hasHan(view->windowTitle()), inChinese() && view->windowTitle() != QStringLiteral("GEMM") &&
                                                   view->windowTitle() != QStringLiteral("Roofline"))
            << view->windowTitle().toStdString();
        expectWindow();
    }
}

/// Charts say their titles, axes and series.
TEST_F(TranslatedWindowTest, ChartsAreInItsLanguage) {
    for (const char* id : {"breakdown", "roofline"}) {
        auto* view = window.findChild<ChartView*>(QLatin1String(id));
        ASSERT_NE(view, nullptr);
        window.pictures()->show(view);
        QApplication::processEvents();
        const std::optional<Chart>& chart = view->surface()->chart();
        ASSERT_TRUE(chart.has_value());
        expectLanguage(QString::fromStdString(chart->title), "title");
        EXPECT_EQ(hasHan(QString::fromStdString(chart->title)), inChinese());
        for (const ChartPanel& panel : chart->panels) {
            for (const std::string& text : {panel.title, panel.x.label, panel.y.label, panel.thin_name}) {
                expectLanguage(QString::fromStdString(text), "axis");
            }
            for (const ChartSeries& series : panel.series) {
                expectLanguage(QString::fromStdString(series.name), "series");
            }
        }
        for (const std::string& note : chart->notes) {
            expectLanguage(QString::fromStdString(note), "note");
        }
    }
}

/// A project's file and a table for programs are the same in every language; the window shows the names of
/// examples and marks in its own.
TEST_F(TranslatedWindowTest, WhatIsStoredIsEnglish) {
    const std::vector<Example> all = examples();
    const auto sliced = std::ranges::find_if(all, [](const Example& example) {
        return example.project.pinned && example.project.variants[example.project.current].name == "sliced";
    });
    ASSERT_NE(sliced, all.end());
    window.document()->beginWith(sliced->project);
    const TimeScale scale{{Time(0), Time(200)}, 100, 200};
    const std::vector<TimeMark> marks = toggled({}, scale, 150);
    EXPECT_EQ(marks, (std::vector<TimeMark>{{"Mark 1", Time(50)}}));
    EXPECT_EQ(markTitle(marks, 0), inChinese() ? QStringLiteral("标记 1") : QStringLiteral("Mark 1"));
    ASSERT_TRUE(window.document()->setMarks(marks));
    EXPECT_FALSE(hasHan(QString::fromStdString(write_project(window.document()->project()))));
    const auto cards = window.findChildren<VariantCard*>();
    ASSERT_EQ(cards.size(), 2);
    for (VariantCard* card : cards) {
        EXPECT_EQ(hasHan(card->face().name), inChinese()) << card->face().name.toStdString();
        card->editName();
        card->endName(true);
    }
    EXPECT_EQ(window.document()->project().variants, sliced->project.variants) << "nobody typed a name";
}

/// Alt and a letter do one thing within a menu, and among the menus.
TEST_F(TranslatedWindowTest, NoLetterTwiceInAMenu) {
    const auto letters = [](const QList<QAction*>& actions) {
        QStringList seen;
        for (const QAction* action : actions) {
            const QString keys = QKeySequence::mnemonic(action->text()).toString();
            EXPECT_TRUE(keys.isEmpty() || !seen.contains(keys)) << action->text().toStdString();
            seen << keys;
        }
    };
    letters(window.menuBar()->actions());
    for (const QAction* entry : window.menuBar()->actions()) {
        letters(entry->menu()->actions());
    }
}

TEST_F(TranslatedWindowTest, EveryControlHasATipAndAName) {
    ASSERT_TRUE(window.document()->duplicate(0));
    for (View* view : window.views()) {
        window.pictures()->show(view);
        QApplication::sendPostedEvents();
        QApplication::processEvents();
        for (const QWidget* widget : window.findChildren<QWidget*>()) {
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            const bool is_control = button != nullptr || qobject_cast<const QComboBox*>(widget) != nullptr ||
                                    qobject_cast<const QLineEdit*>(widget) != nullptr ||
                                    qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
                                    qobject_cast<const QSlider*>(widget) != nullptr;
            const QWidget* of = widget->parentWidget();
            const bool is_qts_own = qobject_cast<const QAbstractSpinBox*>(of) != nullptr ||
                                    qobject_cast<const QTabBar*>(of) != nullptr ||
                                    qobject_cast<const QDockWidget*>(of) != nullptr ||
                                    qobject_cast<const QToolBar*>(of) != nullptr ||
                                    qobject_cast<const QAbstractItemView*>(of) != nullptr;
            if (!is_control || is_qts_own || !widget->isVisible()) {
                continue;
            }
            const QString named = widget->accessibleName() + (button != nullptr ? button->text() : QString());
            EXPECT_FALSE(named.isEmpty())
                << view->id().toStdString() << ": " << widget->metaObject()->className();
            EXPECT_FALSE(widget->toolTip().isEmpty())
                << view->id().toStdString() << ": " << named.toStdString();
        }
    }
}

/// Of two variants, which take more words than one.
TEST_F(TranslatedWindowTest, EveryWordHasRoom) {
    ASSERT_TRUE(window.document()->duplicate(0));
    ASSERT_TRUE(QTest::qWaitFor([this] { return window.session()->current() != nullptr; }, patience_ms));
    for (const QSize size : {QSize(960, 600), QSize(1280, 800), QSize(1920, 1080), QSize(2560, 1440)}) {
        for (const int percent : {100, 140}) {
            window.appearance()->setFontPercent(percent);
            window.resize(size);
            for (View* view : window.views()) {
                window.pictures()->show(view);
                QApplication::sendPostedEvents();
                QApplication::processEvents();
                expectRoom(fmt::format("{}x{}, {}%, {}", size.width(), size.height(), percent,
                                       view->objectName().toStdString()));
            }
        }
    }
}

TEST(WindowInChinese, PassesTheSameTests) {
    if (language() != "en") {
        GTEST_SKIP() << "this is that process";
    }
    if (!QFile::exists(QStringLiteral(":/translations/meshslice_zh_CN.qm"))) {
        GTEST_SKIP() << "built without Qt's tool for translations";
    }
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("MESHSLICE_TEST_LANGUAGE"), QStringLiteral("zh_CN"));
    for (const char* name : {"GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX", "GTEST_REPEAT", "GTEST_SHUFFLE"}) {
        environment.remove(QLatin1String(name));
    }
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(
        QCoreApplication::applicationFilePath(),
        {QStringLiteral("--gtest_filter=TranslatedWindowTest.*:SweepsViewTest.KeepsAPointAsAVariant:"
                        "TunerViewTest.NoWordsAreCut"),
         QStringLiteral("--gtest_brief=0")});
    ASSERT_TRUE(process.waitForFinished(5 * patience_ms));
    const QString said = QString::fromUtf8(process.readAll());
    EXPECT_EQ(process.exitCode(), 0) << said.toStdString();
    EXPECT_TRUE(said.contains(QStringLiteral("[  PASSED  ] 9 tests."))) << said.right(4000).toStdString();
}

} // namespace
} // namespace meshslice::ui
