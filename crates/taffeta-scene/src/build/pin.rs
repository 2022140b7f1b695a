//! Selections, pins, loads and motions.

use super::Builder;
use crate::{
    document::{below, shown},
    files,
    tree::{Node, Value, shorten},
    view::{View, vector},
    words::list as list_of,
};
use std::collections::BTreeMap;
use taffeta::{Border, Corner, Hold, Key, Load, Motion, Pin, Select, Side, Vec3};
use taffeta_files::nearest;

/// Most groups that a message names.
const NAMED: usize = 20;

/// What selections need to know about a mesh.
pub(super) struct Known {
    pub vertices: usize,
    /// Vertices of the groups of a mesh file, by name.
    pub groups: Option<BTreeMap<String, Vec<u32>>>,
}

impl Builder<'_> {
    pub(super) fn pin(&mut self, view: &View<'_>, known: Option<&Known>) -> Pin {
        let (from, until) = self.acting(view);
        let motion = self.motion(view);
        Pin {
            select: self.select(&view.table("select"), known),
            hold: self.hold(view),
            motion,
            from,
            until,
            clamp: view.flag("clamp"),
        }
    }

    pub(super) fn load(&mut self, view: &View<'_>, known: Option<&Known>) -> Load {
        let (from, until) = self.acting(view);
        let select = self.select(&view.table("select"), known);
        let steady = view.given("force").and_then(vector::<3>);
        let force = match steady {
            Some(force) => vec![(0.0, Vec3::from_array(force))],
            None => {
                let keys: Vec<(f64, Vec3)> =
                    view.tables("force").iter().map(|key| (key.number("t"), key.vec3("force"))).collect();
                self.rising(&view.at("force"), keys.iter().map(|key| key.0));
                keys
            }
        };
        Load { select, force, from, until }
    }

    fn acting(&mut self, view: &View<'_>) -> (f64, f64) {
        let (from, until) = (view.number("from"), view.optional_number("until").unwrap_or(f64::INFINITY));
        if until <= from {
            let message = format!("`until` is {until} s, and `from` is {from} s: it would never act");
            self.out.value(&view.at("until"), message, "`until` must be later than `from`, or be left out");
        }
        (from, until)
    }

    pub(super) fn select(&mut self, view: &View<'_>, known: Option<&Known>) -> Select {
        let Some(key) = view.table.one_of.iter().copied().find(|key| view.has(key)) else { return Select::All };
        let select = self.select_by(view, key, known);
        if !view.has("every") {
            return select;
        }
        if key != "edge" && key != "border" {
            let help = "leave it out, or select by `edge` or `border`";
            self.out.key(&view.at("every"), format!("`every` counts along an `edge` or a `border`, not `{key}`"), help);
        }
        Select::Every { of: Box::new(select), n: u32::try_from(view.integer("every")).unwrap_or(1) }
    }

    fn select_by(&mut self, view: &View<'_>, key: &str, known: Option<&Known>) -> Select {
        let sides = |words: Vec<&'static str>| words.into_iter().map(side).collect();
        match key {
            "border" => Select::Border(match view.given(key).map(|node| &node.value) {
                Some(Value::Integer(_)) => Border::Loop(u32::try_from(view.integer(key)).unwrap_or(u32::MAX)),
                Some(Value::Table(_)) => Border::Near(view.table(key).vec3("near")),
                _ => Border::All,
            }),
            "group" => Select::Vertices(self.groups(view, known)),
            "corners" => Select::Corners(view.words(key).into_iter().map(corner).collect()),
            "edge" => Select::Edge(sides(view.words(key))),
            "vertices" => Select::Vertices(self.numbers(view, known)),
            "sphere" => {
                let ball = view.table(key);
                Select::Sphere { centre: ball.vec3("centre"), radius: ball.number("radius") }
            }
            "box" => {
                let [min, max] = self.bounds::<3>(view, key);
                Select::Box { min: Vec3::from_array(min), max: Vec3::from_array(max) }
            }
            "uv" => {
                let [min, max] = self.bounds::<2>(view, key);
                Select::Uv { min, max }
            }
            _ => {
                if matches!(view.given("all").map(|node| &node.value), Some(Value::Bool(false))) {
                    self.out.value(
                        &view.at("all"),
                        "`all = false` selects nothing",
                        "write all = true, or select by another key",
                    );
                }
                Select::All
            }
        }
    }

    /// The vertices of named groups.
    fn groups(&mut self, view: &View<'_>, known: Option<&Known>) -> Vec<u32> {
        let path = view.at("group");
        let node = view.given("group");
        let list = node.map_or(&[][..], Node::items).iter().enumerate().map(|(i, item)| (below(&path, i), item));
        let one = node.filter(|node| node.text().is_some()).map(|node| (path.clone(), node));
        let names: Vec<_> = one.into_iter().chain(list).filter_map(|(path, node)| Some((path, node.text()?))).collect();
        let Some(known) = known else { return Vec::new() };
        let Some(groups) = &known.groups else {
            self.out.key(&path, "`group` is a name in a mesh file, and this cloth has none", "select by another key");
            return Vec::new();
        };
        let mut vertices = Vec::new();
        for (path, name) in names {
            match groups.get(name) {
                Some(own) => vertices.extend_from_slice(own),
                None => {
                    let all = || groups.keys().map(String::as_str);
                    let more = groups.len().saturating_sub(NAMED);
                    let others = if more > 0 { format!(", and {more} more") } else { String::new() };
                    let help = match (nearest(name, all()), groups.is_empty()) {
                        (_, true) => {
                            "the mesh file names none: name groups or materials there, or select by another key".into()
                        }
                        (Some(near), _) => format!("did you mean \"{near}\"?"),
                        (None, _) => format!("there are {}{others}", list_of(all().take(NAMED), "and")),
                    };
                    self.out.value(&path, format!("there is no group `{}` in the mesh file", shorten(name)), help);
                }
            }
        }
        vertices
    }

    fn numbers(&mut self, view: &View<'_>, known: Option<&Known>) -> Vec<u32> {
        let path = view.at("vertices");
        let items = view.given("vertices").map_or(&[][..], Node::items).iter().enumerate();
        let mut list = Vec::new();
        for (i, item) in items {
            let Value::Integer(Some(number)) = item.value else { continue };
            match (u32::try_from(number), known.map(|known| known.vertices)) {
                (Ok(number), Some(count)) if number as usize >= count => {
                    let message = format!("vertex {number} does not exist: the cloth has {count}");
                    self.out.value(&below(&path, i), message, format!("the first is 0, the last is {}", count - 1));
                }
                (Ok(number), _) => list.push(number),
                (Err(_), _) => {}
            }
        }
        list
    }

    /// Smallest and largest corner of a box.
    fn bounds<const N: usize>(&mut self, view: &View<'_>, key: &str) -> [[f64; N]; 2] {
        let items = view.given(key).map_or(&[][..], Node::items);
        let corner = |i: usize| items.get(i).and_then(vector::<N>).unwrap_or([0.0; N]);
        let (min, max) = (corner(0), corner(1));
        if self.out.clean(&view.at(key)) && (0..N).any(|d| min[d] > max[d]) {
            let sorted: [[f64; N]; 2] =
                [std::array::from_fn(|d| min[d].min(max[d])), std::array::from_fn(|d| min[d].max(max[d]))];
            let message = format!("the first corner of `{key}` is not the smallest: nothing lies inside");
            self.out.value(&view.at(key), message, format!("write {key} = [{:?}, {:?}]", sorted[0], sorted[1]));
        }
        [min, max]
    }

    fn hold(&mut self, view: &View<'_>) -> Hold {
        let table = view.table("hold");
        let mut direction = |key: &str| {
            let vector = table.vec3(key);
            if vector.length_squared() < 1e-24 && self.out.clean(&table.at(key)) {
                let message = format!("`{key}` has no length, so it is no direction");
                self.out.value(&table.at(key), message, format!("such as {key} = [0.0, 1.0, 0.0]"));
            }
            vector
        };
        if table.has("normal") {
            return Hold::Normal(direction("normal"));
        }
        if table.has("along") {
            return Hold::Along(direction("along"));
        }
        match view.word("hold").unwrap_or("all") {
            "all" => Hold::All,
            axes => Hold::Axes(["x", "y", "z"].map(|axis| axes.contains(axis))),
        }
    }

    pub(super) fn motion(&mut self, view: &View<'_>) -> Motion {
        let path = view.at("motion");
        let smooth = view.word("ease") == Some("smooth");
        if view.has("ease") && !view.has("motion") {
            self.out.key(&view.at("ease"), "`ease` has no motion to smooth", "add a `motion`, or leave `ease` out");
        }
        let Some(text) = view.text("motion") else {
            let read = |key: &View<'_>| Key { t: key.number("t"), shift: key.vec3("move"), turn: key.vec3("turn") };
            let keys: Vec<Key> = view.tables("motion").iter().map(read).collect();
            self.rising(&path, keys.iter().map(|key| key.t));
            return Motion { keys, smooth };
        };
        let Some(referred) = self.file(&path, text, &["csv"]) else { return Motion::default() };
        match files::motion(&referred.bytes) {
            Ok(keys) => {
                if keys.len() > crate::keys::MOTION_KEYS {
                    let message = format!("`{}` has {} keys", referred.file, keys.len());
                    self.out.value(&path, message, format!("at most {} are allowed", crate::keys::MOTION_KEYS));
                }
                Motion { keys, smooth }
            }
            Err(problems) => {
                self.file_problems(&path, &referred, problems);
                Motion::default()
            }
        }
    }

    /// Checks that the times of keys increase.
    fn rising(&mut self, path: &[String], times: impl Iterator<Item = f64>) {
        if !self.out.clean(path) {
            return;
        }
        let mut last = f64::NEG_INFINITY;
        for (i, t) in times.enumerate() {
            if t <= last {
                let message = format!("`{}[{i}]` is at {t} s, and the key before it at {last} s", shown(path));
                self.out.value(
                    &below(&below(path, i), "t"),
                    message,
                    "keys stand in the order of time, no two at the same",
                );
                return;
            }
            last = t;
        }
    }
}

fn side(word: &str) -> Side {
    match word {
        "left" => Side::Left,
        "right" => Side::Right,
        "bottom" => Side::Bottom,
        _ => Side::Top,
    }
}

fn corner(word: &str) -> Corner {
    match word {
        "left-bottom" => Corner::LeftBottom,
        "right-bottom" => Corner::RightBottom,
        "left-top" => Corner::LeftTop,
        _ => Corner::RightTop,
    }
}
