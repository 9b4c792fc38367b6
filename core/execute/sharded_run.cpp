#include "core/execute/sharded_run.h"

#include "core/base/say.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <random>

namespace meshslice {
namespace {

constexpr std::int64_t most_elements = std::int64_t{1} << 22;
constexpr double most_multiplications = 67'108'864; // 2^26, of all devices

std::int64_t elements(const std::vector<std::int64_t>& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

/// The place of each element, in the order in which they are stored.
class Places {
  public:
    explicit Places(const std::vector<std::int64_t>& shape) : shape_(shape), at_(shape.size(), 0) {}

    [[nodiscard]] const std::vector<std::int64_t>& at() const { return at_; }
    void next() {
        for (std::size_t k = at_.size(); k-- > 0;) {
            if (++at_[k] < shape_[k]) {
                return;
            }
            at_[k] = 0;
        }
    }

  private:
    const std::vector<std::int64_t>& shape_;
    std::vector<std::int64_t> at_;
};

std::int64_t index(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& at) {
    std::int64_t place = 0;
    for (std::size_t k = 0; k < shape.size(); ++k) {
        place = place * shape[k] + at[k];
    }
    return place;
}

/// The part of an array that begins at `corner`.
DenseArray part_of(const DenseArray& whole, const std::vector<std::int64_t>& corner,
                   std::vector<std::int64_t> shape) {
    DenseArray part = DenseArray::of(std::move(shape));
    Places places(part.shape);
    std::vector<std::int64_t> at(corner.size());
    for (double& value : part.values) {
        std::ranges::transform(corner, places.at(), at.begin(), std::plus<>());
        value = whole.values[static_cast<std::size_t>(index(whole.shape, at))];
        places.next();
    }
    return part;
}

void put(const DenseArray& part, DenseArray& whole, const std::vector<std::int64_t>& corner) {
    Places places(part.shape);
    std::vector<std::int64_t> at(corner.size());
    for (const double value : part.values) {
        std::ranges::transform(corner, places.at(), at.begin(), std::plus<>());
        whole.values[static_cast<std::size_t>(index(whole.shape, at))] = value;
        places.next();
    }
}

/// Part `number` of `count` along a dimension.
DenseArray chunk(const DenseArray& array, std::size_t dimension, std::int64_t number, std::int64_t count) {
    std::vector<std::int64_t> shape = array.shape;
    assert(shape[dimension] % count == 0);
    shape[dimension] /= count;
    std::vector<std::int64_t> corner(shape.size(), 0);
    corner[dimension] = number * shape[dimension];
    return part_of(array, corner, std::move(shape));
}

DenseArray joined(const std::vector<DenseArray>& chunks, std::size_t dimension) {
    std::vector<std::int64_t> shape = chunks.front().shape;
    std::vector<std::int64_t> corner(shape.size(), 0);
    const std::int64_t each = shape[dimension];
    shape[dimension] *= static_cast<std::int64_t>(chunks.size());
    DenseArray whole = DenseArray::of(std::move(shape));
    for (const DenseArray& one : chunks) {
        put(one, whole, corner);
        corner[dimension] += each;
    }
    return whole;
}

void add(const DenseArray& more, DenseArray& sum) {
    std::ranges::transform(sum.values, more.values, sum.values.begin(), std::plus<>());
}

std::string names(const ShardedArray& array) {
    std::string letters;
    for (const ArrayDimension& dimension : array.dimensions) {
        letters += dimension.letter;
    }
    return letters;
}

/// The GEMM of what one device has, letter by letter.
DenseArray multiplied(const DenseArray& left, const std::string& left_letters, const DenseArray& right,
                      const std::string& right_letters, const std::string& result_letters) {
    std::map<char, std::int64_t> sizes;
    for (std::size_t k = 0; k < left_letters.size(); ++k) {
        sizes[left_letters[k]] = left.shape[k];
    }
    for (std::size_t k = 0; k < right_letters.size(); ++k) {
        assert(!sizes.contains(right_letters[k]) || sizes[right_letters[k]] == right.shape[k]);
        sizes[right_letters[k]] = right.shape[k];
    }
    std::vector<std::int64_t> all;
    std::string letters;
    for (const auto& [letter, size] : sizes) {
        letters += letter;
        all.push_back(size);
    }
    /// How far one step along each of all letters goes in an array.
    const auto strides = [&](const std::string& of) {
        std::vector<std::int64_t> steps(letters.size(), 0);
        std::int64_t stride = 1;
        for (std::size_t k = of.size(); k-- > 0;) {
            steps[letters.find(of[k])] = stride;
            stride *= sizes[of[k]];
        }
        return steps;
    };
    const auto place = [](const std::vector<std::int64_t>& at, const std::vector<std::int64_t>& steps) {
        return static_cast<std::size_t>(
            std::inner_product(at.begin(), at.end(), steps.begin(), std::int64_t{0}));
    };
    std::vector<std::int64_t> shape;
    for (const char letter : result_letters) {
        shape.push_back(sizes[letter]);
    }
    DenseArray result = DenseArray::of(std::move(shape));
    const auto of_left = strides(left_letters), of_right = strides(right_letters),
               of_result = strides(result_letters);
    Places places(all);
    for (std::int64_t k = elements(all); k > 0; --k) {
        result.values[place(places.at(), of_result)] +=
            left.values[place(places.at(), of_left)] * right.values[place(places.at(), of_right)];
        places.next();
    }
    return result;
}

/// What each device of a mesh holds of one array.
class Devices {
  public:
    Devices(const NamedMesh& mesh, const ShardedArray& array) : mesh_(&mesh), array_(array) {}

    std::vector<DenseArray> blocks;

    /// Deals an array out. Of partial sums all but the first are numbers by chance, and the first is what is
    /// missing.
    void deal(const DenseArray& whole, std::mt19937& random) {
        const std::int64_t sums = size_of(array_.unreduced);
        std::vector<DenseArray> terms(static_cast<std::size_t>(sums), whole);
        std::uniform_int_distribution<int> digit(-9, 9);
        for (std::size_t k = 1; k < terms.size(); ++k) {
            for (std::size_t place = 0; place < whole.values.size(); ++place) {
                terms[k].values[place] = digit(random);
                terms[0].values[place] -= terms[k].values[place];
            }
        }
        for (std::int64_t device = 0; device < mesh_->devices(); ++device) {
            const DenseArray& term = terms[static_cast<std::size_t>(number_in(array_.unreduced, device))];
            blocks.push_back(block(term, array_, device));
        }
    }

    /// Does one step; the elements that one device gets from others.
    std::int64_t take(const ShardingStep& step) {
        std::vector<DenseArray> after;
        for (std::int64_t device = 0; device < mesh_->devices(); ++device) {
            after.push_back(after_step(step, device));
        }
        const auto before = static_cast<std::int64_t>(blocks.front().values.size());
        const auto now = static_cast<std::int64_t>(after.front().values.size());
        const std::int64_t chips = size_of(step.axes);
        blocks = std::move(after);
        array_ = step.after;
        if (!step.sends) {
            return 0;
        }
        switch (*step.sends) {
        case Collective::all_gather: return now - before;
        case Collective::reduce_scatter: return before - now;
        case Collective::all_reduce: return 2 * (before - before / chips);
        case Collective::all_to_all: return before - before / chips;
        default: return 0;
        }
    }

    /// The block of an array that a device holds.
    [[nodiscard]] DenseArray block(const DenseArray& whole, const ShardedArray& array,
                                   std::int64_t device) const {
        std::vector<std::int64_t> corner = block_of(array, *mesh_, device);
        std::vector<std::int64_t> shape = whole.shape;
        for (std::size_t k = 0; k < shape.size(); ++k) {
            shape[k] /= size_of(array.dimensions[k].axes);
            corner[k] *= shape[k];
        }
        return part_of(whole, corner, std::move(shape));
    }

    /// Devices that differ from this one along these axes only, in their order.
    [[nodiscard]] std::vector<std::int64_t> group(const AxisList& axes, std::int64_t device) const {
        std::vector<std::int64_t> members(static_cast<std::size_t>(size_of(axes)));
        for (std::int64_t other = 0; other < mesh_->devices(); ++other) {
            std::vector<std::int64_t> there = coordinates(*mesh_, other);
            const std::vector<std::int64_t> here = coordinates(*mesh_, device);
            const std::int64_t number = number_in(axes, other);
            for (const std::size_t axis : axes) {
                there[axis] = here[axis];
            }
            if (there == here) {
                members[static_cast<std::size_t>(number)] = other;
            }
        }
        return members;
    }

  private:
    [[nodiscard]] std::int64_t size_of(const AxisList& axes) const {
        std::int64_t size = 1;
        for (const std::size_t axis : axes) {
            size *= mesh_->axes[axis].size;
        }
        return size;
    }
    [[nodiscard]] std::int64_t number_in(const AxisList& axes, std::int64_t device) const {
        const std::vector<std::int64_t> along = coordinates(*mesh_, device);
        std::int64_t number = 0;
        for (const std::size_t axis : axes) {
            number = number * mesh_->axes[axis].size + along[axis];
        }
        return number;
    }
    [[nodiscard]] const DenseArray& on(std::int64_t device) const {
        return blocks[static_cast<std::size_t>(device)];
    }

    [[nodiscard]] DenseArray after_step(const ShardingStep& step, std::int64_t device) const {
        const std::int64_t chips = size_of(step.axes);
        const std::int64_t number = number_in(step.axes, device);
        const std::vector<std::int64_t> members = group(step.axes, device);
        if (step.slices()) {
            return chunk(on(device), step.to, number, chips);
        }
        if (step.sends == Collective::reduce_scatter || step.sends == Collective::all_reduce) {
            DenseArray sum = on(members.front());
            for (std::size_t k = 1; k < members.size(); ++k) {
                add(on(members[k]), sum);
            }
            return step.sends == Collective::all_reduce ? sum : chunk(sum, step.to, number, chips);
        }
        std::vector<DenseArray> chunks;
        for (const std::int64_t member : members) {
            chunks.push_back(step.sends == Collective::all_gather
                                 ? on(member)
                                 : chunk(on(member), step.to, number, chips));
        }
        return joined(chunks, step.from);
    }

    const NamedMesh* mesh_;
    ShardedArray array_;
};

DenseArray by_chance(const ShardedArray& array, const DimensionSizes& sizes, std::mt19937& random) {
    std::vector<std::int64_t> shape;
    for (const ArrayDimension& dimension : array.dimensions) {
        shape.push_back(sizes.at(dimension.letter));
    }
    DenseArray whole = DenseArray::of(std::move(shape));
    std::uniform_int_distribution<int> digit(-9, 9);
    std::ranges::generate(whole.values, [&] { return digit(random); });
    return whole;
}

Result<void> small_enough(const ShardedPlan& plan, const ShardedGemm& gemm, const NamedMesh& mesh,
                          const DimensionSizes& sizes) {
    if (mesh.devices() > most_sharded_devices) {
        return refuse(say("Plans run on real arrays on up to {} devices; the mesh has {}.",
                          most_sharded_devices, mesh.devices()));
    }
    const auto fits = [&](const ShardedArray& array) -> Result<void> {
        const Result<Shards> found = shards(array, mesh, sizes, 8);
        if (!found) {
            return refuse(found.error());
        }
        if (found->bytes > static_cast<double>(most_elements)) {
            return refuse(say("{} has {} elements, and plans run on real arrays of up to {}.",
                              text(array, mesh), found->bytes, most_elements));
        }
        return {};
    };
    for (const Operand which : all_operands) {
        if (const Result<void> fine = fits(gemm.operand(which)); !fine) {
            return fine;
        }
    }
    for (const ShardingStep& step : plan.steps) {
        if (const Result<void> fine = fits(step.after); !fine) {
            return fine;
        }
    }
    if (flop_of(gemm, sizes) / 2 * static_cast<double>(mesh.devices()) > most_multiplications) {
        return refuse(
            said("The GEMM is too large to run on real arrays; fewer chips or fewer letters work."));
    }
    return {};
}

} // namespace

DenseArray DenseArray::of(std::vector<std::int64_t> shape) {
    const auto count = static_cast<std::size_t>(elements(shape));
    return {std::move(shape), std::vector<double>(count, 0)};
}

Result<ShardedRun> run_sharded(const ShardedPlan& plan, const ShardedGemm& gemm, const NamedMesh& mesh,
                               const DimensionSizes& sizes, std::uint32_t seed) {
    if (const Result<void> fine = small_enough(plan, gemm, mesh, sizes); !fine) {
        return refuse(fine.error());
    }
    std::mt19937 random(seed);
    const DenseArray left = by_chance(gemm.left, sizes, random);
    const DenseArray right = by_chance(gemm.right, sizes, random);
    const std::string left_letters = names(gemm.left), right_letters = names(gemm.right),
                      result_letters = names(gemm.result);
    const DenseArray expected = multiplied(left, left_letters, right, right_letters, result_letters);
    std::array<Devices, 3> devices = {Devices(mesh, gemm.left), Devices(mesh, gemm.right),
                                      Devices(mesh, gemm.result)};
    devices[0].deal(left, random);
    devices[1].deal(right, random);
    ShardedRun run;
    for (const ShardingStep& step : plan.steps) {
        if (!step.multiplies()) {
            run.received_elements += devices[static_cast<std::size_t>(step.which)].take(step);
            continue;
        }
        devices[2] = Devices(mesh, step.after);
        for (std::int64_t device = 0; device < mesh.devices(); ++device) {
            const auto which = static_cast<std::size_t>(device);
            devices[2].blocks.push_back(multiplied(devices[0].blocks[which], left_letters,
                                                   devices[1].blocks[which], right_letters, result_letters));
        }
    }
    for (std::int64_t device = 0; device < mesh.devices(); ++device) {
        DenseArray sum = devices[2].blocks[static_cast<std::size_t>(device)];
        const std::vector<std::int64_t> others = devices[2].group(gemm.result.unreduced, device);
        for (const std::int64_t other : others) {
            if (other != device) {
                add(devices[2].blocks[static_cast<std::size_t>(other)], sum);
            }
        }
        const DenseArray wanted = devices[2].block(expected, gemm.result, device);
        if (wanted.shape != sum.shape) {
            continue;
        }
        ++run.devices;
        for (std::size_t k = 0; k < sum.values.size(); ++k) {
            run.largest_error = std::max(run.largest_error, std::abs(sum.values[k] - wanted.values[k]));
        }
    }
    return run;
}

DimensionSizes small_sizes(const ShardedGemm& gemm, const NamedMesh& mesh, std::int64_t factor) {
    DimensionSizes sizes;
    for (const GemmLetter& one : letters_of(gemm)) {
        sizes[one.letter] = mesh.devices() * factor;
    }
    return sizes;
}

} // namespace meshslice
