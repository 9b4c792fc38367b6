from typing import Any, Dict

system_configs: Dict[str, Dict[str, Any]] = {
    'Small_GPU': {'Flops': 100, 'Memory_size': 24, 'Memory_BW': 800, 'ICN': 50, 'real_values': True},
    # with a latency
    'Large_GPU': {'Flops': 250, 'Memory_size': 48, 'Memory_BW': 1200, 'ICN': 300, 'ICN_LL': 2, 'real_values': True,
                  'release_year': 2024},
}
