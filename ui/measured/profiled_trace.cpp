#include "ui/measured/profiled_trace.h"

#include "core/base/text.h"
#include "core/import/trace_use.h"
#include "core/plan/inside/plan_run.h"
#include "core/question/catalogue/evidence/far_off.h"
#include "ui/look/words.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <utility>

namespace meshslice::ui {
namespace {

struct TraceWords {
    Q_DECLARE_TR_FUNCTIONS(ProfiledTrace)
};

QString timesText(double measured, double predicted) {
    if (predicted <= 0) {
        return {};
    }
    constexpr double least_shown = 0.01;
    return measured < least_shown * predicted ? QStringLiteral("< 0.01x")
                                              : QStringLiteral("%1x").arg(measured / predicted, 0, 'f', 2);
}

/// The roles of the two runs have the same colours for different things: each is named with both.
std::vector<LegendItem> legendOfBoth(const std::vector<ShownRun>& runs, bool brief) {
    const bool both = runs.size() > 1;
    std::vector<LegendItem> items;
    const auto add = [&](Role role, const QString& measured, const QString& predicted) {
        if (std::ranges::any_of(
                runs, [&](const ShownRun& one) { return std::ranges::count(one.roles, role) > 0; })) {
            items.push_back({both && !predicted.isEmpty() && !brief
                                 ? TraceWords::tr("%1; predicted: %2").arg(measured, predicted)
                                 : measured,
                             role});
        }
    };
    add(Role::compute, TraceWords::tr("multiplication"), TraceWords::tr("forward"));
    add(Role::backward, TraceWords::tr("attention"), TraceWords::tr("backward"));
    add(Role::update, TraceWords::tr("other kernels"), TraceWords::tr("optimizer step"));
    add(Role::slicing, TraceWords::tr("copies"), {});
    add(Role::transferHorizontal, TraceWords::tr("communication"), {});
    add(Role::transferVertical, TraceWords::tr("transfer between stages"), {});
    add(Role::transferThird, TraceWords::tr("exchange of gradients"), {});
    add(Role::exposed, TraceWords::tr("exposed communication"), {});
    add(Role::waits, TraceWords::tr("waits"), {});
    return items;
}

/// Of this device; empty: of the one that holds most. None where the trace says nothing of its memory.
std::optional<MostHeld> mostHeld(const MeasuredTrace& measured, const std::string& device) {
    std::vector<MostHeld> devices = most_held(*measured.step->trace, measured.step->stretch);
    if (!device.empty()) {
        std::erase_if(devices, [&](const MostHeld& one) { return one.device != device; });
    }
    const auto most = std::ranges::max_element(devices, {}, &MostHeld::bytes);
    return most == devices.end() ? std::nullopt : std::optional(*most);
}

} // namespace

Result<std::shared_ptr<const DeviceTrace>> TraceReadings::traceOf(const QString& path,
                                                                  const RunControl& control) {
    const QDateTime written = QFileInfo(path).lastModified();
    {
        const std::scoped_lock lock(mutex_);
        if (trace_ && path_ == path && written_ == written) {
            return trace_;
        }
    }
    Result<DeviceTrace> read = read_device_trace_file(QFile::encodeName(path).toStdString(), control);
    if (!read) {
        return refuse(read.error());
    }
    const std::scoped_lock lock(mutex_);
    path_ = path;
    written_ = written;
    trace_ = std::make_shared<const DeviceTrace>(*std::move(read));
    return trace_;
}

Result<MeasuredTrace> TraceReadings::read(const TraceRequest& request, const RunControl& control) {
    const auto trace = traceOf(request.path, control);
    if (!trace) {
        return refuse(trace.error());
    }
    const std::size_t named = (*trace)->steps.size();
    const std::optional<std::size_t> number = request.last && named > 0 ? std::optional(named) : request.step;
    const QString name = QFileInfo(request.path).fileName();
    Result<ProfiledStep> step =
        profiled_step(*trace, number, name.toStdString(), TraceWords::tr("The step").toStdString());
    if (!step) {
        return refuse(step.error());
    }
    auto kept = std::make_shared<const ProfiledStep>(*std::move(step));
    RunPtr run = kept->run(request.begin, name.toStdString());
    return MeasuredTrace{std::move(kept), number, std::move(run)};
}

Result<PredictedTrace> predictedTrace(const ChosenPlan& chosen, const RunControl& control) {
    const Result<PlanModel> model = plan_model(chosen.question);
    if (!model) {
        return refuse(model.error());
    }
    if (const Result<void> sound = model->check(chosen.plan); !sound) {
        return refuse(sound.error());
    }
    PredictedTrace made;
    const RankedPlan plan{chosen.plan, model->reading(chosen.plan, model->layer(chosen.plan))};
    made.plan = chosen.plan;
    made.parts = predicted_parts(*model, plan);
    made.expected = expected_of(chosen.question, plan);
    made.arrays = plan.reading.memory.total() - plan.reading.memory.reserve;
    made.capacity = static_cast<double>(chosen.question.machine.hbm.value.value());
    const Result<PlanTimeline> timeline = plan_timeline(chosen, control);
    if (!timeline) {
        made.lacks = timeline.error().sentence;
        return made;
    }
    made.run = std::make_shared<const PlanRun>(
        timeline->run, std::make_shared<const PlanAndModel>(PlanAndModel{*timeline->model, chosen.plan}));
    return made;
}

Result<StepFit> fittedStep(const FitRequest& request, const RunControl& control) {
    return fit_to_step(*request.step, request.plan.question, request.plan.plan, request.source.toStdString(),
                       control);
}

QString memoryFinding(const MeasuredTrace& measured, const PredictedTrace* predicted,
                      const std::string& device) {
    const std::optional<MostHeld> most = mostHeld(measured, device);
    if (!most) {
        return {};
    }
    const QString held = words(bytes_text(most->bytes)), its = words(capitalized(device_words(most->device)));
    return predicted == nullptr ? TraceWords::tr("%1 holds %2 at most.").arg(its, held)
                                : TraceWords::tr("%1 holds %2 at most; the plan predicts %3 of arrays.")
                                      .arg(its, held, words(bytes_text(predicted->arrays)));
}

QString tracesFinding(const MeasuredTrace& measured, const PredictedTrace* predicted) {
    const ProfiledStep& step = *measured.step;
    const QString seconds = words(seconds_text(step.a_step(step.whole.seconds)));
    if (step.trace->predicted) {
        return predicted == nullptr
                   ? TraceWords::tr("A prediction in the file: %1.").arg(seconds)
                   : TraceWords::tr("A prediction in the file, %1, and that of the selected plan, %2.")
                         .arg(seconds, words(seconds_text(predicted->parts.seconds)));
    }
    if (predicted == nullptr) {
        return step.steps > 0 ? TraceWords::tr("Measured: %1 a step.").arg(seconds)
                              : TraceWords::tr("Measured: %1 in all.").arg(seconds);
    }
    const std::vector<ComparedPart> parts = compared_parts(step, predicted->parts);
    const auto largest = std::max_element(parts.begin() + 1, parts.end(), [](const auto& a, const auto& b) {
        return std::abs(a.measured - a.predicted) < std::abs(b.measured - b.predicted);
    });
    const QString finding =
        TraceWords::tr("Measured %1 a step, predicted %2: %3. The largest difference is in %4, %5 "
                       "measured and %6 predicted.")
            .arg(seconds, words(seconds_text(predicted->parts.seconds)),
                 timesText(parts.front().measured, parts.front().predicted), words(largest->name),
                 words(seconds_text(largest->measured)), words(seconds_text(largest->predicted)));
    const double expected =
        predicted->expected.known() ? predicted->expected.seconds : predicted->parts.seconds;
    const QString far = words(far_off_words(step, expected, predicted->parts, predicted->plan));
    return far.isEmpty() ? finding : finding + QLatin1Char(' ') + far;
}

Table tracesTable(const MeasuredTrace& measured, const PredictedTrace* predicted) {
    Table table{"parts of the step", {"part", "measured_s"}, {}};
    if (predicted != nullptr) {
        table.columns.insert(table.columns.end(), {"predicted_s", "measured against it"});
    }
    for (const ComparedPart& part :
         compared_parts(*measured.step, predicted != nullptr ? predicted->parts : PredictedParts())) {
        table.rows.push_back({part.name, part.measured});
        if (predicted != nullptr) {
            table.rows.back().emplace_back(part.predicted);
            table.rows.back().emplace_back(timesText(part.measured, part.predicted).toStdString());
        }
    }
    return table;
}

RunWindow tracesWindow(const MeasuredTrace& measured, const PredictedTrace* predicted,
                       const std::string& device) {
    RunWindow window;
    ShownRun theirs = shownRun(measured.run, false);
    if (!device.empty()) {
        std::erase_if(theirs.rows, [&](const RunRow& row) { return row.place != "device " + device; });
    }
    std::erase_if(theirs.counters, [&](std::size_t lane) {
        return !device.empty() && measured.run->lane(lane).place != "device " + device;
    });
    window.holdsBelow = !theirs.counters.empty();
    theirs.name = {measured.step->trace->predicted ? TraceWords::tr("in the file")
                                                   : TraceWords::tr("measured"),
                   words(seconds_text(in_seconds(measured.run->end())))};
    window.runs.push_back(std::move(theirs));
    if (predicted != nullptr && predicted->run) {
        ShownRun ours = shownRun(predicted->run, true);
        ours.counters.clear();
        ours.name = {TraceWords::tr("predicted"), words(seconds_text(in_seconds(predicted->run->end())))};
        window.runs.push_back(std::move(ours));
    }
    window.words.finding = tracesFinding(measured, predicted);
    if (window.holdsBelow) {
        window.about = memoryFinding(measured, predicted, device);
        window.words.held = [](std::size_t /*row*/) { return QStringList{TraceWords::tr("memory held")}; };
        const std::optional<MostHeld> most = mostHeld(measured, device);
        window.limit = predicted != nullptr ? predicted->capacity : most ? most->capacity : 0;
        if (window.limit > 0) {
            const QString all = words(bytes_text(window.limit));
            window.words.limit = {TraceWords::tr("dashed: what a chip has, %1").arg(all), all};
        }
    }
    window.words.legend = [runs = window.runs](bool brief) { return legendOfBoth(runs, brief); };
    window.range = window.whole();
    window.path = {TraceWords::tr("step")};
    return window;
}

} // namespace meshslice::ui
