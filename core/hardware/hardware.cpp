#include "core/hardware/hardware.h"

#include "core/base/embedded_resources.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/hardware/cluster.h"

#include <fmt/format.h>

#include <cassert>

namespace meshslice {

const std::vector<Hardware>& hardware_presets() {
    static const std::vector<Hardware> presets = [] {
        std::vector<Hardware> read;
        for (const EmbeddedFile& file : embedded_hardware()) {
            const Result<Hardware> hardware = read_hardware(file.text, std::string(file.name));
            assert(hardware && "a preset that comes with the program must be readable");
            if (hardware) {
                read.push_back(*hardware);
            }
        }
        return read;
    }();
    return presets;
}

Result<Hardware> hardware_preset(std::string_view name) {
    std::string names;
    for (const Hardware& hardware : hardware_presets()) {
        if (hardware.name == name) {
            return hardware;
        }
        names += (names.empty() ? "" : ", ") + hardware.name;
    }
    if (const Result<Hardware> other = cluster(name)) { // no torus: it would be a preset
        const std::string planned =
            name.find("-nvs") == std::string_view::npos ? other->name + "-nvs8" : other->name;
        return refuse(
            say("{} is a cluster of fast domains, and a torus was expected, one of {}; `meshslice plan "
                "--cluster {}` plans for it.",
                other->name, names, planned));
    }
    return refuse(say("There is no hardware called \"{}\"; the names are {}.", shortened(name), names));
}

} // namespace meshslice
