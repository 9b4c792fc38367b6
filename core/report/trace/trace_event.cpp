#include "core/report/trace/trace_event.h"

#include <fmt/format.h>

namespace meshslice {
namespace {

std::string metadata(const char* what, int process, int thread, const char* key, const std::string& value) {
    return fmt::format(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"{}":{}}}}})", what, process,
                       thread, key, value);
}

} // namespace

std::string trace_microseconds(Time time) {
    return fmt::format("{}.{:06}", time.value() / 1'000'000, time.value() % 1'000'000);
}

std::string trace_text(std::string_view words) {
    std::string out = "\"";
    for (const char letter : words) {
        if (letter == '"' || letter == '\\') {
            out += '\\';
        }
        out += static_cast<unsigned char>(letter) < 0x20 ? ' ' : letter;
    }
    return out + "\"";
}

void TraceEvents::operator()(const std::string& event) {
    out_ << separator_ << event;
    separator_ = ",\n";
}

void TraceEvents::name_process(int process, std::string_view name, int place) {
    (*this)(metadata("process_name", process, 0, "name", trace_text(name)));
    (*this)(metadata("process_sort_index", process, 0, "sort_index", std::to_string(place)));
}

void TraceEvents::name_thread(int process, int thread, std::string_view name, int place) {
    (*this)(metadata("thread_name", process, thread, "name", trace_text(name)));
    (*this)(metadata("thread_sort_index", process, thread, "sort_index", std::to_string(place)));
}

} // namespace meshslice
