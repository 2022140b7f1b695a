//! The elements of a world, sorted by block, and every sum over them. The list of their kinds is in `model/mod.rs`.
//!
//! A block holds a copy of every element that touches one of its particles and adds that element's forces to its own
//! particles only. Each particle sums its elements in the order of storage; elements on the border of two blocks are
//! evaluated once in each.
//!
//! Forces, energies and matrices are sums over elements of a dozen kinds. Each sum is written once, for any
//! [`Element`], as a [`Visitor`].

use super::element::Element;
use super::fused::Fused;
use super::hinge::Hinge;
use super::plate::Plate;
use super::spring::Spring;
use crate::linear::Pattern;
use crate::parallel::Block;
use crate::setup::SpringKind;
use std::ops::Range;

/// Groups of kinds that have faster code than a visitor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Springs,
    Hinges,
    /// Stretch and shear of triangles.
    Planar,
    Quadratic,
    /// Kinds that are always visited.
    Single,
}

/// Choice of elements to visit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    All,
    /// All but springs and hinges, which explicit methods evaluate by code of their own.
    Others,
    /// Those of `Others` that are not fused: neither stretch nor shear, nor quadratic bending.
    NotFused,
    /// All but stretch, shear and hinges.
    NotDefinite,
}

impl Which {
    fn has(self, group: Group) -> bool {
        let skipped: &[Group] = match self {
            Which::All => &[],
            Which::Others => &[Group::Springs, Group::Hinges],
            Which::NotFused => &[Group::Springs, Group::Hinges, Group::Planar, Group::Quadratic],
            Which::NotDefinite => &[Group::Hinges, Group::Planar],
        };
        !skipped.contains(&group)
    }
}

/// Elements of one kind in a block.
pub(crate) struct Visited<'a, E, const N: usize, const M: usize> {
    pub elements: &'a [E],
    /// Places of their blocks in the matrix; empty if there is none.
    pub places: &'a [[[u32; N]; N]],
    /// Damping time of each condition, s.
    pub tau: [f64; M],
    /// Kind of energy that they count as.
    pub kind: SpringKind,
}

/// An operation on elements of any kind.
pub(crate) trait Visitor {
    fn visit<const N: usize, const M: usize, E: Element<N, M>>(&mut self, group: Visited<'_, E, N, M>);
}

/// A list sorted by block.
#[derive(Clone, Debug)]
pub(crate) struct ByBlock<T> {
    list: Vec<T>,
    /// Start of each block, and end of the last.
    start: Vec<usize>,
}

impl<T> Default for ByBlock<T> {
    fn default() -> Self {
        Self { list: Vec::new(), start: vec![0] }
    }
}

impl<T> ByBlock<T> {
    /// Items of a block.
    pub fn of(&self, block: &Block) -> &[T] {
        &self.list[self.range(block)]
    }

    /// Range of a block's items in [`ByBlock::all`].
    pub fn range(&self, block: &Block) -> Range<usize> {
        self.start[block.index]..self.start[block.index + 1]
    }

    /// Items of all blocks.
    pub fn all(&self) -> &[T] {
        &self.list
    }

    /// Adds the items of the next block.
    pub fn push(&mut self, more: impl IntoIterator<Item = T>) {
        self.list.extend(more);
        self.start.push(self.list.len());
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.list[..])
    }
}

macro_rules! define {
    ($($list:ident: $type:ty, $n:literal, $group:ident, $kind:ident, $tau:expr;)*) => {
        /// The elements of one cloth, numbered over all particles.
        #[derive(Default)]
        pub(crate) struct Network {
            /// Springs by kind.
            pub springs: [Vec<Spring>; 3],
            $(pub $list: Vec<$type>,)*
        }

        /// The elements of a world.
        #[derive(Clone, Debug, Default)]
        pub(crate) struct Elements {
            /// Springs with both ends inside a block, by kind.
            pub inner: [ByBlock<Spring>; 3],
            /// Springs with `a` inside and `b` outside, by kind.
            pub border: [ByBlock<Spring>; 3],
            $(pub $list: ByBlock<$type>,)*
            /// Triangles of the mesh.
            pub triangles: ByBlock<[u32; 3]>,
            /// Stretch and shear of the same triangles, if both lists have the same triangles; empty otherwise.
            pub fused: ByBlock<Fused>,
            /// Sum of the quadratic elements; not used where stretch and shear are not fused.
            pub plate: Plate,
        }

        impl Elements {
            /// Adds the elements of a cloth, which are given in the order of evaluation, to its blocks.
            pub fn add(&mut self, blocks: &[Block], network: &Network, triangles: &[[u32; 3]]) {
                let cut = Cutting::new(blocks);
                // a border spring goes to both blocks, turned so that `a` is inside
                for kind in 0..3 {
                    let mut inner = vec![Vec::new(); blocks.len()];
                    let mut border = vec![Vec::new(); blocks.len()];
                    for s in &network.springs[kind] {
                        let (p, q) = (cut.block_of(s.a), cut.block_of(s.b));
                        if p == q {
                            inner[p].push(*s);
                        } else {
                            border[p].push(*s);
                            border[q].push(Spring { a: s.b, b: s.a, ..*s });
                        }
                    }
                    inner.into_iter().for_each(|list| self.inner[kind].push(list));
                    border.into_iter().for_each(|list| self.border[kind].push(list));
                }
                $(cut.sort(&network.$list, Element::vertices).into_iter().for_each(|list| self.$list.push(list));)*
                cut.sort(triangles, |triangle| *triangle).into_iter().for_each(|list| self.triangles.push(list));
            }

            /// Whether there are elements of each kind, with the name of its list.
            #[cfg(test)]
            pub fn filled(&self) -> Vec<(&'static str, bool)> {
                vec![$((stringify!($list), !self.$list.all().is_empty()),)*]
            }

            /// Size of all elements, bytes.
            pub fn bytes(&self) -> usize {
                let springs: usize = self.inner.iter().chain(&self.border).map(ByBlock::bytes).sum();
                springs $(+ self.$list.bytes())* + self.triangles.bytes() + self.fused.bytes() + self.plate.bytes()
            }

            /// Whether a block has springs of a kind or elements with its damping time.
            pub fn has(&self, block: &Block, kind: SpringKind) -> bool {
                let springs = [&self.inner[kind as usize], &self.border[kind as usize]];
                let one: [f64; 3] = std::array::from_fn(|k| if k == kind as usize { 1.0 } else { 0.0 });
                springs.iter().any(|list| !list.of(block).is_empty())
                    $(|| (($tau)(one).contains(&1.0) && !self.$list.of(block).is_empty()))*
            }

            /// Visits the elements of a block, of the kinds that are on, with the cloth's damping times.
            pub fn visit(
                &self,
                block: &Block,
                layout: &Layout,
                which: Which,
                on: impl Fn(SpringKind) -> bool,
                tau: [f64; 3],
                visitor: &mut impl Visitor,
            ) {
                if which.has(Group::Springs) {
                    for kind in SpringKind::ALL.into_iter().filter(|kind| on(*kind)) {
                        let k = kind as usize;
                        let lists = [(&self.inner[k], &layout.inner[k]), (&self.border[k], &layout.border[k])];
                        for (list, places) in lists {
                            visit(block, list, places, [tau[k]], kind, visitor);
                        }
                    }
                }
                $(if which.has(Group::$group) && on(SpringKind::$kind) {
                    visit(block, &self.$list, &layout.$list, ($tau)(tau), SpringKind::$kind, visitor);
                })*
            }
        }

        /// The pattern of the matrix of the implicit methods and the places of the elements in it, parallel to the
        /// lists of [`Elements`]. Empty for explicit methods.
        #[derive(Clone, Debug, Default)]
        pub(crate) struct Layout {
            pub pattern: Pattern,
            pub inner: [Vec<[[u32; 2]; 2]>; 3],
            pub border: [Vec<[[u32; 2]; 2]>; 3],
            pub triangles: Vec<[[u32; 3]; 3]>,
            $(pub $list: Vec<[[u32; $n]; $n]>,)*
        }

        impl Layout {
            pub fn new(particles: usize, elements: &Elements) -> Self {
                let springs = || elements.inner.iter().chain(&elements.border).flat_map(|list| list.all());
                let ends: Vec<[u32; 2]> = springs().map(Element::vertices).collect();
                $(let $list: Vec<[u32; $n]> = elements.$list.all().iter().map(Element::vertices).collect();)*
                let groups = ends.iter().map(|v| &v[..]).chain(elements.triangles.all().iter().map(|v| &v[..]));
                // elements on triangles add no new entries
                $(let groups = groups.chain($list.iter().filter(|_| $n != 3).map(|v| &v[..]));)*
                let pattern = Pattern::new(particles, groups);
                fn places<const N: usize>(pattern: &Pattern, vertices: &[[u32; N]]) -> Vec<[[u32; N]; N]> {
                    vertices.iter().map(|v| v.map(|i| v.map(|j| pattern.place(i, j)))).collect()
                }
                let of_springs = |list: &ByBlock<Spring>| {
                    places(&pattern, &list.all().iter().map(Element::vertices).collect::<Vec<_>>())
                };
                Self {
                    inner: elements.inner.each_ref().map(of_springs),
                    border: elements.border.each_ref().map(of_springs),
                    triangles: places(&pattern, elements.triangles.all()),
                    $($list: places(&pattern, &$list),)*
                    pattern,
                }
            }

            /// Size of the layout and of a matrix on it, bytes.
            pub fn bytes(&self) -> usize {
                fn bytes<T>(list: &[T]) -> usize {
                    size_of_val(list)
                }
                let springs: usize = self.inner.iter().chain(&self.border).map(|list| bytes(list)).sum();
                let pattern = bytes(&self.pattern.start) + bytes(&self.pattern.column) + bytes(&self.pattern.diagonal);
                springs $(+ bytes(&self.$list))* + bytes(&self.triangles)
                    + pattern + self.pattern.column.len() * size_of::<glam::DMat3>()
            }
        }
    };
}

kinds!(define);

fn visit<const N: usize, const M: usize, E: Element<N, M>>(
    block: &Block,
    list: &ByBlock<E>,
    places: &[[[u32; N]; N]],
    tau: [f64; M],
    kind: SpringKind,
    visitor: &mut impl Visitor,
) {
    let elements = list.of(block);
    if !elements.is_empty() {
        let places = places.get(list.range(block)).unwrap_or_default();
        visitor.visit(Visited { elements, places, tau, kind });
    }
}

impl Elements {
    /// Fuses stretch and shear once all blocks are added.
    pub fn fuse(&mut self, blocks: &[Block]) {
        for block in blocks {
            let (stretch, shear) = (self.stretch.of(block), self.shear.of(block));
            let same = stretch.len() == shear.len();
            let Some(fused) = same.then(|| Fused::all(stretch, shear)).flatten() else {
                (self.fused, self.plate) = Default::default();
                return;
            };
            self.plate.add(block.particles.clone(), self.quadratic.of(block));
            self.fused.push(fused);
        }
    }

    /// All springs of a kind, each once.
    pub fn each_spring(&self, blocks: &[Block], kind: SpringKind) -> impl Iterator<Item = &Spring> {
        blocks.iter().flat_map(move |block| self.own_springs(block, kind))
    }

    /// Springs that a block counts as its own: those inside, and those on the border that start here.
    pub fn own_springs(&self, block: &Block, kind: SpringKind) -> impl Iterator<Item = &Spring> {
        let (inner, border) = (&self.inner[kind as usize], &self.border[kind as usize]);
        inner.of(block).iter().chain(border.of(block).iter().filter(|s| s.a < s.b))
    }

    /// Hinges of a block that it counts as its own: each hinge belongs to the block of its first vertex.
    pub fn own_hinges(&self, block: &Block) -> impl Iterator<Item = &Hinge> {
        let particles = block.particles.clone();
        self.hinges.of(block).iter().filter(move |h| particles.contains(&(h.v[0] as usize)))
    }
}

/// How the particles of a cloth are cut into blocks.
struct Cutting {
    first: usize,
    size: usize,
    count: usize,
}

impl Cutting {
    fn new(blocks: &[Block]) -> Self {
        let particles = blocks.first().map_or(0..0, |block| block.particles.clone());
        Self { first: particles.start, size: particles.len().max(1), count: blocks.len() }
    }

    fn block_of(&self, v: u32) -> usize {
        (v as usize - self.first) / self.size
    }

    /// Copies of elements for every block that has one of their vertices.
    fn sort<const N: usize, T: Copy>(&self, elements: &[T], vertices: impl Fn(&T) -> [u32; N]) -> Vec<Vec<T>> {
        let mut sorted = vec![Vec::new(); self.count];
        for element in elements {
            let mut owners = vertices(element).map(|v| self.block_of(v));
            owners.sort_unstable();
            for k in 0..N {
                if k == 0 || owners[k] != owners[k - 1] {
                    sorted[owners[k]].push(*element);
                }
            }
        }
        sorted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vec3;
    use crate::model::check::{self, Tally};
    use crate::setup::{Bending, Cloth, Fabric, Material, Mesh, Model, Setting, SettingValue, Settings, Setup};
    use crate::world::World;
    use std::collections::BTreeMap;

    /// A small sheet of every model, of a fabric without a value that is 0: some elements are made only then.
    fn worlds() -> Vec<World> {
        let mut fabric = Fabric::default();
        let zero = |(_, value): &(&Setting, SettingValue)| *value == SettingValue::Number(0.0);
        for (setting, _) in Fabric::LIST.iter().zip(fabric.values()).filter(zero) {
            fabric.set(setting.key, SettingValue::Number(0.1));
        }
        let mut models = vec![Model::ChoiKo];
        for bending in [Bending::Hinge, Bending::Quadratic] {
            models.extend([Model::BaraffWitkin { bending }, Model::Membrane { bending }]);
        }
        let world = |model| {
            let mesh = Mesh::grid([1.0, 1.0], [3, 3], crate::setup::Pattern::Alternating).unwrap();
            let material = Material::Fabric(fabric);
            World::new(Setup::with_cloth(Cloth { model, material, ..Cloth::new("sheet", mesh) })).unwrap()
        };
        models.into_iter().map(world).collect()
    }

    #[test]
    fn every_kind_of_element_is_made_by_some_model() {
        let made: Vec<_> = worlds().iter().map(|world| world.elements.filled()).collect();
        for (i, (name, _)) in made[0].iter().enumerate() {
            assert!(made.iter().any(|lists| lists[i].1), "no model makes `{name}`");
        }
    }

    /// Compares the forces and derivatives of every element with differences, at the given positions.
    struct Check<'a> {
        x: &'a [Vec3],
        tallies: &'a mut BTreeMap<&'static str, Tally>,
    }

    impl Visitor for Check<'_> {
        fn visit<const N: usize, const M: usize, E: Element<N, M>>(&mut self, group: Visited<'_, E, N, M>) {
            let name = std::any::type_name::<E>();
            // some kinds have conditions that turn with the element, so the torques of the damping need not balance
            let tally = self.tallies.entry(name).or_insert_with(|| Tally { turning: true, ..Tally::default() });
            for element in group.elements {
                let x = element.vertices().map(|i| self.x[i as usize]);
                // an element that is slack has nothing to compare
                if element.stress(&element.conditions(&x)) != [0.0; M] {
                    tally.state(name, element, &x, check::reach(&x));
                }
            }
        }
    }

    /// Elements have tests of their own at extreme and degenerate states. This one needs no call, so that a new kind
    /// cannot be left out of it: the sheets are stretched or shortened by about a tenth, and crumpled.
    #[test]
    fn every_kind_of_element_has_the_derivatives_of_its_energy() {
        let mut tallies = BTreeMap::new();
        for world in worlds() {
            for size in [0.9, 1.12] {
                let noise = check::points::<16>(7, 0.005);
                let x: Vec<Vec3> = world.start.iter().zip(noise).map(|(p, noise)| *p * size + noise).collect();
                let mut visitor = Check { x: &x, tallies: &mut tallies };
                for block in &world.blocks {
                    world.elements.visit(block, &world.layout, Which::All, |_| true, [0.01; 3], &mut visitor);
                }
            }
        }
        tallies.iter().for_each(|(name, tally)| tally.report(name));
        assert!(!tallies.is_empty());
    }
}
