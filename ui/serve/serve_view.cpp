#include "ui/serve/serve_view.h"

#include "core/base/text.h"
#include "core/question/catalogue/questions.h"
#include "ui/controls/scrolling.h"
#include "ui/controls/table_model.h"
#include "ui/controls/table_view.h"
#include "ui/controls/wrapping_row.h"
#include "ui/lab/question_form.h"
#include "ui/look/palette.h"
#include "ui/look/words.h"

#include <QComboBox>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace meshslice::ui {
namespace {

/// By page: the chart that it shows, and the table that comes first.
constexpr std::array<std::string_view, 3> names_of_pages = {"steps", "memory", "frontier"};
/// Fields of a command line, which a page takes the place of.
const std::vector<std::string_view> not_in_the_form = {"show", "goal", "phase", "seed", "arrivals"};

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

/// Where the time is expected by measured runs, and what bounds the two phases.
QStringList remarks(const Answer& answer) {
    QStringList all;
    const auto low = number(answer, "time_low_s");
    const auto high = number(answer, "time_high_s");
    if (low && high && *high > *low) {
        all << ServeView::tr("Expected from %1 to %2 for the whole request, as far as we are off on eight of "
                             "ten measured rows.")
                   .arg(words(seconds_text(*low)), words(seconds_text(*high)));
    }
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
    , form_(new QuestionForm(question_, this, 0, not_in_the_form))
    , answer_line_(new QLabel(this))
    , about_(new QLabel(this))
    , notice_(new QLabel(this))
    , tables_(new QTabWidget(this))
    , inquiry_(
          [question = question_](const ServeRequest& request, const RunControl& control) {
              return asked_of(question, request.texts, Speech::form).and_then([&](const Asked& asked) {
                  return question.answer(asked, control);
              });
          },
          [this] {
              showAnswer();
              emit answered();
          }) {
    setAccessibleName(tr("Serving"));
    canvas()->setAccessibleName(tr("Chart of serving"));
    layOut();
    connect(form_, &QuestionForm::changed, this, &ServeView::renew);
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
    all->addWidget(makeStack(makeScrolling(canvas(), this), tables_), 1);
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

/// Where the user has chosen another model or machine here, it stays.
void ServeView::takeScenario() {
    const Scenario& scenario = session().state().scenario;
    const auto follow = [this](const char* key, const QString& name, QString& known) {
        auto* const box = qobject_cast<QComboBox*>(form_->field(std::string_view(key)));
        if (name == known || box == nullptr) {
            return;
        }
        known = name;
        const int place = box->findData(name);
        if (place >= 0) {
            box->setCurrentIndex(place);
        } else {
            not_taken_ << name;
        }
    };
    not_taken_.clear();
    follow("model", words(scenario.model.name), model_);
    follow("hardware", words(scenario.hardware.name), machine_);
}

ServeRequest ServeView::wanted() const {
    ServeRequest request{form_->typed(), page_ == frontier};
    if (request.frontier) {
        request.texts["show"] = "frontier";
    }
    return request;
}

void ServeView::renew() {
    if (isVisible()) {
        inquiry_.ask(wanted());
    }
}

QString ServeView::sentence() const {
    return shown() ? QString() : inquiry_.refusal().isEmpty() ? tr("Computing…") : inquiry_.refusal();
}

std::optional<Chart> ServeView::chartOfPage() const {
    if (!shown()) {
        return std::nullopt;
    }
    const auto found = std::ranges::find(shown()->charts, names_of_pages[static_cast<std::size_t>(page_)],
                                         &NamedChart::name);
    return found == shown()->charts.end() ? std::nullopt : std::optional(found->chart);
}

void ServeView::showAnswer() {
    const bool refused = !inquiry_.refusal().isEmpty();
    notice_->setVisible(refused);
    notice_->setText(inquiry_.refusal());
    answer_line_->setVisible(shown().has_value());
    about_->setVisible(shown().has_value());
    const std::optional<Chart> chart = chartOfPage();
    canvas()->show(chart, chart ? QString() : sentence().isEmpty() ? tr("Computing…") : sentence());
    showTables();
    if (shown()) {
        answer_line_->setText(keyNumbers(*shown()).join(tr(" · ")));
        QStringList known = remarks(*shown());
        if (!not_taken_.isEmpty()) {
            known.prepend(tr("The scenario's %1 is not in these lists, so it does not count here.")
                              .arg(not_taken_.join(tr(", "))));
        }
        about_->setText(known.join(QLatin1Char(' ')));
    }
    setAccessibleDescription(shown() ? words(shown()->headline) : sentence());
}

void ServeView::showTables() {
    while (tables_->count() > 0) {
        QWidget* const old = tables_->widget(0);
        tables_->removeTab(0);
        old->deleteLater();
    }
    tables_->setVisible(shown().has_value());
    if (!shown()) {
        return;
    }
    for (const NamedTable& one : shown()->tables) {
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
    for (const NamedTable& one : shown()->tables) {
        if (page_ == frontier ? one.name == "frontier" : one.name != "frontier") {
            return whole_table(one).value_or(Table());
        }
    }
    return {};
}

QString ServeView::pictured() const {
    return shown() ? words(shown()->about.empty() ? shown()->headline : shown()->about) : QString();
}

} // namespace meshslice::ui
