#include "ui/studies/studies_view.h"

#include "core/machine/catalogue.h"
#include "ui/controls/scrolling.h"
#include "ui/controls/tab_order.h"
#include "ui/controls/table_model.h"
#include "ui/controls/table_view.h"
#include "ui/controls/wrapping_row.h"
#include "ui/look/words.h"
#include "ui/studies/study_headings.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace meshslice::ui {
namespace {

/// Clusters of a study double from the paper's smallest up to the chosen number, at most so many times as
/// large as the paper's largest.
constexpr std::int32_t larger_than_the_papers = 4;

Machine ownMachine(const Evaluation& evaluation) {
    return *machine_preset(evaluation.machine);
}

/// The presets that its studies are about.
std::vector<Machine> machinesOf(const Evaluation& evaluation) {
    std::vector<Machine> all = machine_presets();
    std::erase_if(all, [&](const Machine& one) { return !evaluation.suits(one); });
    return all;
}

/// Of a table, so that what follows a long sentence is seen too; its tool tip has all of it.
constexpr int widest_column = 440;
/// What the picture needs for two panels; narrower views give it the room of the list.
constexpr int least_picture = 560;

/// The name of the paper that a study is of, for all of its studies.
constexpr int paper_role = study_heading_role + 1;
/// What is found by: titles, figures, papers and questions.
constexpr int found_by_role = study_heading_role + 2;

} // namespace

QString studyTitle(const Study& study) {
    static const QRegularExpression numbered(QStringLiteral("(?:Figures?|Tables?) .*$"));
    const QString number = numbered.match(words(study.section)).captured();
    return number.isEmpty() ? translated(study.title)
                            : StudiesView::tr("%1, %2").arg(translated(study.title), number);
}

StudiesView::StudiesView(Session* session, QWidget* parent)
    : ChartJobView(session, parent)
    , search_(new QLineEdit(this))
    , none_(new QLabel(tr("No match"), this))
    , list_(new QListWidget(this))
    , narrow_list_(new QComboBox(this))
    , models_(new QComboBox(this))
    , chips_(new QComboBox(this))
    , hardware_(new QComboBox(this))
    , question_(new QLabel(this))
    , tables_(new QTabWidget(this))
    , verdicts_(new TableModel(this))
    , rows_(new TableModel(this))
    , inquiry_(
          [](const StudyRequest& request, const RunControl& control) {
              return run_study(studies()[request.study], request.inputs, control);
          },
          [this] {
              showAnswer();
              emit answered();
          }) {
    setAccessibleName(tr("Studies"));
    canvas()->setAccessibleName(tr("Chart of the study"));
    makeList();
    makeSearch();
    makeControls();
    layOut();
    showAnswer();
    connect(list_, &QListWidget::currentRowChanged, this, [this](int row) {
        offerChoices(studies()[static_cast<std::size_t>(std::max(0, row))]);
        renew();
    });
    for (QComboBox* control : {models_, chips_, hardware_}) {
        connect(control, &QComboBox::currentIndexChanged, this, &StudiesView::renew);
    }
}

void StudiesView::makeList() {
    list_->setItemDelegate(new StudyHeadings(list_));
    for (const Study& one : studies()) {
        auto* item = new QListWidgetItem(studyTitle(one), list_);
        narrow_list_->addItem(item->text());
        item->setData(paper_role, words(one.publication().citation));
        item->setData(found_by_role, QStringList{studyTitle(one), words(one.publication().citation),
                                                 words(one.publication().name), translated(one.question)}
                                         .join(QLatin1Char(' ')));
        item->setToolTip(tr("%1 (%2, %3)")
                             .arg(translated(one.question), words(one.publication().citation),
                                  words(section_words(one.publication(), one.section))));
    }
    list_->setCurrentRow(0);
    list_->setFrameShape(QFrame::NoFrame);
    list_->setAccessibleName(tr("Studies of the paper"));
    list_->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    list_->setSpacing(2);
    fitList();
    narrow_list_->setAccessibleName(list_->accessibleName());
    narrow_list_->setToolTip(list_->accessibleName());
    narrow_list_->hide();
    connect(narrow_list_, &QComboBox::currentIndexChanged, list_,
            qOverload<int>(&QListWidget::setCurrentRow));
    connect(list_, &QListWidget::currentRowChanged, narrow_list_, &QComboBox::setCurrentIndex);
}

void StudiesView::makeSearch() {
    search_->setPlaceholderText(tr("Search, such as Figure 9"));
    search_->setAccessibleName(tr("Search the studies"));
    search_->setToolTip(tr("Finds studies by their title, figure or table"));
    search_->setClearButtonEnabled(true);
    none_->setForegroundRole(QPalette::PlaceholderText);
    none_->setContentsMargins(6, 2, 6, 2);
    connect(search_, &QLineEdit::textChanged, this, &StudiesView::find);
    connect(search_, &QLineEdit::returnPressed, this, [this] {
        for (int row = 0; row < list_->count(); ++row) {
            if (!list_->item(row)->isHidden()) {
                list_->setCurrentRow(row);
                list_->setFocus();
                return;
            }
        }
    });
    find();
}

/// "figure 9" is not Figure 19: a number has to be a word.
void StudiesView::find() {
    static const QRegularExpression between(QStringLiteral("[^\\p{L}\\p{N}.]+"));
    const QStringList typed = search_->text().toLower().split(between, Qt::SkipEmptyParts);
    QString paper;
    bool any = false;
    for (int row = 0; row < list_->count(); ++row) {
        QListWidgetItem* const item = list_->item(row);
        const QStringList known =
            item->data(found_by_role).toString().toLower().split(between, Qt::SkipEmptyParts);
        const bool found = std::ranges::all_of(typed, [&](const QString& word) {
            return std::ranges::any_of(known, [&](const QString& one) {
                return word.front().isDigit() ? one == word : one.startsWith(word);
            });
        });
        item->setHidden(!found);
        // Of what is left, the first of each paper has its name above it.
        const QString its = item->data(paper_role).toString();
        item->setData(study_heading_role, found && its != paper ? its : QString());
        paper = found ? its : paper;
        any = any || found;
    }
    none_->setVisible(!any && !list_->isHidden());
}

void StudiesView::fitList() {
    list_->setFixedWidth(list_->sizeHintForColumn(0) + 24);
    search_->setFixedWidth(list_->width() - 12);
}

void StudiesView::changeEvent(QEvent* event) {
    ChartJobView::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        QMetaObject::invokeMethod(this, &StudiesView::fitList, Qt::QueuedConnection); // it hears of it later
    }
}

void StudiesView::makeControls() {
    offerChoices(studies().front());
    models_->setAccessibleName(tr("Models"));
    models_->setToolTip(tr("The models that are run"));
    chips_->setAccessibleName(tr("Clusters"));
    chips_->setToolTip(tr("How many chips they run on"));
    hardware_->setAccessibleName(tr("Hardware"));
    hardware_->setToolTip(tr("The chip; the paper's numbers are those of its own"));
    for (QComboBox* control : {models_, chips_, hardware_}) {
        control->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        control->setMinimumContentsLength(10);
    }
}

void StudiesView::offerChoices(const Study& study) {
    models_->setVisible(study.scope.models);
    chips_->setVisible(study.scope.clusters != ClustersAsked::none);
    hardware_->setVisible(study.scope.hardware);
    const Evaluation* const evaluation = study.evaluation;
    if (evaluation == offered_) {
        return;
    }
    offered_ = evaluation;
    const QSignalBlocker quietModels(models_);
    const QSignalBlocker quietChips(chips_);
    const QSignalBlocker quietHardware(hardware_);
    models_->clear();
    models_->addItem(tr("%1, as the paper").arg(translated(evaluation->models)));
    models_->addItem(tr("the scenario's model"));
    for (const Transformer& model : model_presets()) {
        models_->addItem(words(model.title), words(model.name));
    }
    chips_->clear();
    const StudyInputs own = evaluation->inputs(ownMachine(*evaluation));
    for (std::int32_t chips = own.chips.front(); chips <= larger_than_the_papers * own.chips.back();
         chips *= 2) {
        chips_->addItem(tr("up to %1 chips").arg(chips), chips);
    }
    chips_->setCurrentIndex(chips_->findData(own.chips.back()));
    hardware_->clear();
    hardware_->addItem(tr("the scenario's hardware"));
    for (const Machine& one : machinesOf(*evaluation)) {
        hardware_->addItem(words(one.title), words(one.name));
    }
    hardware_->setCurrentIndex(hardware_->findData(words(evaluation->machine)));
}

void StudiesView::layOut() {
    tables_->setDocumentMode(true);
    tables_->addTab(makeTableView(verdicts_, tr("The paper's statements and our results")),
                    tr("The paper and ours"));
    tables_->addTab(makeTableView(rows_, tr("The study's numbers")), tr("Table"));
    question_->setWordWrap(true);
    question_->setContentsMargins(12, 6, 12, 2);

    auto* controls = new WrappingRow(6);
    controls->setContentsMargins(12, 4, 12, 0);
    controls->add(models_, 3);
    controls->add(chips_, 2);
    controls->add(hardware_, 3);

    QSplitter* stack = makeStack(makeScrolling(canvas(), this), tables_);

    auto* right = new QVBoxLayout;
    right->setSpacing(0);
    auto* choice = new QHBoxLayout;
    choice->setContentsMargins(12, 4, 12, 0);
    choice->addWidget(narrow_list_);
    right->addLayout(choice);
    right->addLayout(controls);
    right->addLayout(sentenceRow(question_));
    right->addWidget(stack, 1);
    auto* all = new QHBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    auto* left = new QVBoxLayout;
    left->setContentsMargins(6, 4, 6, 0);
    left->setSpacing(4);
    left->addWidget(search_);
    left->addWidget(none_);
    left->addWidget(list_, 1);
    all->addLayout(left);
    all->addLayout(right, 1);
    tabInOrder({search_, list_, narrow_list_, models_, chips_, hardware_, canvas()});
    setFocusProxy(list_);
    setFocusPolicy(
        Qt::ClickFocus); // else Tab would come to the proxy at once, and never to what is before it
}

QStringList StudiesView::pages() const {
    QStringList ids;
    for (const Study& one : studies()) {
        ids << words(one.id);
    }
    return ids;
}

int StudiesView::page() const {
    return list_->currentRow();
}

void StudiesView::turnTo(int page) {
    list_->setCurrentRow(page);
}

StudyRequest StudiesView::wanted() const {
    StudyRequest request;
    request.study = static_cast<std::size_t>(std::max(0, list_->currentRow()));
    const Scenario& scenario = session().state().scenario;
    const Evaluation& evaluation = *studies()[request.study].evaluation;
    const std::string chosen = hardware_->currentData().toString().toStdString();
    const std::vector<Machine> machines = machinesOf(evaluation);
    const auto machine = std::ranges::find(machines, chosen, &Machine::name);
    const Machine& scenarios = scenario.hardware;
    request.inputs = evaluation.inputs(machine == machines.end() ? scenarios : *machine);
    if (machine == machines.end()) {
        request.inputs.hardware = scenarios; // also where the study does not run on it, which it then says
    }
    if (models_->currentIndex() > 0) {
        const QString model = models_->currentData().toString();
        request.inputs.models = {
            model.isEmpty() ? scenario.model : model_preset(model.toStdString()).value_or(scenario.model)};
    }
    if (chips_->currentData().toInt() != request.inputs.chips.back()) {
        const std::int32_t least = request.inputs.chips.front();
        request.inputs.chips.clear();
        for (std::int32_t chips = least; chips <= chips_->currentData().toInt(); chips *= 2) {
            request.inputs.chips.push_back(chips);
        }
    }
    return request;
}

void StudiesView::renew() {
    const StudyRequest request = wanted();
    if (!isVisible() || request == inquiry_.asked()) {
        return;
    }
    if (!inquiry_.ask(request)) {
        if (waits_) {
            showAnswer(); // back to what is there, before the answer to another question
        }
        return;
    }
    waits_ = true;
    canvas()->show(std::nullopt, tr("Computing…"));
    verdicts_->setTable(Table()); // of another question
    rows_->setTable(Table());
    question_->setText(translated(studies()[request.study].question));
}

QString StudiesView::sentence() const {
    if (shown()) {
        return {};
    }
    return inquiry_.refusal().isEmpty() ? tr("The study starts when this view is opened.")
                                        : inquiry_.refusal();
}

void StudiesView::showAnswer() {
    const Study& study = studies()[wanted().study];
    waits_ = false;
    question_->setText(translated(study.question));
    canvas()->show(shown() ? std::optional(chart(*shown())) : std::nullopt, sentence());
    verdicts_->setTable(shown() ? verdicts(study.publication(), *shown()) : Table());
    rows_->setTable(shown() ? shown()->table : Table());
    const bool said_before = tables_->isTabVisible(0);
    tables_->setTabVisible(0, verdicts_->rowCount() > 0); // about some the paper says nothing in words
    if (!said_before && tables_->isTabVisible(0)) {
        tables_->setCurrentIndex(0);
    }
    tables_->setVisible(shown().has_value());
    const int widest = std::clamp(tables_->width() * 55 / 100, 160, widest_column);
    for (QTableView* view : tables_->findChildren<QTableView*>()) {
        view->resizeColumnsToContents();
        for (int column = 0; column < view->model()->columnCount(); ++column) {
            view->setColumnWidth(column, std::min(widest, view->columnWidth(column)));
        }
    }
    setAccessibleDescription(shown() ? words(shown()->finding) : sentence());
}

QString StudiesView::pictured() const {
    const Study& study = studies()[wanted().study];
    const QString which = tr("%1, after %2, %3")
                              .arg(translated(study.title), words(study.publication().citation),
                                   words(section_words(study.publication(), study.section)));
    return study.scope.hardware ? tr("%1; %2").arg(which, words(wanted().inputs.hardware.title)) : which;
}

void StudiesView::resizeEvent(QResizeEvent* event) {
    ChartJobView::resizeEvent(event);
    const bool room = width() >= list_->width() + least_picture;
    for (QWidget* one : std::initializer_list<QWidget*>{search_, list_}) {
        one->setVisible(room);
    }
    narrow_list_->setVisible(!room);
}

} // namespace meshslice::ui
