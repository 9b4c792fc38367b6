#include "ui/shell/details_panel.h"

#include "ui/document/selection.h"
#include "ui/shell/details_text.h"

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
    renew();
}

void DetailsPanel::renew() {
    const int scrolled = verticalScrollBar()->value();
    setHtml(detailsText(results_, selection_->selected()));
    verticalScrollBar()->setValue(scrolled); // stepping through the bars keeps the place in the text
}

} // namespace meshslice::ui
