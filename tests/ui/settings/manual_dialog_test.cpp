#include "core/base/embedded_resources.h"
#include "ui/settings/manual_dialog.h"

#include <QPushButton>
#include <QRect>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextDocument>
#include <QUrl>
#include <QWidget>
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace meshslice::ui {
namespace {

/// The pages that the links of a page lead to: of "command-line/index.md", "(plan.md)" and "(../t3.md)".
std::vector<std::string> linkedPages(const std::string& page) {
    static const QRegularExpression link(QStringLiteral(R"(\]\(([^):\s]+\.md)\))"));
    const QUrl here(QStringLiteral("qrc:/") + QString::fromStdString(page));
    std::vector<std::string> pages;
    for (auto at = link.globalMatch(manualPage(QString::fromStdString(page))); at.hasNext();) {
        pages.push_back(here.resolved(QUrl(at.next().captured(1))).path().mid(1).toStdString());
    }
    return pages;
}

TEST(Manual, EveryPageIsReachedFromItsContents) {
    std::set<std::string> reached;
    for (std::vector<std::string> open = {"index.md"}; !open.empty();) {
        const std::string page = open.back();
        open.pop_back();
        if (reached.insert(page).second) {
            const std::vector<std::string> linked = linkedPages(page);
            open.insert(open.end(), linked.begin(), linked.end());
        }
    }
    for (const EmbeddedFile& file : embedded_docs()) {
        EXPECT_TRUE(reached.contains(std::string(file.name))) << file.name;
    }
    EXPECT_TRUE(reached.contains("command-line/plan.md"));
}

TEST(Manual, PicturesAreTheirCaptions) {
    const QString page = manualPage(QStringLiteral("window.md"));
    EXPECT_FALSE(page.contains(QStringLiteral("![")));
    EXPECT_TRUE(page.contains(QStringLiteral("*Two variants: A is not sliced, B is*")));
    EXPECT_TRUE(manualPage(QStringLiteral("no-such-page.md")).isEmpty());
}

/// A heading far down the page is where what is seen begins, with nothing but the rest of a line above it.
TEST(Manual, BeginsAtAHeading) {
    QWidget window;
    window.resize(1200, 900);
    auto* dialog = new ManualDialog(&window, QLatin1String(glossary_page), QStringLiteral("pod"));
    dialog->show();
    const QTextBrowser* const pages = dialog->pages();
    EXPECT_EQ(pages->textCursor().block().text().toStdString(), "pod");
    EXPECT_GT(pages->textCursor().block().blockNumber(), 100);
    const QRect heading = pages->cursorRect();
    EXPECT_GT(heading.top(), -heading.height() / 2);
    EXPECT_LT(heading.top(), heading.height());
}

TEST(Manual, GoesFromPageToPageAndBack) {
    QWidget window;
    window.resize(1200, 900);
    auto* dialog = new ManualDialog(&window);
    auto* pages = dialog->findChild<QTextBrowser*>();
    const QList<QPushButton*> buttons = dialog->findChildren<QPushButton*>();
    const QString contents = pages->toPlainText();
    EXPECT_FALSE(contents.isEmpty());
    pages->setSource(pages->source().resolved(QUrl(QStringLiteral("command-line/plan.md"))));
    EXPECT_TRUE(pages->toPlainText().contains(QStringLiteral("--machine b200-nvs8")));
    pages->setSource(pages->source().resolved(QUrl(QStringLiteral("../modelled.md"))));
    EXPECT_TRUE(pages->toPlainText().contains(QStringLiteral("wrap-around")));
    pages->backward();
    EXPECT_TRUE(pages->toPlainText().contains(QStringLiteral("--machine b200-nvs8")));
    for (QPushButton* button : buttons) {
        if (button->text() == ManualDialog::tr("C&ontents")) {
            button->click();
        }
    }
    EXPECT_EQ(pages->toPlainText(), contents);
}

} // namespace
} // namespace meshslice::ui
