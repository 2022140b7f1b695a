#!/usr/bin/env python3
"""Lets Blender make an animated body, and compares what this program reads from its files with what Blender shows.

    cargo build --release -p taffeta-files --examples
    python3 tools/check_reading.py            status 1 if anything differs

The body is a tube with two bones that bend, a shape key that swells, and a parent that walks, turns and grows, exported
as .glb, as .gltf with a buffer beside it, as a sequence of OBJ files, as .obj and as .ply (text and binary).
Needs Python 3.11 and `pip install bpy numpy`.
"""
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import bpy
import numpy as np

SAMPLE = Path(__file__).resolve().parent.parent / "target/release/examples/sample"
FPS, LAST = 24, 24
failed = []


def check(name, found, expected, tolerance):
    """Vertices come in any order and may be split at seams: every one must be near one of the other side."""
    found, expected = np.asarray(found), np.asarray(expected)
    distance = np.linalg.norm(found[:, None] - expected[None], axis=2)
    error = max(distance.min(0).max(), distance.min(1).max())
    verdict = "ok  " if error <= tolerance else "FAIL"
    counts = f"{len(found)} and {len(expected)} vertices"
    print(f"{verdict} {name}: {counts}, largest difference {error:.1e} m")
    if error > tolerance:
        failed.append(name)


def sample(path, times, *options):
    output = subprocess.run([SAMPLE, path, *options, *map(str, times)], capture_output=True, text=True, check=True)
    return json.loads(output.stdout)


def build():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = FPS, 0, LAST
    bpy.ops.mesh.primitive_cylinder_add(vertices=12, radius=0.2, depth=2.0, location=(0, 0, 1))
    tube = bpy.context.object
    bpy.ops.object.transform_apply(location=True)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.subdivide(number_cuts=6)
    bpy.ops.object.mode_set(mode="OBJECT")
    tube.shape_key_add(name="Basis")
    swell = tube.shape_key_add(name="swell")
    for point in swell.data:
        point.co = point.co * 1.0 + point.co.normalized() * 0.1
    for frame, value in [(0, 0.0), (12, 1.0), (LAST, 0.3)]:
        swell.value = value
        swell.keyframe_insert("value", frame=frame)

    bpy.ops.object.armature_add(location=(0, 0, 0))
    rig = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    bones[0].tail = (0, 0, 1)
    upper = bones.new("upper")
    upper.head, upper.tail, upper.parent = (0, 0, 1), (0, 0, 2), bones[0]
    bpy.ops.object.mode_set(mode="POSE")
    pose = rig.pose.bones["upper"]
    pose.rotation_mode = "QUATERNION"
    for frame, angle in [(0, 0.0), (12, 60.0), (LAST, -40.0)]:
        half = math.radians(angle) / 2
        pose.rotation_quaternion = (math.cos(half), math.sin(half), 0, 0)
        pose.keyframe_insert("rotation_quaternion", frame=frame)
    bpy.ops.object.mode_set(mode="OBJECT")
    for group, low, high in [(rig.data.bones[0].name, -9, 1), ("upper", 1, 9)]:
        vertices = tube.vertex_groups.new(name=group)
        for v in tube.data.vertices:
            weight = 0.5 if abs(v.co.z - 1) < 0.2 else float(low < v.co.z < high)
            if weight:
                vertices.add([v.index], weight, "REPLACE")
    tube.modifiers.new("rig", "ARMATURE").object = rig
    tube.parent = rig

    bpy.ops.object.empty_add(location=(0, 0, 0))
    parent = bpy.context.object
    rig.parent = parent
    for frame, x, turn, size in [(0, 0.0, 0.0, 1.0), (12, 1.0, 45.0, 1.5), (LAST, 3.0, 90.0, 2.0)]:
        parent.location, parent.rotation_euler, parent.scale = (x, 0.5, 0), (0, 0, math.radians(turn)), (size,) * 3
        for path in ["location", "rotation_euler", "scale"]:
            parent.keyframe_insert(path, frame=frame)
    return tube


def shown(obj, frame):
    """World positions as Blender evaluates them, with y up."""
    bpy.context.scene.frame_set(frame)
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    x = np.array([evaluated.matrix_world @ v.co for v in mesh.vertices])
    evaluated.to_mesh_clear()
    return np.column_stack([x[:, 0], x[:, 2], -x[:, 1]])


def main():
    tube = build()
    frames = [0, 5, 12, 17, LAST]
    expected = {frame: shown(tube, frame) for frame in range(LAST + 1)}
    times = [frame / FPS for frame in frames]
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        options = dict(export_animation_mode="SCENE", export_anim_scene_split_object=False)
        bpy.ops.export_scene.gltf(filepath=str(folder / "a.glb"), **options)
        bpy.ops.export_scene.gltf(filepath=str(folder / "b.gltf"), export_format="GLTF_SEPARATE", **options)
        for name in ["a.glb", "b.gltf"]:
            for frame, x in zip(frames, sample(folder / name, times)):
                # quaternions and weights are 32-bit floats, and the tube is up to 5 m from the origin
                check(f"{name}, frame {frame}", x, expected[frame], 1e-5)
        (folder / "sequence").mkdir()
        bpy.context.scene.frame_set(0)
        sequence = str(folder / "sequence/tube.obj")
        bpy.ops.wm.obj_export(filepath=sequence, export_animation=True, start_frame=0, end_frame=LAST)
        for frame, x in zip(frames, sample(folder / "sequence", times, "--fps", str(FPS))):
            check(f"OBJ sequence, frame {frame}", x, expected[frame], 2e-6)
        bpy.context.scene.frame_set(12)
        bpy.ops.wm.obj_export(filepath=str(folder / "c.obj"))
        check("c.obj", sample(folder / "c.obj", [0])[0], expected[12], 2e-6)
        for text in [False, True]:
            path = str(folder / "d.ply")
            bpy.ops.wm.ply_export(filepath=path, ascii_format=text, up_axis="Y", forward_axis="NEGATIVE_Z")
            check(f"d.ply, {'text' if text else 'binary'}", sample(folder / "d.ply", [0])[0], expected[12], 2e-6)
    print(f"Blender {bpy.app.version_string}: " + (f"{len(failed)} failed" if failed else "all is well"))
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
