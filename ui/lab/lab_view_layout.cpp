#include "ui/controls/scrolling.h"
#include "ui/controls/table_model.h"
#include "ui/controls/wrapping_row.h"
#include "ui/lab/form/field_row.h"
#include "ui/lab/form/question_page.h"
#include "ui/lab/lab_canvas.h"
#include "ui/lab/lab_view.h"
#include "ui/lab/stepper/stepper_page.h"
#include "ui/look/picture_scale.h"
#include "ui/look/words.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/torus/torus_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <QVariant>

#include <array>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr int low_lab = 430; ///< pixels of height; below it there is room for one picture

} // namespace

void LabView::makeFields() {
    const LabTexts texts = labExample();
    mesh_->setText(texts[0]);
    mesh_->setAccessibleName(tr("Mesh"));
    mesh_->setToolTip(tr("The axes of the mesh of chips, one capital letter each: X=4, Y=2. The first is the "
                         "major one"));
    sizes_->setText(texts[1]);
    sizes_->setAccessibleName(tr("Sizes"));
    sizes_->setToolTip(tr("How long each dimension is: I=4096, J=8Ki"));
    const std::array names = {tr("A, the left matrix"), tr("B, the right matrix"), tr("C, as it is wanted")};
    const std::array boxes = {left_, right_, result_};
    for (std::size_t k = 0; k < boxes.size(); ++k) {
        boxes[k]->setEditable(true);
        boxes[k]->setInsertPolicy(QComboBox::NoInsert);
        boxes[k]->setMinimumContentsLength(10);
        boxes[k]->setAccessibleName(names[k]);
        boxes[k]->setToolTip(tr("%1: type A[I_X, J] for I split over X, with {U_Y} after it for partial sums "
                                "over Y, or choose. Of I_XY, X is the major axis, as in JAX")
                                 .arg(names[k]));
        boxes[k]->lineEdit()->setAccessibleName(names[k]);
        boxes[k]->lineEdit()->setToolTip(boxes[k]->toolTip());
        boxes[k]->setEditText(texts[k + 2]);
        connect(boxes[k], &QComboBox::editTextChanged, &typing_, qOverload<>(&QTimer::start));
    }
    for (const Machine* one : labHardware()) {
        hardware_->addItem(words(one->title), words(one->name));
    }
    hardware_->setCurrentIndex(hardware_->findData(texts[5]));
    hardware_->setMinimumContentsLength(8);
    hardware_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    hardware_->setAccessibleName(tr("Hardware of the lab"));
    hardware_->setToolTip(tr("The chips of the mesh, whose peak, HBM and links set the times"));
    for (QLineEdit* one : {mesh_, sizes_}) {
        connect(one, &QLineEdit::textChanged, &typing_, qOverload<>(&QTimer::start));
    }
    connect(hardware_, &QComboBox::activated, this, &LabView::ask);
    for (const DataType one : all_data_types) {
        type_->addItem(words(name(one)), words(name(one)));
    }
    type_->setCurrentIndex(type_->findData(texts[6]));
    type_->setAccessibleName(tr("Elements"));
    type_->setToolTip(
        tr("The type of all elements: how many bytes they take, and at which peak they multiply"));
    connect(type_, &QComboBox::activated, this, &LabView::ask);
    back_->setText(tr("Previous step"));
    back_->setToolTip(tr("Takes the last step back (Left)"));
    forward_->setText(tr("Next step"));
    forward_->setToolTip(tr("Does the next step of the plan (Right)"));
    copy_->setToolTip(tr("The plan as a function under jax.shard_map"));
    notice_->setWordWrap(true);
    notice_->setTextFormat(Qt::RichText);
    progress_->setTextFormat(Qt::PlainText);
}

void LabView::layOut() {
    pages_->setDocumentMode(true);
    pages_->setAccessibleName(tr("Pages of the lab"));
    pages_->setTabToolTip(pages_->addTab(layOutPlans(), tr("Sharding")),
                          tr("Which chip holds which block, and every plan of the GEMM"));
    pages_->setTabToolTip(pages_->addTab(stepper_, tr("Stepper")),
                          tr("Algorithms and collectives on small matrices, step by step, every number "
                             "visible"));
    for (QuestionPage* const page : question_pages_) {
        pages_->setTabToolTip(pages_->addTab(page, page->accessibleName()), words(page->question().summary));
    }
    auto* buttons = new QWidget(this);
    auto* line = new QHBoxLayout(buttons);
    line->setContentsMargins(8, 2, 12, 0);
    line->setSpacing(8);
    for (QWidget* one :
         {static_cast<QWidget*>(back_), static_cast<QWidget*>(forward_), static_cast<QWidget*>(progress_)}) {
        line->addWidget(one);
    }
    pages_->setCornerWidget(buttons, Qt::TopRightCorner);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(pages_);
    connect(pages_, &QTabWidget::currentChanged, this, [this, buttons] {
        LabPage* page = other();
        // One that is only hidden keeps its room from the tabs.
        pages_->setCornerWidget(page == nullptr ? buttons : nullptr, Qt::TopRightCorner);
        buttons->setVisible(page == nullptr);
        setFocusProxy(page != nullptr ? page->picture() : static_cast<QWidget*>(canvas_));
        share();
    });
    setFocusProxy(canvas_);
    setFocusPolicy(
        Qt::ClickFocus); // else Tab would come to the proxy at once, and never to what is before it
}

/// On a projector (a view's property, what is kept of its fields) the pages have no tabs.
bool LabView::event(QEvent* event) {
    if (event->type() == QEvent::DynamicPropertyChange &&
        static_cast<QDynamicPropertyChangeEvent*>(event)->propertyName() == projected_property) {
        const QVariant projected = property(projected_property);
        pages_->tabBar()->setVisible(!projected.isValid());
        stepper_->setBare(projected.isValid(), qobject_cast<QWidget*>(projected.value<QObject*>()));
    }
    return View::event(event);
}

QWidget* LabView::layOutPlans() {
    auto* plans = new QWidget(this);
    const auto label = [this](const QString& text) {
        auto* out = new QLabel(text, this);
        out->setTextFormat(Qt::PlainText);
        return out;
    };
    auto* all = new QVBoxLayout(plans);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(fieldRow({{label(tr("Mesh")), 0},
                             {mesh_, 2},
                             {label(tr("Sizes")), 0},
                             {sizes_, 4},
                             {hardware_, 2},
                             {copy_, 0}}));
    all->addLayout(fieldRow({{left_, 1},
                             {label(QStringLiteral("·")), 0},
                             {right_, 1},
                             {label(QStringLiteral("→")), 0},
                             {result_, 1},
                             {type_, 0}}));
    all->addLayout(fieldRow({{notice_, 1}}));
    tabs_->setDocumentMode(true);
    tabs_->setAccessibleName(tr("Plans and the run of the one that is selected"));
    tabs_->addTab(table_, tr("Plans"));
    timeline_page_ = makeScrolling(timeline_, tabs_);
    torus_page_ = makeScrolling(torus_, tabs_);
    tabs_->addTab(timeline_page_, tr("Timeline"));
    tabs_->addTab(torus_page_, tr("Torus"));
    tabs_->setTabToolTip(0, tr("All plans of the GEMM, the best first"));
    tabs_->setTabToolTip(1, tr("When each core multiplies and each link moves in the plan that is selected"));
    tabs_->setTabToolTip(2, tr("What every core and link does at a moment, chunk by chunk: Space plays, the "
                               "full stop and the comma go on and back by an event"));
    table_->setMinimumHeight(table_->horizontalHeader()->sizeHint().height() + 2);
    picture_ = makeScrolling(canvas_, this);
    picture_->setMinimumHeight(120);
    split_->setChildrenCollapsible(false);
    split_->addWidget(picture_);
    split_->addWidget(tabs_);
    all->addWidget(split_, 1);
    connect(split_, &QSplitter::splitterMoved, this, [this] { shared_by_user_ = true; });
    connect(tabs_, &QTabWidget::currentChanged, this, &LabView::share);
    return plans;
}

/// Where there is no room for two pictures, the blocks are the first of the pages below.
void LabView::stack() {
    const bool low = height() < low_lab * pictureScale();
    const bool is = tabs_->indexOf(picture_) >= 0;
    if (low == is) {
        return;
    }
    if (low) {
        tabs_->insertTab(0, picture_, tr("Blocks"));
        tabs_->setTabToolTip(0, tr("Which chip holds which block, step by step"));
        tabs_->setCurrentIndex(0);
    } else {
        split_->insertWidget(0, picture_);
        picture_->show();
    }
}

void LabView::share() {
    stack();
    if (shared_by_user_ || split_->count() < 2) {
        return;
    }
    // Plans need a few lines; the timeline and the torus are pictures like the one above them.
    const int all = split_->height();
    const int below = tabs_->currentWidget() == table_ ? all / 3 : all * 11 / 20;
    split_->setSizes({all - below, below});
}

void LabView::resizeEvent(QResizeEvent* event) {
    View::resizeEvent(event);
    // The page inside gets its height after this, and its layout is at work on what would change its place.
    QMetaObject::invokeMethod(this, &LabView::share, Qt::QueuedConnection);
}

} // namespace meshslice::ui
