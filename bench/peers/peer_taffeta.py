"""Taffeta by its command: `scene.toml` with the overrides of `settings["set"]`, on one thread."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from sheet import Motion, main

HERE = Path(__file__).resolve().parent


def simulate(sheet, settings):
    program = os.environ["TAFFETA"]
    cells = sheet.n - 1
    sets = [f"cloth.grid.cells=[{cells},{cells}]", *settings.get("set", [])]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "run")
        command = [program, "run", str(HERE / "scene.toml"), "--out", str(out), "--threads", "1", "--quiet",
                   "--no-still", "--export", "npz"]
        subprocess.run([*command, *(word for value in sets for word in ("--set", value))], check=True)
        report = json.loads((out / "report.json").read_text())
        last = json.loads((out / "frames.jsonl").read_text().splitlines()[-1])
        export, = out.rglob("*.npz")
        frames = np.load(export)["positions"]
    assert np.allclose(frames[0], sheet.points), "vertices are numbered in another way"
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.split()[-1]
    return Motion(frames, sheet.masses(), report["totals"]["simulate_cpu_ms"] / 1000, version, last["kinetic"])


if __name__ == "__main__":
    main(simulate)
