#include "core/machine/machine.h"

#include "core/base/embedded_resources.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/machine/cluster.h"

#include <fmt/format.h>

#include <cassert>

namespace meshslice {

const std::vector<Machine>& hardware_presets() {
    static const std::vector<Machine> presets = [] {
        std::vector<Machine> read;
        for (const EmbeddedFile& file : embedded_hardware()) {
            const Result<Machine> hardware = read_machine(file.text, std::string(file.name));
            assert(hardware && "a preset that comes with the program must be readable");
            if (hardware) {
                read.push_back(*hardware);
            }
        }
        return read;
    }();
    return presets;
}

Result<Machine> hardware_preset(std::string_view name) {
    std::string names;
    for (const Machine& hardware : hardware_presets()) {
        if (hardware.name == name) {
            return hardware;
        }
        names += (names.empty() ? "" : ", ") + hardware.name;
    }
    if (const Result<Machine> other = cluster(name)) { // no torus: it would be a preset
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
