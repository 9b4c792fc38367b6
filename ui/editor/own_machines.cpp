#include "ui/editor/own_machines.h"

#include "core/base/json/json_reader.h"
#include "core/machine/catalogue.h"
#include "core/machine/edit.h"
#include "ui/look/words.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QSaveFile>
#include <QStandardPaths>

#include <algorithm>

namespace meshslice::ui {
namespace {

struct OwnMachineWords {
    Q_DECLARE_TR_FUNCTIONS(OwnMachines)
};

Error refusal(const QString& sentence) {
    return Error{sentence.toStdString()};
}

/// "my-cluster" of "My cluster": a name as files and flags have it.
QString nameOf(const QString& title) {
    QString name;
    for (const QChar letter : title.toLower()) {
        const bool plain = letter.isLetterOrNumber() && letter.unicode() < 128;
        if (plain) {
            name += letter;
        } else if (!name.isEmpty() && !name.endsWith(u'-')) {
            name += u'-';
        }
    }
    while (name.endsWith(u'-')) {
        name.chop(1);
    }
    return name.isEmpty() ? QStringLiteral("machine") : name;
}

} // namespace

QString ownMachinesFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/machines");
}

std::vector<OwnMachine> ownMachines() {
    std::vector<OwnMachine> all;
    const QDir folder(ownMachinesFolder());
    for (const QString& file : folder.entryList({QStringLiteral("*.json")}, QDir::Files)) {
        const QString path = folder.filePath(file);
        const Result<std::string> text = read_text_file(QFile::encodeName(path).toStdString());
        const Result<Machine> read =
            text ? read_machine(*text, file.toStdString()).map(meshslice::told_apart) : refuse(text.error());
        if (read) {
            all.push_back({path, *read});
        }
    }
    std::ranges::sort(all, {}, [](const OwnMachine& one) { return one.machine.title; });
    return all;
}

Result<void> writeMachineFile(const Machine& machine, const QString& path) {
    const QByteArray text = QByteArray::fromStdString(write_machine(machine));
    QSaveFile file(path);
    const bool written = file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit();
    return written ? Result<void>()
                   : refuse(refusal(OwnMachineWords::tr("%1 cannot be written: %2.")
                                        .arg(QDir::toNativeSeparators(path), file.errorString())));
}

Result<Machine> keepOwnMachine(const Machine& machine, const QString& title) {
    const QString wanted = title.simplified();
    const QString name = nameOf(wanted);
    if (wanted.isEmpty()) {
        return refuse(refusal(OwnMachineWords::tr("A machine needs a name, such as “Our cluster”.")));
    }
    if (meshslice::machine_preset(name.toStdString())) {
        return refuse(refusal(
            OwnMachineWords::tr("“%1” is a machine of the program; choose another name, such as “My %1”.")
                .arg(wanted)));
    }
    Machine own = machine;
    own.name = name.toStdString();
    own.title = wanted.toStdString();
    own.based_on.clear();
    if (const Result<Machine> sound = checked(own); !sound) {
        return sound;
    }
    if (!QDir().mkpath(ownMachinesFolder())) {
        return refuse(refusal(OwnMachineWords::tr("The folder %1 cannot be made.")
                                  .arg(QDir::toNativeSeparators(ownMachinesFolder()))));
    }
    const Result<void> written =
        writeMachineFile(own, ownMachinesFolder() + u'/' + name + QStringLiteral(".json"));
    return written ? Result<Machine>(own) : refuse(written.error());
}

Result<void> removeOwnMachine(const OwnMachine& own) {
    QFile file(own.path);
    return file.remove() ? Result<void>()
                         : refuse(refusal(OwnMachineWords::tr("%1 cannot be deleted: %2.")
                                              .arg(QDir::toNativeSeparators(own.path), file.errorString())));
}

} // namespace meshslice::ui
