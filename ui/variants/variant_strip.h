#pragma once

#include "core/base/quantity.h"
#include "ui/variants/variant_card.h"

#include <QToolBar>

#include <functional>
#include <vector>

class QAction;
class QMenu;
class QScrollArea;

namespace meshslice::ui {

class Session;
class VariantAnswers;

/// The variants of the project as cards below the headline, while there is more than one: a click shows a
/// variant, a double click names it, dragging moves it. It also owns the actions of the menu of variants.
class VariantStrip : public QToolBar {
    Q_OBJECT
  public:
    VariantStrip(Session* session, QWidget* parent);

    /// The actions as a menu of the window.
    void fill(QMenu* menu);
    [[nodiscard]] const std::vector<VariantCard*>& cards() const { return cards_; }
    [[nodiscard]] VariantAnswers* answers() { return answers_; }
    [[nodiscard]] QAction* action(const char* name) const;

    /// A copy of the current variant.
    void duplicate();
    void renameCurrent();

    /// Not seen, however many variants there are.
    void setAside(bool aside);

  signals:
    /// A sentence for the status bar.
    void told(const QString& sentence);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void addActions();
    QAction* add(const char* name, const QString& text, const QKeySequence& keys,
                 const std::function<void()>& act);
    void follow();
    void followActions();
    void makeCards(std::size_t count);
    /// Cards of one line in a low window, else of two.
    void fold();
    [[nodiscard]] CardFace faceOf(std::size_t variant, Time longest) const;
    [[nodiscard]] QString tipOf(std::size_t variant) const;
    void drop(std::size_t variant, int x);
    void showNext(int turn);

    Session* session_;
    VariantAnswers* answers_;
    QScrollArea* area_;
    QWidget* row_;
    std::vector<VariantCard*> cards_;
    std::vector<QAction*> actions_;
    bool aside_ = false;
};

} // namespace meshslice::ui
