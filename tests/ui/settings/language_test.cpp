#include "tests/ui/support/own_settings.h"
#include "ui/settings/language.h"
#include "ui/settings/window_settings.h"
#include "ui/shell/main_window.h"

#include <QApplication>
#include <QFile>
#include <QMenuBar>
#include <QMessageBox>
#include <QProcess>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <gtest/gtest.h>

#include <map>

namespace meshslice::ui {
namespace {

/// The texts of a .ts file by context and English; empty translations are unfinished.
std::map<std::pair<QString, QString>, QString> textsOf(const QString& path) {
    std::map<std::pair<QString, QString>, QString> texts;
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << path.toStdString();
    QXmlStreamReader xml(&file);
    QString context;
    QString source;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) {
            continue;
        }
        if (xml.name() == QLatin1String("name")) {
            context = xml.readElementText();
        } else if (xml.name() == QLatin1String("source")) {
            source = xml.readElementText();
        } else if (xml.name() == QLatin1String("translation")) {
            const bool finished = !xml.attributes().hasAttribute(QLatin1String("type"));
            const QString text = xml.readElementText();
            texts[{context, source}] = finished ? text : QString();
        }
    }
    EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
    return texts;
}

QString committed() {
    return QStringLiteral(MESHSLICE_SOURCE_DIR "/resources/translations/meshslice_zh_CN.ts");
}

QStringList placesOf(const QString& text) {
    static const QRegularExpression place(QStringLiteral("%L?(\\d|n)"));
    QStringList found;
    for (auto it = place.globalMatch(text); it.hasNext();) {
        found << it.next().captured();
    }
    found.sort();
    return found;
}

TEST(LanguageOfTheWindow, FollowsTheChoiceOrTheDesktop) {
    const std::tuple<const char*, QStringList, const char*> cases[] = {
        {"en", {QStringLiteral("zh-CN")}, "en"},
        {"zh_CN", {QStringLiteral("de-DE")}, "zh_CN"},
        {"tlh", {QStringLiteral("zh-CN")}, "en"},
        {system_language, {QStringLiteral("zh-Hans-CN"), QStringLiteral("en-US")}, "zh_CN"},
        {system_language, {QStringLiteral("en-US"), QStringLiteral("zh-CN")}, "en"},
        {system_language, {QStringLiteral("zh-TW"), QStringLiteral("zh")}, "en"},
        {system_language, {QStringLiteral("C")}, "en"},
        {system_language, {}, "en"}};
    for (const auto& [choice, desktop, code] : cases) {
        EXPECT_EQ(languageOf(QLatin1String(choice), desktop), QLatin1String(code))
            << choice << ' ' << desktop.join(QLatin1Char(' ')).toStdString();
    }
}

/// What lupdate finds in the sources is what the file has, all of it translated. app/translations brings
/// new texts into the file.
TEST(LanguageOfTheWindow, EveryTextIsTranslated) {
    const QTemporaryDir folder;
    const QString now = folder.filePath(QStringLiteral("now.ts"));
    QProcess script;
    script.setProcessChannelMode(QProcess::MergedChannels);
    script.start(QStringLiteral("bash"), {QStringLiteral(MESHSLICE_SOURCE_DIR "/app/translations"), now});
    ASSERT_TRUE(script.waitForFinished(120'000));
    const QString said = QString::fromUtf8(script.readAll());
    if (said.contains(QStringLiteral("lupdate is missing"))) {
        GTEST_SKIP() << said.toStdString();
    }
    ASSERT_EQ(script.exitCode(), 0) << said.toStdString();
    const auto wanted = textsOf(now);
    const auto there = textsOf(committed());
    EXPECT_GT(wanted.size(), 800u);
    for (const auto& [key, text] : wanted) {
        const auto found = there.find(key);
        EXPECT_TRUE(found != there.end() && !found->second.isEmpty())
            << key.first.toStdString() << ": " << key.second.toStdString();
    }
    for (const auto& [key, text] : there) {
        EXPECT_TRUE(wanted.contains(key)) << "no longer there: " << key.second.toStdString();
    }
}

TEST(LanguageOfTheWindow, TranslationsHaveTheValuesAndTheKeyOfTheirText) {
    static const QRegularExpression english(QStringLiteral("&(\\w)"));
    static const QRegularExpression chinese(QStringLiteral("\\(&(\\w)\\)"));
    for (const auto& [key, text] : textsOf(committed())) {
        EXPECT_EQ(placesOf(key.second), placesOf(text)) << text.toStdString();
        EXPECT_EQ(key.second.count(QLatin1Char('\t')), text.count(QLatin1Char('\t'))) << text.toStdString();
        const auto own = english.match(key.second);
        const auto other = chinese.match(text);
        EXPECT_EQ(own.hasMatch(), other.hasMatch()) << text.toStdString();
        EXPECT_EQ(own.captured(1).toUpper(), other.captured(1)) << text.toStdString();
        EXPECT_EQ(key.second.endsWith(QStringLiteral("…")), text.endsWith(QStringLiteral("…")))
            << text.toStdString();
    }
}

/// View > Language keeps what is chosen for the next start, and says so.
TEST(LanguageOfTheWindow, IsChosenInTheMenu) {
    const OwnSettings settings(QStringLiteral("language test"));
    EXPECT_EQ(restoredLanguage(), QLatin1String(system_language));
    MainWindow window(Memory::keep);
    QAction* chosen = nullptr;
    for (QAction* action : window.findChildren<QAction*>()) {
        if (action->text() == QStringLiteral("简体中文")) {
            chosen = action;
        }
    }
    ASSERT_NE(chosen, nullptr);
    EXPECT_FALSE(chosen->isChecked());
    chosen->trigger();
    EXPECT_TRUE(chosen->isChecked());
    EXPECT_EQ(restoredLanguage(), QStringLiteral("zh_CN"));
    const auto boxes = window.findChildren<QMessageBox*>();
    ASSERT_EQ(boxes.size(), 1);
    EXPECT_EQ(boxes.front()->text(), QStringLiteral("The new language is used after a restart."));
    chosen->trigger();
    EXPECT_EQ(window.findChildren<QMessageBox*>().size(), 1) << "it is stored already";
    MainWindow forgetful(Memory::forget);
    for (QAction* action : forgetful.findChildren<QAction*>()) {
        if (action->text() == QStringLiteral("English")) {
            action->trigger();
        }
    }
    EXPECT_EQ(restoredLanguage(), QStringLiteral("zh_CN"));
    EXPECT_TRUE(forgetful.findChildren<QMessageBox*>().isEmpty()) << "nothing was stored";
}

/// A test leaves the settings as they were before it.
TEST(OwnSettings, GiveBackWhatWasThere) {
    const auto now = [] {
        return QStringList{
            QSettings().fileName(), QString::number(static_cast<int>(QSettings::defaultFormat())),
            QCoreApplication::organizationName(), QCoreApplication::applicationName(),
            QSettings(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("a"), QStringLiteral("b"))
                .fileName()};
    };
    const QStringList before = now();
    {
        const OwnSettings settings(QStringLiteral("own"));
        EXPECT_NE(now()[0], before[0]);
        EXPECT_NE(now()[4], before[4]);
    }
    EXPECT_EQ(now(), before);
}

} // namespace
} // namespace meshslice::ui
