"""PositionBasedDynamics by its Python module: XPBD with distance constraints on all edges and isometric bending."""

from importlib.metadata import version

import numpy as np
import pypbd as pbd

from sheet import BEND, FPS, FRAMES, Clock, Motion, kinetic, main

DISTANCE_XPBD, ISOMETRIC_XPBD = 4, 3


def simulate(sheet, settings):
    pbd.Logger.addConsoleSink(pbd.LogLevel.WARN)
    simulation = pbd.Simulation.getCurrent()
    simulation.initDefault()      # its gravity is the one of the scene
    model = simulation.getModel()
    cloth = model.addTriangleModel(list(sheet.points), list(sheet.triangles.ravel()))
    particles, masses = model.getParticles(), sheet.masses()
    for i, mass in enumerate(masses):
        particles.setMass(i, 0.0 if i in sheet.pins else mass)
    # N/m of each spring: above the others, because what its iterations reach is softer by far.
    stretch = 1e5
    model.addClothConstraints(cloth, DISTANCE_XPBD, stretch, 1.0, 1.0, 1.0, 0.0, 0.0, False, False)
    model.addBendingConstraints(cloth, ISOMETRIC_XPBD, BEND)
    solver = simulation.getTimeStep()
    pbd.TimeManager.getCurrent().setTimeStepSize(1 / FPS)
    solver.setValueUInt(pbd.TimeStepController.NUM_SUB_STEPS, settings["steps"])
    solver.setValueUInt(pbd.TimeStepController.MAX_ITERATIONS, settings["iterations"])
    read = lambda: np.array([particles.getPosition(i) for i in range(len(masses))])
    frames, clock = [read()], Clock()
    for _ in range(FRAMES):
        with clock:
            solver.step(model)
        frames.append(read())
    velocities = [particles.getVelocity(i) for i in range(len(masses))]
    return Motion(np.array(frames), masses, clock.cpu, version("pyPBD"), kinetic(masses, velocities))


if __name__ == "__main__":
    main(simulate)
