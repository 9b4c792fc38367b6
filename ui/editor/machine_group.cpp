#include "ui/editor/machine_group.h"

#include "core/base/json/json_reader.h"
#include "core/machine/edit.h"
#include "ui/controls/more_button.h"
#include "ui/editor/facts.h"
#include "ui/editor/facts_dialog.h"
#include "ui/editor/number_field.h"
#include "ui/look/words.h"

#include <QActionGroup>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>

#include <algorithm>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr std::size_t most_near_meshes = 8;

QString meshText(const std::vector<std::int32_t>& mesh) {
    QStringList sizes;
    for (const std::int32_t size : mesh) {
        sizes << QString::number(size);
    }
    return sizes.join(QStringLiteral(" × "));
}

/// One axis of the mesh, checked and written like a whole number of chips.
const Field<Scenario>& axisRow() {
    static const Field<Scenario> row = [] {
        Field<Scenario> axis{scenario_field("mesh"), {}, {}};
        axis.kind = FieldKind::whole;
        axis.doubling = true;
        axis.from_text = {};
        axis.to_text = {};
        axis.name = "number of chips along an axis";
        return axis;
    }();
    return row;
}

/// All of them together.
const Field<Scenario>& chipsRow() {
    static const Field<Scenario> row = [] {
        Field<Scenario> all = axisRow();
        all.name = "number of chips";
        return all;
    }();
    return row;
}

std::int32_t chipsAlong(const Scenario& scenario, std::size_t axis) {
    return axis < scenario.mesh.size() ? scenario.mesh[axis] : 1;
}

/// The mesh keeps the axes it has: only a size above 1 adds one, and only the third goes away again.
void setSize(Scenario& scenario, std::size_t axis, std::int32_t chips) {
    if (axis >= scenario.mesh.size() && chips > 1) {
        scenario.mesh.resize(axis + 1, 1);
    }
    if (axis == 2 && chips == 1 && scenario.mesh.size() == 3) {
        scenario.mesh.pop_back();
    } else if (axis < scenario.mesh.size()) {
        scenario.mesh[axis] = chips;
    }
}

/// Whether the engine's answer would list only the meshes that run: of three axes there are too many.
bool layered(const Scenario& scenario) {
    return scenario.mesh.size() == 3;
}

} // namespace

OfferedMeshes offeredMeshes(const Scenario& scenario) {
    OfferedMeshes offered{mesh_choices(scenario), {}};
    const bool runs =
        std::ranges::any_of(offered.same, [](const MeshChoice& one) { return one.objection.empty(); });
    if (!runs) {
        offered.near = near_meshes(scenario, most_near_meshes);
    }
    return offered;
}

MachineGroup::MachineGroup(Document* document, QWidget* parent)
    : ScenarioGroup(machine_group, document, parent) {
    makeFields();
    listOwnMachines();
}

const OwnMachine* MachineGroup::ownOfScenario() const {
    const auto found = std::ranges::find(own_, scenario().hardware, &OwnMachine::machine);
    return found == own_.end() ? nullptr : &*found;
}

void MachineGroup::listOwnMachines() {
    own_ = ownMachines();
    QComboBox* machines = list("hardware");
    const Row& row = scenario_field("hardware");
    std::vector<FieldChoice> choices = row.choices;
    for (const OwnMachine& one : own_) {
        choices.push_back(
            {one.path.toStdString(), tr("Mine: %1").arg(words(one.machine.title)).toStdString()});
    }
    fillList(machines, row, choices);
    refresh();
}

bool MachineGroup::chooseOther(const Row& row, const QString& word) {
    const auto found = std::ranges::find(own_, word, &OwnMachine::path);
    if (row.key != "hardware" || found == own_.end()) {
        return false;
    }
    choose("hardware", [machine = found->machine](Scenario& next) -> Result<void> {
        next.hardware = machine;
        return {};
    });
    return true;
}

QString MachineGroup::otherChosen(const Row& row) const {
    const OwnMachine* own = row.key == "hardware" ? ownOfScenario() : nullptr;
    return own != nullptr ? own->path : QString();
}

void MachineGroup::askForName() {
    bool named = false;
    const QString title =
        QInputDialog::getText(window(), tr("Save as my machine"), tr("Name of the machine"),
                              QLineEdit::Normal, words(short_title(scenario().hardware)), &named);
    if (named) {
        keepAs(title);
    }
}

void MachineGroup::keepAs(const QString& title) {
    const Result<Machine> kept = keepOwnMachine(scenario().hardware, title);
    if (!kept) {
        sayAbout("hardware", words(kept.error().sentence));
        return;
    }
    choose("hardware", [&](Scenario& next) -> Result<void> {
        next.hardware = *kept;
        return {};
    });
    listOwnMachines();
}

void MachineGroup::askWhereToExport() {
    const QString name = words(scenario().hardware.name) + QStringLiteral(".json");
    const QString path = QFileDialog::getSaveFileName(window(), tr("Save the machine as a file"), name,
                                                      tr("Hardware (*.json)"));
    const Result<void> written =
        path.isEmpty() ? Result<void>() : writeMachineFile(scenario().hardware, path);
    if (!written) {
        sayAbout("hardware", words(written.error().sentence));
    }
}

void MachineGroup::removeOwn() {
    if (const OwnMachine* own = ownOfScenario()) {
        const Result<void> removed = removeOwnMachine(*own);
        listOwnMachines();
        if (!removed) {
            sayAbout("hardware", words(removed.error().sentence));
        }
    }
}

/// Other hardware may have no such mesh: its nearest that runs comes with it.
QString MachineGroup::adapt(std::string_view field, Scenario& next) const {
    if (field != "hardware" || checked(next.mesh, next.hardware)) {
        return {};
    }
    const std::optional<Mesh> mesh = nearest_mesh(next);
    if (!mesh) {
        return {};
    }
    const QString missing = meshText(std::exchange(next.mesh, *mesh));
    return tr("%1 has no mesh of %2. The nearest mesh that runs was chosen instead: %3. Undo restores both.")
        .arg(words(next.hardware.title), missing, meshText(*mesh));
}

QWidget* MachineGroup::makeBeside(const Row& row) {
    if (row.key != "hardware") {
        return nullptr;
    }
    auto* more = new MoreButton(tr("More about the hardware"), this);
    more->addEntry(tr("Numbers and sources…"), [this] { showFacts(); });
    more->addEntry(tr("Open hardware file…"), [this] { askForHardware(); });
    more->addEntry(tr("Save as my machine…"), [this] { askForName(); });
    more->addEntry(tr("Save as a file…"), [this] { askWhereToExport(); });
    remove_ = more->addEntry(tr("Delete from my machines"), [this] { removeOwn(); });
    return more;
}

/// Of the mesh's axes the one that is being typed, else the first.
QWidget* MachineGroup::widgetOf(std::string_view field) const {
    if (field != "mesh") {
        return ScenarioGroup::widgetOf(field);
    }
    return layers_->hasFocus() ? layers_ : columns_->hasFocus() ? columns_ : rows_;
}

bool MachineGroup::makeSpecial(const Row& row) {
    if (row.key != "mesh") {
        return false;
    }
    makeMesh();
    return true;
}

void MachineGroup::takeWholeMesh(const QString& typed) {
    const Row& row = scenario_field("mesh");
    if (!typed.contains(QLatin1Char('x')) && !typed.contains(QChar(0xd7))) {
        return;
    }
    const std::string words =
        QString(typed).replace(QChar(0xd7), QLatin1Char('x')).remove(u' ').toStdString();
    if (const Result<FieldValue> mesh = parse(row, words, {})) {
        edit(row.key, [&](Scenario& next) { return row.set(next, *mesh); });
    }
}

void MachineGroup::makeMesh() {
    const auto add = [this](std::size_t axis, const QString& label, const QString& meaning) {
        NumberField* number =
            makeNumber(axisRow(), [axis](Scenario& next, const FieldValue& value) -> Result<void> {
                setSize(next, axis, static_cast<std::int32_t>(std::get<std::int64_t>(value)));
                return {};
            });
        connect(number, &NumberField::edited, this, &MachineGroup::takeWholeMesh);
        addNumber(label, number, tr("chips"),
                  meaning + QLatin1Char(' ') +
                      tr("The arrows double and halve. 16x16 sets rows and columns at once."));
        offerActions(scenario_field("mesh"), number);
        return number;
    };
    chips_ = makeNumber(chipsRow(), [](Scenario& next, const FieldValue& value) -> Result<void> {
        return set_chips(next, std::get<std::int64_t>(value));
    });
    addNumber(tr("Chips"), chips_, tr("chips"),
              tr("All chips together: the mesh is the squarest of so many on which the algorithm runs, with "
                 "the wrap-arounds that the machine's pods have. The arrows double and halve."));
    rows_ =
        add(0, tr("Mesh &rows"), tr("Chips along the vertical axis of the torus (P_r): the number of rows."));
    columns_ = add(1, tr("Mesh &columns"),
                   tr("Chips along the horizontal axis of the torus (P_c): the number of columns."));
    layers_ =
        add(2, tr("Mesh layers"),
            tr("Chips along the third axis of the torus, for algorithms that keep copies in layers (2.5D, "
               "MeshSlice + DP); the hardware's links must make a torus of three, as those of TPU v4 and "
               "v5p do. 1: a mesh of two axes."));
    meshes_ = new MoreButton({}, this);
    meshes_->setToolTip(
        tr("<p>Other meshes with as many chips. Those on which the algorithm does not run say why.</p>"));
    connect(meshes_->menu(), &QMenu::aboutToShow, this, &MachineGroup::openMeshes);
    meshes_->menu()->setToolTipsVisible(true);
    addWide(meshes_);
}

void MachineGroup::openMeshes() {
    OfferedMeshes known; // by arithmetic alone
    if (const auto chosen = algorithm(scenario().plan.algorithm); chosen && !layered(scenario())) {
        const auto chips = static_cast<std::int32_t>(chips_of(scenario().mesh));
        for (Mesh& mesh : meshes_for(scenario().hardware, **chosen, chips)) {
            known.same.push_back({std::move(mesh), {}});
        }
    }
    fillMeshes(known);
    if (known.same.empty()) {
        meshes_->menu()->addAction(tr("Looking for meshes…"))->setEnabled(false);
    }
    job_.start([this, find = find_, asked = scenario()](const RunControl& control) -> LatestJob::Tell {
        auto found = withoutExceptions([&]() -> Result<OfferedMeshes> {
            return control.stop.stop_requested() ? OfferedMeshes{} : find(asked);
        });
        return [this, found = std::move(found)] {
            if (found) {
                fillMeshes(*found);
            }
        };
    });
}

void MachineGroup::fillMeshes(const OfferedMeshes& offered) {
    QMenu* menu = meshes_->menu();
    menu->clear();
    delete meshes_group_;
    meshes_group_ = new QActionGroup(menu); // one of the meshes is the scenario's
    for (const MeshChoice& choice : offered.same) {
        QAction* action = addMeshEntry(choice.mesh, meshText(choice.mesh));
        action->setCheckable(true);
        meshes_group_->addAction(action);
        action->setChecked(choice.mesh == scenario().mesh);
        action->setEnabled(choice.objection.empty());
        action->setToolTip(words(choice.objection));
    }
    if (!offered.near.empty()) {
        menu->addSection(tr("Of other chip counts"));
    }
    for (const std::vector<std::int32_t>& mesh : offered.near) {
        addMeshEntry(mesh, tr("%1 of %2 chips").arg(meshText(mesh)).arg(chips_of(mesh)));
    }
}

QAction* MachineGroup::addMeshEntry(const std::vector<std::int32_t>& mesh, const QString& text) {
    QAction* action = meshes_->menu()->addAction(text);
    connect(action, &QAction::triggered, this, [this, mesh] {
        choose("mesh", [&](Scenario& next) -> Result<void> {
            next.mesh = mesh;
            return {};
        });
    });
    return action;
}

void MachineGroup::refresh() {
    ScenarioGroup::refresh();
    const Scenario& shown = scenario();
    remove_->setEnabled(ownOfScenario() != nullptr);
    chips_->show(QString::number(chips_of(shown.mesh)));
    rows_->show(QString::number(chipsAlong(shown, 0)));
    columns_->show(QString::number(chipsAlong(shown, 1)));
    layers_->show(QString::number(chipsAlong(shown, 2)));
    // A line of chips has nothing across.
    const bool line = shown.hardware.network.torus_axes() < 2 && shown.mesh.size() < 2;
    const bool on_mesh = task() != Task::training;
    setFieldVisible(chips_, on_mesh);
    setFieldVisible(rows_, on_mesh);
    setFieldVisible(columns_, on_mesh && !line);
    setFieldVisible(layers_, on_mesh && !line && (shown.mesh.size() > 2 || showsMore()));
    meshes_->setVisible(on_mesh);
    const auto chips = chips_of(shown.mesh);
    const QString count = chips == 1 ? tr("one chip") : tr("%1 chips").arg(chips);
    meshes_->setText(tr("%1 = %2; other shapes…").arg(meshText(shown.mesh), count));
    meshes_->setAccessibleName(tr("Other meshes of %1").arg(count));
}

void MachineGroup::askForHardware() {
    const QString path =
        QFileDialog::getOpenFileName(window(), tr("Open hardware"), {}, tr("Hardware (*.json)"));
    if (!path.isEmpty()) {
        importHardware(path);
    }
}

void MachineGroup::importHardware(const QString& path) {
    choose("hardware", [&](Scenario& next) -> Result<void> {
        const auto text = read_text_file(QFile::encodeName(path).toStdString());
        if (!text) {
            return refuse(text.error());
        }
        return scenario_field("hardware")
            .set(next, JsonPart{*text, QFileInfo(path).fileName().toStdString()});
    });
}

void MachineGroup::showFacts() {
    auto* dialog =
        new FactsDialog(words(scenario().hardware.title), hardwareFacts(scenario().hardware), window());
    dialog->show();
}

} // namespace meshslice::ui
