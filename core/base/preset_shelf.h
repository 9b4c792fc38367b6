#pragma once

#include "core/base/embedded_resources.h"
#include "core/base/result.h"

#include <cassert>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshslice {

/// The presets of one kind that are compiled in, each under the name that its file has without ".json". A
/// file is read when it is asked for, once: a program that starts wants one or two of dozens. From any
/// thread.
template <class Preset>
class PresetShelf {
  public:
    using Read = std::function<Result<Preset>(std::string_view json, const std::string& origin)>;

    PresetShelf(const std::vector<EmbeddedFile>& files, Read read)
        : read_(std::move(read)), count_(files.size()), places_(std::make_unique<Place[]>(files.size())) {
        for (std::size_t k = 0; k < count_; ++k) {
            places_[k].file = files[k];
        }
    }

    /// Null where there is none of that name.
    [[nodiscard]] const Preset* find(std::string_view name) const {
        for (std::size_t k = 0; k < count_; ++k) {
            if (name_of(places_[k]) == name) {
                return taken(places_[k]);
            }
        }
        return nullptr;
    }
    /// In the order of their names.
    [[nodiscard]] const std::vector<Preset>& all() const {
        std::call_once(all_read_, [this] {
            for (std::size_t k = 0; k < count_; ++k) {
                if (const Preset* const preset = taken(places_[k])) {
                    all_.push_back(*preset);
                }
            }
        });
        return all_;
    }

  private:
    struct Place {
        EmbeddedFile file;
        std::once_flag read;
        std::optional<Preset> preset;
    };

    [[nodiscard]] static std::string_view name_of(const Place& place) {
        return place.file.name.substr(0, place.file.name.rfind('.'));
    }
    [[nodiscard]] const Preset* taken(Place& place) const {
        std::call_once(place.read, [&] {
            Result<Preset> preset = read_(place.file.text, std::string(place.file.name));
            assert(preset && "a preset that comes with the program must be readable");
            if (preset) {
                place.preset = std::move(*preset);
            }
        });
        return place.preset ? &*place.preset : nullptr;
    }

    Read read_;
    std::size_t count_;
    std::unique_ptr<Place[]> places_;
    mutable std::once_flag all_read_;
    mutable std::vector<Preset> all_;
};

} // namespace meshslice
