#pragma once

#include "ui/session/session.h"

#include <QTextBrowser>

namespace meshslice::ui {

class Veil;

/// Shows what is selected and why it takes the time it takes.
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

    Session* session_;
    Veil* veil_;
    std::weak_ptr<const Results> told_;         ///< what the text is about
    std::weak_ptr<const Reasons> told_reasons_; ///< and whose reasons it gives
    Session::Kind told_kind_ = Session::Kind::empty;
};

} // namespace meshslice::ui
