#include "ui/details/details_panel.h"

#include "ui/details/details_text.h"
#include "ui/session/selection.h"

#include <QScrollBar>

namespace meshslice::ui {

DetailsPanel::DetailsPanel(Selection* selection, QWidget* parent)
    : QTextBrowser(parent), selection_(selection) {
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Details of the selection"));
    document()->setDocumentMargin(8);
    connect(selection_, &Selection::selectedChanged, this, &DetailsPanel::renew);
    renew();
}

void DetailsPanel::showResults(const ResultsPtr& results) {
    results_ = results;
    failed_ = false;
    renew();
}

void DetailsPanel::showReasons(const ReasonsPtr& reasons) {
    reasons_ = reasons;
    renew();
}

void DetailsPanel::showNoResult() {
    failed_ = true;
    renew();
}

void DetailsPanel::renew() {
    if (failed_) {
        setHtml(QStringLiteral("<p>%1</p>").arg(tr("There is no result for this scenario.")));
        return;
    }
    const int scrolled = verticalScrollBar()->value();
    setHtml(detailsText(results_, selection_->selected(), reasons_));
    verticalScrollBar()->setValue(scrolled); // stepping through the bars keeps the place in the text
}

} // namespace meshslice::ui
