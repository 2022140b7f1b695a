//! Where the elements' blocks are in the matrix of the implicit methods.

use super::blocks::Blocks;
use super::element::Element;
use crate::linear::Pattern;

/// The matrix pattern of a world and the places of its elements, parallel to the arrays of [`Blocks`]. Empty for
/// explicit methods.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    pub pattern: Pattern,
    pub springs: Vec<[[u32; 2]; 2]>,
    pub hinges: Vec<[[u32; 4]; 4]>,
    pub triangles: Vec<[[u32; 3]; 3]>,
    pub stretch: Vec<[[u32; 3]; 3]>,
    pub shear: Vec<[[u32; 3]; 3]>,
    pub membrane: Vec<[[u32; 3]; 3]>,
    pub tension: Vec<[[u32; 2]; 2]>,
    pub buckling: Vec<[[u32; 2]; 2]>,
    pub quadratic: Vec<[[u32; 4]; 4]>,
}

impl Layout {
    pub fn new(particles: usize, blocks: &Blocks) -> Self {
        fn vertices<const N: usize, const M: usize, E: Element<N, M>>(elements: &[E]) -> Vec<[u32; N]> {
            elements.iter().map(|element| element.vertices()).collect()
        }
        let springs = vertices(&blocks.springs);
        let hinges = vertices(&blocks.hinges);
        let tension = vertices(&blocks.tension);
        let buckling = vertices(&blocks.buckling);
        let quadratic = vertices(&blocks.quadratic);
        let groups = springs.iter().map(|v| &v[..]).chain(hinges.iter().map(|v| &v[..]));
        let groups = groups.chain(tension.iter().chain(&buckling).map(|v| &v[..]));
        let groups = groups.chain(quadratic.iter().map(|v| &v[..])).chain(blocks.triangles.iter().map(|v| &v[..]));
        let pattern = Pattern::new(particles, groups);
        fn places<const N: usize>(pattern: &Pattern, vertices: &[[u32; N]]) -> Vec<[[u32; N]; N]> {
            vertices.iter().map(|v| v.map(|i| v.map(|j| pattern.place(i, j)))).collect()
        }
        Self {
            springs: places(&pattern, &springs),
            hinges: places(&pattern, &hinges),
            triangles: places(&pattern, &blocks.triangles),
            stretch: places(&pattern, &vertices(&blocks.stretch)),
            shear: places(&pattern, &vertices(&blocks.shear)),
            membrane: places(&pattern, &vertices(&blocks.membrane)),
            tension: places(&pattern, &tension),
            buckling: places(&pattern, &buckling),
            quadratic: places(&pattern, &quadratic),
            pattern,
        }
    }

    /// Bytes of the layout and of a matrix on it.
    pub fn bytes(&self) -> usize {
        fn bytes<T>(list: &[T]) -> usize {
            std::mem::size_of_val(list)
        }
        let two = bytes(&self.springs) + bytes(&self.tension) + bytes(&self.buckling);
        let three = bytes(&self.triangles) + bytes(&self.stretch) + bytes(&self.shear) + bytes(&self.membrane);
        let four = bytes(&self.hinges) + bytes(&self.quadratic);
        let pattern = bytes(&self.pattern.start) + bytes(&self.pattern.column) + bytes(&self.pattern.diagonal);
        two + three + four + pattern + self.pattern.column.len() * size_of::<glam::DMat3>()
    }
}
