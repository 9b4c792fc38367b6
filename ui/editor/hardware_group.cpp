#include "ui/editor/hardware_group.h"

#include "core/machine/edit.h"
#include "ui/look/words.h"

#include <QPushButton>
#include <QToolButton>

#include <optional>
#include <string_view>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr const char* as_the_preset = "x 1";
constexpr std::string_view all_links = "links"; ///< the row's key; those of the axes begin with it

/// The scenario with the preset's own hardware; as it is where it came from none.
Scenario unedited(Scenario scenario) {
    if (std::optional<Machine> preset = origin(scenario.hardware)) {
        scenario.hardware = *std::move(preset);
    }
    return scenario;
}

} // namespace

HardwareGroup::HardwareGroup(Document* document, QWidget* parent)
    : ScenarioGroup(hardware_group, document, parent)
    , all_back_(new QPushButton(tr("Back to the preset"), this)) {
    setNarrow();
    makeFields();
    for (const Row* row : rows()) {
        auto* back = new QToolButton(this);
        back->setText(QStringLiteral("↺"));
        back->setAutoRaise(true);
        back->setFocusPolicy(Qt::TabFocus);
        connect(back, &QToolButton::clicked, this, [this, row] { chooseText(*row, as_the_preset); });
        addBehind(widgetOf(row->key), back);
        backs_.push_back({row, back});
    }
    connect(all_back_, &QPushButton::clicked, this, &HardwareGroup::takeAllBack);
    addWide(all_back_);
    makeCollapsible();
    refresh();
}

QString HardwareGroup::moreAbout(const Row& row) const {
    Scenario copy = scenario();
    return tipParagraph(tr("Source: %1").arg(words(row.source(copy))));
}

void HardwareGroup::takeAllBack() {
    choose("hardware", [](Scenario& next) -> Result<void> {
        next = unedited(next);
        return {};
    });
}

void HardwareGroup::refresh() {
    ScenarioGroup::refresh();
    const std::optional<Machine> preset = origin(scenario().hardware);
    const Scenario before = unedited(scenario());
    // As the form shows it.
    const auto shown = [](const Scenario& of, const Row& row) {
        const bool scaled = !row.form_unit.empty();
        return QStringLiteral("%1 %2")
            .arg(words(text(row, row.get(of), scaled ? row.form_scale : 1.0)),
                 translated(scaled ? row.form_unit : row.unit))
            .trimmed();
    };
    const bool links_alike = scenario().hardware.network.axes_alike();
    int marked = 0;
    for (const auto& [row, button] : backs_) {
        // An edit of all links is one of the row of all, and one of an axis of its own row.
        const bool of_all = row->key == all_links;
        const bool of_axis = !of_all && row->key.starts_with(all_links);
        const bool elsewhere = links_alike ? of_axis : of_all;
        const bool shown_here = row->greyed || row->applies(scenario());
        const bool differs = preset && !elsewhere && shown_here && row->get(scenario()) != row->get(before);
        marked += differs ? 1 : 0;
        setMarked(widgetOf(row->key), differs);
        button->setVisible(differs && row->applies(scenario()));
        const QString tip = differs
                                ? tr("Back to %1, what %2 has").arg(shown(before, *row), words(preset->title))
                                : QString();
        button->setToolTip(tip);
        button->setAccessibleName(tip);
    }
    all_back_->setVisible(!edits(scenario().hardware).empty());
    setHeading(marked == 0 ? translated(hardware_group)
                           : tr("%1, %2 edited").arg(translated(hardware_group)).arg(marked));
}

} // namespace meshslice::ui
