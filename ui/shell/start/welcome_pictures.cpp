#include "ui/shell/start/welcome_pictures.h"

#include "core/base/text.h"
#include "core/question/catalogue/questions.h"
#include "core/question/question.h"
#include "core/step/training_step.h"
#include "ui/document/document.h"
#include "ui/look/figure_style.h"
#include "ui/look/words.h"
#include "ui/session/session.h"
#include "ui/timeline/step_runs.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/torus/torus_picture.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace meshslice::ui {
namespace {

/// Of a view's own picture, which is drawn smaller: as wide as it is laid out.
constexpr double welcome_view_width = 380;
constexpr int welcome_legend_height = 90;
constexpr std::array welcome_users = {1, 8, 32, 128};
constexpr std::array<std::array<std::int32_t, 2>, 4> welcome_meshes = {{{8, 8}, {16, 8}, {32, 8}, {32, 16}}};

/// One GEMM on 16 chips, which overlaps: bars of all kinds.
Scenario oneGemm() {
    Scenario scenario = default_scenario();
    scenario.mesh = {4, 4};
    scenario.gemm = SingleGemm{{32'768, 8'192, 8'192}, Dataflow::OS};
    scenario.compare.clear();
    scenario.plan.slices = 4;
    return scenario;
}

struct NamedBar {
    QString name;
    double value = 0;
    QString words; ///< behind its end
};

/// One below the other, the longest as wide as there is room.
void paintBars(QPainter& painter, const QSize& size, Theme theme, const std::vector<NamedBar>& bars) {
    const double longest = std::ranges::max(bars, {}, &NamedBar::value).value;
    const double line = static_cast<double>(size.height()) / static_cast<double>(bars.size());
    const double names = painter.fontMetrics().horizontalAdvance(QStringLiteral("0000 "));
    double word = 0;
    for (const NamedBar& one : bars) {
        word = std::max<double>(word, painter.fontMetrics().horizontalAdvance(one.words) + 8);
    }
    for (std::size_t k = 0; k < bars.size(); ++k) {
        const double y = static_cast<double>(k) * line;
        const double wide = std::max(0.0, (size.width() - names - word) * bars[k].value / longest);
        painter.setPen(color(Role::text, theme));
        painter.drawText(QRectF(0, y, names - 6, line), Qt::AlignRight | Qt::AlignVCenter, bars[k].name);
        painter.fillRect(QRectF(names, y + line * 0.18, wide, line * 0.64), color(Role::compute, theme));
        painter.drawText(QRectF(names + wide + 6, y, word, line), Qt::AlignLeft | Qt::AlignVCenter,
                         bars[k].words);
    }
}

} // namespace

WelcomePictures::WelcomePictures()
    : document_(std::make_unique<Document>())
    , session_(std::make_unique<Session>(document_.get()))
    , holder_(std::make_unique<QWidget>())
    , timeline_(new TimelineView(session_.get(), holder_.get()))
    , sizes_([](int, const RunControl& control) { return sizes(control); }, [this] { emit changed(); }) {
    connect(session_.get(), &Session::changed, this, &WelcomePictures::changed);
}

WelcomePictures::~WelcomePictures() {
    session_->disconnect(this);
}

void WelcomePictures::begin() {
    Project project;
    project.variants = {{"A", oneGemm()}};
    document_->restore(project, {});
    session_->follow();
    session_->runAgain();
    timeline_->follow();
    sizes_.ask(0);
}

bool WelcomePictures::isReady() const {
    return session_->current() != nullptr && sizes_.answer().has_value();
}

Result<WelcomePictures::Sizes> WelcomePictures::sizes(const RunControl& control) {
    Sizes made;
    for (const auto& mesh : welcome_meshes) {
        Scenario scenario = default_scenario();
        scenario.mesh = {mesh[0], mesh[1]};
        const Result<TrainingStep> step = estimated_step(scenario, scenario.plan.algorithm, {}, control.stop);
        if (!step) {
            return refuse(step.error());
        }
        made.times.push_back({mesh[0] * mesh[1], in_seconds(step->time)});
        if (scenario.mesh == default_scenario().mesh) {
            made.memory = step->memory;
            made.capacity = static_cast<double>(step->capacity.value());
        }
    }
    const Question question = serve_question();
    for (const int users : welcome_users) {
        const Result<Tree> served =
            asked_of(question,
                     // The chips stay, so that what changes is what the users take from each other.
                     {{"model", "llama-3-70b"},
                      {"hardware", "h100-nvs8"},
                      {"chips", "8"},
                      {"tp", "8"},
                      {"batch", std::to_string(users)}},
                     Speech::form)
                .and_then([&](const Asked& asked) { return numbers_of(asked, control); });
        if (!served) {
            return refuse(served.error());
        }
        const Tree* const speed = served->find("tokens_per_s_per_user");
        made.served.push_back({users, speed != nullptr ? speed->number().value_or(0) : 0});
    }
    return made;
}

/// A bar as long as a chip's memory, filled with what it holds.
void WelcomePictures::paintMemory(QPainter& painter, const QSize& size, Theme theme) const {
    if (!sizes_.answer()) {
        return;
    }
    const MemoryUse& use = sizes_.answer()->memory;
    const double capacity = sizes_.answer()->capacity;
    const double most = std::max(capacity, use.total());
    const QRectF bar(0, size.height() * 0.3, size.width() - 1, size.height() * 0.34);
    double x = 0;
    double strength = 0.9;
    for (const double part : {use.weights + use.embeddings, use.gradients, use.optimizer, use.activations,
                              use.buffers + use.logits + use.reserve}) {
        const double wide = bar.width() * part / most;
        painter.fillRect(QRectF(x, bar.top(), wide, bar.height()), tint(Role::compute, theme, strength));
        x += wide;
        strength -= 0.15;
    }
    const bool fits = use.total() <= capacity;
    painter.setPen(QPen(color(Role::text, theme), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(bar.left() + 1, bar.top(), bar.width() * capacity / most - 1, bar.height()));
    const auto said = [](double bytes) { return words(bytes_text(bytes)); };
    painter.setPen(fits ? color(Role::text, theme) : warningText(theme));
    painter.drawText(
        QRectF(0, bar.bottom() + 4, size.width(), size.height() - bar.bottom() - 4),
        Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
        (fits ? tr("fits: %1 of %2") : tr("does not fit: %1 of %2")).arg(said(use.total()), said(capacity)));
}

/// A bar for each number of chips.
void WelcomePictures::paintTimes(QPainter& painter, const QSize& size, Theme theme) const {
    if (!sizes_.answer() || sizes_.answer()->times.empty()) {
        return;
    }
    std::vector<NamedBar> bars;
    for (const OnChips& one : sizes_.answer()->times) {
        bars.push_back({QString::number(one.chips), one.seconds, words(seconds_text(one.seconds))});
    }
    paintBars(painter, size, theme, bars);
}

/// A bar for each number of users.
void WelcomePictures::paintServing(QPainter& painter, const QSize& size, Theme theme) const {
    if (!sizes_.answer() || sizes_.answer()->served.empty()) {
        return;
    }
    std::vector<NamedBar> bars;
    for (const ForUsers& one : sizes_.answer()->served) {
        bars.push_back({QString::number(one.users), one.tokens_per_s,
                        tr("%1 tokens/s each").arg(words(number_text(std::round(one.tokens_per_s))))});
    }
    paintBars(painter, size, theme, bars);
}

/// The view's own picture without its title; the legend lies below what is seen.
void WelcomePictures::paintTimeline(QPainter& painter, const QSize& size, Theme theme) const {
    if (session_->current() == nullptr) {
        return;
    }
    const FigureStyle untitled{QString(), {}};
    const double scale = size.width() / welcome_view_width;
    painter.scale(scale, scale);
    const QSize room = (QSizeF(size) / scale).toSize();
    timeline_->paintPicture(painter, room + QSize(0, welcome_legend_height), theme);
}

void WelcomePictures::paintTorus(QPainter& painter, const QSize& size, Theme theme) const {
    const ResultsPtr results = session_->current();
    const StepRuns runs = results ? runsOf(results) : StepRuns();
    if (runs.empty() || runs.front()->pieces().empty()) {
        return;
    }
    const FigureStyle untitled{QString(), {}};
    const Time middle(runs.front()->pieces().front().end.value() / 2);
    TorusContent content;
    content.legend = false;
    const double scale = size.width() / welcome_view_width;
    painter.scale(scale, scale);
    paint(painter,
          makeTorusPicture(*runs.front(), frameAt(*runs.front(), 0, middle), content,
                           QRectF(QPointF(0, 0), QSizeF(size) / scale)),
          theme);
}

} // namespace meshslice::ui
