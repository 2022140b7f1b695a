"""MuJoCo: a flex of dimension 2 with elastic forces, which its integrator `discrete` takes implicitly."""

import mujoco
import numpy as np

from sheet import BEND, DENSITY, FPS, FRAMES, GRAVITY, STRETCH, Clock, Motion, main

MODEL = """
<mujoco>
  <option timestep="{step}" gravity="0 -{gravity} 0" integrator="discrete" solver="CG"
          tolerance="{tolerance}">
    <flag contact="disable" energy="disable"/>
  </option>
  <size memory="2G"/>
  <worldbody>
    <flexcomp name="sheet" type="direct" dim="2" mass="{mass}" radius="0.001" point="{points}" element="{triangles}">
      <elasticity young="{young}" poisson="0" thickness="{thickness}" elastic2d="both"/>
      <pin id="{pins}"/>
    </flexcomp>
  </worldbody>
</mujoco>"""


def simulate(sheet, settings):
    thickness = (12 * BEND / STRETCH) ** 0.5      # bend = E t³ / 12, stretch = E t
    steps = settings["steps"]
    words = lambda array: " ".join(repr(value) for value in np.asarray(array).ravel().tolist())
    model = mujoco.MjModel.from_xml_string(MODEL.format(
        step=1 / (FPS * steps), gravity=GRAVITY, mass=DENSITY, points=words(sheet.points),
        triangles=words(sheet.triangles), pins=words(sheet.pins), young=STRETCH / thickness, thickness=thickness,
        tolerance=settings["tolerance"]))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    frames, clock = [data.flexvert_xpos.copy()], Clock()
    for _ in range(FRAMES):
        with clock:
            mujoco.mj_step(model, data, steps)
            mujoco.mj_kinematics(model, data)
            mujoco.mj_flex(model, data)
        frames.append(data.flexvert_xpos.copy())
    masses = np.full(len(sheet.points), DENSITY / len(sheet.points))
    mujoco.mj_energyVel(model, data)
    return Motion(np.array(frames), masses, clock.cpu, mujoco.__version__, data.energy[1])


if __name__ == "__main__":
    main(simulate)
