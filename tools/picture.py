"""A picture of some frames of a run: python3 tools/picture.py RUN.npz OUT.png [FRAME ...]

Needs numpy and matplotlib. Triangles are sorted by depth and shaded by their normals; the checks are cut from uv, so
stretch and shear can be seen."""
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import PolyCollection

run, out = sys.argv[1:3]
data = np.load(run)
positions, triangles, rest = data["positions"], data["triangles"], data["rest"]
frames = [int(f) for f in sys.argv[3:]] or [0, len(positions) // 6, len(positions) // 3, len(positions) - 1]

# seen from the front, a little from the right and from above
turn, tilt = np.radians(-35), np.radians(15)
ry = np.array([[np.cos(turn), 0, np.sin(turn)], [0, 1, 0], [-np.sin(turn), 0, np.cos(turn)]])
rx = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
view = rx @ ry
seen = positions[frames] @ view.T
light = np.array([0.35, 0.75, 0.6])
light /= np.linalg.norm(light)

middle = rest[triangles].mean(axis=1)
check = (np.floor(middle[:, 0] / 0.1) + np.floor(middle[:, 1] / 0.1)).astype(int) % 2
front = np.where(check[:, None], [0.82, 0.36, 0.30], [0.93, 0.88, 0.80])
back = np.where(check[:, None], [0.42, 0.44, 0.55], [0.62, 0.64, 0.72])

figure, axes = plt.subplots(1, len(frames), figsize=(3 * len(frames), 3.4), facecolor="white")
for axis, frame, x in zip(np.atleast_1d(axes), frames, seen):
    corners = x[triangles]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    colour = np.where(normal[:, 2:] > 0, front, back)
    bright = 0.45 + 0.55 * np.abs(normal @ light)
    order = np.argsort(corners[:, :, 2].mean(axis=1))
    faces = PolyCollection(corners[order][:, :, :2], facecolors=(colour * bright[:, None])[order], edgecolors="face", linewidths=0.3)
    axis.add_collection(faces)
    low, high = seen[..., :2].min(axis=(0, 1)), seen[..., :2].max(axis=(0, 1))
    pad = 0.04 * (high - low).max()
    axis.set_xlim(low[0] - pad, high[0] + pad)
    axis.set_ylim(low[1] - pad, high[1] + pad)
    axis.set_aspect("equal")
    axis.axis("off")
    axis.set_title(f"{data['times'][frame]:.2f} s", fontsize=10)
plt.tight_layout()
plt.savefig(out, dpi=90)
