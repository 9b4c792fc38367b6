#include "app/parse_refusal.h"
#include "core/base/json_reader.h"
#include "ui/commands/file_commands.h"
#include "ui/document/document.h"
#include "ui/look/words.h"
#include "ui/settings/appearance.h"
#include "ui/settings/language.h"
#include "ui/settings/window_settings.h"
#include "ui/shell/capture.h"
#include "ui/shell/lessons.h"
#include "ui/shell/main_window.h"
#include "ui/shell/quit_signals.h"
#include "ui/shell/welcome.h"

#include <CLI/CLI.hpp>
#include <QApplication>
#include <QFile>
#include <QFontInfo>
#include <QLocale>

#include <iostream>
#include <string>

namespace {

using namespace meshslice;

constexpr int wrong_input = 2;

struct Arguments {
    std::string scenario;
    std::string lesson; ///< a name or a file
    std::string theme = "system";
    std::string language; ///< none: the one of the settings, and English for files
    std::string capture;
    std::vector<std::int32_t> size{1600, 1000};
    std::vector<std::string> views; ///< none: all
};

int refuseArguments(const std::string& sentence) {
    std::cerr << sentence << '\n';
    return wrong_input;
}

QtMessageHandler default_messages = nullptr;

/// Passes on what Qt says, except what the offscreen platform remarks about every window.
void tellMessage(QtMsgType type, const QMessageLogContext& context, const QString& message) {
    if (!message.contains(QStringLiteral("propagateSizeHints")) &&
        !message.contains(QStringLiteral("XDG_RUNTIME_DIR")) &&
        !message.contains(QStringLiteral("could not connect to display")) &&
        !message.contains(QStringLiteral("Could not load the Qt platform plugin"))) {
        default_messages(type, context, message);
    }
}

/// --capture draws to memory. A window wants a display; where the one that is named cannot be reached, Qt
/// would abort, so it is given the memory to fall back on, and the caller asks which it was.
void choosePlatform(const Arguments& arguments) {
#ifdef Q_OS_UNIX
    if (!qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
        return;
    }
    if (!arguments.capture.empty()) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    } else if (!qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY")) {
        qputenv("QT_QPA_PLATFORM", "wayland;xcb;offscreen");
    } else {
        qputenv("QT_QPA_PLATFORM", "xcb;offscreen");
    }
    default_messages = qInstallMessageHandler(tellMessage);
#endif
}

/// Nobody sees a window that is drawn to memory, unless somebody has asked for just that.
bool nobodyWouldSee(bool asked) {
    return !asked && QGuiApplication::platformName() == QStringLiteral("offscreen");
}

/// Pictures are the same on every desktop, unless somebody asks for a language.
QString languageChoice(const Arguments& arguments) {
    if (!arguments.language.empty()) {
        return ui::words(arguments.language);
    }
    return arguments.capture.empty() ? ui::restoredLanguage() : QStringLiteral("en");
}

int captureToFiles(const Arguments& arguments) {
    ui::CaptureRequest request;
    request.folder = QString::fromLocal8Bit(arguments.capture.c_str());
    request.size = {arguments.size[0], arguments.size[1]};
    for (const std::string& view : arguments.views) {
        request.views << QString::fromLocal8Bit(view.c_str());
    }
    request.theme = arguments.theme == "dark" ? meshslice::Theme::dark : meshslice::Theme::light;
    if (!arguments.scenario.empty()) {
        const auto text = read_text_file(arguments.scenario);
        const auto project =
            text ? read_project(*text, arguments.scenario) : Result<Project>(refuse(text.error()));
        if (!project) {
            return refuseArguments(project.error().sentence);
        }
        request.project = *project;
    }
    const auto captured = ui::capture(
        request, [](const QString& path) { std::cout << path.toLocal8Bit().constData() << std::endl; });
    return captured ? 0 : refuseArguments(captured.error().sentence);
}

int openWindow(const Arguments& arguments) {
    ui::MainWindow window;
    if (arguments.theme != "system") {
        window.appearance()->setTheme(ui::themeChoice(ui::words(arguments.theme)));
    }
    window.show();
    if (!arguments.scenario.empty()) {
        window.files()->openPath(QString::fromLocal8Bit(arguments.scenario.c_str()));
    }
    window.offerLostWork();
    if (!arguments.lesson.empty()) {
        window.lessons()->beginNamed(QString::fromLocal8Bit(arguments.lesson.c_str()));
    } else if (QGuiApplication::platformName() !=
               QStringLiteral("offscreen")) { // where nobody could close it
        window.welcome()->openAtStart(!arguments.scenario.empty());
    }
    const ui::QuitSignals quit([&window] {
        window.keepUnsavedWork();
        QCoreApplication::exit(0);
    });
    return QApplication::exec();
}

} // namespace

int main(int argc, char** argv) {
    CLI::App parser(
        "MeshSlice Explorer: shows when each core multiplies and each link moves in distributed matrix "
        "multiplication on a torus.",
        "meshslice-explorer");
    Arguments arguments;
    parser.add_option("scenario,--scenario", arguments.scenario, "Scenario file (JSON) to open")
        ->type_name("FILE");
    parser.add_option("--theme", arguments.theme, "Colours of the window: light, dark or system")
        ->check(CLI::IsMember({"light", "dark", "system"}))
        ->type_name("THEME");
    parser.add_option("--language", arguments.language, "Language of the window: en, zh_CN or system")
        ->check(CLI::IsMember({"en", "zh_CN", "system"}))
        ->type_name("LANGUAGE");
    parser
        .add_option("--lesson", arguments.lesson,
                    "Lesson to begin with: one that `meshslice lesson` lists, or a file")
        ->type_name("NAME|FILE");
    CLI::Option* folder = parser
                              .add_option("--capture", arguments.capture,
                                          "Write the window and every view to files in this folder, and end")
                              ->type_name("DIR");
    parser
        .add_option("--size", arguments.size, "Size of the captured window and pictures in pixels: 1600x1000")
        ->delimiter('x')
        ->expected(2)
        ->check(CLI::Range(320, 8192))
        ->type_name("WxH")
        ->needs(folder);
    parser
        .add_option("--views", arguments.views,
                    "Only these views, by the names that their files have: timeline,roofline")
        ->delimiter(',')
        ->type_name("VIEW,...")
        ->needs(folder);
    refuse_empty_values(parser);
    try {
        parser.parse(argc, argv);
    } catch (const CLI::CallForHelp& help) {
        return parser.exit(help);
    } catch (const CLI::ParseError& error) {
        return refuseArguments(std::string(error.what()) + "; --help lists what there is.");
    }
    const bool platform_asked = !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM");
    choosePlatform(arguments);

    QApplication::setStyle(
        QStringLiteral("Fusion")); // the one style that follows a palette of ours everywhere
    const QApplication application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("MeshSlice"));
    QCoreApplication::setApplicationName(QStringLiteral("MeshSlice Explorer"));
    QCoreApplication::setApplicationVersion(QStringLiteral(MESHSLICE_VERSION));
    if (QFontInfo(QGuiApplication::font()).family().isEmpty()) {
        std::cerr << "No font is installed, so every letter is drawn as a box; on Debian fonts-dejavu-core "
                     "has some."
                  << std::endl;
    }
    if (arguments.capture.empty() && nobodyWouldSee(platform_asked)) {
        return refuseArguments(
            "There is no display to open the window on; --capture DIR writes it and every view to files.");
    }
    ui::speak(ui::languageOf(languageChoice(arguments), QLocale::system().uiLanguages()));
    return arguments.capture.empty() ? openWindow(arguments) : captureToFiles(arguments);
}
