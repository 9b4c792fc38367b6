#include "ui/settings/language.h"

#include "core/base/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

#include <algorithm>

namespace meshslice::ui {
namespace {

const QString& english() {
    static const QString code = QStringLiteral("en");
    return code;
}

bool has(const QString& code) {
    return std::ranges::find(windowLanguages(), code, &WindowLanguage::code) != windowLanguages().end();
}

/// Installs the file where it is there.
void install(const QString& file, const QString& folder) {
    auto* translator = new QTranslator(QCoreApplication::instance());
    if (translator->load(file, folder)) {
        QCoreApplication::installTranslator(translator);
    } else {
        delete translator;
    }
}

} // namespace

const std::vector<WindowLanguage>& windowLanguages() {
    static const std::vector<WindowLanguage> all = {{english(), QStringLiteral("English")},
                                                    {QStringLiteral("zh_CN"), QStringLiteral("简体中文")}};
    return all;
}

QString languageOf(const QString& choice, const QStringList& desktop) {
    if (choice != QLatin1String(system_language)) {
        return has(choice) ? choice : english();
    }
    // "zh-Hans-CN" is what Qt calls zh_CN; who reads traditional characters, zh-TW, gets English.
    const QString preferred = desktop.isEmpty() ? english() : QLocale(desktop.front()).name();
    return has(preferred) ? preferred : english();
}

void speak(const QString& code) {
    if (code == english()) {
        return;
    }
    // The one asked last is asked first: ours.
    install(QStringLiteral("qtbase_") + code, QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    install(QStringLiteral("meshslice_") + code, QStringLiteral(":/translations"));
    QLocale::setDefault(QLocale(code));
    if (const Result<void> set = set_language(code.toStdString()); !set) {
        qWarning("%s", set.error().sentence.c_str());
    }
}

} // namespace meshslice::ui
