"""Runs the rows of `rows.toml`, each in a process of its own on one core, and prints a table for each size."""

import argparse
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
HEAD = ("program", "settings", "CPU ms/frame", "ratio", "grid edges", "diagonals", "energy at 3 s",
        "fall at 0.25, 0.5, 1, 2 s")


def arguments():
    parser = argparse.ArgumentParser(prog="bench/peers/run", description="Taffeta and other simulators on one scene.")
    parser.add_argument("--sizes", default="41,101", help="vertices a side [41,101]")
    parser.add_argument("--only", help="these peers only, such as taffeta,mujoco")
    parser.add_argument("--taffeta", action="append", default=[], metavar="'KEY=VALUE ...'",
                        help="one more row of Taffeta with these values of the scene; can be given several times")
    parser.add_argument("--limit", type=float, default=900, help="seconds for a row at most [900]")
    parser.add_argument("--repeat", type=int, default=1, help="runs of each row, of which the fastest counts [1]")
    return parser.parse_args()


def rows(options):
    known = tomllib.loads((HERE / "rows.toml").read_text())["row"]
    known += [{"peer": "taffeta", "name": values, "set": values.split()} for values in options.taffeta]
    only = options.only.split(",") if options.only else {row["peer"] for row in known}
    return [row for row in known if row["peer"] in only]


def run(row, size, limit):
    """The figures of a row, or why there are none."""
    home = Path(os.environ["PEERS"], row["peer"])
    if not (home / "installed").exists():
        return "not installed: " + (home / "pip.log").read_text().strip().splitlines()[-1]
    settings = {key: value for key, value in row.items() if key not in ("peer", "name", "sizes")}
    command = [home / "bin" / "python", HERE / f"peer_{row['peer']}.py", str(size), json.dumps(settings)]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, env=environment, cwd=home, capture_output=True, text=True,
                              timeout=limit)
    except subprocess.TimeoutExpired:
        return f"takes more than {limit:.0f} s"
    if done.returncode != 0:
        return "failed: " + (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
    return json.loads(done.stdout.strip().splitlines()[-1])


def fastest(results):
    return min(results, key=lambda result: float("inf") if isinstance(result, str) else result["ms"])


def percent(share):
    return f"{100 * share:.{1 if share >= 0.01 else 2}f} %"


def cells(row, result, base):
    if isinstance(result, str):
        return [row["peer"], row["name"], result, *[""] * 5]
    first = [f"{row['peer']} {result['version']}", row["name"], f"{result['ms']:.1f}", f"{result['ms'] / base:.2f}"]
    if not result["finite"]:
        return [*first, "not finite", "", "", ""]
    energy = f"{'' if result['velocities'] else '≥ '}{result['energy']:.2f} J"
    fall = ", ".join(f"{value:.3f}" for value in result["fall"])
    return [*first, percent(result["grid"]), percent(result["diagonal"]), energy, f"{fall} m"]


def main():
    options = arguments()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    for size in map(int, options.sizes.split(",")):
        print(f"\n{size} x {size} vertices\n")
        print("| " + " | ".join(HEAD) + " |\n" + "|---" * len(HEAD) + "|", flush=True)
        base = None
        for row in rows(options):
            if size not in row.get("sizes", [size]):
                continue
            result = fastest([run(row, size, options.limit) for _ in range(options.repeat)])
            if base is None and not isinstance(result, str):
                base = result["ms"]
            print("| " + " | ".join(cells(row, result, base)) + " |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
