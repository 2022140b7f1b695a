//! What there is to say about each method and each model.

/// A method of integration.
pub struct Method {
    pub name: &'static str,
    pub order: u32,
    /// Evaluations of the forces in a step.
    pub evaluations: u32,
    /// Systems of linear equations that a step solves.
    pub solves: u32,
    /// Largest h ω without damping.
    pub limit: &'static str,
    pub line: &'static str,
    /// What it does and what it is good for.
    pub text: &'static str,
}

/// In the order of `taffeta::Method::NAMES`. Limits as in `taffeta::method::stability`.
pub const METHODS: [Method; 9] = [
    Method {
        name: "forward-euler",
        order: 1,
        evaluations: 1,
        solves: 0,
        limit: "2 zeta",
        line: "the simplest; unstable without damping",
        text: "\
x+ = x + h v        v+ = v + h a(x, v)

Energy grows in every step unless damping takes more: a mode is stable for h omega < 2 zeta
(zeta > 1: 2 (zeta - sqrt(zeta^2 - 1))). For comparison with the others, not for work.",
    },
    Method {
        name: "symplectic-euler",
        order: 1,
        evaluations: 1,
        solves: 0,
        limit: "2",
        line: "cheap steps, keeps energy in the mean",
        text: "\
v+ = v + h a(x, v)  x+ = x + h v+

The cheapest stable step. Energy swings about its true value and does not drift.
Damped modes are stable for h omega < 2 (sqrt(1 + zeta^2) - zeta).
For soft cloth, where few steps make a frame; stiff cloth takes thousands.",
    },
    Method {
        name: "midpoint",
        order: 2,
        evaluations: 2,
        solves: 0,
        limit: "none",
        line: "second order; energy grows slowly without damping",
        text: "\
x+, v+ by the slope at the middle of the step, reached by half a step of forward-euler

Undamped amplitudes grow by (h omega)^4/8 in a step; `auto` takes a step for which that is
ten percent over the planned duration, and less than 1.9 with damping.",
    },
    Method {
        name: "rk4",
        order: 4,
        evaluations: 4,
        solves: 0,
        limit: "2.83",
        line: "Runge-Kutta: the most accurate for short smooth motion",
        text: "\
The classic method of Runge and Kutta: four slopes, weighted 1/6, 1/3, 1/3, 1/6

Very accurate where the motion is smooth; loses a little energy at the limit of stability.
A step costs four times that of symplectic-euler and may be 1.3 times as long: with
damping the limit may be as low as 2.6, which `auto` counts on.",
    },
    Method {
        name: "verlet",
        order: 2,
        evaluations: 2,
        solves: 0,
        limit: "2",
        line: "second order, keeps energy in the mean; optional damping",
        text: "\
x+ = x + (1 - e)(x - x-) + h^2 a    written with velocities, e = method.damping

Second order and without drift of energy: the reference for motion that must not die down.
`damping` is the share of the velocity that is lost in each step: handy, but it depends on
the step; the fabric's damping does not.",
    },
    Method {
        name: "backward-euler",
        order: 1,
        evaluations: 1,
        solves: 1,
        limit: "any",
        line: "stable at any step, for any fabric; loses energy",
        text: "\
v+ = v + h a(x+, v+)  x+ = x + h v+    linearised (Baraff & Witkin 1998), method.newton = 1

Every scene runs with it: the step follows the motion and not the stiffness of the cloth, a
frame as a rule, and is halved where that is too fast (time.adaptive). The price is
energy: a mode loses (h omega)^2 of it in a step, which looks like damping. For cloth that
comes to rest. Livelier: a shorter time.step, or bdf2. method.newton = 10 solves the nonlinear
equations to method.residual.",
    },
    Method {
        name: "bdf2",
        order: 2,
        evaluations: 1,
        solves: 1,
        limit: "any",
        line: "the default for most: stable at any step, loses less energy than backward-euler",
        text: "\
as backward-euler from x~ = (4 x - x-)/3, v~ likewise, with a step of 2/3 h
(weights that fit where steps change their length)

The second backward differentiation formula. It costs as much as backward-euler, and motion
that the step resolves keeps its energy: a mode loses (h omega)^4/2 of it in a step. Steps are
at most 1/120 s if time.step does not say otherwise.
Cloth that swings turns far in a step: a single linearisation stretches it and loses most of its
energy within seconds. A shorter time.step keeps more (1/480 s: half of it), for its price;
method.newton = 8 takes far longer.",
    },
    Method {
        name: "imex",
        order: 2,
        evaluations: 2,
        solves: 1,
        limit: "2",
        line: "elastic forces explicit, damping implicit: for strong damping",
        text: "\
v' = v + h/2 a(x, v)  x+ = x + h v'  v+ = v' + h/2 a(x+, v+)      method.order = explicit-first

Bridson 2003, in the two orders of Vo 2006, Algorithms 7.9 and 7.10. Without damping it is
verlet. Damping does not shorten the step, whatever its strength; stiffness does, as for
every explicit method.",
    },
    Method {
        name: "filtered-euler",
        order: 1,
        evaluations: 1,
        solves: 1,
        limit: "any",
        line: "the default for hanging sheets that resist shear: the fastest for a metre of cloth; no contact",
        text: "\
v+ = v + h H^-1 f(x + h v/10, v)  x+ = x + h v+     H = M + 0.35 h^2 K + h D

Symplectic Euler whose forces f pass a constant filter (Desbrun 1999, Kang 2000). K is
the stiffness of the rest shape, the same for x, y and z: its factor is made once, and a step
costs one evaluation of the forces and one solution. A mode loses a tenth of what
backward-euler takes, and of all methods with long steps it keeps most of the motion.
Long steps cost speed: waves shorter than about 4 h sqrt(k/rho) are slowed, across the cloth as
along it, and at worst a sheet falls in slow motion. time.step = auto takes a step for which a
wave of the cloth's size is slowed by 15 percent, at most 2 ms: the number of steps grows as
sqrt(k)/size, so that for stiff cloth of a few centimetres bdf2 is faster. Shear is slowed
as if it were as stiff as stretch, so the edges of woven fabrics crumple, wind moves a flag too
little, and cloth that is squeezed or pulled by tens of percent is torn about: take bdf2
for these (scenes hang, flag, ruffle, corner-yank).
Damping of the fabric acts at the start of the step, behind the filter. It has no contact:
scenes with bodies to touch take backward-euler or bdf2. Fastest with bending = \"quadratic\".",
    },
];

/// A model of cloth.
pub struct Model {
    pub name: &'static str,
    pub line: &'static str,
}

/// In the order of `taffeta::Model::NAMES`. Every method works with each of them.
pub const MODELS: [Model; 4] = [
    Model {
        name: "baraff-witkin",
        line: "the default: stretch, shear and bend conditions on triangles; any mesh, regions",
    },
    Model { name: "membrane", line: "triangles of constant strain, with Poisson's ratio; any mesh, regions" },
    Model { name: "choi-ko", line: "springs that pull and beams that buckle: folds appear without being pushed" },
    Model { name: "mass-spring", line: "Provot's springs, with hinges or flexion springs for bending; raw constants" },
];

/// What `auto` takes.
pub const AUTO: [&str; 2] = ["bdf2", "filtered-euler"];

/// Where the defaults come from.
pub const DEFAULTS: &str = "\
Method auto is the default, with the model baraff-witkin. It is bdf2 for fabrics that shear
easily, as most woven ones do, for sheets as stiff as board, and wherever there are bodies, a limiter, wind, cloth that flies,
changed rest lengths, a time.step of your own, or method.newton, tolerance, iterations or residual. For
the rest, sheets that resist shear by a tenth of stretch or more and hang in still air, it is
filtered-euler, several times faster for sheets of about a metre. `taffeta check` tells which. backward-euler
where motion should die down; symplectic-euler to compare, and for small or soft cloth that should
keep all its energy.";
