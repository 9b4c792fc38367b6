#include "core/base/fields/field_choices.h"

#include <mutex>
#include <utility>

namespace meshslice {

struct FieldChoices::Later {
    std::once_flag found;
    Find find;
    std::vector<FieldChoice> choices;
};

FieldChoices FieldChoices::later(Find find) {
    FieldChoices made;
    made.later_ = std::make_shared<Later>();
    made.later_->find = std::move(find);
    return made;
}

const std::vector<FieldChoice>& FieldChoices::all() const {
    if (!later_) {
        return known_;
    }
    std::call_once(later_->found, [this] {
        later_->choices = later_->find();
        later_->find = nullptr; // with what it holds
    });
    return later_->choices;
}

std::vector<FieldChoice>& FieldChoices::edit() {
    if (later_) {
        known_ = all();
        later_ = nullptr;
    }
    return known_;
}

} // namespace meshslice
