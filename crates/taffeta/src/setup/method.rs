//! Integration methods: the only list of them, their settings, and their properties that the rest of the program needs.

use super::setting::{
    Field, Setting, SettingKind, SettingValue, Settings, assign, between, setting, settings, whole, words,
};
use super::stability::{self, Stiffest};

/// Makes [`Method`] and its list from one row for each method. Its settings are a struct that several share, or rows
/// of its own: a line, name, type, default and kind.
macro_rules! methods {
    ($($(#[doc = $doc:literal])* $variant:ident $(($settings:ident))?
        $({ $($(#[doc = $line:literal])+ $field:ident: $type:ty = $value:expr, $kind:expr;)* })?
        => $info:expr;)*) => {
        /// A method of integration.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Method {
            $($(#[doc = $doc])* $variant $(($settings))? $({ $($(#[doc = $line])+ $field: $type,)* })?,)*
        }

        impl Method {
            /// Properties of each method.
            pub const LIST: &[MethodInfo] = &[$(MethodInfo {
                $(settings: <$settings as Settings>::LIST,)?
                $(settings: &[$(setting!($field, $value, $kind, $($line)+),)*],)?
                ..$info
            },)*];

            /// All methods, with their default settings.
            pub fn all() -> Vec<Self> {
                vec![$(Self::$variant $(($settings::default()))? $({ $($field: $value,)* })?,)*]
            }

            /// The value of each of its settings, in the order of [`MethodInfo::settings`].
            pub fn values(&self) -> Vec<SettingValue> {
                match self {
                    $(Self::$variant $((own @ $settings { .. }))? $({ $($field),* })? => {
                        let values: &[Vec<SettingValue>] = &[
                            $(<$settings as Settings>::values(own),)?
                            $(vec![$(Field::value($field),)*],)?
                        ];
                        values.concat()
                    })*
                }
            }

            /// Sets one of its settings to a value of its kind; otherwise nothing happens.
            pub fn set(&mut self, key: &str, value: SettingValue) {
                match self {
                    $(Self::$variant $((own @ $settings { .. }))? $({ $($field),* })? => {
                        let _ = (key, value); // a method without settings has no use for them
                        $(<$settings as Settings>::set(own, key, value);)?
                        $(match key {
                            $(stringify!($field) => assign($field, value),)*
                            _ => {}
                        })?
                    })*
                }
            }

            /// Index of the method in the list.
            fn index(&self) -> usize {
                [$(matches!(self, Self::$variant { .. }),)*].iter().position(|own| *own).unwrap_or(0)
            }
        }
    };
}

/// Properties that the explicit methods share; a row gives only what differs.
const EXPLICIT: MethodInfo = MethodInfo {
    name: "",
    order: 1,
    evaluations: 1,
    solves: 0,
    settings: &[],
    implicit: false,
    contact: ContactBy::AfterStep,
    matrix: false,
    past: false,
    velocity_lag: 0.5,
    step: GoodStep::Stable,
    stable: stability::symplectic,
    limit: "2",
    line: "",
    text: "",
};

/// Properties that the implicit methods with contact share.
const IMPLICIT: MethodInfo = MethodInfo {
    solves: 1,
    implicit: true,
    contact: ContactBy::InEquations,
    matrix: true,
    stable: stability::any,
    limit: "any",
    ..EXPLICIT
};

methods! {
    /// Forward Euler: x with the old velocity, v with the old force. First order, stable only with damping.
    ForwardEuler => MethodInfo {
        name: "forward-euler",
        stable: stability::forward_euler,
        limit: "2 zeta",
        line: "the simplest; unstable without damping",
        text: "\
x+ = x + h v        v+ = v + h a(x, v)

Energy grows in every step unless damping takes more: a mode is stable for h omega < 2 zeta
(zeta > 1: 2 (zeta - sqrt(zeta^2 - 1))). For comparison with the others, not for work.",
        ..EXPLICIT
    };
    /// Symplectic Euler: v first, then x with the new velocity ([Vo 2006] calls it explicit Euler). First order, keeps
    /// energy in the mean.
    SymplecticEuler => MethodInfo {
        name: "symplectic-euler",
        line: "cheap steps, keeps energy in the mean",
        text: "\
v+ = v + h a(x, v)  x+ = x + h v+

The cheapest stable step. Energy swings about its true value and does not drift.
Damped modes are stable for h omega < 2 (sqrt(1 + zeta^2) - zeta).
For soft cloth, where few steps make a frame; stiff cloth takes thousands.",
        ..EXPLICIT
    };
    /// Explicit midpoint method. Second order; energy grows slowly without damping.
    Midpoint => MethodInfo {
        name: "midpoint",
        order: 2,
        evaluations: 2,
        stable: stability::midpoint,
        limit: "none",
        line: "second order; energy grows slowly without damping",
        text: "\
x+, v+ by the slope at the middle of the step, reached by half a step of forward-euler

Undamped amplitudes grow by (h omega)^4/8 in a step; `auto` takes a step for which that is
ten percent over the planned duration, and less than 1.9 with damping.",
        ..EXPLICIT
    };
    /// Classical Runge-Kutta method. Fourth order, with four evaluations of the forces.
    Rk4 => MethodInfo {
        name: "rk4",
        order: 4,
        evaluations: 4,
        stable: stability::rk4,
        limit: "2.83",
        line: "Runge-Kutta: the most accurate for short smooth motion",
        text: "\
The classic method of Runge and Kutta: four slopes, weighted 1/6, 1/3, 1/3, 1/6

Very accurate where the motion is smooth; loses a little energy at the limit of stability.
A step costs four times that of symplectic-euler and may be 1.3 times as long: with
damping the limit may be as low as 2.6, which `auto` counts on.",
        ..EXPLICIT
    };
    /// Velocity Verlet, the same path as position Verlet. Second order, keeps energy in the mean.
    Verlet {
        /// Share of the velocity that is lost in each step, ε of [Vo 2006, 7.2].
        damping: f64 = 0.0, between(0.0, 1.0, "");
    } => MethodInfo {
        name: "verlet",
        order: 2,
        evaluations: 2,
        line: "second order, keeps energy in the mean; optional damping",
        text: "\
x+ = x + (1 - e)(x - x-) + h^2 a    written with velocities, e = method.damping

Second order and without drift of energy: the reference for motion that must not die down.
`damping` is the share of the velocity that is lost in each step: handy, but it depends on
the step; the fabric's damping does not.",
        ..EXPLICIT
    };
    /// Backward Euler: forces at the end of the step ([Baraff & Witkin 1998]). First order, stable at any step, loses
    /// energy.
    BackwardEuler(Implicit) => MethodInfo {
        name: "backward-euler",
        step: GoodStep::AtMost(0.02),
        line: "the default with bodies: stable at any step, for any fabric; loses energy",
        text: "\
v+ = v + h a(x+, v+)  x+ = x + h v+    linearised (Baraff & Witkin 1998), method.newton = 1

Every scene runs with it: the step follows the motion and not the stiffness of the cloth, a
frame as a rule, and is halved where that is too fast (time.adaptive). The price is
energy: a mode loses (h omega)^2 of it in a step, which looks like damping. For cloth that
comes to rest. Livelier: a shorter time.step, or bdf2. method.newton = 10 solves the nonlinear
equations to method.residual.",
        ..IMPLICIT
    };
    /// The second backward differentiation formula. Second order, stable at any step, loses less energy than backward
    /// Euler.
    Bdf2(Implicit) => MethodInfo {
        name: "bdf2",
        order: 2,
        past: true,
        velocity_lag: 0.0,
        step: GoodStep::AtMost(1.0 / 120.0),
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
        ..IMPLICIT
    };
    /// Implicit-explicit: elastic forces explicit, damping implicit (Bridson 2003). Second order, for strong damping.
    Imex(Imex) => MethodInfo {
        name: "imex",
        order: 2,
        evaluations: 2,
        solves: 1,
        matrix: true,
        stable: stability::imex,
        line: "elastic forces explicit, damping implicit: for strong damping",
        text: "\
v' = v + h/2 a(x, v)  x+ = x + h v'  v+ = v' + h/2 a(x+, v+)      method.order = explicit-first

Bridson 2003, in the two orders of Vo 2006, Algorithms 7.9 and 7.10. Without damping it is
verlet. Damping does not shorten the step, whatever its strength; stiffness does, as for
every explicit method.",
        ..EXPLICIT
    };
    /// Symplectic Euler behind a constant filter that is factored once. Its steps are many, short and cheap, and stable
    /// at any length while the cloth is near its rest lengths. It has no contact with bodies.
    FilteredEuler => MethodInfo {
        name: "filtered-euler",
        solves: 1,
        implicit: true,
        contact: ContactBy::Nothing,
        step: GoodStep::Filter,
        stable: stability::any,
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
        ..EXPLICIT
    };
}

/// Makes a row that leaves out a property without a shared default fail to compile.
const _: () = {
    let mut i = 0;
    while i < Method::LIST.len() {
        let MethodInfo { name, line, text, .. } = &Method::LIST[i];
        assert!(!name.is_empty() && !line.is_empty() && !text.is_empty(), "a method needs `name`, `line` and `text`");
        i += 1;
    }
};

/// Properties of a method.
#[derive(Clone, Copy, Debug)]
pub struct MethodInfo {
    /// The name in scene files.
    pub name: &'static str,
    /// Order of accuracy.
    pub order: u32,
    /// Evaluations of the forces in a step.
    pub evaluations: u32,
    /// Systems of linear equations that a step solves.
    pub solves: u32,
    /// Its settings; the macro fills them in.
    pub settings: &'static [Setting],
    /// Whether it solves equations for the motion of a step, so that stiffness does not limit the step.
    pub implicit: bool,
    /// How it handles contact with bodies.
    pub contact: ContactBy,
    /// Whether it needs a matrix of 3×3 blocks.
    pub matrix: bool,
    /// Whether it remembers the state before the last.
    pub past: bool,
    /// How far its velocities are behind its positions, as a share of the step.
    pub velocity_lag: f64,
    /// The longest step where none is given.
    pub step: GoodStep,
    /// The longest stable step, s; `None` if there is none.
    pub stable: fn(&Stiffest) -> Option<f64>,
    /// Largest h ω of a stable step without damping, in words.
    pub limit: &'static str,
    /// Use of the method, in one line.
    pub line: &'static str,
    /// Description of the method and its use.
    pub text: &'static str,
}

/// How a method handles contact with bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactBy {
    /// Contact is part of its equations.
    InEquations,
    /// Contact is resolved after the step.
    AfterStep,
    /// It has no contact.
    Nothing,
}

/// The longest step of a method where none is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GoodStep {
    /// [`SAFETY`](super::SAFETY) times the longest stable step.
    Stable,
    /// At most this long, s. Baraff & Witkin's steps are 20 to 33 ms. BDF2 with steps twice as long as given here
    /// stretches a swinging sheet of 50,000 N/m by 3.0 instead of 0.7 % and lags 5 cm behind after half a second.
    AtMost(f64),
    /// By the filter's own rule: waves as long as the cloth are hardly slowed.
    Filter,
}

settings! {
    /// How the equations of an implicit step are solved.
    pub struct Implicit {
        /// Share of the right-hand side that the conjugate gradient leaves.
        tolerance: f64 = 0.001, TOLERANCE;
        /// Iterations of the conjugate gradient at most: a step that needs more has failed. A factorisation takes over
        /// where it is cheaper.
        iterations: u32 = 10000, ITERATIONS;
        /// Linearisations in a step at most: 1 is Baraff & Witkin's step, more solve the nonlinear equations.
        newton: u32 = 1, whole(1, 10_000);
        /// Newton's iterations end where no particle's equation is off by more than this, as an acceleration.
        residual: f64 = 0.001, between(1e-15, 1e9, "m/s²");
    }
}

settings! {
    /// Settings of [`Method::Imex`].
    pub struct Imex {
        /// Which half of a step comes first.
        order: ImexOrder = ImexOrder::ExplicitFirst, ImexOrder::KIND;
        /// Share of the right-hand side that the conjugate gradient leaves.
        tolerance: f64 = 1e-6, TOLERANCE;
        /// Iterations of the conjugate gradient at most.
        iterations: u32 = 10000, ITERATIONS;
    }
}

const TOLERANCE: SettingKind = between(1e-15, 0.999, "");
const ITERATIONS: SettingKind = whole(1, 1_000_000_000);

words! {
    /// The two orders of IMEX.
    pub enum ImexOrder {
        /// explicit half, then implicit half (Vo 2006, Algorithm 7.9)
        ExplicitFirst = "explicit-first",
        /// implicit half, then explicit half (Vo 2006, Algorithm 7.10)
        ImplicitFirst = "implicit-first",
    }
}

impl Method {
    /// Properties of the method.
    pub fn info(&self) -> &'static MethodInfo {
        &Self::LIST[self.index()]
    }

    /// The method with this name in scene files, with default settings.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|method| method.name() == name)
    }

    /// The name in scene files.
    pub fn name(&self) -> &'static str {
        self.info().name
    }

    /// Whether it solves equations for the motion of a step, so that stiffness does not limit the step.
    pub fn is_implicit(&self) -> bool {
        self.info().implicit
    }

    /// Whether contact with bodies is part of its equations, rather than resolved after the step.
    pub fn holds_contact(&self) -> bool {
        self.info().contact == ContactBy::InEquations
    }

    /// Whether it evaluates forces away from the start of a step.
    pub(crate) fn has_stages(&self) -> bool {
        self.info().evaluations > 1
    }

    /// Whether it needs a matrix of 3×3 blocks.
    pub(crate) fn has_matrix(&self) -> bool {
        self.info().matrix
    }

    /// Whether it remembers the state before the last.
    pub(crate) fn has_past(&self) -> bool {
        self.info().past
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scenes have one key of a name, whatever the method.
    #[test]
    fn settings_of_one_name_have_one_range_and_defaults_within_it() {
        let mut known: Vec<&Setting> = Vec::new();
        for method in Method::all() {
            let settings = method.info().settings;
            assert_eq!(settings.len(), method.values().len());
            for (setting, value) in settings.iter().zip(method.values()) {
                assert!(setting.kind.holds(value), "{}: `{}` cannot be {value}", method.name(), setting.key);
                assert!(setting.key != "name", "{}: this is the key of the method itself", method.name());
                match known.iter().find(|other| other.key == setting.key) {
                    Some(other) => assert_eq!(other.kind.to_string(), setting.kind.to_string(), "{}", setting.key),
                    None => known.push(setting),
                }
            }
        }
        assert!(known.len() >= 6, "{known:?}");
    }
}
