#include "ui/serve/serve_view.h"

#include "core/base/text.h"
#include "core/plan/search/plan_question.h"
#include "core/question/catalogue/questions.h"
#include "core/question/comparison.h"
#include "core/run/run.h"
#include "core/scenario/choices.h"
#include "core/scenario/differences.h"
#include "core/scenario/examples.h"
#include "core/scenario/fields.h"
#include "ui/controls/scrolling.h"
#include "ui/controls/table_model.h"
#include "ui/controls/table_view.h"
#include "ui/controls/wrapping_row.h"
#include "ui/document/document.h"
#include "ui/lab/form/question_form.h"
#include "ui/look/palette.h"
#include "ui/look/words.h"
#include "ui/timeline/panes/run_pane.h"

#include <QComboBox>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string_view>
#include <utility>

namespace meshslice::ui {
namespace {

/// By page: the chart that it shows, and the table that comes first.
constexpr std::array<std::string_view, 8> names_of_pages = {"steps",   "memory", "frontier",  "timeline",
                                                            "batches", "cache",  "shardings", "schedules"};
/// A field of a command line, which a page takes the place of.
const std::vector<std::string_view> not_in_the_form = {"show"};
/// Of a list: what the scenario has and no preset is.
const QString of_the_scenario = QStringLiteral("*"); // no name of a preset

/// What a beginner does not need.
std::vector<FormGroup> servedGroups() {
    return {
        {ServeView::tr("Requests over time"), {"rate", "requests", "arrivals", "seed", "routing", "span"}},
        {ServeView::tr("Goal and price"), {"goal", "price"}},
        {ServeView::tr("Parallelism"),
         {"dp", "ep", "pp", "cp", "cache-across", "prefill-chips", "decode-chips"}},
        {ServeView::tr("Prefixes and drafts"), {"prefix", "prefixes", "drafts", "acceptance"}},
        {ServeView::tr("Failures and autoscaling"), {"fail-every", "autoscale", "start-delay"}},
        {ServeView::tr("Types and engine"),
         {"weights", "cache", "compute", "efficiency", "engine", "phase"}}};
}

/// The scenario's own, as the question takes it.
FieldValue scenarioValue(const Scenario& scenario, const char* key) {
    return scenario_field(key).get(scenario);
}

QString roleOfRequests(Role role) {
    switch (role) {
    case Role::compute: return ServeView::tr("prefill");
    case Role::backward: return ServeView::tr("decode");
    case Role::exposed: return ServeView::tr("preempted");
    case Role::transferHorizontal: return ServeView::tr("transfer of the cache");
    default: return ServeView::tr("waits");
    }
}

QString roleOfBatch(Role role) {
    switch (role) {
    case Role::compute: return ServeView::tr("prefill; products and attention");
    case Role::backward: return ServeView::tr("decode");
    case Role::slicing: return ServeView::tr("vectors");
    case Role::launch: return ServeView::tr("launches");
    default: return ServeView::tr("exchange");
    }
}

std::optional<double> number(const Answer& answer, const char* key) {
    const Tree* const found = answer.values.find(key);
    return found == nullptr ? std::nullopt : found->number();
}

std::string text_of(const Answer& answer, const char* key) {
    const Tree* const found = answer.values.find(key);
    return found == nullptr ? std::string() : value_text(key, *found);
}

/// "27.1 tokens/s for each user", "0.41 s to the first token", "845 tokens/s from each chip".
QStringList keyNumbers(const Answer& answer) {
    const Tree* const fits = answer.values.find("fits");
    if (answer.values.contains("simulated") || (fits != nullptr && *fits == Tree(false))) {
        return {words(answer.headline)};
    }
    QStringList all;
    if (const auto user = number(answer, "tokens_per_s_per_user")) {
        all << ServeView::tr("%1 tokens/s for each user").arg(words(number_text(*user)));
    }
    if (const auto first = number(answer, "ttft_s")) {
        all << ServeView::tr("%1 to the first token").arg(words(seconds_text(*first)));
    }
    if (const auto chip = number(answer, "tokens_per_s_per_chip")) {
        all << ServeView::tr("%1 tokens/s from each chip").arg(words(number_text(*chip)));
    }
    return all;
}

/// What bounds the two phases, and what is to be known besides.
QStringList remarks(const Answer& answer) {
    QStringList all;
    const std::string prefill = text_of(answer, "bound_prefill");
    const std::string decode = text_of(answer, "bound_decode");
    if (!prefill.empty() && !decode.empty()) {
        all << ServeView::tr("Prefill is bound by %1, decode by %2.")
                   .arg(translated(prefill), translated(decode));
    }
    for (const std::string& note : answer.notes) {
        all << words(note);
    }
    return all;
}

} // namespace

ServeView::ServeView(Session* session, QWidget* parent)
    : ChartJobView(session, parent)
    , question_(serve_question())
    , form_(new QuestionForm(question_, this, 0, not_in_the_form, servedGroups()))
    , answer_line_(new QLabel(this))
    , about_(new QLabel(this))
    , notice_(new QLabel(this))
    , tables_(new QTabWidget(this))
    , pane_(new RunPane(this))
    , pictures_(new QStackedWidget(this))
    , inquiry_([question = question_, known = std::make_shared<KnownReference>()](
                   const ServeRequests& requests,
                   const RunControl& control) { return answersTo(question, requests, *known, control); },
               [this] {
                   showAnswer();
                   emit answered();
               }) {
    setAccessibleName(tr("Serving"));
    canvas()->setAccessibleName(tr("Chart of serving"));
    layOut();
    pane_->setAccessibleName(tr("Timeline of serving"));
    takeScenario();
    form_->leaveUndoToWindow();
    connect(form_, &QuestionForm::changed, this, &ServeView::edited);
    connect(form_, &QuestionForm::left, this, [this] {
        edited_.clear();
        this->session().document()->endEdit();
    });
    // Also while the block is simulated again: an undone edit is seen at once.
    connect(this->session().document(), &Document::scenarioChanged, this, [this] {
        takeScenario();
        renew();
        showAnswer();
    });
}

void ServeView::layOut() {
    QFont large = answer_line_->font();
    large.setPointSizeF(large.pointSizeF() * 1.5);
    large.setBold(true);
    answer_line_->setFont(large);
    answer_line_->setWordWrap(true);
    answer_line_->setAccessibleName(tr("The answer"));
    about_->setWordWrap(true);
    about_->setAccessibleName(tr("What to know about the answer"));
    notice_->setWordWrap(true);
    notice_->hide();
    tables_->setDocumentMode(true);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(4);
    all->addWidget(form_);
    for (QLabel* line : {notice_, answer_line_, about_}) {
        line->setContentsMargins(12, 4, 12, 0);
        all->addLayout(sentenceRow(line));
    }
    pictures_->addWidget(makeScrolling(canvas(), pictures_));
    pictures_->addWidget(makeScrolling(pane_, pictures_));
    stack_ = makeStack(pictures_, tables_);
    connect(stack_, &QSplitter::splitterMoved, this, [this] { divided_ = true; });
    all->addWidget(stack_, 1);
    setFocusProxy(form_->fields().front());
    setFocusPolicy(Qt::ClickFocus);
}

QStringList ServeView::pages() const {
    QStringList ids;
    for (const std::string_view name : names_of_pages) {
        ids << QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
    }
    return ids;
}

void ServeView::turnTo(int page) {
    if (page == page_ || page < 0 || page >= static_cast<int>(names_of_pages.size())) {
        return;
    }
    page_ = page;
    renew();
    showAnswer();
}

void ServeView::takeScenario() {
    form_->follow(session().document()->scenario().serving);
    follow("model");
    follow("hardware");
}

void ServeView::follow(const char* key) {
    auto* const box = qobject_cast<QComboBox*>(form_->field(std::string_view(key)));
    const FieldValue value = scenarioValue(session().document()->scenario(), key);
    const auto* const part = std::get_if<JsonPart>(&value);
    const QSignalBlocker quiet(box);
    if (const int old = box->findData(of_the_scenario); old >= 0) {
        box->removeItem(old);
    }
    int place = part == nullptr ? box->findData(words(std::get<std::string>(value))) : -1;
    if (place < 0) {
        place = 0;
        box->insertItem(place,
                        part != nullptr ? tr("%1 (edited)").arg(words(part->origin))
                                        : words(std::get<std::string>(value)),
                        of_the_scenario);
    }
    box->setCurrentIndex(place);
}

bool ServeView::differs(const char* key) const {
    const auto* const box = qobject_cast<const QComboBox*>(form_->field(std::string_view(key)));
    const FieldValue value = scenarioValue(session().document()->scenario(), key);
    const auto* const name = std::get_if<std::string>(&value);
    return box->currentData() != of_the_scenario &&
           (name == nullptr || box->currentData().toString() != words(*name));
}

/// Another plan may have to be found for another machine.
Result<void> ServeView::chooseInScenario(const char* key) {
    const auto* const box = qobject_cast<const QComboBox*>(form_->field(std::string_view(key)));
    Scenario next = session().document()->scenario();
    if (const Result<void> set = scenario_field(key).set(next, box->currentData().toString().toStdString());
        !set) {
        return set;
    }
    next.plan.split = runs_on(next.plan.split, next.hardware);
    take_a_mesh(next);
    session().edit([&](Scenario& scenario) { scenario = next; }, key);
    return {};
}

void ServeView::edited() {
    not_chosen_.clear();
    for (const char* const key : {"model", "hardware"}) {
        if (differs(key)) {
            if (const Result<void> chosen = chooseInScenario(key); !chosen) {
                not_chosen_ = words(chosen.error().sentence);
            }
            follow(key);
        }
    }
    editFields();
    renew();
    showAnswer();
}

/// One field at a time, what is typed into it is one step to undo.
void ServeView::editFields() {
    Document* const document = session().document();
    Scenario next = document->scenario();
    const ServingTexts before = std::exchange(next.serving, {});
    for (const auto& [key, text] : form_->typed()) {
        const auto* const box = qobject_cast<const QComboBox*>(form_->field(key));
        const auto was = before.find(key);
        if (key == "model" || key == "hardware") {
            continue;
        }
        if (box != nullptr && box->currentIndex() < 0 && was != before.end()) {
            next.serving[key] = was->second; // what no list has stays until another is chosen
        } else if (text != first_words(*question_.field(key))) {
            next.serving[key] = text;
        }
        const auto now = next.serving.find(key);
        const bool same = now == next.serving.end() ? was == before.end()
                                                    : was != before.end() && was->second == now->second;
        if (!same && key != edited_) {
            document->endEdit();
            edited_ = key;
        }
    }
    if (const Result<void> taken = document->edit(next, "serving"); !taken) {
        not_chosen_ = words(taken.error().sentence);
    }
}

ServeRequest ServeView::requestOf(const Scenario& scenario) const {
    ServeRequest request;
    for (const QuestionField& field : question_.fields) {
        if (std::ranges::find(not_in_the_form, field.row.key) == not_in_the_form.end()) {
            request.texts[field.row.key] = first_words(field);
        }
    }
    for (const auto& [key, text] : scenario.serving) {
        request.texts[key] = text;
    }
    for (const char* const key : {"model", "hardware"}) {
        request.own[key] = scenarioValue(scenario, key);
        request.texts[key] = first_words(*question_.field(key));
    }
    const auto file = request.texts.find("arrivals");
    request.arrivals = words(file->second);
    request.texts.erase(file);
    for (const Page page :
         {frontier, cache, layouts, schedules}) { // these take longer, and are not seen elsewhere
        if (page_ == page) {
            request.texts["show"] = names_of_pages[static_cast<std::size_t>(page)];
        }
    }
    return request;
}

ServeRequests ServeView::wanted() const {
    const Document* const document = session().document();
    ServeRequests requests{requestOf(document->scenario())};
    if (const Variant* const other = document->reference()) {
        requests.reference = requestOf(other->scenario);
    }
    return requests;
}

const Answer* ServeView::reference() const {
    return shown() != nullptr && inquiry_.answer()->reference && session().document()->reference() != nullptr
               ? &*inquiry_.answer()->reference
               : nullptr;
}

std::string ServeView::nameOfOwn() const {
    const Project& project = session().document()->project();
    return tr("B, %1").arg(words(shown_name(project.variants[project.current].name))).toStdString();
}

std::string ServeView::nameOfReference() const {
    const Variant* const other = session().document()->reference();
    return other == nullptr ? std::string() : tr("A, %1").arg(words(shown_name(other->name))).toStdString();
}

std::optional<NamedTable> ServeView::comparison() const {
    if (reference() == nullptr) {
        return std::nullopt;
    }
    return NamedTable::of("comparison",
                          differing_numbers(*reference(), *shown(), nameOfReference(), nameOfOwn()));
}

void ServeView::renew() {
    if (isVisible()) {
        inquiry_.ask(wanted());
    }
}

QString ServeView::sentence() const {
    return shown() != nullptr             ? QString()
           : inquiry_.refusal().isEmpty() ? tr("Computing…")
                                          : inquiry_.refusal();
}

std::optional<Chart> ServeView::chartOfPage() const {
    if (shown() == nullptr) {
        return std::nullopt;
    }
    const std::vector<NamedChart> charts =
        reference() == nullptr ? shown()->charts
                               : charts_of_both(*shown(), *reference(), nameOfOwn(), nameOfReference());
    const auto found =
        std::ranges::find(charts, names_of_pages[static_cast<std::size_t>(page_)], &NamedChart::name);
    return found == charts.end() ? std::nullopt : std::optional(found->chart);
}

void ServeView::showAnswer() {
    const bool refused = !inquiry_.refusal().isEmpty();
    notice_->setVisible(refused || !not_chosen_.isEmpty());
    notice_->setText(not_chosen_.isEmpty() ? inquiry_.refusal() : not_chosen_);
    answer_line_->setVisible(shown() != nullptr);
    about_->setVisible(shown() != nullptr);
    const std::optional<Chart> chart = chartOfPage();
    const QString lacking = !sentence().isEmpty() ? sentence()
                            : isCurrent()         ? tr("This answer has no such picture.")
                                                  : tr("Computing…");
    canvas()->show(chart, chart ? QString() : lacking);
    pictures_->setCurrentIndex(page_ == timeline ? 1 : 0);
    showRun();
    showTables();
    if (shown() != nullptr) {
        answer_line_->setText(keyNumbers(*shown()).join(tr(" · ")));
        QStringList all;
        if (reference() != nullptr) {
            const Scenario &ours = session().document()->scenario(),
                           &theirs = session().document()->reference()->scenario;
            answer_line_->setText(
                tr("%1: %2").arg(words(nameOfOwn()), answer_line_->text()) + QLatin1Char('\n') +
                tr("%1: %2").arg(words(nameOfReference()), keyNumbers(*reference()).join(tr(" · "))));
            const std::string differ = text(differences(theirs, ours));
            all << (differ.empty() ? tr("A and B do not differ.")
                                   : tr("B differs from A by: %1.").arg(words(differ)));
        } else if (!inquiry_.answer()->refusal.isEmpty()) {
            all << tr("A has no answer: %1").arg(inquiry_.answer()->refusal);
        }
        about_->setText((all + remarks(*shown())).join(QLatin1Char(' ')));
    }
    divideStack();
    setAccessibleDescription(shown() != nullptr ? words(shown()->headline) : sentence());
}

void ServeView::divideStack() {
    const int height = stack_->height() - stack_->handleWidth();
    if (divided_ || height <= 0 || !isCurrent()) {
        return;
    }
    const double needed = page_ == timeline
                              ? pane_->leastHeight()
                              : ChartJobView::pictureHeight(static_cast<double>(stack_->width()));
    constexpr int most = 3, of = 4; // of the height, as at first
    const int least = pictures_->minimumHeight();
    const int picture =
        std::clamp(static_cast<int>(std::ceil(needed)), least, std::max(least, most * height / of));
    stack_->setSizes({picture, height - picture});
}

void ServeView::resizeEvent(QResizeEvent* event) {
    ChartJobView::resizeEvent(event);
    divideStack();
}

/// Servers and their requests; a static batch, or of one phase the operations of a step.
void ServeView::showRun() {
    if (shown() == nullptr || shown()->runs.empty()) {
        pane_->explain(sentence().isEmpty() ? tr("Computing…") : sentence());
        return;
    }
    const NamedRun& first = shown()->runs.front();
    const bool servers = first.name == "servers";
    constexpr std::size_t most_rows = 300; // with more the servers alone are shown
    RunWindow window;
    window.runs = {shownRun(first.run, first.run->lane_count() > most_rows)};
    if (const Answer* const other = reference(); other != nullptr && !other->runs.empty()) {
        const NamedRun& theirs = other->runs.front();
        window.runs.push_back(shownRun(theirs.run, theirs.run->lane_count() > most_rows));
        window.runs.front().heading = words(nameOfOwn());
        window.runs.back().heading = words(nameOfReference());
    }
    window.words.finding = words(servers ? first.run->title() : shown()->headline);
    if (servers) {
        window.words.role = roleOfRequests;
    } else if (first.name == "batch") {
        window.words.role = roleOfBatch;
    }
    window.range = window.whole();
    if (const std::vector<Stretch> known = first.run->recorded(); servers && !known.empty()) {
        window.range = window.opening = {known.front().begin, known.front().end};
    }
    window.row = 0;
    window.path = {servers ? tr("servers") : first.name == "batch" ? tr("one batch") : tr("one step")};
    pane_->show(std::move(window));
}

void ServeView::paintCurrent(QPainter& painter, const QSize& size, Theme theme) const {
    if (page_ == timeline) {
        pane_->paintFor(painter, size, theme);
    } else {
        ChartJobView::paintCurrent(painter, size, theme);
    }
}

double ServeView::pictureHeight(double width) const {
    return page_ == timeline && isCurrent() ? std::max(View::pictureHeight(width), pane_->leastHeight())
                                            : ChartJobView::pictureHeight(width);
}

std::vector<KeyHelp> ServeView::keys() const {
    return page_ == timeline ? RunPane::keys() : ChartJobView::keys();
}

void ServeView::showTables() {
    while (tables_->count() > 0) {
        QWidget* const old = tables_->widget(0);
        tables_->removeTab(0);
        old->deleteLater();
    }
    tables_->setVisible(shown() != nullptr);
    if (shown() == nullptr) {
        return;
    }
    std::vector<NamedTable> all = shown()->tables;
    if (std::optional<NamedTable> both = comparison()) {
        all.insert(all.begin(), *std::move(both));
    }
    for (const NamedTable& one : all) {
        const Result<Table> table = whole_table(one);
        if (!table) {
            continue;
        }
        auto* rows = new TableModel(tables_);
        rows->setTable(*table);
        QTableView* const view = makeTableView(rows, words(one.title.empty() ? one.name : one.title));
        rows->setParent(view);
        view->resizeColumnsToContents();
        tables_->addTab(view, words(one.title.empty() ? one.name : one.title));
    }
}

Table ServeView::makeTable() const {
    if (const std::optional<NamedTable> both = comparison()) {
        return whole_table(*both).value_or(Table());
    }
    for (const NamedTable& one : shown()->tables) {
        if (page_ != frontier || one.name == "frontier") {
            return whole_table(one).value_or(Table());
        }
    }
    return {};
}

QString ServeView::pictured() const {
    return shown() != nullptr ? words(shown()->about.empty() ? shown()->headline : shown()->about)
                              : QString();
}

} // namespace meshslice::ui
