"""Blender: its cloth modifier on triangles (quads took longer and stretched as much), stepped by `frame_set`.

Its unit of time is sqrt(0.001) s and a frame takes one of them, whatever the frame rate, because it multiplies gravity
by 0.001: forces are in units of 1000 N. Without pins this sheet falls as it should. All vertices have the same mass.
"""

import bpy
import numpy as np

from sheet import BEND, DENSITY, FPS, FRAMES, GRAVITY, STRETCH, Clock, Motion, main

TIME = 0.001 ** 0.5     # s in a unit of time
FORCE = 1000.0          # N in a unit of force


def simulate(sheet, settings):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.gravity = (0.0, -GRAVITY, 0.0)
    scene.frame_start, scene.frame_end = 1, FRAMES + 1
    mesh = bpy.data.meshes.new("sheet")
    mesh.from_pydata(sheet.points.tolist(), [], sheet.triangles.tolist())
    cloth = bpy.data.objects.new("sheet", mesh)
    scene.collection.objects.link(cloth)
    cloth.vertex_groups.new(name="held").add(sheet.pins, 1.0, "REPLACE")
    modifier = cloth.modifiers.new("cloth", "CLOTH")
    modifier.point_cache.frame_start, modifier.point_cache.frame_end = 1, FRAMES + 1
    modifier.collision_settings.use_collision = False
    modifier.collision_settings.use_self_collision = False
    edge = 1 / (sheet.n - 1)
    values = modifier.settings
    values.vertex_group_mass = "held"
    values.time_scale = 1 / (FPS * TIME)
    values.quality = settings["steps"]
    values.mass = DENSITY / len(sheet.points)
    # A spring has tension / edge: of a cloth with k N/m it has k times the width that it stands for, over its length.
    values.tension_stiffness = values.compression_stiffness = STRETCH / FORCE * edge
    values.bending_model = "ANGULAR"
    values.bending_stiffness = BEND / edge / FORCE      # its force is this times the angle, with an edge as its arm
    for name in ("tension", "compression", "shear", "bending", "air"):
        setattr(values, f"{name}_damping", 0.0)

    def read():
        shape = cloth.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
        flat = np.empty(3 * len(shape.vertices), dtype=np.float32)
        shape.vertices.foreach_get("co", flat)
        return flat.reshape(-1, 3).astype(float)

    scene.frame_set(1)
    frames, clock = [read()], Clock()
    for frame in range(FRAMES):
        with clock:
            scene.frame_set(frame + 2)
        frames.append(read())
    masses = np.full(len(sheet.points), values.mass)
    return Motion(np.array(frames), masses, clock.cpu, bpy.app.version_string)


if __name__ == "__main__":
    main(simulate)
