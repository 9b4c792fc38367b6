#pragma once

#include "core/base/result.h"
#include "core/scenario/file/project.h"
#include "ui/view/picture_file.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace meshslice::ui {

class LatestJob;
class Session;
class View;

/// Writes views to files, one after the other: waits for the run, lets each view compute what it lacks off
/// the UI thread, and writes it. All files are of one scenario: where it is edited meanwhile, the export ends
/// and says so.
class PictureExport : public QObject {
    Q_OBJECT
  public:
    struct Item {
        View* view;
        QStringList paths;         ///< their endings say the format
        std::optional<int> page{}; ///< of the view's pages; none for the one that is seen
    };

    PictureExport(Session* session, std::vector<Item> items, Figure figure, QObject* parent = nullptr);

    /// May end before it returns.
    void start();
    /// Gives up what is not written yet; says nothing more.
    void cancel();
    /// 0 to 1.
    [[nodiscard]] double progress() const;
    /// What has to be said about the files: where they are, if not where they were asked for, and what they
    /// lack.
    [[nodiscard]] const QStringList& remarks() const { return remarks_; }

  signals:
    void written(const QString& path);
    /// Nothing is left to do; `refusals` says what could not be written and why, empty if all was.
    void finished(const QStringList& refusals);

  private:
    void proceed();
    void take(const Result<void>& completed);
    /// The next file of the item: draws it here, and lets another thread write it. Between files the window
    /// answers its user.
    void writeFile();
    void wrote(const QString& path, const Result<void>& saved);
    void finish();
    /// To the pages that were seen before.
    void turnBack();

    Session* session_;
    std::vector<Item> items_;
    Figure figure_;
    std::size_t next_ = 0;
    qsizetype file_ = 0; ///< of the item, that is written next
    LatestJob* writer_;
    bool completing_ = false; ///< waits for the next view
    bool over_ = false;
    QStringList refusals_;
    QStringList remarks_;
    std::map<View*, int> seen_; ///< pages of views that were turned to others
    /// What the files are of, and what that is compared with; none while the run is awaited.
    std::optional<std::pair<Scenario, std::optional<Variant>>> origin_;
    [[nodiscard]] bool isAnother() const;
};

/// The name of a table that is not whole: "timeline-first-rows.csv" for "timeline.csv".
[[nodiscard]] QString nameOfCut(const QString& path);

/// These views in a folder, each file named by the view's id.
[[nodiscard]] std::vector<PictureExport::Item> filesOf(const std::vector<View*>& views, const QString& folder,
                                                       const QStringList& endings);
/// Every view that has something to show as PNG, SVG, PDF and CSV.
[[nodiscard]] std::vector<PictureExport::Item> everyFormat(const std::vector<View*>& views,
                                                           const QString& folder);
/// Of the files of a page after a view's first one: "plan-pipeline".
[[nodiscard]] QString nameOfPage(const View& view, const QString& page);
/// The same of every page; those after a view's first one are named by both.
[[nodiscard]] std::vector<PictureExport::Item> everyPage(const std::vector<View*>& views,
                                                         const QString& folder);

} // namespace meshslice::ui
