#include "ui/commands/dialogs/tool_dialog.h"

#include "ui/controls/table_model.h"
#include "ui/controls/table_view.h"
#include "ui/look/words.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include <utility>

namespace meshslice::ui {
namespace {

constexpr int tool_look_every_ms = 100;
constexpr int tool_bar_steps = 1000;

} // namespace

ToolDialog::ToolDialog(const QString& title, const QString& about, Work work, QWidget* parent)
    : QDialog(parent)
    , finding_(new QLabel(tr("Computing…"), this))
    , bar_(new QProgressBar(this))
    , cancel_(new QPushButton(tr("Cancel"), this))
    , rows_(new TableModel(this))
    , table_(makeTableView(rows_, title, this))
    , caption_(new QLabel(this))
    , remark_(new QLabel(this))
    , buttons_(new QDialogButtonBox(QDialogButtonBox::Close, this)) {
    setWindowTitle(title);
    setAttribute(Qt::WA_DeleteOnClose);
    auto* of = new QLabel(about, this);
    of->setForegroundRole(QPalette::PlaceholderText);
    caption_->setForegroundRole(QPalette::PlaceholderText);
    caption_->setAccessibleName(tr("How to read the table"));
    caption_->hide();
    remark_->setAccessibleName(tr("Why nothing was changed"));
    remark_->hide();
    for (QLabel* label : {of, finding_, caption_, remark_}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
    }
    finding_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    finding_->setAccessibleName(tr("Finding"));
    bar_->setRange(0, tool_bar_steps);
    bar_->setAccessibleName(tr("Progress"));
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(cancel_, &QPushButton::clicked, this, [this] {
        job_.cancel();
        end(tr("Cancelled."));
    });
    auto* progress = new QHBoxLayout;
    progress->addWidget(bar_, 1);
    progress->addWidget(cancel_);
    auto* column = new QVBoxLayout(this);
    column->addWidget(of);
    column->addWidget(finding_);
    column->addLayout(progress);
    column->addWidget(table_, 1);
    column->addWidget(caption_);
    column->addWidget(remark_);
    column->addWidget(buttons_);
    table_->hide();
    resize(QSize(150 * fontMetrics().averageCharWidth(), 26 * fontMetrics().height())
               .boundedTo(parent->size() * 9 / 10));
    connect(&look_, &QTimer::timeout, this,
            [this] { bar_->setValue(static_cast<int>(job_.progress() * tool_bar_steps)); });
    look_.start(tool_look_every_ms);
    job_.start([this, work = std::move(work)](const RunControl& control) -> LatestJob::Tell {
        auto page = withoutExceptions([&] { return work(control); });
        return [this, page = std::move(page)] { take(page); };
    });
}

void ToolDialog::take(const Result<ToolPage>& page) {
    if (!page) {
        end(words(page.error().sentence));
        return;
    }
    rows_->setTable(page->table);
    table_->resizeColumnsToContents();
    table_->show();
    caption_->setText(page->caption);
    caption_->setVisible(!page->caption.isEmpty());
    for (const ToolOffer& offer : page->offers) {
        auto* button =
            new QPushButton(QString(offer.title).replace(QLatin1Char('&'), QStringLiteral("&&")), this);
        button->setAutoDefault(false);
        button->setToolTip(tipParagraph(tr("Changes the scenario; undo takes it back.")));
        button->setAccessibleName(offer.title);
        connect(button, &QPushButton::clicked, this, [this, offer] { emit taken(offer); });
        buttons_->addButton(button, QDialogButtonBox::ActionRole);
        offers_.emplace_back(button, offer);
    }
    end(page->finding);
    emit answered();
}

void ToolDialog::setTaken(const std::function<bool(const ToolOffer&)>& is_taken) {
    for (const auto& [button, offer] : offers_) {
        button->setEnabled(!is_taken(offer));
    }
}

void ToolDialog::setRemark(const QString& sentence) {
    remark_->setText(sentence);
    remark_->setVisible(!sentence.isEmpty());
}

void ToolDialog::end(const QString& sentence) {
    look_.stop();
    bar_->hide();
    cancel_->hide();
    // A number and its unit stay on one line: a thin space may be broken at, a narrow one may not.
    finding_->setText(QString(sentence).replace(QChar(0x2009), QChar(0x202F)));
}

} // namespace meshslice::ui
