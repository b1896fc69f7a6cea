"""host.py: loads what the config names and runs it."""

import importlib
import traceback

CONFIG = {"plugins": ["translate"]}


class PluginError(RuntimeError):
    pass


def start(name):
    module = importlib.import_module(name)
    try:
        return module.setup()
    except Exception as error:
        raise PluginError(f"plugin {name} could not be set up") from error


def main():
    running = {}
    for name in CONFIG["plugins"]:
        try:
            running[name] = start(name)
        except PluginError:
            traceback.print_exc()
            raise SystemExit(f"{name}: failed, see above") from None
    print({name: plugin.run("17 3 5") for name, plugin in running.items()})


main()
