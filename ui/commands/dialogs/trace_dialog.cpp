#include "ui/commands/dialogs/trace_dialog.h"

#include "core/base/text.h"
#include "core/report/trace/chrome_trace.h"
#include "ui/commands/trace_file.h"
#include "ui/look/palette.h"
#include "ui/look/words.h"
#include "ui/session/session.h"
#include "ui/view/finding.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace meshslice::ui {
namespace {

/// As they stand in the list.
enum class Choice : std::uint8_t { alike, all, listed };

} // namespace

TraceDialog::TraceDialog(Session* session, QWidget* parent)
    : QDialog(parent)
    , session_(session)
    , which_(new QComboBox(this))
    , listed_(new QLineEdit(this))
    , note_(new QLabel(this))
    , sizes_(
          [](const SizeRequest& request, const RunControl& control) -> Result<TraceSize> {
              const auto runs = tracedRuns(*request.results, request.chips);
              return runs ? Result<TraceSize>(about_trace_size(*runs, control.stop)) : refuse(runs.error());
          },
          [this] { renew(); }) {
    setWindowTitle(tr("Export for Perfetto"));
    which_->addItems({tr("one chip of each kind"), tr("all"), tr("these:")});
    which_->setToolTip(
        tr("Whose cores and links the trace has; chips of one kind do the same at the same time"));
    which_->setAccessibleName(tr("Chips of the trace"));
    listed_->setText(QStringLiteral("0,0"));
    listed_->setToolTip(
        tr("Chips by their coordinates: “0,0 0,1”; “0..3,0” is a stretch, “*,0” a whole axis"));
    listed_->setAccessibleName(tr("List of chips"));
    note_->setWordWrap(true);
    note_->setAccessibleName(tr("Size of the trace"));
    note_->setMinimumWidth(note_->fontMetrics().averageCharWidth() * 60);
    auto* form = new QFormLayout;
    form->addRow(tr("&Chips"), which_);
    form->addRow(QString(), listed_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    save_ = buttons->addButton(tr("&Save as…"), QDialogButtonBox::AcceptRole);
    save_->setDefault(true);
    save_->setToolTip(tr("Writes a file that Perfetto (ui.perfetto.dev) and chrome://tracing open"));
    connect(save_, &QPushButton::clicked, this, &TraceDialog::saveAsked);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addLayout(form);
    column->addWidget(note_);
    column->addStretch(1);
    column->addWidget(buttons);
    connect(which_, &QComboBox::currentIndexChanged, this, &TraceDialog::renew);
    connect(listed_, &QLineEdit::textChanged, this, &TraceDialog::renew);
    connect(session_, &Session::changed, this, &TraceDialog::renew);
    renew();
}

Result<TraceChips> TraceDialog::chips() const {
    switch (static_cast<Choice>(which_->currentIndex())) {
    case Choice::all: return TraceChips{};
    case Choice::alike: return TraceChips{TraceChips::Which::alike};
    case Choice::listed: break;
    }
    return parse_trace_chips(listed_->text().toStdString());
}

/// Added up off the UI thread: it reads every interval.
QString TraceDialog::sizeOf(const SizeRequest& request) {
    if (sizes_.answered() != request) {
        sizes_.ask(request);
        return QStringLiteral("…");
    }
    sizes_.cancel(); // another one is not needed any more
    if (!sizes_.answer()) {
        return QStringLiteral("…");
    }
    const QString size = words(text(sizes_.answer()->text));
    const auto left_out = static_cast<qlonglong>(sizes_.answer()->flows_left_out);
    return left_out == 0 ? size
                         : tr("%1. Arrows from chips that are not in it are left out: up to %L2.")
                               .arg(size)
                               .arg(left_out);
}

void TraceDialog::renew() {
    listed_->setEnabled(static_cast<Choice>(which_->currentIndex()) == Choice::listed);
    const ResultsPtr results = session_->current();
    const Result<TraceChips> asked = chips();
    QString said;
    bool possible = false;
    if (!results) {
        said = session_->whyNoResults();
    } else if (tracedSteps(*results).empty()) {
        said = tr("There is no timeline to export: %1").arg(words(results->not_simulated(0)));
    } else if (!asked) {
        said = words(asked.error().sentence);
    } else if (const auto runs = tracedRuns(*results, *asked); !runs) {
        said = words(runs.error().sentence);
    } else if (const Result<void> small = exportable(trace_of(*runs)); !small) {
        said = words(small.error().sentence);
    } else {
        possible = true;
        QStringList parts;
        for (const TracedRun& run : *runs) {
            const auto count = static_cast<qlonglong>(run.chips.size());
            parts << (runs->size() == 1
                          ? (count == 1 ? tr("1 chip") : tr("%L1 chips").arg(count))
                          : tr("%1: %2").arg(stepTitle(*run.step),
                                             count == 1 ? tr("1 chip") : tr("%L1 chips").arg(count)));
        }
        said = tr("%1; with waits, flows and counters about %2")
                   .arg(parts.join(QStringLiteral("; ")), sizeOf({results, *asked}));
    }
    if (!possible) {
        sizes_.clear();
    }
    note_->setText(said);
    QPalette colours = palette();
    if (!possible && results) {
        colours.setColor(QPalette::WindowText, warningText(themeOf(palette())));
    }
    note_->setPalette(colours);
    save_->setEnabled(possible);
}

} // namespace meshslice::ui
