#include "ui/variants/variant_strip.h"

#include "core/base/text.h"
#include "core/report/words/comparison_words.h"
#include "core/scenario/differences.h"
#include "core/scenario/examples.h"
#include "ui/controls/low_window.h"
#include "ui/document/document.h"
#include "ui/look/words.h"
#include "ui/session/session.h"
#include "ui/session/subject.h"
#include "ui/variants/variant_answers.h"
#include "ui/view/finding.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>

#include <algorithm>

namespace meshslice::ui {
namespace {

/// "-27%", "+3%", "x 2.1" where it is more than twice as long; for other work "+3% for 2 times the FLOP".
QString differenceText(const VariantAnswer& reference, const VariantAnswer& own) {
    return timesText(reference.time, own.time) + words(work_words(own.flop, reference.flop));
}

} // namespace

VariantStrip::VariantStrip(Session* session, QWidget* parent)
    : QToolBar(parent)
    , session_(session)
    , answers_(new VariantAnswers(session, this))
    , area_(new QScrollArea(this))
    , row_(new QWidget(area_)) {
    setObjectName(QStringLiteral("variants"));
    setWindowTitle(tr("Variants"));
    setMovable(false);
    toggleViewAction()->setVisible(false);

    auto* layout = new QHBoxLayout(row_);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(8);
    layout->addStretch(1);
    area_->setWidget(row_);
    area_->setWidgetResizable(true);
    area_->setFrameShape(QFrame::NoFrame);
    area_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    area_->setFocusPolicy(Qt::NoFocus);
    area_->viewport()->setAutoFillBackground(false);
    row_->setAutoFillBackground(false);
    addWidget(area_);
    addActions();
    parent->installEventFilter(this);
    connect(answers_, &VariantAnswers::changed, this, &VariantStrip::follow);
    follow();
}

QAction* VariantStrip::add(const char* name, const QString& text, const QKeySequence& keys,
                           const std::function<void()>& act) {
    auto* action = new QAction(text, this);
    action->setObjectName(QLatin1String(name));
    action->setShortcut(keys);
    connect(action, &QAction::triggered, this, act);
    actions_.push_back(action);
    return action;
}

void VariantStrip::addActions() {
    Document* document = session_->document();
    const auto current = [document] { return document->project().current; };
    add("duplicate", tr("&New variant: a copy of this one"), QKeySequence(Qt::CTRL | Qt::Key_D),
        [this] { duplicate(); })
        ->setToolTip(
            tr("A copy of this scenario to edit and compare with it (Ctrl+D). Every view then shows both, A "
               "and B, and the difference."));
    add("rename", tr("&Rename…"), {}, [this] { renameCurrent(); });
    add("pin", tr("&Pin as A: compare the others with this one"), {}, [document, current] {
        document->pin(document->project().pinned == current() ? std::nullopt : std::optional(current()));
    })->setCheckable(true);
    add("left", tr("Move &left"), {}, [document, current] { document->move(current(), current() - 1); });
    add("right", tr("Move r&ight"), {}, [document, current] { document->move(current(), current() + 1); });
    add("delete", tr("&Delete"), {}, [document, current] { document->remove(current()); });
    add("next", tr("Ne&xt variant"), QKeySequence(Qt::CTRL | Qt::Key_PageDown), [this] { showNext(1); });
    add("previous", tr("Pre&vious variant"), QKeySequence(Qt::CTRL | Qt::Key_PageUp),
        [this] { showNext(-1); });
}

QAction* VariantStrip::action(const char* name) const {
    const auto found = std::ranges::find_if(
        actions_, [name](const QAction* one) { return one->objectName() == QLatin1String(name); });
    return found == actions_.end() ? nullptr : *found;
}

void VariantStrip::fill(QMenu* menu) {
    for (QAction* action : actions_) {
        if (action->objectName() == QStringLiteral("left") ||
            action->objectName() == QStringLiteral("next")) {
            menu->addSeparator();
        }
        menu->addAction(action);
    }
}

void VariantStrip::duplicate() {
    Document* document = session_->document();
    if (const auto made = document->duplicate(document->project().current); !made) {
        emit told(words(made.error().sentence));
    } else if (document->project().pinned) {
        emit told(
            tr("%1 is a copy: edit it, and it is shown next to %2, in the place of an algorithm to compare.")
                .arg(words(shown_name(document->project().variants[document->project().current].name)),
                     words(shown_name(document->project().variants[*document->project().pinned].name))));
    }
}

void VariantStrip::renameCurrent() {
    const std::size_t current = session_->document()->project().current;
    if (current < cards_.size()) {
        cards_[current]->editName();
    }
}

void VariantStrip::showNext(int turn) {
    Document* document = session_->document();
    const auto count = static_cast<int>(document->project().variants.size());
    const int next = (static_cast<int>(document->project().current) + turn + count) % count;
    document->show(static_cast<std::size_t>(next));
}

/// At the place of the card that it was let go over; beyond all, at the nearer end.
void VariantStrip::drop(std::size_t variant, int x) {
    const auto beyond =
        std::ranges::find_if(cards_, [x](const VariantCard* card) { return x <= card->geometry().right(); });
    const std::size_t to = std::min(static_cast<std::size_t>(beyond - cards_.begin()), cards_.size() - 1);
    if (to != variant) {
        session_->document()->move(variant, to);
    }
}

void VariantStrip::makeCards(std::size_t count) {
    auto* layout = static_cast<QHBoxLayout*>(row_->layout());
    while (cards_.size() > count) {
        cards_.back()->endName(false);
        cards_.back()->hide();
        cards_.back()->deleteLater(); // it may be the one that is being dragged
        cards_.pop_back();
    }
    while (cards_.size() < count) {
        auto* card = new VariantCard(row_);
        const std::size_t place = cards_.size();
        layout->insertWidget(static_cast<int>(place), card);
        connect(card, &VariantCard::clicked, this, [this, place] {
            cards_[place]->setChecked(true); // the one that is shown stays checked
            session_->document()->show(place);
        });
        connect(card, &VariantCard::nameAsked, this, [this, place](const QString& name) {
            if (const auto done = session_->document()->rename(place, name.toStdString()); !done) {
                emit told(words(done.error().sentence));
            }
        });
        connect(card, &VariantCard::dropped, this, [this, place](int x) { drop(place, x); });
        cards_.push_back(card);
    }
}

void VariantStrip::setAside(bool aside) {
    aside_ = aside;
    follow();
}

void VariantStrip::follow() {
    const Project& project = session_->document()->project();
    const bool several = project.variants.size() > 1;
    setVisible(several && !aside_);
    makeCards(several ? project.variants.size() : 0);
    Time longest;
    for (const Variant& variant : project.variants) {
        const VariantAnswer* answer = answers_->of(variant.scenario);
        longest = answer != nullptr ? std::max(longest, answer->time) : longest;
    }
    for (std::size_t k = 0; k < cards_.size(); ++k) {
        cards_[k]->setFace(faceOf(k, longest));
    }
    if (project.current < cards_.size()) {
        QTimer::singleShot(0, this, [this] { // when the cards have their places
            const std::size_t current = session_->document()->project().current;
            if (current < cards_.size()) {
                area_->ensureWidgetVisible(cards_[current], 8, 0);
            }
        });
    }
    fold();
    followActions();
}

void VariantStrip::fold() {
    const bool folded = isLow(*this);
    for (VariantCard* card : cards_) {
        card->setFolded(folded);
    }
    const int margin = folded ? 2 : 4;
    row_->layout()->setContentsMargins(8, margin, 8, margin);
    area_->setFixedHeight(cards_.empty() ? 0 : cards_.front()->sizeHint().height() + 2 * margin);
}

bool VariantStrip::eventFilter(QObject* watched, QEvent* event) {
    if (watched == window() && event->type() == QEvent::Resize) {
        fold();
    }
    return QToolBar::eventFilter(watched, event);
}

void VariantStrip::followActions() {
    const Project& project = session_->document()->project();
    const bool several = project.variants.size() > 1;
    for (QAction* action : actions_) {
        action->setEnabled(several);
    }
    action("duplicate")->setEnabled(project.variants.size() < Project::most_variants);
    action("left")->setEnabled(project.current > 0);
    action("right")->setEnabled(project.current + 1 < project.variants.size());
    action("pin")->setChecked(project.pinned == project.current);
}

CardFace VariantStrip::faceOf(std::size_t variant, Time longest) const {
    const Project& project = session_->document()->project();
    const Variant& own = project.variants[variant];
    CardFace face;
    face.name = words(shown_name(own.name));
    face.current = variant == project.current;
    face.letter = variant == project.pinned                    ? QStringLiteral("A")
                  : face.current && project.pinned.has_value() ? QStringLiteral("B")
                                                               : QString();
    face.tip = tipOf(variant);
    const VariantAnswer* answer = answers_->of(own.scenario);
    if (answer == nullptr) {
        face.answer = QStringLiteral("…");
        return face;
    }
    if (!answer->refusal.isEmpty()) {
        face.trouble = tr("does not run");
        return face;
    }
    face.answer = tr("%1, %2").arg(words(text(answer->time)), words(percent_text(answer->utilization)));
    face.trouble = answer->fits ? QString() : tr("does not fit");
    face.length = longest > Time(0) ? ratio(answer->time, longest) : 0;
    face.computes = ratio(answer->usage.compute, answer->time);
    face.waits = ratio(answer->usage.exposed, answer->time);
    const VariantAnswer* pinned =
        project.pinned ? answers_->of(project.variants[*project.pinned].scenario) : nullptr;
    if (pinned != nullptr && pinned->refusal.isEmpty() && variant != project.pinned) {
        face.difference = differenceText(*pinned, *answer);
    }
    return face;
}

QString VariantStrip::tipOf(std::size_t variant) const {
    const Project& project = session_->document()->project();
    const Variant& own = project.variants[variant];
    QStringList lines = {QStringLiteral("<b>%1</b>").arg(words(shown_name(own.name)).toHtmlEscaped())};
    if (project.pinned && *project.pinned != variant) {
        const Variant& pinned = project.variants[*project.pinned];
        const std::string differs = text(differences(pinned.scenario, own.scenario));
        lines << (differs.empty() ? tr("Like A (%1).").arg(words(shown_name(pinned.name)).toHtmlEscaped())
                                  : tr("Differs from A (%1): %2.")
                                        .arg(words(shown_name(pinned.name)).toHtmlEscaped(),
                                             words(differs).toHtmlEscaped()));
    }
    lines << subject(own.scenario).toHtmlEscaped() + QLatin1Char('.');
    if (const VariantAnswer* answer = answers_->of(own.scenario)) {
        lines << (answer->refusal.isEmpty() ? answer->headline : answer->refusal).toHtmlEscaped();
    }
    lines << tr(
        "Bar: blue while the core multiplies, hatched while it waits for communication; its length is "
        "the time.");
    lines << tr("Click to show, double click to rename, drag to move.");
    return QStringLiteral("<p>%1</p>").arg(lines.join(QStringLiteral("</p><p>")));
}

void VariantStrip::contextMenuEvent(QContextMenuEvent* event) {
    const auto on = std::ranges::find_if(cards_, [&](const VariantCard* card) {
        return card->rect().contains(card->mapFromGlobal(event->globalPos()));
    });
    if (on != cards_.end()) { // the actions are about the variant that is shown
        session_->document()->show(static_cast<std::size_t>(on - cards_.begin()));
    }
    QMenu menu(this);
    fill(&menu);
    menu.exec(event->globalPos());
}

/// The strip is as high as its cards, which grow with the letters.
void VariantStrip::changeEvent(QEvent* event) {
    QToolBar::changeEvent(event);
    if (event->type() == QEvent::FontChange && !cards_.empty()) {
        QTimer::singleShot(0, this, &VariantStrip::follow); // when the cards have the new font
    }
}

// As the headline above it: a plain strip with a thin line below.
void VariantStrip::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Window));
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(rect().bottomLeft(), rect().bottomRight());
}

} // namespace meshslice::ui
