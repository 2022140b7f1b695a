#!/usr/bin/env python3
"""Opens the exports of a run with the programs of others and compares what they see with the run itself.

    cargo run --release -p taffeta-files --example export -- runs/hang out
    python3 tools/check_formats.py runs/hang out             status 1 if anything differs
    python3 tools/check_formats.py runs/hang out --blender   also through Blender's own importers

Needs Python 3.11 and `pip install numpy usd-core trimesh pillow`; for glTF also `npm install gltf-validator` (set
NODE_PATH);
for --blender `pip install bpy`. The npz is compared with positions.bin bit for bit; all others hold 32-bit floats and
may differ by what these round off. Exports may have bodies behind the cloths, and only some of the frames.
"""
import argparse
import json
import re
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np

# a 32-bit float keeps 24 bits; positions are of the order of 1 m, and glTF adds two of them
ROUNDING = 3e-7
failed = []


def check(name, good, figures=""):
    print(f"{'ok  ' if good else 'FAIL'} {name}{': ' + figures if figures else ''}")
    if not good:
        failed.append(name)


def close(name, found, expected, tolerance=ROUNDING):
    found, expected = np.asarray(found, float), np.asarray(expected, float)
    if found.shape != expected.shape:
        check(name, False, f"shape {found.shape}, expected {expected.shape}")
        return
    error = float(np.abs(found - expected).max())
    check(name, error <= tolerance * max(1.0, float(np.abs(expected).max())), f"largest difference {error:.1e} m")


def read_cache(path):
    """positions.bin as crates/taffeta-files/src/cache/mod.rs describes it."""
    data = path.read_bytes()
    magic, version, cloths, vertices, triangles, fps, first, _, crc = struct.unpack_from("<8sIIQQdQII", data)
    assert magic == b"TAFFETA\x1a" and version == 1 and crc == zlib.crc32(data[:52])
    at, parts = 56, []
    for _ in range(cloths):
        v0, v1, t0, t1, length = struct.unpack_from("<QQQQI", data, at)
        parts.append((data[at + 36 : at + 36 + length].decode(), v0, v1, t0, t1))
        at += 36 + length
    at += 24 * vertices
    faces = np.frombuffer(data, "<u4", 3 * triangles, at).reshape(-1, 3)
    uv = np.frombuffer(data, "<f8", 6 * triangles, at + 12 * triangles).reshape(-1, 3, 2)
    size = 20 + 24 * vertices
    frames = []
    for k in range((len(data) - first) // size):
        record = data[first + k * size : first + (k + 1) * size]
        assert struct.unpack_from("<I", record, size - 4)[0] == zlib.crc32(record[:-4])
        frames.append(np.frombuffer(record, "<f8", 3 * vertices, 16).reshape(-1, 3))
    return parts, faces, uv, fps, np.array(frames)


class Run:
    """The run, and which of its frames were exported."""

    def __init__(self, folder, out):
        self.parts, self.triangles, self.uv, self.fps, frames = read_cache(folder / "positions.bin")
        archive = next(out.glob("*.npz"))
        self.name = archive.stem
        with np.load(archive) as npz:
            self.numbers = np.rint(npz["times"] * self.fps).astype(int)
            check("npz: positions are those of positions.bin bit for bit",
                  np.array_equal(npz["positions"], frames[self.numbers]),
                  f"numpy {np.__version__}, {npz['positions'].shape}")
            check("npz: triangles", np.array_equal(npz["triangles"], self.triangles))
            offsets = [v0 for _, v0, *_ in self.parts] + [frames.shape[1]]
            check("npz: cloth_offsets", npz["cloth_offsets"].tolist() == offsets)
        self.frames = frames[self.numbers]
        self.picked = sorted({0, len(self.numbers) // 2, len(self.numbers) - 1})


def check_usd(run, path):
    from pxr import Usd, UsdGeom, UsdShade, UsdValidation

    stage = Usd.Stage.Open(str(path))
    version = ".".join(map(str, Usd.GetVersion()))
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    errors = UsdValidation.ValidationContext(validators).Validate(stage)
    check("usd: valid", not errors, f"USD {version}, {len(validators)} validators, {len(errors)} complaints"
          + "".join(f"; {e.GetMessage()}" for e in errors))
    check("usd: metres, y up", UsdGeom.GetStageMetersPerUnit(stage) == 1.0 and UsdGeom.GetStageUpAxis(stage) == "Y")
    check("usd: frames", (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (run.numbers[0], run.numbers[-1])
          and stage.GetTimeCodesPerSecond() == run.fps, f"{len(run.numbers)} at {run.fps:g} a second")
    root = stage.GetDefaultPrim()
    check("usd: default prim", bool(root) and root.IsA(UsdGeom.Xform))
    meshes = [UsdGeom.Mesh(p) for p in root.GetChildren() if p.IsA(UsdGeom.Mesh)][: len(run.parts)]
    for mesh, (name, v0, v1, t0, t1) in zip(meshes, run.parts):
        label = f"usd `{name}`"
        samples = mesh.GetPointsAttr().GetTimeSamples() if len(run.numbers) > 1 else run.numbers
        check(f"{label}: samples", list(samples) == list(run.numbers))
        for k in run.picked:
            time = Usd.TimeCode(float(run.numbers[k]))
            points = np.array(mesh.GetPointsAttr().Get(time), float)
            close(f"{label}: points of frame {run.numbers[k]}", points, run.frames[k, v0:v1])
            extent = np.array(mesh.GetExtentAttr().Get(time), float)
            check(f"{label}: extent of frame {run.numbers[k]}",
                  np.array_equal(extent, [points.min(0), points.max(0)]))
            normals = mesh.GetNormalsAttr().Get(time)
            if normals is not None:
                check(f"{label}: normals of frame {run.numbers[k]}", len(normals) == v1 - v0
                      and np.abs(np.linalg.norm(np.array(normals), axis=1) - 1).max() < 1e-3)
        check(f"{label}: triangles", np.array_equal(np.array(mesh.GetFaceVertexIndicesAttr().Get()).reshape(-1, 3),
              run.triangles[t0:t1] - v0) and set(mesh.GetFaceVertexCountsAttr().Get()) == {3})
        st = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("st")
        check(f"{label}: st is face-varying", st.GetInterpolation() == "faceVarying")
        close(f"{label}: st", np.array(st.ComputeFlattened()).reshape(-1, 3, 2), run.uv[t0:t1])
        material, _ = UsdShade.MaterialBindingAPI(mesh).ComputeBoundMaterial()
        check(f"{label}: material", bool(material) and bool(material.ComputeSurfaceSource()[0]))
        check(f"{label}: double-sided, not subdivided", mesh.GetDoubleSidedAttr().Get()
              and mesh.GetSubdivisionSchemeAttr().Get() == "none")
    bodies = [p for p in root.GetChildren() if p.IsA(UsdGeom.Gprim)][len(run.parts):]
    if bodies:
        cache = UsdGeom.BBoxCache(Usd.TimeCode(float(run.numbers[0])), ["default"])
        good = [not cache.ComputeWorldBound(p).ComputeAlignedRange().IsEmpty() for p in bodies]
        check("usd: bodies have bounds", all(good), ", ".join(f"{p.GetName()} ({p.GetTypeName()})" for p in bodies))


def check_sequence(run, folder, ending):
    import trimesh

    for k in run.picked:
        path = folder / f"{run.name}.{run.numbers[k]:04d}.{ending}"
        options = dict(split_object=False, group_material=False, maintain_order=True) if ending == "obj" else {}
        mesh = trimesh.load(path, process=False, force="mesh", **options)
        found, expected = np.asarray(mesh.vertices), run.frames[k]
        label = f"{ending}: frame {run.numbers[k]} by trimesh {trimesh.__version__}"
        # bodies stand behind the cloths; uv in lists of the faces make trimesh put the vertices in another order
        if b"texcoord" not in path.read_bytes()[:500]:
            close(label, found[: len(expected)], expected, 1e-12 if ending == "obj" else ROUNDING)
        corners = found[np.asarray(mesh.faces)[: len(run.triangles)]]
        close(f"{label}, corners", corners, expected[run.triangles], 1e-12 if ending == "obj" else ROUNDING)


def check_glb(run, path):
    import trimesh

    script = Path(__file__).with_name("check_gltf.js")
    try:
        output = subprocess.run(["node", script, path], capture_output=True, text=True, check=True).stdout
        for report in json.loads(output):
            issues = report["issues"]
            counts = [issues["numErrors"], issues["numWarnings"], issues["numInfos"]]
            text = "; ".join(f"{m['code']}: {m['message']}" for m in issues["messages"][:5] if m["severity"] < 2)
            check("glb: Khronos validator", counts[:2] == [0, 0],
                  f"glTF validator {report['version']}, errors, warnings, infos {counts} {text}")
    except (OSError, subprocess.CalledProcessError) as error:
        check("glb: Khronos validator", False, f"did not run: {getattr(error, 'stderr', error)}")

    scene = trimesh.load(path, process=False)
    for name, v0, v1, t0, t1 in run.parts:
        mesh = scene.geometry[name]
        close(f"glb `{name}`: first frame by trimesh", mesh.vertices[: v1 - v0], run.frames[0, v0:v1])
        close(f"glb `{name}`: corners by trimesh", mesh.vertices[mesh.faces], run.frames[0][run.triangles[t0:t1]])
    # by hand: the targets and their weights
    data = path.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    document, binary = json.loads(data[20 : 20 + length]), data[20 + length + 8 :]

    def floats(index, width):
        accessor = document["accessors"][index]
        at = document["bufferViews"][accessor["bufferView"]].get("byteOffset", 0) + accessor.get("byteOffset", 0)
        return np.frombuffer(binary, "<f4", accessor["count"] * width, at).reshape(-1, width)

    if len(run.numbers) == 1:
        return
    sampler = document["animations"][0]["samplers"][0]
    times = floats(sampler["input"], 1)[:, 0]
    close("glb: times", times, run.numbers / run.fps)
    weights = floats(sampler["output"], 1).reshape(len(times), -1)
    for i, (name, v0, v1, *_) in enumerate(run.parts):
        primitive = document["meshes"][i]["primitives"][0]
        base = floats(primitive["attributes"]["POSITION"], 3).astype(float)
        for k in run.picked:
            x = base + sum(w * floats(t["POSITION"], 3) for w, t in zip(weights[k], primitive["targets"]) if w)
            close(f"glb `{name}`: frame {run.numbers[k]} from weights and targets", x[: v1 - v0], run.frames[k, v0:v1])


def read_points(path):
    data = path.read_bytes()
    if path.suffix == ".pc2":
        magic, version, points, start, rate, samples = struct.unpack_from("<12siiffi", data)
        assert magic == b"POINTCACHE2\0" and version == 1 and start == 0.0 and len(data) == 32 + 12 * points * samples
        return np.arange(samples) * rate, np.frombuffer(data, "<f4", -1, 32).reshape(samples, points, 3)
    frames, points = struct.unpack_from(">ii", data)
    times = np.frombuffer(data, ">f4", frames, 8)
    return times, np.frombuffer(data, ">f4", 3 * points * frames, 8 + 4 * frames).reshape(frames, points, 3)


def file_name(name):
    """As it is written: characters that some file systems refuse are replaced."""
    return re.sub(r"[^A-Za-z0-9_.\-\u0080-\U0010ffff]", "_", name)


def check_points(run, folder, ending):
    for name, v0, v1, t0, t1 in run.parts:
        name = file_name(name)
        times, positions = read_points(folder / f"{name}.{ending}")
        close(f"{ending} `{name}`: all frames", positions, run.frames[:, v0:v1])
        numbers = times if ending == "pc2" else times * run.fps
        first = run.numbers[0] if ending == "pc2" else 0
        check(f"{ending} `{name}`: times", np.allclose(numbers, run.numbers - first))
        lines = [line.split() for line in (folder / f"{name}.obj").read_text().splitlines()]
        vertices = [list(map(float, line[1:])) for line in lines if line and line[0] == "v"]
        faces = [[int(c.split("/")[0]) - 1 for c in line[1:]] for line in lines if line and line[0] == "f"]
        close(f"{ending} `{name}`: its OBJ has the first frame", vertices, run.frames[0, v0:v1], 1e-12)
        check(f"{ending} `{name}`: its OBJ has the triangles", np.array_equal(faces, run.triangles[t0:t1] - v0))


def check_blender(run, out):
    import bpy
    import mathutils

    # Blender has z up: (x, y, z) here is (x, -z, y) there
    turned = mathutils.Matrix(((1, 0, 0, 0), (0, 0, -1, 0), (0, 1, 0, 0), (0, 0, 0, 1)))
    version = bpy.app.version_string

    def positions(obj):
        evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
        mesh = evaluated.to_mesh()
        world = np.array(turned.inverted() @ evaluated.matrix_world)
        x = np.empty(3 * len(mesh.vertices), np.float32)
        mesh.vertices.foreach_get("co", x)
        evaluated.to_mesh_clear()
        x = x.reshape(-1, 3).astype(float)
        return x @ world[:3, :3].T + world[:3, 3]

    def find(name):
        # USD allows letters, digits and _ only; `sheet.001` is Blender's way to keep names apart
        plain = re.sub(r"[^A-Za-z0-9_]", "_", name)
        names = {name, plain, "_" + plain}
        named = [o for o in bpy.data.objects if o.type == "MESH" and names & {o.name, o.name.rsplit(".", 1)[0]}]
        if not named:
            check(f"blender: object `{name}`", False, f"there are {[o.name for o in bpy.data.objects]}")
        return named[0] if named else None

    def compare(label, frame_of, tolerance=3e-6):
        for name, v0, v1, *_ in run.parts:
            obj = find(name)
            for k in run.picked if obj else []:
                frame = frame_of(k)
                bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
                found = positions(obj)[: v1 - v0]
                what = f"blender {version}, {label} `{name}`: frame {run.numbers[k]}"
                close(what, found, run.frames[k, v0:v1], tolerance)

    def fresh():
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.context.scene.render.fps = round(run.fps)

    for path in out.glob("*.usda"):
        fresh()
        bpy.ops.wm.usd_import(filepath=str(path))
        compare("usd", lambda k: float(run.numbers[k]))
        kinds = [(o.name, len(o.data.vertices)) for o in bpy.data.objects if o.type == "MESH"]
        print("     objects from usd:", kinds)
        mesh = find(run.parts[0][0])
        has_both = mesh is not None and len(mesh.data.uv_layers) == 1 and len(mesh.data.materials) == 1
        check("blender: usd has uv and a material", has_both)
    for path in out.glob("*.glb"):
        fresh()
        bpy.ops.import_scene.gltf(filepath=str(path), merge_vertices=False)
        compare("glb", lambda k: run.numbers[k] / run.fps * bpy.context.scene.render.fps)
    for k in run.picked:
        fresh()
        bpy.ops.wm.obj_import(filepath=str(out / "obj" / f"{run.name}.{run.numbers[k]:04d}.obj"))
        for name, v0, v1, *_ in run.parts:
            obj = find(name)
            if obj:
                what = f"blender {version}, obj `{name}`: frame {run.numbers[k]}"
                close(what, positions(obj), run.frames[k, v0:v1], 3e-6)
    fresh()
    first = out / "ply" / f"{run.name}.{run.numbers[0]:04d}.ply"
    bpy.ops.wm.ply_import(filepath=str(first), forward_axis="NEGATIVE_Z", up_axis="Y")
    x = positions(bpy.context.selected_objects[0])
    close(f"blender {version}, ply: frame {run.numbers[0]}", x[: run.frames.shape[1]], run.frames[0], 3e-6)
    for ending in ["pc2", "mdd"]:
        fresh()
        if len(run.numbers) == 1:
            continue
        for name, *_ in run.parts:
            name = file_name(name)
            bpy.ops.wm.obj_import(filepath=str(out / ending / f"{name}.obj"))
            modifier = bpy.context.selected_objects[0].modifiers.new("cache", "MESH_CACHE")
            modifier.cache_format = ending.upper()
            modifier.filepath = str(out / ending / f"{name}.{ending}")
            # the importer turns the object, not its vertices: the cache has their axes already
            modifier.forward_axis, modifier.up_axis = "POS_Y", "POS_Z"
            modifier.frame_start = 0
            # Blender plays a sample a frame, whatever the file says about their distance
            modifier.frame_scale = 1.0 / (run.numbers[1] - run.numbers[0])
            if ending == "mdd":
                modifier.play_mode = "CUSTOM"
                modifier.time_mode = "TIME"
        if ending == "pc2":
            compare("pc2", lambda k: float(run.numbers[k]))
        else:
            for k in run.picked:
                for name, v0, v1, *_ in run.parts:
                    obj = find(name)
                    obj.modifiers[0].eval_time = float(run.numbers[k] / run.fps)
                    bpy.context.view_layer.update()
                    what = f"blender {version}, mdd `{name}`: frame {run.numbers[k]}"
                    close(what, positions(obj)[: v1 - v0], run.frames[k, v0:v1], 3e-6)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="folder of the run")
    exports = "NAME.usda, NAME.glb, NAME.npz, obj/, ply/, pc2/, mdd/"
    parser.add_argument("out", type=Path, help=f"folder with the exports: {exports}")
    parser.add_argument("--blender", action="store_true", help="also through Blender's importers")
    args = parser.parse_args()
    out = args.out.resolve()
    run = Run(args.run, out)
    for path in out.glob("*.usda"):
        check_usd(run, path)
    for ending in ["obj", "ply"]:
        check_sequence(run, out / ending, ending)
    for path in out.glob("*.glb"):
        check_glb(run, path)
    for ending in ["pc2", "mdd"]:
        check_points(run, out / ending, ending)
    if args.blender:
        check_blender(run, out)
    print(f"{len(failed)} of the checks failed" if failed else "all is well")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
