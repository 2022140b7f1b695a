//! What `contact.pairs` says of two cloths, or of a cloth and a body: checked, and looked up by number.

use crate::setup::{Body, ContactLaw, ContactPair, Problems, Setup};
use crate::world::World;

/// One of two things that collide, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Cloth(usize),
    Body(usize),
}

/// The pairs of a setup, with numbers for names.
#[derive(Default)]
pub(super) struct NamedPairs(Vec<([Side; 2], Option<f64>, bool)>);

impl NamedPairs {
    /// Finds the names. Pairs that are wrong become problems.
    pub fn new(setup: &Setup, problems: &mut Problems) -> Self {
        let mut found = Self::default();
        for (number, pair) in setup.contact.pairs.iter().enumerate() {
            let path = format!("contact.pair.{number}");
            let [one, other] = pair.names.each_ref().map(|name| side(setup, name));
            let (Some(one), Some(other)) = (one, other) else {
                let unknown = &pair.names[usize::from(one.is_some())];
                let (message, help) = (format!("no cloth or body is called `{unknown}`"), names(setup));
                problems.add(&path, "names", message, help);
                continue;
            };
            let sides = match (one, other) {
                (Side::Body(_), Side::Body(_)) => {
                    let [a, b] = &pair.names;
                    let message = format!("`{a}` and `{b}` are bodies, which do not collide with each other");
                    problems.add(&path, "names", message, "name two cloths, one cloth twice, or a cloth and a body");
                    continue;
                }
                (Side::Body(_), Side::Cloth(_)) => [other, one],
                (Side::Cloth(a), Side::Cloth(b)) => [Side::Cloth(a.min(b)), Side::Cloth(a.max(b))],
                (Side::Cloth(_), Side::Body(_)) => [one, other],
            };
            if found.0.iter().any(|(known, ..)| *known == sides) {
                let [a, b] = &pair.names;
                let message = format!("there is a pair of `{a}` and `{b}` already");
                problems.add(&path, "names", message, "write one table for both of its values");
                continue;
            }
            check(setup, &path, pair, problems);
            found.0.push((sides, pair.friction, pair.ignore));
        }
        found
    }

    fn of(&self, sides: [Side; 2]) -> Option<&([Side; 2], Option<f64>, bool)> {
        self.0.iter().find(|(known, ..)| *known == sides)
    }

    /// Whether two cloths, the smaller number first, or a cloth and a body do not collide.
    pub fn ignores(&self, sides: [Side; 2]) -> bool {
        self.of(sides).is_some_and(|(_, _, ignore)| *ignore)
    }

    /// All pairs that do not collide, with bodies counted after the cloths.
    pub fn ignored(&self, cloths: usize) -> Vec<[usize; 2]> {
        let number = |side| match side {
            Side::Cloth(cloth) => cloth,
            Side::Body(body) => cloths + body,
        };
        self.0.iter().filter(|(.., ignore)| *ignore).map(|(sides, ..)| sides.map(number)).collect()
    }

    fn friction(&self, sides: [Side; 2]) -> Option<f64> {
        self.of(sides).and_then(|(_, friction, _)| *friction)
    }
}

fn check(setup: &Setup, path: &str, pair: &ContactPair, problems: &mut Problems) {
    if let Some(friction) = pair.friction.filter(|friction| !(friction.is_finite() && *friction >= 0.0)) {
        problems.add(path, "friction", format!("a coefficient of friction of {friction}"), "give a number from 0 on");
    }
    if pair.ignore && setup.contact_law() == ContactLaw::Constraint {
        let message = "pairs are ignored with contact by the barrier only";
        problems.add(path, "ignore", message, "take `law = \"barrier\"`, or leave `ignore` out");
    }
}

/// Cloths come before bodies of the same name.
fn side(setup: &Setup, name: &str) -> Option<Side> {
    let cloth = setup.cloths.iter().position(|cloth| cloth.name == name).map(Side::Cloth);
    cloth.or_else(|| setup.bodies.iter().position(|body| body.name == name).map(Side::Body))
}

fn names(setup: &Setup) -> String {
    let list = |names: &mut dyn Iterator<Item = &String>| names.map(|name| format!("`{name}`")).collect::<Vec<_>>();
    let cloths = list(&mut setup.cloths.iter().map(|cloth| &cloth.name)).join(", ");
    let bodies = list(&mut setup.bodies.iter().map(|body| &body.name)).join(", ");
    match bodies.as_str() {
        "" => format!("there are the cloths {cloths}"),
        _ => format!("there are the cloths {cloths}, and the bodies {bodies}"),
    }
}

impl World {
    /// Friction of every cloth with every cloth: that of the pair, or the mean of both fabrics'.
    pub(super) fn friction_of_cloths(&self, pairs: &NamedPairs) -> Vec<f64> {
        let count = self.fabrics.len();
        let both = (0..count).flat_map(|a| (0..count).map(move |b| (a, b)));
        both.map(|(a, b)| {
            let mean = 0.5 * (self.fabrics[a].friction_cloth + self.fabrics[b].friction_cloth);
            pairs.friction([Side::Cloth(a.min(b)), Side::Cloth(a.max(b))]).unwrap_or(mean)
        })
        .collect()
    }

    /// Friction of a body with each cloth: that of the pair, the body's own, or the fabric's.
    pub(super) fn friction_with(&self, number: usize, body: &Body, pairs: &NamedPairs) -> Vec<f64> {
        let of_pair = |cloth| pairs.friction([Side::Cloth(cloth), Side::Body(number)]);
        let fabrics = self.fabrics.iter().enumerate();
        fabrics.map(|(cloth, fabric)| of_pair(cloth).or(body.friction).unwrap_or(fabric.friction)).collect()
    }

    /// Whether each cloth collides with a body.
    pub(super) fn collides_with(&self, number: usize, pairs: &NamedPairs) -> Vec<bool> {
        (0..self.fabrics.len()).map(|cloth| !pairs.ignores([Side::Cloth(cloth), Side::Body(number)])).collect()
    }
}
