"""The scene that every simulator gets, and the figures that are taken from its frames.

A sheet of 1 m x 1 m, level and at rest, held at two neighbouring corners, falls in a vacuum. y is up.
A peer is a file with `simulate(sheet, settings) -> Motion`; `main` makes a program of it.
"""

import json
import sys
import time
from dataclasses import dataclass

import numpy as np

DENSITY = 0.2       # kg/m²
BEND = 5e-6         # N m
STRETCH = 5000.0    # N/m; free in this comparison, the same for all who can take it
GRAVITY = 9.81      # m/s²
FPS = 60
FRAMES = 180
HEIGHTS = (0.25, 0.5, 1.0, 2.0)     # s, when the fall of the centre of mass is told


class Sheet:
    """n x n vertices, row by row; cells are cut into triangles with diagonals like a chess board."""

    def __init__(self, n):
        self.n = n
        side = np.linspace(-0.5, 0.5, n)
        self.points = np.array([[x, 0.0, z] for z in side for x in side])
        self.pins = [0, n - 1]
        at = np.arange(n * n).reshape(n, n)
        a, b, c, d = (part.ravel() for part in (at[:-1, :-1], at[:-1, 1:], at[1:, :-1], at[1:, 1:]))
        rows, columns = np.divmod(np.arange((n - 1) ** 2), n - 1)
        even = ((rows + columns) % 2 == 0)[:, None]
        first = np.where(even, np.stack([a, d, b], axis=1), np.stack([a, c, b], axis=1))
        second = np.where(even, np.stack([a, c, d], axis=1), np.stack([b, c, d], axis=1))
        self.triangles = np.concatenate([first, second])
        self.diagonals = np.where(even, np.stack([a, d], axis=1), np.stack([b, c], axis=1))
        across = np.stack([at[:, :-1].ravel(), at[:, 1:].ravel()], axis=1)
        along = np.stack([at[:-1].ravel(), at[1:].ravel()], axis=1)
        self.grid_edges = np.concatenate([across, along])

    def masses(self):
        """A third of each triangle to each of its corners."""
        p = self.points[self.triangles]
        areas = np.linalg.norm(np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), axis=1) / 2
        masses = np.zeros(len(self.points))
        for corner in range(3):
            np.add.at(masses, self.triangles[:, corner], DENSITY * areas / 3)
        return masses


@dataclass
class Motion:
    frames: np.ndarray      # positions, (FRAMES + 1) x vertices x 3, the first of them at rest
    masses: np.ndarray
    cpu: float              # s of user and system time, all threads, of the simulation alone
    version: str
    kinetic: float | None = None    # J at the end, if the simulator tells its velocities


class Clock:
    """Adds up the CPU time of this process inside `with` blocks."""

    def __init__(self):
        self.cpu = 0.0

    def __enter__(self):
        self.begin = time.process_time()

    def __exit__(self, *_):
        self.cpu += time.process_time() - self.begin


def kinetic(masses, velocities):
    return float(masses @ np.sum(np.asarray(velocities) ** 2, axis=1) / 2)


def elongation(frames, edges):
    """The largest of all edges in all frames, as a share of the first length."""
    lengths = [np.linalg.norm(x[edges[:, 0]] - x[edges[:, 1]], axis=1) for x in frames]
    return max(float(np.max(now / lengths[0])) - 1 for now in lengths)


def measure(sheet, motion):
    """What the table shows. Where velocities are not told, the mean ones of the last frame miss fast vibration."""
    x, masses = np.asarray(motion.frames, dtype=float), motion.masses
    result = {"version": motion.version, "ms": 1000 * motion.cpu / FRAMES, "finite": bool(np.isfinite(x).all())}
    if not result["finite"]:
        return result
    fall = -(x[:, :, 1] - x[0, :, 1]) @ masses / masses.sum()
    result["velocities"] = motion.kinetic is not None
    fallen, moving = fall[-1], motion.kinetic
    if moving is None:
        fallen, moving = (fall[-1] + fall[-2]) / 2, kinetic(masses, (x[-1] - x[-2]) * FPS)
    result["energy"] = float(moving - masses.sum() * GRAVITY * fallen)
    result["grid"] = elongation(x, sheet.grid_edges)
    result["diagonal"] = elongation(x, sheet.diagonals)
    result["fall"] = [float(fall[round(t * FPS)]) for t in HEIGHTS]
    return result


def main(simulate):
    """`PEER.py VERTICES SETTINGS` with settings in JSON; prints the figures in JSON as its last line."""
    sheet = Sheet(int(sys.argv[1]))
    motion = simulate(sheet, json.loads(sys.argv[2]))
    assert motion.frames.shape == (FRAMES + 1, len(sheet.points), 3)
    print(json.dumps(measure(sheet, motion)))
