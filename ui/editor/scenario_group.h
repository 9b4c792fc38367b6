#pragma once

#include "ui/document/document.h"
#include "ui/editor/field_group.h"

#include <functional>

class QComboBox;

namespace meshslice::ui {

class WholeField;

/// A group of fields that shows a part of the document's scenario and asks for edits of it. It holds no copy:
/// after every change `refresh` shows the document again.
class ScenarioGroup : public FieldGroup {
    Q_OBJECT
  public:
    ScenarioGroup(const QString& heading, Document* document, QWidget* parent);

    virtual void refresh() = 0;
    [[nodiscard]] virtual bool owns(Field field) const = 0;

  signals:
    /// The user edits here.
    void touched();

  protected:
    using Change = std::function<void(Scenario&)>;

    [[nodiscard]] const Scenario& scenario() const { return document_->scenario(); }
    /// Asks for an edit that typing may continue.
    void edit(Field field, const Change& change);
    /// Asks for an edit that is complete: a choice from a list.
    void choose(Field field, const Change& change);

    /// A field whose typing edits the scenario by `apply`.
    WholeField* addWhole(const QString& label, Field field, bool doubling, const QString& unit,
                         const QString& meaning, const std::function<void(Scenario&, std::int64_t)>& apply);
    /// Wires a number field that the caller lays out by itself.
    void connectWhole(WholeField* whole, Field field,
                      const std::function<void(Scenario&, std::int64_t)>& apply);

    Document* document_;
};

} // namespace meshslice::ui
