#include "tests/ui/support/own_settings.h"
#include "tests/ui/support/patience.h"
#include "ui/document/autosave.h"
#include "ui/document/document.h"
#include "ui/editor/number_field.h"
#include "ui/shell/main_window.h"
#include "ui/shell/quit_signals.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>

#include <csignal>

namespace meshslice::ui {
namespace {

/// What a signal does, for a while: a shell starts jobs in the background with some of them ignored.
class Disposition {
  public:
    Disposition(int signal, void (*does)(int)) : signal_(signal), before_(std::signal(signal, does)) {}
    ~Disposition() { std::signal(signal_, before_); }
    Disposition(const Disposition&) = delete;
    Disposition& operator=(const Disposition&) = delete;

  private:
    int signal_;
    void (*before_)(int);
};

TEST(QuitSignals, AreAnsweredInTheUiThread) {
    for (const int signal : {SIGTERM, SIGHUP, SIGINT}) {
        const Disposition ends(signal, SIG_DFL);
        int calls = 0;
        const QuitSignals quit([&] { ++calls; });
        ASSERT_EQ(std::raise(signal), 0);
        EXPECT_EQ(calls, 0) << "not within the handler";
        EXPECT_TRUE(QTest::qWaitFor([&] { return calls == 1; }, patience_ms));
    }
}

/// As by nohup.
TEST(QuitSignals, StayIgnored) {
    const Disposition ignored(SIGHUP, SIG_IGN);
    const Disposition ends(SIGTERM, SIG_DFL);
    int calls = 0;
    const QuitSignals quit([&] { ++calls; });
    ASSERT_EQ(std::raise(SIGHUP), 0);
    ASSERT_EQ(std::raise(SIGTERM), 0); // answered after it, if it were
    EXPECT_TRUE(QTest::qWaitFor([&] { return calls > 0; }, patience_ms));
    QCoreApplication::processEvents();
    EXPECT_EQ(calls, 1);
}

/// As when the desktop ends: what was typed a moment ago is offered at the next start.
TEST(QuitSignals, AnEditIsKept) {
    const OwnSettings settings(QStringLiteral("quit_signals_test"));
    const QTemporaryDir data;
    const QByteArray before = qgetenv("XDG_DATA_HOME");
    qputenv("XDG_DATA_HOME", data.path().toLocal8Bit());
    const Disposition ends(SIGTERM, SIG_DFL);
    {
        MainWindow window(Memory::keep);
        window.show();
        auto* batch = window.findChild<NumberField*>();
        batch->setFocus();
        batch->selectAll();
        QTest::keyClicks(batch, QStringLiteral("96"));
        QTest::keyClick(batch, Qt::Key_Return);
        ASSERT_EQ(window.document()->scenario().batch, 96);
        bool kept = false;
        const QuitSignals quit([&] {
            window.keepUnsavedWork();
            kept = true;
        });
        ASSERT_EQ(std::raise(SIGTERM), 0);
        ASSERT_TRUE(QTest::qWaitFor([&] { return kept; }, patience_ms));
    }
    const std::vector<LostWork> work = Autosave::leftBehind(Autosave::standardFolder()).work;
    before.isNull() ? qunsetenv("XDG_DATA_HOME") : qputenv("XDG_DATA_HOME", before);
    ASSERT_EQ(work.size(), 1u);
    EXPECT_EQ(work[0].project.scenario().batch, 96);
}

} // namespace
} // namespace meshslice::ui
