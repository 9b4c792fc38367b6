#include "tests/ui/support/own_settings.h"
#include "ui/document/recent_files.h"

#include <QFile>
#include <QTemporaryDir>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

class RecentFiles : public ::testing::Test {
  protected:
    QString make(int number) {
        const QString path = folder.filePath(QStringLiteral("%1.json").arg(number));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        return path;
    }

    QTemporaryDir folder;

  private:
    OwnSettings settings_{QStringLiteral("recent")};
};

TEST_F(RecentFiles, NewestFirstEachOnceAndNotTooMany) {
    clearRecentFiles();
    for (int i = 0; i < 20; ++i) {
        addRecentFile(make(i));
    }
    addRecentFile(make(15));
    const QStringList files = recentFiles();
    ASSERT_EQ(files.size(), most_recent_files);
    EXPECT_TRUE(files[0].endsWith(QStringLiteral("15.json")));
    EXPECT_TRUE(files[1].endsWith(QStringLiteral("19.json")));
    EXPECT_EQ(files.count(files[0]), 1);
}

TEST_F(RecentFiles, FilesThatAreGoneAreNotListed) {
    clearRecentFiles();
    const QString path = make(1);
    addRecentFile(path);
    QFile::remove(path);
    EXPECT_TRUE(recentFiles().isEmpty());
}

} // namespace
} // namespace meshslice::ui
