#include "ui/calibration/calibration_view.h"

#include "core/base/text.h"
#include "core/report/chart/calibration_chart.h"
#include "ui/charts/chart_canvas.h"
#include "ui/controls/scrolling.h"
#include "ui/controls/table_model.h"
#include "ui/controls/table_view.h"
#include "ui/controls/wrapping_row.h"
#include "ui/document/document.h"
#include "ui/look/words.h"
#include "ui/view/painted_view.h"

#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>

namespace meshslice::ui {
namespace {

Result<Calibration> computeFit(const CalibrationRequest& request, const RunControl& /*control*/) {
    const auto path = [](const QString& name) { return QFile::encodeName(name).toStdString(); };
    Result<Measurements> measured = read_measurements(path(request.collectives), path(request.gemms));
    if (!measured) {
        return refuse(measured.error());
    }
    measured->ring = request.ring;
    measured->type = request.type;
    return calibrate(*std::move(measured), request.hardware);
}

/// Name, value and standard error of every constant, one row each.
Table constantsTable(const Calibration& calibration) {
    Table table{"constants", {"constant", "fitted", "standard error"}, {}};
    for (const auto& [name, fitted, unit] : fitted_constants(calibration.collectives, calibration.gemms)) {
        table.rows.push_back({name, si_text(fitted.value, unit), standard_error_text(fitted, unit)});
    }
    return table;
}

/// Why what is fitted should not be trusted; empty where it may be.
QString doubts(const Calibration& calibration) {
    QStringList sentences;
    if (calibration.collectives) {
        sentences += words(warning(calibration.collectives->quality, "collectives"));
    }
    if (calibration.gemms) {
        sentences += words(warning(calibration.gemms->quality, "GEMMs"));
    }
    sentences.removeAll(QString());
    return sentences.join(QLatin1Char(' '));
}

} // namespace

CalibrationView::CalibrationView(Session* session, QWidget* parent)
    : View(session, parent)
    , open_collectives_(new QPushButton(tr("Measured collectives…"), this))
    , open_gemms_(new QPushButton(tr("Measured GEMMs…"), this))
    , ring_(new QComboBox(this))
    , use_(new QPushButton(tr("Use this hardware"), this))
    , notice_(new QLabel(this))
    , canvas_(new ChartCanvas(this))
    , constants_(new TableModel(this))
    , table_(makeTableView(constants_, tr("Fitted constants"), this))
    , inquiry_(computeFit, [this] { take(); }) {
    setAccessibleName(tr("Calibration"));
    canvas_->setAccessibleName(tr("Deviations of the fit"));
    ring_->addItem(tr("rings used both ways"), static_cast<int>(RingMode::both_ways));
    ring_->addItem(tr("rings used one way"), static_cast<int>(RingMode::one_way));
    ring_->setAccessibleName(tr("How the measured collectives used a ring"));
    ring_->setToolTip(ring_->accessibleName());
    ring_->setMinimumContentsLength(8); // in a narrow window with large letters the buttons keep their words
    open_collectives_->setToolTip(tr("A CSV file with the columns operation (all_gather, reduce_scatter, "
                                     "send_receive), chips, bytes and time"));
    open_gemms_->setToolTip(tr("A CSV file with the columns M, N, K and time, of GEMMs on one chip"));
    use_->setToolTip(tr("The scenario's hardware with the fitted constants; can be undone"));
    layOut();
    connect(open_collectives_, &QPushButton::clicked, this, [this] {
        if (const QString path = askForFile(tr("Open measured collectives")); !path.isEmpty()) {
            openCollectives(path);
        }
    });
    connect(open_gemms_, &QPushButton::clicked, this, [this] {
        if (const QString path = askForFile(tr("Open measured GEMMs")); !path.isEmpty()) {
            openGemms(path);
        }
    });
    connect(ring_, &QComboBox::activated, this, [this] {
        CalibrationRequest next = newest();
        next.ring = static_cast<RingMode>(ring_->currentData().toInt());
        fit(next);
    });
    connect(use_, &QPushButton::clicked, this, &CalibrationView::takeOver);
    showFit();
}

std::vector<KeyHelp> CalibrationView::keys() const {
    return canvas_->keys();
}

void CalibrationView::layOut() {
    auto* controls = new WrappingRow(8);
    controls->setContentsMargins(12, 6, 12, 0);
    for (QWidget* one : {static_cast<QWidget*>(open_collectives_), static_cast<QWidget*>(open_gemms_),
                         static_cast<QWidget*>(ring_)}) {
        controls->add(one);
    }
    notice_->setWordWrap(true);
    notice_->setTextFormat(Qt::PlainText);
    auto* outcome = new WrappingRow(8);
    outcome->setContentsMargins(12, 6, 12, 4);
    outcome->add(notice_, 1);
    outcome->add(use_);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(controls);
    all->addLayout(outcome);
    all->addWidget(makeScrolling(canvas_, this), 3);
    all->addWidget(table_, 1);
    setFocusProxy(open_collectives_);
}

QString CalibrationView::askForFile(const QString& what) {
    const QString& last = wanted_.collectives.isEmpty() ? wanted_.gemms : wanted_.collectives;
    return QFileDialog::getOpenFileName(window(), what, last.isEmpty() ? QString() : QFileInfo(last).path(),
                                        tr("Measurements (*.csv)"));
}

void CalibrationView::openCollectives(const QString& path) {
    CalibrationRequest next = newest();
    next.collectives = path;
    fit(next);
}

void CalibrationView::openGemms(const QString& path) {
    CalibrationRequest next = newest();
    next.gemms = path;
    fit(next);
}

CalibrationRequest CalibrationView::newest() const {
    return inquiry_.asked().value_or(wanted_);
}

void CalibrationView::fit(const CalibrationRequest& request) {
    if (request.collectives.isEmpty() && request.gemms.isEmpty()) {
        wanted_ = request; // for the file to come
        return;
    }
    CalibrationRequest asked = request;
    const Scenario& scenario = session().document()->scenario();
    asked.hardware = scenario.hardware;
    asked.type = scenario.assume.schedule.type;
    inquiry_.clear(); // the file may have changed
    inquiry_.ask(asked);
}

/// Into the scenario's machine as it is now, which may not be the one that the fit began with.
void CalibrationView::takeOver() {
    const Scenario& scenario = session().document()->scenario();
    const auto hardware =
        calibrated(scenario.hardware, shown_->collectives, shown_->gemms, scenario.assume.schedule.type);
    if (!hardware) {
        notice_->setText(words(hardware.error().sentence));
        return;
    }
    session().edit([&](Scenario& next) { next.hardware = *hardware; }, "hardware");
}

void CalibrationView::giveUp() {
    inquiry_.cancel();
    showFit();
}

void CalibrationView::take() {
    if (inquiry_.answer()) {
        shown_ = inquiry_.answer();
        wanted_ = *inquiry_.answered();
    }
    showFit();
}

QString CalibrationView::sentence() const {
    return shown_
               ? QString()
               : tr("Open times that were measured on a machine, as CSV: collectives (operation, chips, "
                    "bytes of the whole that is gathered or summed, or of the message that each chip sends, "
                    "time) or GEMMs (M, N, K, time). Launch, "
                    "synchronization, bandwidth and the rate of GEMMs are fitted to them, and this chart "
                    "shows how "
                    "far the fit is from each.");
}

void CalibrationView::showFit() {
    canvas_->show(shown_ ? std::optional(calibration_chart(*shown_)) : std::nullopt, sentence());
    constants_->setTable(shown_ ? constantsTable(*shown_) : Table());
    table_->setVisible(shown_.has_value());
    table_->resizeColumnsToContents();
    // The chart comes first: where there is little room the table scrolls.
    const int row = table_->verticalHeader()->defaultSectionSize();
    const int header = table_->horizontalHeader()->sizeHint().height() + 2;
    table_->setMinimumHeight(header + std::min(2, constants_->rowCount()) * row);
    table_->setMaximumHeight(header + std::min(8, constants_->rowCount()) * row);
    use_->setVisible(shown_.has_value());
    ring_->setCurrentIndex(ring_->findData(static_cast<int>(wanted_.ring)));
    QString said;
    if (!inquiry_.refusal().isEmpty()) {
        QStringList files;
        for (const QString& path : {wanted_.collectives, wanted_.gemms}) {
            if (!path.isEmpty()) {
                files += QFileInfo(path).fileName();
            }
        }
        said = shown_
                   ? tr("%1 The fit below is still of %2.").arg(inquiry_.refusal(), files.join(tr(" and ")))
                   : inquiry_.refusal();
    }
    if (said.isEmpty() && shown_) {
        said = doubts(*shown_);
    }
    notice_->setText(said);
    setAccessibleDescription(canvas_->accessibleDescription());
}

void CalibrationView::complete(const Completed& completed) {
    if (inquiry_.asked()) {
        inquiry_.ask(*inquiry_.asked(), completed);
    } else {
        completed(shown_ ? Result<void>() : refuse(sentence().toStdString()));
    }
}

void CalibrationView::paintPicture(QPainter& painter, const QSize& size, Theme theme) const {
    paintEnlarged(painter, size, theme, [&](const QSize& laid_out) {
        if (shown_) {
            canvas_->surface()->paintPicture(painter, laid_out, theme);
            return;
        }
        painter.fillRect(QRect(QPoint(0, 0), laid_out), color(Role::background, theme));
        paintSentence(painter, QRectF(QPointF(0, 0), laid_out), sentence(), theme);
    });
}

QString CalibrationView::pictured() const {
    QStringList files;
    for (const QString& path : {wanted_.collectives, wanted_.gemms}) {
        if (!path.isEmpty()) {
            files += QFileInfo(path).fileName();
        }
    }
    return tr("%1; measured: %2").arg(words(wanted_.hardware.title), files.join(tr(" and ")));
}

Table CalibrationView::makeTable() const {
    return residuals(*shown_);
}

} // namespace meshslice::ui
