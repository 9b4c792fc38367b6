#pragma once

#include <QCoreApplication>
#include <QFileInfo>
#include <QSettings>
#include <QString>
#include <QTemporaryDir>

namespace meshslice::ui {

/// Settings in a folder of their own for as long as there is one. What a test's settings were before is there
/// again afterwards, also where the test fails.
class OwnSettings {
  public:
    explicit OwnSettings(const QString& application) {
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.path());
        QCoreApplication::setOrganizationName(QStringLiteral("MeshSliceTest"));
        QCoreApplication::setApplicationName(application);
    }
    ~OwnSettings() {
        QSettings::setDefaultFormat(format_);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, path_);
        QCoreApplication::setOrganizationName(organization_);
        QCoreApplication::setApplicationName(application_);
    }
    OwnSettings(const OwnSettings&) = delete;
    OwnSettings& operator=(const OwnSettings&) = delete;

  private:
    /// Qt tells of the folder only by the files in it: <folder>/<organization>/<application>.ini.
    static QString path() {
        const QSettings any(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("any"),
                            QStringLiteral("any"));
        return QFileInfo(QFileInfo(any.fileName()).path()).path();
    }

    QTemporaryDir folder_;
    QSettings::Format format_ = QSettings::defaultFormat();
    QString path_ = path();
    QString organization_ = QCoreApplication::organizationName();
    QString application_ = QCoreApplication::applicationName();
};

} // namespace meshslice::ui
