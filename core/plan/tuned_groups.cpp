#include "core/plan/tuned_groups.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

namespace meshslice {

TunedGroups::Key TunedGroups::key(const std::shared_ptr<const Machine>& hardware, const Algorithm& algorithm,
                                  const Torus& mesh, const Gemm& gemm) {
    std::array<AxisKey, 3> axes{};
    const std::span<const TorusAxis> its = mesh.axes();
    for (std::size_t k = 0; k < its.size(); ++k) {
        axes[k] = {its[k].size, its[k].wraps, its[k].folded, its[k].through};
    }
    return {hardware, &algorithm, axes, gemm.dataflow, {gemm.shape.m, gemm.shape.n, gemm.shape.k}};
}

std::shared_ptr<const Machine> TunedGroups::known(const Machine& hardware) {
    const std::lock_guard lock(guard_);
    std::erase_if(hardware_, [](const std::weak_ptr<const Machine>& one) { return one.expired(); });
    for (const std::weak_ptr<const Machine>& one : hardware_) {
        if (std::shared_ptr<const Machine> its = one.lock(); its && *its == hardware) {
            return its;
        }
    }
    auto made = std::make_shared<const Machine>(hardware);
    hardware_.push_back(made);
    return made;
}

Result<std::vector<TunedGemm>> TunedGroups::tuned(const std::shared_ptr<const Machine>& hardware,
                                                  const Algorithm& algorithm, const Torus& mesh,
                                                  std::span<const Gemm> gemms) {
    struct Asked {
        Key key;
        const Gemm& gemm;
        std::optional<Result<TunedGemm>> found;
    };
    std::vector<Asked> asked; // each key once; none after the first that is known to be refused
    std::vector<std::size_t> places;
    std::vector<std::size_t> missing;
    {
        const std::lock_guard lock(guard_);
        asked.reserve(gemms.size());
        for (const Gemm& gemm : gemms) {
            Key its = key(hardware, algorithm, mesh, gemm);
            const auto same = std::ranges::find(asked, its, &Asked::key);
            places.push_back(static_cast<std::size_t>(same - asked.begin()));
            if (same != asked.end()) {
                continue;
            }
            const auto known = remembered_.find(its);
            if (known == remembered_.end()) {
                missing.push_back(asked.size());
                asked.push_back({std::move(its), gemm, std::nullopt});
                continue;
            }
            asked.push_back({std::move(its), gemm, known->second});
            if (!known->second) {
                break;
            }
        }
    }
    for (const std::size_t which : missing) {
        Asked& one = asked[which];
        one.found =
            tune(algorithm, one.gemm.shape, one.gemm.dataflow, mesh, {}, std::nullopt, *hardware, Schedule{});
        if (!*one.found) {
            break;
        }
    }
    if (!missing.empty()) {
        const std::lock_guard lock(guard_);
        if (remembered_.size() + missing.size() > most_) {
            remembered_.clear();
        }
        for (const std::size_t which : missing) {
            if (Asked& one = asked[which]; one.found) {
                ++tunings_;
                remembered_.try_emplace(std::move(one.key), *one.found);
            }
        }
    }
    std::vector<TunedGemm> made;
    for (const std::size_t place : places) {
        const std::optional<Result<TunedGemm>>& found = asked[place].found;
        assert(found);
        if (!*found) {
            return refuse(found->error());
        }
        made.push_back(**found);
    }
    return made;
}

std::int64_t TunedGroups::tunings() const {
    const std::lock_guard lock(guard_);
    return tunings_;
}

std::size_t TunedGroups::size() const {
    const std::lock_guard lock(guard_);
    return remembered_.size();
}

} // namespace meshslice
