#include "ui/planner/loaded_plan_bar.h"

#include "ui/controls/wrapping_row.h"
#include "ui/look/palette.h"
#include "ui/look/words.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
#include <QPushButton>

#include <array>

namespace meshslice::ui {
LoadedPlanBar::LoadedPlanBar(QWidget* parent)
    : QWidget(parent)
    , line_(new QLabel(this))
    , release_(new QPushButton(tr("Let the search choose"), this))
    , buttons_(new QWidget(this))
    , use_(new QPushButton(tr("Pin this plan"), buttons_))
    , open_group_(new QPushButton(tr("Open its tensor-parallel group"), buttons_)) {
    line_->setWordWrap(true);
    line_->setTextFormat(Qt::PlainText);
    line_->setAccessibleName(tr("Pinned plan"));
    use_->setToolTip(tr("Fixes all of the selected plan in the scenario, which keeps it in its file"));
    release_->setToolTip(tr("Frees all parts of the plan that are pinned or fixed"));
    for (QPushButton* button : {use_, release_, open_group_}) {
        button->setAccessibleName(button->text());
        button->setAutoDefault(false);
    }
    auto* told = new WrappingRow(6);
    setLayout(told);
    told->setContentsMargins(12, 4, 12, 4);
    told->add(line_, 1);
    told->add(release_);
    auto* row = new QHBoxLayout(buttons_);
    row->setContentsMargins(6, 0, 12, 2);
    row->setSpacing(6);
    row->addWidget(use_);
    row->addWidget(open_group_);
    connect(use_, &QPushButton::clicked, this, &LoadedPlanBar::useAsked);
    connect(release_, &QPushButton::clicked, this, &LoadedPlanBar::releaseAsked);
    connect(open_group_, &QPushButton::clicked, this, &LoadedPlanBar::groupAsked);
    tell({}, false);
    offer(false, {});
}

void LoadedPlanBar::fitButtons(int room) {
    const std::array<std::array<QString, 2>, 3> wishes = {
        {{tr("Pin this plan"), tr("Open its tensor-parallel group")},
         {tr("Pin this plan"), tr("Open its group")},
         {tr("Pin"), tr("Open")}}};
    for (const auto& [use, open] : wishes) {
        use_->setText(use);
        open_group_->setText(open);
        if (buttons_->sizeHint().width() <= room) {
            break;
        }
    }
}

void LoadedPlanBar::tell(const QString& sentence, bool refusal) {
    refusal_ = refusal;
    line_->setText(sentence);
    line_->setAccessibleDescription(sentence);
    setVisible(!sentence.isEmpty());
    colourLine();
}

void LoadedPlanBar::offer(bool usable, const QString& group_objection) {
    use_->setEnabled(usable);
    open_group_->setEnabled(group_objection.isEmpty());
    open_group_->setToolTip(tipParagraph(
        group_objection.isEmpty()
            ? tr("Makes a variant of one tensor-parallel group of this plan, which the timeline, "
                 "the torus and the table of GEMMs show")
            : group_objection));
}

void LoadedPlanBar::colourLine() {
    QPalette colours = palette();
    if (refusal_) {
        colours.setColor(QPalette::WindowText, warningText(themeOf(colours)));
    }
    line_->setPalette(colours);
}

void LoadedPlanBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        colourLine();
    }
}

} // namespace meshslice::ui
