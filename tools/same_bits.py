#!/usr/bin/env python3
"""Results to the last bit: what one build of taffeta computes, and whether another computes the same.

    tools/same_bits.py record target/release/taffeta before.json
    tools/same_bits.py compare target/release/taffeta before.json

Hashes the positions of every built-in scene (60 frames at most, on 1 and on 2 threads) and of every method on two
scenes, one with contact. A run that fails or is refused counts with its status and the frames that it has. Takes about
ten minutes.
"""
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile

FRAMES = 60
# coarse, so that explicit methods take seconds
METHOD_SCENES = {
    "hang": ["cloth.grid.cells=[12,12]"],
    "ball": ["cloth.grid.cells=[12,12]"],
}


def call(binary, *args):
    return subprocess.run([binary, *args], capture_output=True, text=True)


def run(binary, folder, scene, threads, overrides):
    fps = 60
    checked = call(binary, "check", scene, "--json", *sum((["--set", o] for o in overrides), []))
    found = json.loads(checked.stdout) if checked.stdout else {}
    if "frames" in found and found["frames"] > FRAMES:
        fps = found["frames"] / found["duration"]
        overrides = [*overrides, f"time.duration={FRAMES / fps!r}"]
    out = pathlib.Path(folder) / "run"
    options = sum((["--set", o] for o in overrides), [])
    done = call(binary, "run", scene, "--out", str(out), "--force", "--quiet", "--threads", str(threads), *options)
    positions = out / "positions.bin"
    if done.returncode not in (0, 3) or not positions.exists():
        return f"status {done.returncode}"
    digest = hashlib.sha256(positions.read_bytes()).hexdigest()[:16]
    return f"{digest} status {done.returncode}"


def tasks(binary):
    scenes = [scene["name"] for scene in json.loads(call(binary, "scenes", "--json").stdout)["scenes"]]
    for scene in scenes:
        for threads in (1, 2):
            yield f"{scene}, {threads} threads", scene, threads, []
    methods = [method["name"] for method in json.loads(call(binary, "methods", "--json").stdout)["methods"]]
    for method in methods:
        for scene, overrides in METHOD_SCENES.items():
            yield f"{scene} by {method}", scene, 2, [*overrides, f'method={{name="{method}"}}']


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("record", "compare"):
        sys.exit(__doc__)
    _, what, binary, file = sys.argv
    binary = str(pathlib.Path(binary).resolve())
    before = json.loads(pathlib.Path(file).read_text()) if what == "compare" else {}
    found, changed = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for name, scene, threads, overrides in tasks(binary):
            found[name] = run(binary, folder, scene, threads, overrides)
            differs = what == "compare" and before.get(name) != found[name]
            changed += differs
            print(f"{name}: {found[name]}" + (f"  WAS {before.get(name)}" if differs else ""), flush=True)
    missing = [name for name in before if name not in found]
    if what == "record":
        pathlib.Path(file).write_text(json.dumps(found, indent=1) + "\n")
        return
    for name in missing:
        print(f"{name}: MISSING, was {before[name]}")
    print(f"{len(found)} compared, {changed} differ, {len(missing)} missing")
    sys.exit(1 if changed or missing else 0)


if __name__ == "__main__":
    main()
