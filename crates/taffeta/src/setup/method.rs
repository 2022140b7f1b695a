//! Methods of integration: their settings, and what the rest of the program has to know about each.

/// A method of integration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// x with the old velocity, v with the old force. First order, stable only with damping.
    ForwardEuler,
    /// v first, then x with the new velocity (what [Vo 2006] calls explicit Euler). First order, keeps energy in the mean.
    SymplecticEuler,
    /// Explicit midpoint. Second order, energy grows slowly without damping.
    Midpoint,
    /// Runge-Kutta. Fourth order, four evaluations of the forces.
    Rk4,
    /// Velocity Verlet, the same path as position Verlet. Second order, keeps energy in the mean.
    Verlet {
        /// Share ε of the velocity that is lost in each step ([Vo 2006, 7.2]).
        damping: f64,
    },
    /// Forces at the end of the step ([Baraff & Witkin 1998]). First order, stable at any step, loses energy.
    BackwardEuler(Implicit),
    /// The second backward differentiation formula. Second order, stable at any step, loses less energy than backward Euler.
    Bdf2(Implicit),
    /// Elastic forces explicit, damping implicit (Bridson 2003). Second order, for strong damping.
    Imex(Imex),
    /// Symplectic Euler behind a constant filter that is factored once: many short and cheap steps, stable at any
    /// step while the cloth is near its rest lengths. It has no contact with bodies.
    FilteredEuler,
}

impl Default for Method {
    fn default() -> Self {
        Self::BackwardEuler(Implicit::default())
    }
}

/// How the equations of an implicit step are solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Implicit {
    /// The conjugate gradient stops where the residual has fallen to this share of the right-hand side.
    pub tolerance: f64,
    /// More iterations of the conjugate gradient than these mean that the step failed.
    pub iterations: u32,
    /// Linearisations in a step at most: 1 is the step of Baraff & Witkin, more are Newton's iterations.
    pub newton: u32,
    /// Newton's iterations end where no particle's equation is off by more than this acceleration, m/s².
    pub residual: f64,
}

impl Default for Implicit {
    fn default() -> Self {
        Self { tolerance: 1e-3, iterations: 10_000, newton: 1, residual: 1e-3 }
    }
}

/// Settings of [`Method::Imex`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Imex {
    /// Which half of the step comes first.
    pub order: ImexOrder,
    /// As in [`Implicit::tolerance`].
    pub tolerance: f64,
    /// As in [`Implicit::iterations`].
    pub iterations: u32,
}

impl Default for Imex {
    fn default() -> Self {
        Self { order: ImexOrder::ExplicitFirst, tolerance: 1e-6, iterations: 10_000 }
    }
}

/// The two orders of [Vo 2006, Algorithms 7.9 and 7.10].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImexOrder {
    /// 7.9.
    #[default]
    ExplicitFirst,
    /// 7.10.
    ImplicitFirst,
}

impl Method {
    /// Names, in the order of [`Method`].
    pub const NAMES: [&str; 9] = [
        "forward-euler",
        "symplectic-euler",
        "midpoint",
        "rk4",
        "verlet",
        "backward-euler",
        "bdf2",
        "imex",
        "filtered-euler",
    ];

    /// Whether it looks at forces away from the start of a step.
    pub(crate) fn has_stages(&self) -> bool {
        matches!(self, Method::Midpoint | Method::Rk4 | Method::Verlet { .. } | Method::Imex(_))
    }

    /// Whether it solves equations for the motion of a step, which stiffness does not make shorter.
    pub fn is_implicit(&self) -> bool {
        matches!(self, Method::BackwardEuler(_) | Method::Bdf2(_) | Method::FilteredEuler)
    }

    /// Whether contact with bodies is part of its equations, and not only answered after the step.
    pub(crate) fn holds_contact(&self) -> bool {
        matches!(self, Method::BackwardEuler(_) | Method::Bdf2(_))
    }

    /// Whether it needs a matrix of 3×3 blocks.
    pub(crate) fn has_matrix(&self) -> bool {
        matches!(self, Method::BackwardEuler(_) | Method::Bdf2(_) | Method::Imex(_))
    }

    /// Whether it remembers the state before the last.
    pub(crate) fn has_past(&self) -> bool {
        matches!(self, Method::Bdf2(_))
    }

    /// The name in scene files.
    pub fn name(&self) -> &'static str {
        match self {
            Method::ForwardEuler => Self::NAMES[0],
            Method::SymplecticEuler => Self::NAMES[1],
            Method::Midpoint => Self::NAMES[2],
            Method::Rk4 => Self::NAMES[3],
            Method::Verlet { .. } => Self::NAMES[4],
            Method::BackwardEuler(_) => Self::NAMES[5],
            Method::Bdf2(_) => Self::NAMES[6],
            Method::Imex(_) => Self::NAMES[7],
            Method::FilteredEuler => Self::NAMES[8],
        }
    }
}
