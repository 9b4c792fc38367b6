#include "app/arguments/help.h"
#include "app/arguments/manual_page.h"
#include "app/arguments/parse_refusal.h"
#include "app/arguments/version.h"
#include "core/base/json/json_reader.h"
#include "core/scenario/file/shared_text.h"
#include "ui/commands/file_commands.h"
#include "ui/document/document.h"
#include "ui/look/words.h"
#include "ui/settings/appearance.h"
#include "ui/settings/language.h"
#include "ui/settings/window_settings.h"
#include "ui/shell/main_window.h"
#include "ui/shell/pictures/capture.h"
#include "ui/shell/quit_signals.h"
#include "ui/shell/start/lessons.h"
#include "ui/shell/start/welcome.h"

#include <CLI/CLI.hpp>
#include <QApplication>
#include <QFile>
#include <QFontInfo>
#include <QIcon>
#include <QLocale>
#include <QSize>
#include <QStringList>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace meshslice;

constexpr int wrong_input = 2;
constexpr const char* program_name = "meshslice-explorer";

struct Arguments {
    std::string scenario;
    std::string lesson; ///< a name or a file
    std::string theme = "system";
    std::string language; ///< none: the one of the settings, and English for files
    std::string capture;
    std::string size = "1600x1000";
    std::string views; ///< with commas between them; none: all
    bool version = false;
    bool manual = false;
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

/// "1600x1000"; none where it is too small to look at or too large for memory.
std::optional<QSize> sizeOf(const std::string& words) {
    constexpr int least = 320;
    constexpr int most = 8192;
    const QStringList sides = ui::words(words).split(QLatin1Char('x'));
    bool width_read = false;
    bool height_read = false;
    const QSize size(sides.front().toInt(&width_read), sides.back().toInt(&height_read));
    const bool right = sides.size() == 2 && width_read && height_read &&
                       std::min(size.width(), size.height()) >= least &&
                       std::max(size.width(), size.height()) <= most;
    return right ? std::optional(size) : std::nullopt;
}

int captureToFiles(const Arguments& arguments) {
    ui::CaptureRequest request;
    request.folder = QString::fromLocal8Bit(arguments.capture.c_str());
    request.size = sizeOf(arguments.size).value_or(request.size); // it was checked
    request.views =
        QString::fromLocal8Bit(arguments.views.c_str()).split(QLatin1Char(','), Qt::SkipEmptyParts);
    request.theme = arguments.theme == "dark" ? meshslice::Theme::dark : meshslice::Theme::light;
    if (!arguments.scenario.empty()) {
        const auto text = is_shared_text(arguments.scenario) ? Result<std::string>(arguments.scenario)
                                                             : read_text_file(arguments.scenario);
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
    const QString desktop = ui::words(program_name); // what the desktop file and the icon are called
    QGuiApplication::setDesktopFileName(desktop);
    QApplication::setWindowIcon(
        QIcon::fromTheme(desktop, QIcon(QStringLiteral(":/icons/meshslice-explorer.svg"))));
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

/// Refuses words that are none of these.
CLI::Validator oneOf(const std::vector<std::string>& words) {
    return CLI::Validator(
        [words](const std::string& value) {
            return std::ranges::find(words, value) != words.end()
                       ? std::string()
                       : fmt::format("is \"{}\"; expected one of {}", value, fmt::join(words, ", "));
        },
        "");
}

std::string sizeRefusal(const std::string& words) {
    return sizeOf(words)
               ? std::string()
               : fmt::format("is \"{}\"; expected two numbers from 320 to 8192, such as 1600x1000", words);
}

/// The flags of the window.
void declareFlags(CLI::App& parser, Arguments& arguments) {
    const auto add = [&](const std::string& flag, auto& into, const std::string& help) {
        return parser.add_option(flag, into, help)->type_name("");
    };
    parser.set_help_flag("-h,--help", "Shows this");
    parser.add_flag("-V,--version", arguments.version, "Says which version this is");
    parser.add_flag("--manual", arguments.manual, "Prints the manual page")->group(""); // for packages
    add("FILE,--scenario", arguments.scenario, "FILE.json: a scenario or project to open");
    add("--theme", arguments.theme, "light|dark|system: colours of the window")
        ->check(oneOf({"light", "dark", "system"}));
    add("--language", arguments.language, "en|zh_CN|system: language of the window")
        ->check(oneOf({"en", "zh_CN", "system"}));
    add("--lesson", arguments.lesson,
        "NAME|FILE: a lesson to begin with, one that `meshslice lesson` lists or a file");
    CLI::Option* folder = add("--capture", arguments.capture,
                              "DIR: writes the window and every view to files in this folder, and ends");
    add("--size", arguments.size, "WxH: of the captured window and pictures, in pixels (default 1600x1000)")
        ->check(sizeRefusal)
        ->needs(folder);
    add("--views", arguments.views,
        "VIEW,...: only these and their pages, by the names of their files, such as timeline,lab-pipeline")
        ->needs(folder);
    refuse_empty_values(parser);
}

/// What the program says of itself, with lines of so many characters.
std::string helpOf(const CLI::App& parser, std::size_t width) {
    return command_help(parser,
                        {"", "resources/examples/sliced.meshslice.json", "--lesson roofline",
                         "--capture pictures --views timeline,roofline --theme dark"},
                        true, width);
}

std::string manualOf(const CLI::App& parser) {
    constexpr std::size_t width = 72; // what a page leaves of 80
    ManualPage page{program_name, version_text(program_name), "the window of MeshSlice Explorer",
                    std::string(program_name) + " [FILE] [flags]", parser.get_description() + "."};
    page.sections.emplace_back("Flags", helpOf(parser, width));
    page.see_also = "meshslice";
    return roff(page);
}

} // namespace

int main(int argc, char** argv) {
    CLI::App parser(
        "A what-if explorer for large models on many chips: shows when each core multiplies and each "
        "link moves, whether it fits into memory, and what bounds it",
        program_name);
    Arguments arguments;
    declareFlags(parser, arguments);
    try {
        parser.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        std::cout << helpOf(parser, help_width());
        return 0;
    } catch (const CLI::ParseError& error) {
        return refuseArguments(parse_refusal(parser, error).sentence);
    }
    if (arguments.version || arguments.manual) {
        std::cout << (arguments.manual ? manualOf(parser) : version_text(program_name) + "\n");
        return 0;
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
