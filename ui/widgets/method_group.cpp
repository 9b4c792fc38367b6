#include "ui/widgets/method_group.h"

#include "core/gemm/algorithms.h"
#include "core/study/choices.h"
#include "ui/document/words.h"
#include "ui/widgets/whole_field.h"

#include <QComboBox>
#include <QSignalBlocker>

#include <algorithm>
#include <array>

namespace meshslice::ui {
namespace {

constexpr std::array all_stationaries = {Stationary::Y, Stationary::X, Stationary::W};
constexpr std::array offered_prefetch = {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, std::int64_t{3},
                                         Prefetch::without_bound};

void select(QComboBox* choice, const QVariant& data) {
    choice->setCurrentIndex(std::max(0, choice->findData(data)));
}

} // namespace

MethodGroup::MethodGroup(Document* document, QWidget* parent)
    : ScenarioGroup(tr("Method"), document, parent) {
    addAlgorithms();
    addSlicing();
    addSchedule();
    refresh();
}

void MethodGroup::addAlgorithms() {
    algorithm_ = makeChoice(this);
    compare_ = makeChoice(this);
    compare_->addItem(tr("none"), QString());
    for (const Algorithm& known : algorithms()) {
        const QString tip = QStringLiteral("<p>%1</p><p>%2</p><p>%3</p>")
                                .arg(words(known.summary).toHtmlEscaped(), words(known.needs).toHtmlEscaped(),
                                     words(known.source).toHtmlEscaped());
        for (QComboBox* choice : {algorithm_, compare_}) {
            choice->addItem(words(known.title), words(known.id));
            choice->setItemData(choice->count() - 1, tip, Qt::ToolTipRole);
        }
    }
    addChoice(tr("&Algorithm"), algorithm_, nullptr, tr("How the product is distributed over the chips."));
    addChoice(tr("Compare &with"), compare_, nullptr,
              tr("A second algorithm, run on the same scenario and shown beside the first."));
    connect(algorithm_, &QComboBox::activated, this, [this](int index) {
        choose(Field::algorithm, [id = algorithm_->itemData(index).toString().toStdString()](Scenario& next) {
            next.algorithm = id;
        });
    });
    connect(compare_, &QComboBox::activated, this, [this](int index) {
        choose(Field::compare, [id = compare_->itemData(index).toString().toStdString()](Scenario& next) {
            next.compare = id;
        });
    });
}

void MethodGroup::addSlicing() {
    stationary_ = makeChoice(this);
    stationary_->addItem(tr("auto: the largest stays"), -1);
    stationary_->addItem(tr("Y stationary"), 0);
    stationary_->addItem(tr("X stationary"), 1);
    stationary_->addItem(tr("W stationary"), 2);
    addChoice(
        tr("Datafl&ow"), stationary_, nullptr,
        tr("Which matrix of a layer Y = X W (Y the output, X the input, W the weights) stays on its chip in "
           "all three passes of training while the others move. By default the largest of the three stays, "
           "layer by layer."));
    connect(stationary_, &QComboBox::activated, this, [this](int index) {
        choose(Field::stationary, [index](Scenario& next) {
            next.stationary = index == 0 ? std::optional<Stationary>()
                                         : all_stationaries[static_cast<std::size_t>(index - 1)];
        });
    });

    slices_ = makeChoice(this);
    addChoice(
        tr("Sl&ices S"), slices_, nullptr,
        tr("S, into how many slices the products are cut, so that the links move one slice while the cores "
           "multiply another. By default every product gets the count with the shortest estimate. The list "
           "has "
           "the counts that work for all products on this mesh."));
    connect(slices_, &QComboBox::activated, this, [this](int index) {
        const qlonglong count = slices_->itemData(index).toLongLong();
        choose(Field::slices, [count](Scenario& next) {
            next.slices = count == 0 ? std::optional<std::int64_t>() : std::optional<std::int64_t>(count);
        });
    });

    block_ = addWhole(
        tr("Bloc&k size B"), Field::block, true, tr("columns"),
        tr("B, how many neighbouring columns (or rows) stay together when a matrix is sliced: a memory "
           "reads them in one go."),
        [](Scenario& next, std::int64_t value) { next.block = value; });
}

void MethodGroup::addSchedule() {
    prefetch_ = makeChoice(this);
    for (const std::int64_t depth : offered_prefetch) {
        const QString shown = depth == Prefetch::without_bound ? tr("unbounded")
                              : depth == 0                     ? tr("0 slices: no overlap")
                              : depth == 1                     ? tr("1 slice: double buffer")
                                                               : tr("%1 slices").arg(depth);
        prefetch_->addItem(shown, static_cast<qlonglong>(depth));
    }
    addChoice(
        tr("&Prefetch"), prefetch_, nullptr,
        tr("How many slices ahead of their use the links may move. 0: communication and multiplication take "
           "turns. 1: the next slice moves while this one is multiplied."));
    connect(prefetch_, &QComboBox::activated, this, [this](int index) {
        choose(Field::prefetch, [depth = prefetch_->itemData(index).toLongLong()](Scenario& next) {
            next.schedule.prefetch.depth = depth;
        });
    });

    ring_ = makeChoice(this);
    ring_->addItem(tr("both ways"), static_cast<int>(RingMode::both_ways));
    ring_->addItem(tr("one way"), static_cast<int>(RingMode::one_way));
    addChoice(
        tr("Rin&gs"), ring_, nullptr,
        tr("How a collective goes round a ring of chips: half of every shard each way, or all of it one way "
           "while the links back stay idle."));
    connect(ring_, &QComboBox::activated, this, [this](int index) {
        choose(Field::ring, [index](Scenario& next) {
            next.schedule.ring = index == 0 ? RingMode::both_ways : RingMode::one_way;
        });
    });

    type_ = makeChoice(this);
    for (const DataType type : all_data_types) {
        type_->addItem(element_bytes(type) == 1
                           ? tr("%1, 1 byte").arg(words(name(type)))
                           : tr("%1, %2 bytes").arg(words(name(type))).arg(element_bytes(type)),
                       static_cast<int>(type));
    }
    addChoice(tr("Data t&ype"), type_, nullptr,
              tr("The type of a matrix element, as stored, multiplied and sent. bf16: 16-bit brain floating "
                 "point, 2 "
                 "bytes. int8: 8-bit integer, 1 byte."));
    connect(type_, &QComboBox::activated, this, [this](int index) {
        choose(Field::dataType, [index](Scenario& next) {
            next.schedule.type = all_data_types[static_cast<std::size_t>(index)];
        });
    });
}

void MethodGroup::refresh() {
    const Scenario& shown = scenario();
    select(algorithm_, words(shown.algorithm));
    select(compare_, words(shown.compare));
    select(stationary_, shown.stationary ? static_cast<int>(*shown.stationary) : -1);
    setFieldVisible(stationary_, !shown.gemm);
    refreshSlices();
    block_->show(shown.block);
    if (prefetch_->findData(static_cast<qlonglong>(shown.schedule.prefetch.depth)) < 0) {
        prefetch_->addItem(tr("%1 slices").arg(words(text(shown.schedule.prefetch))),
                           static_cast<qlonglong>(shown.schedule.prefetch.depth));
    }
    select(prefetch_, static_cast<qlonglong>(shown.schedule.prefetch.depth));
    select(ring_, static_cast<int>(shown.schedule.ring));
    select(type_, static_cast<int>(shown.schedule.type));
}

void MethodGroup::refreshSlices() {
    const Scenario& shown = scenario();
    slices_->clear();
    slices_->addItem(tr("best by estimate"), 0);
    bool listed = !shown.slices;
    for (const std::int64_t count : slice_choices(shown)) {
        slices_->addItem(QString::number(count), static_cast<qlonglong>(count));
        listed = listed || count == shown.slices;
    }
    if (!listed) {
        slices_->addItem(tr("%1 (does not fit)").arg(*shown.slices), static_cast<qlonglong>(*shown.slices));
    }
    select(slices_, shown.slices ? static_cast<qlonglong>(*shown.slices) : qlonglong{0});
    const auto known = algorithm(shown.algorithm);
    const bool sliced = known && (*known)->slices;
    slices_->setEnabled(sliced);
    block_->setEnabled(sliced);
}

bool MethodGroup::owns(Field field) const {
    return field == Field::algorithm || field == Field::compare || field == Field::stationary ||
           field == Field::slices || field == Field::block || field == Field::prefetch ||
           field == Field::ring || field == Field::dataType;
}

} // namespace meshslice::ui
