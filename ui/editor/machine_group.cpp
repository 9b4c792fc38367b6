#include "ui/editor/machine_group.h"

#include "core/base/json_reader.h"
#include "core/scenario/choices.h"
#include "ui/controls/more_button.h"
#include "ui/editor/facts.h"
#include "ui/editor/facts_dialog.h"
#include "ui/editor/whole_field.h"
#include "ui/look/words.h"

#include <QActionGroup>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>

#include <algorithm>
#include <array>
#include <limits>

namespace meshslice::ui {
namespace {

constexpr std::size_t most_near_meshes = 8;

struct WrapChoice {
    const char* text;
    bool vertical;
    bool horizontal;
    bool folded;
};
constexpr std::array<WrapChoice, 7> wrap_choices = {
    {{QT_TRANSLATE_NOOP("meshslice::ui::MachineGroup", "both axes"), true, true, false},
     {QT_TRANSLATE_NOOP("meshslice::ui::MachineGroup", "vertical axis only"), true, false, false},
     {QT_TRANSLATE_NOOP("meshslice::ui::MachineGroup", "horizontal axis only"), false, true, false},
     {QT_TRANSLATE_NOOP("meshslice::ui::MachineGroup", "vertical, horizontal folded"), true, false, true},
     {QT_TRANSLATE_NOOP("meshslice::ui::MachineGroup", "horizontal, vertical folded"), false, true, true},
     {QT_TRANSLATE_NOOP("meshslice::ui::MachineGroup", "none"), false, false, false},
     {QT_TRANSLATE_NOOP("meshslice::ui::MachineGroup", "none, rings folded"), false, false, true}}};

QString meshText(const std::vector<std::int32_t>& mesh) {
    QStringList sizes;
    for (const std::int32_t size : mesh) {
        sizes << QString::number(size);
    }
    return sizes.join(QStringLiteral(" × "));
}

std::int64_t chipsOf(const std::vector<std::int32_t>& mesh) {
    std::int64_t chips = 1;
    for (const std::int32_t size : mesh) {
        chips *= size;
    }
    return chips;
}

/// Keeps what does not fit 32 bits out of range for the engine to refuse, instead of folding it into range.
std::int32_t narrowed(std::int64_t value) {
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>(value, 0, std::numeric_limits<std::int32_t>::max()));
}

} // namespace

MachineGroup::MachineGroup(Document* document, QWidget* parent)
    : ScenarioGroup(tr("Machine"), document, parent) {
    hardware_ = makeChoice(this);
    auto* more = new MoreButton(tr("More about the hardware"), this);
    more->addEntry(tr("Numbers and sources…"), [this] { showFacts(); });
    more->addEntry(tr("Open hardware file…"), [this] { askForHardware(); });
    addChoice(
        tr("Har&dware"), hardware_, more,
        tr("The chip and its links: peak, memory, bandwidth, and what launching and synchronising cost. The "
           "button beside it shows each number with its unit and source."));
    connect(hardware_, &QComboBox::activated, this, [this](int index) {
        if (const auto preset = hardware_preset(hardware_->itemData(index).toString().toStdString())) {
            choose(Field::hardware, [&](Scenario& next) { next.hardware = *preset; });
        }
    });
    addMesh();
    addWraps();
    addChipModel();
    refresh();
}

void MachineGroup::addMesh() {
    rows_ = new WholeField(WholeField::Arrows::by_two, this);
    columns_ = new WholeField(WholeField::Arrows::by_two, this);
    const auto set = [](std::size_t axis) {
        return [axis](Scenario& next, std::int64_t value) {
            if (next.mesh.size() < 2) {
                next.mesh.resize(2, 1); // a line of chips is a mesh of one column
            }
            next.mesh[axis] = narrowed(value);
        };
    };
    connectWhole(rows_, Field::mesh, set(0));
    connectWhole(columns_, Field::mesh, set(1));
    layers_ = new WholeField(WholeField::Arrows::by_two, this);
    connectWhole(layers_, Field::mesh, [](Scenario& next, std::int64_t value) {
        next.mesh.resize(2, 1);
        if (value != 1) {
            next.mesh.push_back(narrowed(value));
        }
    });

    meshes_ = new MoreButton({}, this);
    meshes_->setToolTip(
        tr("<p>Other meshes with as many chips. Those on which the algorithm does not run say why.</p>"));
    connect(meshes_->menu(), &QMenu::aboutToShow, this, &MachineGroup::fillMeshes);
    meshes_->menu()->setToolTipsVisible(true);

    addNumber(
        tr("Mesh &rows"), rows_, tr("chips"),
        tr("Chips along the vertical axis of the torus (P_r): the number of rows. The arrows double and "
           "halve."));
    addNumber(
        tr("Mesh &columns"), columns_, tr("chips"),
        tr("Chips along the horizontal axis of the torus (P_c): the number of columns. The arrows double and "
           "halve."));
    addNumber(tr("Mesh layers"), layers_, tr("chips"),
              tr("Chips along the third axis of the torus, for algorithms that keep copies in layers (2.5D, "
                 "MeshSlice + DP); the hardware's links must make a torus of three, as those of TPU v4 and "
                 "v5p do. 1: a mesh "
                 "of two axes. The arrows double and halve."));
    addWide(meshes_);
}

void MachineGroup::addWraps() {
    wraps_ = makeChoice(this);
    for (const WrapChoice& choice : wrap_choices) {
        wraps_->addItem(tr(choice.text));
    }
    addChoice(
        tr("Wrap-aro&und"), wraps_, nullptr,
        tr("Along which axes a link joins the last chip to the first, so that the chips form closed rings. "
           "An "
           "axis without is a line: shards travel whole instead of in halves, which takes about "
           "twice as long; folded, the algorithms take the line for a ring: what would cross the missing "
           "link "
           "travels back over the others and shares them with their own traffic."));
    connect(wraps_, &QComboBox::activated, this, [this](int index) {
        choose(Field::wraps, [index](Scenario& next) {
            const WrapChoice& choice = wrap_choices[static_cast<std::size_t>(index)];
            next.wraps[0] = choice.vertical;
            next.wraps[1] = choice.horizontal;
            next.folded = choice.folded;
        });
    });
}

void MachineGroup::addChipModel() {
    chip_ = makeChoice(this);
    chip_->addItem(tr("as the hardware says"), static_cast<int>(ChipModel::by_hardware));
    chip_->addItem(tr("constant FLOP/s"), static_cast<int>(ChipModel::constant_rate));
    chip_->addItem(tr("tiles, shared memory"), static_cast<int>(ChipModel::tiled));
    addChoice(
        tr("Chip model"), chip_, nullptr,
        tr("How a chip multiplies: at the effective FLOP/s whatever the product, as in the paper's cost "
           "model; or tile by tile, fetched from HBM (high-bandwidth memory), which the core shares "
           "with the copying of slices and with its links, as in the paper's simulator."));
    connect(chip_, &QComboBox::activated, this, [this](int index) {
        choose(Field::chip, [model = static_cast<ChipModel>(chip_->itemData(index).toInt())](Scenario& next) {
            next.schedule.chip = model;
        });
    });
}

void MachineGroup::fillMeshes() {
    QMenu* menu = meshes_->menu();
    menu->clear();
    delete meshes_group_;
    meshes_group_ = new QActionGroup(menu); // one of the meshes is the scenario's
    bool runs = false;
    for (const MeshChoice& choice : mesh_choices(scenario())) {
        QAction* action = addMeshEntry(choice.mesh, meshText(choice.mesh));
        action->setCheckable(true);
        meshes_group_->addAction(action);
        action->setChecked(choice.mesh == scenario().mesh);
        action->setEnabled(choice.objection.empty());
        action->setToolTip(words(choice.objection));
        runs = runs || choice.objection.empty();
    }
    if (!runs) {
        addNearMeshes();
    }
}

void MachineGroup::addNearMeshes() {
    const auto near = near_meshes(scenario(), most_near_meshes);
    if (!near.empty()) {
        meshes_->menu()->addSection(tr("Of other chip counts"));
    }
    for (const std::vector<std::int32_t>& mesh : near) {
        addMeshEntry(mesh, tr("%1 of %2 chips").arg(meshText(mesh)).arg(chipsOf(mesh)));
    }
}

QAction* MachineGroup::addMeshEntry(const std::vector<std::int32_t>& mesh, const QString& text) {
    QAction* action = meshes_->menu()->addAction(text);
    connect(action, &QAction::triggered, this,
            [this, mesh] { choose(Field::mesh, [&](Scenario& next) { next.mesh = mesh; }); });
    return action;
}

void MachineGroup::refresh() {
    const Scenario& shown = scenario();
    const QSignalBlocker quiet(hardware_);
    hardware_->clear();
    int current = -1;
    for (const Hardware& preset : hardware_presets()) {
        current = preset == shown.hardware ? hardware_->count() : current;
        hardware_->addItem(words(preset.title), words(preset.name));
    }
    if (current < 0) {
        hardware_->insertItem(
            0, words(shown.hardware.title.empty() ? shown.hardware.name : shown.hardware.title));
        current = 0;
    }
    hardware_->setCurrentIndex(current);

    chip_->setCurrentIndex(chip_->findData(static_cast<int>(shown.schedule.chip)));
    const std::int64_t chips = chipsOf(shown.mesh);
    rows_->show(shown.mesh.empty() ? 1 : shown.mesh[0]);
    columns_->show(shown.mesh.size() < 2 ? 1 : shown.mesh[1]);
    layers_->show(shown.mesh.size() < 3 ? 1 : shown.mesh[2]);
    const bool folds = !shown.wraps[0] || !shown.wraps[1]; // Else there is nothing to fold.
    for (std::size_t k = 0; k < wrap_choices.size(); ++k) {
        const WrapChoice& choice = wrap_choices[k];
        if (choice.vertical == shown.wraps[0] && choice.horizontal == shown.wraps[1] &&
            choice.folded == (shown.folded && folds)) {
            wraps_->setCurrentIndex(static_cast<int>(k));
        }
    }
    meshes_->setText(tr("%1 = %2 chips; other shapes…").arg(meshText(shown.mesh)).arg(chips));
    meshes_->setAccessibleName(tr("Other meshes of %1 chips").arg(chips));
}

bool MachineGroup::owns(Field field) const {
    return field == Field::hardware || field == Field::mesh || field == Field::wraps || field == Field::chip;
}

void MachineGroup::askForHardware() {
    const QString path =
        QFileDialog::getOpenFileName(window(), tr("Open hardware"), {}, tr("Hardware (*.json)"));
    if (!path.isEmpty()) {
        importHardware(path);
    }
}

void MachineGroup::importHardware(const QString& path) {
    const auto text = read_text_file(QFile::encodeName(path).toStdString());
    const auto hardware = text ? read_hardware(*text, QFileInfo(path).fileName().toStdString())
                               : Result<Hardware>(refuse(text.error()));
    if (!hardware) {
        emit document_->refused(Field::hardware, words(hardware.error().sentence));
        return;
    }
    choose(Field::hardware, [&](Scenario& next) { next.hardware = *hardware; });
}

void MachineGroup::showFacts() {
    auto* dialog =
        new FactsDialog(words(scenario().hardware.title), hardwareFacts(scenario().hardware), window());
    dialog->show();
}

} // namespace meshslice::ui
