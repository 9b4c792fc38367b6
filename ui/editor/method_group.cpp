#include "ui/editor/method_group.h"

#include "core/gemm/algorithms.h"
#include "core/scenario/choices.h"
#include "ui/editor/whole_field.h"
#include "ui/look/words.h"

#include <QComboBox>
#include <QSignalBlocker>
#include <QStandardItemModel>

#include <algorithm>
#include <array>

namespace meshslice::ui {
namespace {

constexpr std::array all_stationaries = {Stationary::Y, Stationary::X, Stationary::W};
constexpr std::array offered_prefetch = {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, std::int64_t{3},
                                         Prefetch::without_bound};

constexpr std::array offered_packets = {1, 2, 4, 8, 16, 32, 64, 128};

QString paragraph(std::string_view sentence) {
    return QStringLiteral("<p>%1</p>").arg(words(sentence).toHtmlEscaped());
}

/// Whether the algorithm of this id takes the option.
bool asks(const std::string& id, OptionId option) {
    const auto known = algorithm(id);
    return known && takes(**known, option);
}

void select(QComboBox* choice, const QVariant& data) {
    choice->setCurrentIndex(std::max(0, choice->findData(data)));
}

} // namespace

MethodGroup::MethodGroup(Document* document, QWidget* parent)
    : ScenarioGroup(tr("Method"), document, parent) {
    addAlgorithms();
    addSlicing();
    addOptions();
    addSchedule();
    refresh();
}

void MethodGroup::addAlgorithms() {
    algorithm_ = makeChoice(this);
    compare_ = makeChoice(this);
    compare_->addItem(tr("none"), QString());
    for (const Algorithm& known : algorithms()) {
        for (QComboBox* choice : {algorithm_, compare_}) {
            choice->addItem(words(known.title), words(known.id));
        }
    }
    addChoice(tr("&Algorithm"), algorithm_, nullptr, tr("How the product is distributed over the chips."));
    addChoice(tr("Compare &with"), compare_, nullptr,
              tr("A second algorithm, run on the same scenario and shown beside the first."));
    connect(algorithm_, &QComboBox::activated, this, [this](int index) {
        chooseAlgorithm(algorithm_, index, Field::algorithm, &Scenario::algorithm);
    });
    connect(compare_, &QComboBox::activated, this,
            [this](int index) { chooseAlgorithm(compare_, index, Field::compare, &Scenario::compare); });
}

void MethodGroup::chooseAlgorithm(QComboBox* choice, int index, Field field, std::string Scenario::*place) {
    if (!choice->model()->flags(choice->model()->index(index, 0)).testFlag(Qt::ItemIsEnabled)) {
        refresh(); // greyed out: the list shows the old choice again
        return;
    }
    choose(field, [id = choice->itemData(index).toString().toStdString(), place](Scenario& next) {
        next.*place = id;
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
           "multiply another; of SUMMA and Wang the iterations to which their loops are unrolled, at most: "
           "fewer where that count does not work. By default every product gets the count with the shortest "
           "estimate. The list has the counts that work for all products on this mesh."));
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

void MethodGroup::addOptions() {
    packets_ = makeChoice(this);
    packets_->addItem(tr("best by estimate"), 0);
    for (const int count : offered_packets) {
        packets_->addItem(QString::number(count), static_cast<qlonglong>(count));
    }
    addChoice(
        tr("Packets"), packets_, nullptr,
        tr("Of SUMMA: into how many packets a panel is cut at most while it streams round its ring. More "
           "packets fill the ring sooner, and each costs a synchronisation."));
    connect(packets_, &QComboBox::activated, this, [this](int index) {
        const qlonglong count = packets_->itemData(index).toLongLong();
        choose(Field::packets, [count](Scenario& next) {
            next.packets = count == 0 ? std::optional<std::int64_t>() : std::optional<std::int64_t>(count);
        });
    });

    decomposed_ = makeChoice(this);
    decomposed_->addItem(tr("better by estimate"), -1);
    decomposed_->addItem(tr("vertical axis"), static_cast<int>(Axis::vertical));
    decomposed_->addItem(tr("horizontal axis"), static_cast<int>(Axis::horizontal));
    addChoice(tr("Overlaps"), decomposed_, nullptr,
              tr("Of Wang's algorithm: the axis whose collective is taken apart into steps that overlap with "
                 "partial products. The collective of the other axis stays exposed."));
    connect(decomposed_, &QComboBox::activated, this, [this](int index) {
        const int axis = decomposed_->itemData(index).toInt();
        choose(Field::decomposed, [axis](Scenario& next) {
            next.decomposed = axis < 0 ? std::optional<Axis>() : std::optional(static_cast<Axis>(axis));
        });
    });
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
    refreshAlgorithms();
    select(stationary_, shown.stationary ? static_cast<int>(*shown.stationary) : -1);
    setFieldVisible(stationary_, !shown.gemm);
    refreshSlices();
    refreshOptions();
    block_->show(shown.block);
    if (prefetch_->findData(static_cast<qlonglong>(shown.schedule.prefetch.depth)) < 0) {
        prefetch_->addItem(tr("%1 slices").arg(words(text(shown.schedule.prefetch))),
                           static_cast<qlonglong>(shown.schedule.prefetch.depth));
    }
    select(prefetch_, static_cast<qlonglong>(shown.schedule.prefetch.depth));
    select(ring_, static_cast<int>(shown.schedule.ring));
    select(type_, static_cast<int>(shown.schedule.type));
}

void MethodGroup::refreshAlgorithms() {
    const Scenario& shown = scenario();
    select(algorithm_, words(shown.algorithm));
    select(compare_, words(shown.compare));
    for (const Algorithm& known : algorithms()) {
        const std::string sentence = objection(shown, std::string(known.id));
        const QString why = sentence.empty()
                                ? QString()
                                : QStringLiteral("<p><b>%1</b> %2</p>")
                                      .arg(tr("Does not run here:"), words(sentence).toHtmlEscaped());
        const QString tip = why + paragraph(known.summary) + paragraph(known.needs) + paragraph(known.source);
        for (QComboBox* choice : {algorithm_, compare_}) {
            const int index = choice->findData(words(known.id));
            choice->setItemData(index, tip, Qt::ToolTipRole);
            auto* items = qobject_cast<QStandardItemModel*>(choice->model());
            items->item(index)->setEnabled(sentence.empty());
            if (index == choice->currentIndex()) {
                choice->setToolTip(why + paragraph(choice->accessibleDescription().toStdString()));
            }
        }
    }
    if (shown.compare.empty()) {
        compare_->setToolTip(paragraph(compare_->accessibleDescription().toStdString()));
    }
}

void MethodGroup::refreshOptions() {
    const Scenario& shown = scenario();
    if (shown.packets && packets_->findData(static_cast<qlonglong>(*shown.packets)) < 0) {
        packets_->addItem(QString::number(*shown.packets), static_cast<qlonglong>(*shown.packets));
    }
    select(packets_, static_cast<qlonglong>(shown.packets.value_or(0)));
    select(decomposed_, shown.decomposed ? static_cast<int>(*shown.decomposed) : -1);
    const auto used = [&](OptionId option) {
        return asks(shown.algorithm, option) || asks(shown.compare, option);
    };
    setFieldVisible(packets_, used(OptionId::packets));
    setFieldVisible(decomposed_, used(OptionId::decomposed));
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
        const auto known = algorithm(shown.algorithm);
        const bool at_most = known && takes_at_most(**known, OptionId::slices);
        slices_->addItem((at_most ? tr("%1 at most") : tr("%1 (does not fit)")).arg(*shown.slices),
                         static_cast<qlonglong>(*shown.slices));
    }
    select(slices_, shown.slices ? static_cast<qlonglong>(*shown.slices) : qlonglong{0});
    slices_->setEnabled(asks(shown.algorithm, OptionId::slices));
    block_->setEnabled(asks(shown.algorithm, OptionId::block));
}

bool MethodGroup::owns(Field field) const {
    return field == Field::algorithm || field == Field::compare || field == Field::stationary ||
           field == Field::slices || field == Field::block || field == Field::packets ||
           field == Field::decomposed || field == Field::prefetch || field == Field::ring ||
           field == Field::dataType;
}

} // namespace meshslice::ui
