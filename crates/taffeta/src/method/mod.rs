//! How time goes on.

/// A method of integration.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Method {
    /// x first with the old velocity, then v.
    ForwardEuler,
    /// v first, then x with the new velocity (what [Vo 2006] calls explicit Euler).
    #[default]
    SymplecticEuler,
    /// Explicit midpoint, second order.
    Midpoint,
    /// Runge-Kutta, fourth order.
    Rk4,
    /// Verlet.
    Verlet {
        /// Share ε of the velocity that is lost in each step ([Vo 2006, 7.2]).
        damping: f64,
    },
}
