#include "ui/lab/stepper/stepper_page.h"

#include "core/base/text.h"
#include "ui/controls/scrolling.h"
#include "ui/controls/tab_order.h"
#include "ui/controls/wrapping_row.h"
#include "ui/lab/form/field_row.h"
#include "ui/lab/pictures_together.h"
#include "ui/lab/stepper/stepper_chunks.h"
#include "ui/lab/stepper/stepper_text.h"
#include "ui/look/words.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/torus/torus_view.h"

#include <QComboBox>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr int play_ms = 900;

Result<StepperAnswer> stepperAnswerOf(const StepperExample& asked, const RunControl& control) {
    StepperAnswer answer;
    answer.example = nearest(asked);
    answer.dataflows = stepper_dataflows(answer.example);
    answer.meshes = stepper_meshes(answer.example);
    answer.slices = stepper_slices(answer.example);
    const auto stepping = step_through(answer.example, control.stop);
    if (!stepping) {
        return refuse(stepping.error());
    }
    answer.stepping = *stepping;
    if (!answer.example.exchange) {
        answer.sliced = sliced(answer.stepping->program);
    }
    Result<StepperRun> run = simulate_steps(*answer.stepping, control);
    if (!run) {
        answer.not_simulated = run.error().sentence;
        return answer;
    }
    answer.from_afar = density(run->step(), {Time(0), run->step().time}, density_parts);
    answer.run = std::make_shared<const StepperRun>(*std::move(run));
    return answer;
}

QString meshWords(const std::vector<std::int32_t>& mesh) {
    QStringList sizes;
    for (const std::int32_t size : mesh) {
        sizes << QString::number(size);
    }
    return mesh.size() == 1 ? StepperPage::tr("%1 chips").arg(sizes.front())
                            : sizes.join(QStringLiteral("x"));
}

/// The slices of which matrices are contiguous, as a number with a bit for each.
int bitsOf(const std::array<bool, 3>& which) {
    return (which[0] ? 1 : 0) + (which[1] ? 2 : 0) + (which[2] ? 4 : 0);
}

QString exchangeWords(Collective what) {
    switch (what) {
    case Collective::all_gather: return StepperPage::tr("AllGather");
    case Collective::reduce_scatter: return StepperPage::tr("ReduceScatter");
    case Collective::all_reduce: return StepperPage::tr("AllReduce");
    case Collective::all_to_all: return StepperPage::tr("AllToAll");
    case Collective::broadcast: return StepperPage::tr("Broadcast");
    case Collective::reduce: return StepperPage::tr("Reduce");
    case Collective::send_receive: return StepperPage::tr("SendRecv");
    }
    return {};
}

} // namespace

StepperPage::StepperPage(QWidget* parent)
    : LabPage(parent)
    , choices_(new QWidget(this))
    , back_(new QToolButton(this))
    , forward_(new QToolButton(this))
    , play_(new QToolButton(this))
    , slider_(new QSlider(Qt::Horizontal, this))
    , progress_(new QLabel(this))
    , simulated_(new QLabel(this))
    , canvas_(new StepperCanvas(this))
    , own_document_(new Document(this))
    , session_(new LabSession(own_document_, this))
    , timeline_(new TimelineView(session_, this))
    , torus_(new TorusView(session_, this))
    , inquiry_(stepperAnswerOf, [this] { take(); }) {
    setAccessibleName(tr("Stepper"));
    for (QComboBox*& box : boxes_) {
        box = new QComboBox(this);
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        connect(box, &QComboBox::activated, this, &StepperPage::ask);
    }
    QComboBox* what = field(StepperField::what);
    for (const Algorithm& algorithm : all_algorithms()) {
        what->addItem(translated(algorithm.title), words(algorithm.id));
        what->setItemData(what->count() - 1, tipParagraph(translated(algorithm.summary)), Qt::ToolTipRole);
    }
    what->insertSeparator(what->count());
    for (const Collective exchange : all_collectives) {
        what->addItem(exchangeWords(exchange), static_cast<int>(exchange));
    }
    what->setCurrentIndex(what->findData(words(StepperExample().algorithm)));
    layOut();
    playing_.setInterval(play_ms);
    connect(&playing_, &QTimer::timeout, this, [this] {
        canvas_->setMoment(canvas_->moment() + 1);
        if (canvas_->moment() == canvas_->lastMoment()) {
            play_->setChecked(false);
        }
    });
    connect(canvas_, &StepperCanvas::stepped, this, &StepperPage::stepped);
    connect(session_->selection(), &Selection::momentChanged, this, &StepperPage::followClock);
    connect(back_, &QToolButton::clicked, this, [this] { canvas_->setMoment(canvas_->moment() - 1); });
    connect(forward_, &QToolButton::clicked, this, [this] { canvas_->setMoment(canvas_->moment() + 1); });
    connect(slider_, &QSlider::valueChanged, this, [this](int value) {
        if (static_cast<std::size_t>(value) != canvas_->moment()) {
            canvas_->setMoment(static_cast<std::size_t>(value));
        }
    });
    connect(play_, &QToolButton::toggled, this, [this](bool on) {
        if (on && canvas_->moment() == canvas_->lastMoment()) {
            canvas_->setMoment(0);
        }
        on ? playing_.start() : playing_.stop();
    });
}

StepperPage::~StepperPage() {
    delete pictures_;
}

void StepperPage::showEvent(QShowEvent* event) {
    begin();
    QWidget::showEvent(event);
}

void StepperPage::begin() {
    if (!hasBegun()) {
        choose(example());
    }
}

void StepperPage::layOut() {
    const auto say = [this](StepperField which, const QString& name, const QString& tip) {
        field(which)->setAccessibleName(name);
        field(which)->setToolTip(tipParagraph(tip));
    };
    say(StepperField::what, tr("Algorithm or collective"),
        tr("The GEMM algorithm, or the collective by itself, that is executed on small matrices"));
    say(StepperField::mesh, tr("Mesh of the stepper"),
        tr("The chips: rows x columns, with a third axis if there is one"));
    say(StepperField::dataflow, tr("Dataflow of the stepper"),
        tr("Which matrix stays where it is: C (OS), A (LS) or B (RS)"));
    say(StepperField::slices, tr("Slice count of the stepper"),
        tr("Into how many slices the shards are cut, or to how many iterations a loop is unrolled"));
    say(StepperField::slicing, tr("Slicing"),
        tr("Every S-th block, as in Algorithm 2 of the MeshSlice paper, or contiguous panels of one matrix "
           "alone: see what becomes of C"));
    say(StepperField::links, tr("Rings or lines"),
        tr("Whether the links of an axis close a ring, or end at the last chip"));
    say(StepperField::ways, tr("Directions"),
        tr("Whether half of every chunk goes each way round a ring, or all of it forward"));
    back_->setText(tr("Previous step"));
    back_->setToolTip(tr("Takes the last step back (comma)"));
    forward_->setText(tr("Next step"));
    forward_->setToolTip(tr("Does the next step (full stop)"));
    play_->setText(tr("Play"));
    play_->setCheckable(true);
    play_->setToolTip(tr("Goes on by itself, step by step"));
    slider_->setAccessibleName(tr("Step"));
    slider_->setToolTip(tr("Goes to any step"));
    slider_->setMinimumWidth(60);
    progress_->setTextFormat(Qt::PlainText);
    progress_->setBuddy(slider_); // stands with it
    for (QComboBox* box : boxes_) {
        box->setMinimumContentsLength(3);
        box->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    }
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    choices_->setLayout(fieldRow({{field(StepperField::what), 0},
                                  {field(StepperField::mesh), 0},
                                  {field(StepperField::dataflow), 0},
                                  {field(StepperField::slices), 0},
                                  {field(StepperField::slicing), 0},
                                  {field(StepperField::links), 0},
                                  {field(StepperField::ways), 0}}));
    choices_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    all->addWidget(choices_);
    all->addLayout(fieldRow({{back_, 0}, {forward_, 0}, {play_, 0}, {slider_, 1}, {progress_, 0}}));
    tabInOrder({field(StepperField::what), field(StepperField::mesh), field(StepperField::dataflow),
                field(StepperField::slices), field(StepperField::slicing), field(StepperField::links),
                field(StepperField::ways), back_, forward_, play_, slider_});
    pictures_ = new PicturesTogether(
        {NamedPicture{makeScrolling(canvas_, this), tr("Numbers"),
                      tr("What every chip holds after each step, number by number")},
         NamedPicture{timeline_, tr("Timeline"),
                      tr("When each core multiplies and each link moves, of larger matrices. A click goes to "
                         "the step that began last")},
         NamedPicture{torus_, tr("Torus"), tr("What every core and link does at the same moment")}},
        canvas_, tr("Numbers, timeline and torus of what is stepped through"), this);
    all->addWidget(pictures_, 1);
    simulated_->setTextFormat(Qt::PlainText);
    simulated_->setContentsMargins(8, 2, 8, 2);
    all->addWidget(simulated_);
    setFocusProxy(canvas_);
}

void StepperPage::setBare(bool bare, const QWidget* kept) {
    choices_->setVisible(!bare || (kept != nullptr && choices_->isAncestorOf(kept)));
    simulated_->setVisible(!bare);
}

StepperExample StepperPage::example() const {
    StepperExample example;
    const QVariant what = field(StepperField::what)->currentData();
    if (what.typeId() == QMetaType::Int) {
        example.exchange = static_cast<Collective>(what.toInt());
    } else {
        example.algorithm = what.toString().toStdString();
    }
    const QVariantList mesh = field(StepperField::mesh)->currentData().toList();
    if (!mesh.isEmpty()) {
        example.mesh.clear();
        for (const QVariant& size : mesh) {
            example.mesh.push_back(size.toInt());
        }
    }
    const auto number = [&](StepperField which, int otherwise) {
        const QVariant data = field(which)->currentData();
        return data.isValid() ? data.toInt() : otherwise;
    };
    example.dataflow = static_cast<Dataflow>(number(StepperField::dataflow, 0));
    if (field(StepperField::slices)->count() > 1) { // else what was shown before had no choice
        example.slices = number(StepperField::slices, 2);
    }
    const int bits = number(StepperField::slicing, 0);
    example.contiguous = {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
    example.rings = number(StepperField::links, 1) != 0;
    example.ring = static_cast<RingMode>(number(StepperField::ways, 0));
    return example;
}

void StepperPage::choose(const StepperExample& example, std::size_t done) {
    begins_at_ = done;
    if (!inquiry_.ask(example)) {
        take();
        return;
    }
    session_->compute();
    if (!canvas_->isReady()) {
        canvas_->show(nullptr, {}, tr("The program is being executed."));
    }
}

void StepperPage::ask() {
    choose(example());
}

void StepperPage::fill(const StepperAnswer& answer) {
    const StepperExample& example = answer.example;
    const auto put = [this](StepperField which, const std::vector<std::pair<QString, QVariant>>& items,
                            const QVariant& chosen) {
        QComboBox* box = field(which);
        const QSignalBlocker quiet(box);
        box->clear();
        for (const auto& [text, data] : items) {
            box->addItem(text, data);
            if (data == chosen) {
                box->setCurrentIndex(box->count() - 1);
            }
        }
        box->setVisible(items.size() > 1);
    };
    const auto listOf = [](const std::vector<std::int32_t>& mesh) {
        QVariantList sizes;
        for (const std::int32_t size : mesh) {
            sizes << size;
        }
        return QVariant(sizes);
    };
    using Items = std::vector<std::pair<QString, QVariant>>;
    {
        const QSignalBlocker quiet(field(StepperField::what));
        field(StepperField::what)
            ->setCurrentIndex(field(StepperField::what)
                                  ->findData(example.exchange ? QVariant(static_cast<int>(*example.exchange))
                                                              : QVariant(words(example.algorithm))));
    }
    Items meshes;
    for (const auto& mesh : answer.meshes) {
        meshes.emplace_back(meshWords(mesh), listOf(mesh));
    }
    put(StepperField::mesh, meshes, listOf(example.mesh));
    Items dataflows;
    for (const Dataflow one : answer.dataflows) {
        dataflows.emplace_back(words(name(one)), static_cast<int>(one));
    }
    put(StepperField::dataflow, dataflows, static_cast<int>(example.dataflow));
    Items slices;
    for (const std::int64_t one : answer.slices) {
        slices.emplace_back(QStringLiteral("S = %1").arg(one), static_cast<int>(one));
    }
    put(StepperField::slices, slices, static_cast<int>(example.slices));
    Items slicing = {{tr("every S-th block"), 0}};
    const std::array names = {tr("A contiguous"), tr("B contiguous"), tr("C contiguous")};
    for (std::size_t k = 0; k < names.size(); ++k) {
        if (answer.sliced[k]) {
            slicing.emplace_back(names[k], 1 << k);
        }
    }
    if (slicing.size() > 2) {
        slicing.emplace_back(tr("all contiguous"), bitsOf(answer.sliced));
    }
    put(StepperField::slicing, slicing, bitsOf(example.contiguous));
    put(StepperField::links, {{tr("closed rings"), 1}, {tr("open lines"), 0}}, example.rings ? 1 : 0);
    put(StepperField::ways,
        {{tr("both ways"), static_cast<int>(RingMode::both_ways)},
         {tr("one way"), static_cast<int>(RingMode::one_way)}},
        static_cast<int>(example.ring));
}

void StepperPage::take() {
    play_->setChecked(false);
    if (!inquiry_.answer()) {
        canvas_->show(nullptr, {}, inquiry_.refusal());
        session_->fail(inquiry_.refusal());
        return;
    }
    fill(*inquiry_.answer());
    clocked_ = 0;
    if (const StepperRun* const run = this->run()) {
        session_->show(run->run, inquiry_.answer()->from_afar);
        session_->selection()->setMoment(run->clock(0));
    } else {
        session_->fail(words(inquiry_.answer()->not_simulated));
    }
    canvas_->show(inquiry_.answer()->stepping, pictured(), {});
    pictures_->arrange();
    if (const std::size_t done = std::exchange(begins_at_, 0); done > 0) {
        canvas_->setMoment(done);
    }
}

void StepperPage::stepped() {
    if (run() != nullptr && canvas_->isReady() && canvas_->moment() != clocked_) {
        clocked_ = canvas_->moment();
        session_->selection()->setMoment(run()->clock(clocked_)); // followClock()
    }
    // Of another size now, unless it only stepped: nothing changes places while it plays.
    if (std::exchange(seen_, canvas_->moment()) == canvas_->moment()) {
        pictures_->arrange();
    }
    renewButtons();
}

void StepperPage::followClock() {
    const std::optional<Time> now = session_->selection()->moment();
    if (run() == nullptr || !canvas_->isReady() || !now) {
        return;
    }
    if (*now != run()->clock(clocked_)) { // else the stepper set it
        clocked_ = moment_at(run()->under_way, *now);
    }
    if (canvas_->moment() != clocked_) {
        canvas_->setMoment(clocked_);
    } else {
        renewButtons();
    }
}

QString StepperPage::pictured() const {
    if (!inquiry_.answer()) {
        return {};
    }
    const StepperAnswer& answer = *inquiry_.answer();
    const StepperExample& example = answer.example;
    const Program& program = answer.stepping->program;
    const QString mesh = words(mesh_text(program.torus));
    if (example.exchange) {
        return tr("%1 on %2").arg(exchangeWords(*example.exchange), mesh);
    }
    const QString title = translated((*algorithm(example.algorithm))->title);
    const QString shape = words(text(program.shape));
    return answer.slices.size() > 1
               ? tr("%1, %2, S = %3 on %4: %5")
                     .arg(title, words(name(example.dataflow)), QString::number(example.slices), mesh, shape)
               : tr("%1, %2 on %3: %4").arg(title, words(name(example.dataflow)), mesh, shape);
}

void StepperPage::renewButtons() {
    const std::size_t moment = canvas_->moment();
    const std::size_t last = canvas_->lastMoment();
    back_->setEnabled(moment > 0);
    forward_->setEnabled(moment < last);
    play_->setEnabled(last > 0);
    const QSignalBlocker quiet(slider_);
    slider_->setMaximum(static_cast<int>(last));
    slider_->setValue(static_cast<int>(moment));
    progress_->setText(canvas_->isReady()
                           ? tr("step %1 of %2").arg(static_cast<int>(moment)).arg(static_cast<int>(last))
                           : QString());
    // In the row of buttons the time would take the room of the slider.
    const std::optional<Time> now = session_->selection()->moment();
    simulated_->setText(run() != nullptr && now
                            ? tr("Timeline and torus at %1: %2")
                                  .arg(words(seconds_text(in_seconds(*now))), words(run()->step().variant))
                            : QString());
}

void StepperPage::complete(const Completed& completed) {
    begin();
    if (inquiry_.asked()) {
        inquiry_.ask(*inquiry_.asked(), completed);
    } else {
        completed(canvas_->isReady() ? Result<void>() : refuse(canvas_->sentence().toStdString()));
    }
}

Table StepperPage::table() const {
    Table table;
    if (!canvas_->isReady()) {
        return table;
    }
    const Stepping& stepping = *canvas_->stepping();
    table.title = pictured().toStdString();
    table.columns = {"step", "line", "s", "hop", "of_hops", "numbers_sent"};
    const bool feeds = fedAxis(stepping).has_value();
    if (feeds) {
        for (const char* const state : {"waiting", "made", "counted", "complete", "sent"}) {
            table.columns.push_back(std::string("chunks_") + state);
        }
    }
    for (std::size_t k = 0; k < stepping.moments.size(); ++k) {
        const Moment& moment = stepping.moments[k];
        std::int64_t carried = 0;
        for (const std::int64_t link : moment.carried) {
            carried += link;
        }
        table.rows.push_back(
            {static_cast<std::int64_t>(k),
             moment.line ? text(stepping.program, stepping.program.operations[*moment.line]) : std::string(),
             moment.iteration, std::int64_t{moment.hop}, std::int64_t{moment.hops}, carried});
        if (feeds) {
            for (const TileState state : all_tile_states) {
                table.rows.back().push_back(chunksIn(moment, state));
            }
        }
    }
    return table;
}

} // namespace meshslice::ui
