"""Newton on Warp's CPU device, which has one thread: its solver for cloth, Style3D (projective dynamics)."""

import newton
import numpy as np
import warp as wp
from newton.solvers import SolverStyle3D, style3d

from sheet import BEND, DENSITY, FPS, FRAMES, GRAVITY, STRETCH, Clock, Motion, kinetic, main


def build(sheet):
    builder = newton.ModelBuilder(up_axis=newton.Axis.Y, gravity=wp.vec3(0.0, -GRAVITY, 0.0))
    SolverStyle3D.register_custom_attributes(builder)
    style3d.add_cloth_mesh(
        builder, pos=wp.vec3(), rot=wp.quat_identity(), vel=wp.vec3(), density=DENSITY,
        vertices=[wp.vec3(*point) for point in sheet.points], indices=sheet.triangles.ravel().tolist(),
        panel_verts=[wp.vec2(x, -z) for x, _, z in sheet.points],
        tri_aniso_ke=wp.vec3(STRETCH, STRETCH, STRETCH / 2), edge_aniso_ke=wp.vec3(BEND, BEND, BEND),
        tri_kd=0.0, edge_kd=0.0, tri_drag=0.0, tri_lift=0.0)
    for pin in sheet.pins:
        builder.particle_mass[pin] = 0.0
        builder.particle_flags[pin] &= ~newton.ParticleFlags.ACTIVE
    return builder.finalize(device="cpu")


def simulate(sheet, settings):
    wp.config.quiet = True
    model = build(sheet)
    solver = SolverStyle3D(model, iterations=settings["iterations"], linear_iterations=settings["linear"])
    solver.collision = None
    now, after, control = model.state(), model.state(), model.control()
    steps = settings["steps"]
    solver.step(model.state(), model.state(), control, None, 1 / (FPS * steps))     # compiles its kernels
    frames, clock = [now.particle_q.numpy().copy()], Clock()
    for _ in range(FRAMES):
        with clock:
            for _ in range(steps):
                now.clear_forces()
                solver.step(now, after, control, None, 1 / (FPS * steps))
                now, after = after, now
        frames.append(now.particle_q.numpy().copy())
    return Motion(np.array(frames), sheet.masses(), clock.cpu, newton.__version__,
                  kinetic(sheet.masses(), now.particle_qd.numpy()))


if __name__ == "__main__":
    main(simulate)
