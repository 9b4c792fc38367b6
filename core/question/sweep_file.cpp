#include "core/question/sweep_file.h"

#include "core/base/json/json_reader.h"
#include "core/base/json/json_writer.h"
#include "core/scenario/file/scenario_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>

namespace meshslice {
namespace {

constexpr int version = 1; ///< of these files

/// As it is typed; of a part all of it.
std::string words_of(const FieldRow& row, const FieldValue& value) {
    const auto* const part = std::get_if<JsonPart>(&value);
    return part != nullptr ? part->json : text(row, value);
}

/// What all points share, and what varies. Two sweeps with the same points have the same line.
std::string head_line(const Sweep& sweep) {
    Tree head = {{"meshslice_sweep", version}, {"of", sweep.over->id}};
    for (std::size_t k = 0; k < sweep.fields.size(); ++k) {
        Tree values = Tree::array();
        for (const FieldValue& value : sweep.fields[k].values) {
            values.push_back(words_of(sweep.row(k), value));
        }
        head["vary"][sweep.fields[k].key] = std::move(values);
    }
    for (const auto& [key, value] : sweep.own) {
        head["own"][key] = words_of(sweep.over->field(key)->row, value);
    }
    if (!sweep.over->uses.none()) {
        head["scenario"] = scenario_json(sweep.scenario);
    }
    return json_line(head);
}

Tree place_of(const Sweep& sweep, const SweepPoint& point) {
    Tree at = Tree::object();
    for (std::size_t k = 0; k < sweep.fields.size(); ++k) {
        at[sweep.fields[k].key] = words_of(sweep.row(k), point.values[k]);
    }
    return at;
}

} // namespace

std::string point_line(const Sweep& sweep, const SweepPoint& point) {
    Tree line = {{"at", place_of(sweep, point)}};
    if (point.runs()) {
        line["numbers"] = point.numbers;
    } else {
        line["objection"] = point.objection;
    }
    return json_line(line);
}

std::optional<SweepPoint> point_of_line(const std::string& line, const Sweep& sweep, std::size_t place) {
    if (!parse_json(line, {})) {
        return std::nullopt;
    }
    const Tree tree = tree_of_json(line);
    SweepPoint point = point_without_answer(sweep, place);
    const Tree* const at = tree.find("at");
    const Tree* const numbers = tree.find("numbers");
    const Tree* const objection = tree.find("objection");
    if (at == nullptr || *at != place_of(sweep, point) || (numbers == nullptr) == (objection == nullptr)) {
        return std::nullopt;
    }
    if (numbers != nullptr) {
        if (!numbers->is_object() || numbers->size() == 0) {
            return std::nullopt;
        }
        point.numbers = *numbers;
        return point;
    }
    const auto* const sentence = std::get_if<std::string>(&objection->value());
    if (sentence == nullptr || sentence->empty()) {
        return std::nullopt;
    }
    point.objection = *sentence;
    return point;
}

SweepFile::SweepFile(std::string path, LineFile file, std::size_t done, std::vector<SweepPoint> points)
    : path_(std::move(path)), file_(std::move(file)), done_(done), points_(std::move(points)) {}

Result<SweepFile> SweepFile::open(const std::string& path, const Sweep& sweep, bool resume) {
    std::error_code ignored; // Where nothing is known about it, opening it says why.
    if (!resume && std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) {
        return refuse(fmt::format(
            "{} is there already; --resume continues it, and another name begins a new one.", path));
    }
    Result<LineFile> file = LineFile::open(path);
    if (!file) {
        return refuse(file.error());
    }
    const std::string head = head_line(sweep);
    std::string first;
    if (const Result<void> read = file->each([&](const std::string& line) {
            first = line;
            return false;
        });
        !read) {
        return refuse(read.error());
    }
    const std::size_t lines = file->count();
    if (lines == 0 ? !head.starts_with(file->rest()) : first != head) {
        return refuse(fmt::format("{} holds another sweep, or that of another version of the program; name "
                                  "another file.",
                                  path));
    }
    if (const Result<void> whole = file->cut_rest(); !whole) {
        return refuse(whole.error());
    }
    if (lines == 0) {
        return file->add(head).map([&] { return SweepFile(path, *std::move(file), 0, {}); });
    }
    if (lines - 1 > sweep.size()) {
        return refuse(fmt::format("{} has more points than this sweep.", path));
    }
    SweepFile made(path, *std::move(file), lines - 1, {});
    if (sweep.kept_whole()) {
        std::vector<SweepPoint> points;
        const Result<void> read = made.each(sweep, [&](const SweepPoint& point) {
            points.push_back(point);
            return true;
        });
        if (!read) {
            return refuse(read.error());
        }
        made.points_ = std::move(points);
    }
    return made;
}

Result<void> SweepFile::each(const Sweep& sweep,
                             const std::function<bool(const SweepPoint& point)>& take) const {
    std::size_t line = 0;
    bool damaged = false;
    return file_
        .each([&](const std::string& words) {
            if (++line == 1) {
                return done_ > 0;
            }
            const std::optional<SweepPoint> point = point_of_line(words, sweep, line - 2);
            damaged = !point;
            return point && take(*point) && line <= done_;
        })
        .and_then([&] {
            return damaged ? Result<void>(refuse(fmt::format("{} is damaged at line {}.", path_, line)))
                           : Result<void>();
        });
}

Result<void> SweepFile::add(const Sweep& sweep, const SweepPoint& point) {
    return file_.add(point_line(sweep, point)).map([&] { ++done_; });
}

} // namespace meshslice
