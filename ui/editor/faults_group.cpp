#include "ui/editor/faults_group.h"

#include "ui/editor/whole_field.h"
#include "ui/look/words.h"

#include <QLineEdit>

#include <algorithm>

namespace meshslice::ui {
namespace {

constexpr std::int64_t nanosecond = 1000; ///< in picoseconds

Result<std::vector<Fault>> parsed(const QString& text) {
    std::vector<Fault> parts;
    for (const QString& part : text.split(QLatin1Char(';'), Qt::SkipEmptyParts)) {
        if (part.trimmed().isEmpty()) {
            continue;
        }
        const Result<Fault> fault = parse_fault(part.toStdString());
        if (!fault) {
            return refuse(fault.error());
        }
        parts.push_back(*fault);
    }
    return parts;
}

} // namespace

QString faultsText(const Faults& faults) {
    QStringList parts;
    for (const Fault& fault : faults.parts) {
        parts << words(text(fault));
    }
    return parts.join(QStringLiteral("; "));
}

FaultsGroup::FaultsGroup(Document* document, QWidget* parent)
    : ScenarioGroup(tr("What if"), document, parent), parts_(new QLineEdit(this)) {
    parts_->setPlaceholderText(tr("nothing is slow or dead"));
    parts_->setClearButtonEnabled(true);
    addChoice(tr("&Faults"), parts_, nullptr,
              tr("Cores and links that are slow or dead: the chip's row and column, the part (core, south, "
                 "north, east "
                 "or west link) and the share of its speed that is left, such as \"3,5 east 50%; 0,0 core "
                 "80%; 1,2 north "
                 "dead\". What a dead link would carry goes round its ring the other way. A row's menu in "
                 "the timeline "
                 "sets them too. Estimates are of a healthy machine."));
    connect(parts_, &QLineEdit::editingFinished, this, &FaultsGroup::readParts);
    jitter_ = addWhole(tr("&Jitter"), Field::faults, false, tr("ns"),
                       tr("Every synchronisation takes up to this much longer, by chance. 0: none."),
                       [](Scenario& next, std::int64_t value) {
                           // What is too long stays too long, to be refused with its sentence.
                           const std::int64_t most = most_jitter.value() / nanosecond;
                           next.faults.jitter =
                               Time(std::clamp<std::int64_t>(value, -1, most + 1) * nanosecond);
                       });
    seed_ = addWhole(tr("Seed"), Field::faults, false, {},
                     tr("Of the jitter's chance: the same seed gives the same run."),
                     [](Scenario& next, std::int64_t value) {
                         next.faults.seed = static_cast<std::uint64_t>(std::max<std::int64_t>(0, value));
                     });
    refresh();
}

void FaultsGroup::readParts() {
    if (parts_->text() == faultsText(scenario().faults)) {
        return;
    }
    const Result<std::vector<Fault>> parts = parsed(parts_->text());
    if (!parts) {
        emit touched();
        emit document_->refused(Field::faults, words(parts.error().sentence));
        return;
    }
    edit(Field::faults, [&](Scenario& next) { next.faults.parts = *parts; });
    document_->endEdit();
}

void FaultsGroup::refresh() {
    const Faults& shown = scenario().faults;
    parts_->setText(faultsText(shown));
    parts_->setCursorPosition(0);
    jitter_->show(shown.jitter.value() / nanosecond);
    seed_->show(static_cast<std::int64_t>(shown.seed));
    setFieldVisible(seed_, shown.jitter > Time(0));
}

} // namespace meshslice::ui
