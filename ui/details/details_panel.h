#pragma once

#include "ui/session/session.h"

#include <QTextBrowser>

#include <memory>
#include <optional>

namespace meshslice::ui {

class Veil;

/// Shows what is selected and why it takes the time it takes; above it, while a stretch of time is marked,
/// what happens in that.
class DetailsPanel : public QTextBrowser {
    Q_OBJECT
  public:
    explicit DetailsPanel(Session* session, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    /// Wide enough for its longest words.
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void renew();
    void follow();
    void open(const QUrl& link);

    Session* session_;
    Veil* veil_;
    std::weak_ptr<const Results> told_;         ///< what the text is about
    std::weak_ptr<const Reasons> told_reasons_; ///< and whose reasons it gives
    Session::Kind told_kind_ = Session::Kind::empty;
    std::optional<TimeRange> told_mark_;
    QString stretch_; ///< what is said of it: adding up takes too long for every bar that is stepped to
};

} // namespace meshslice::ui
