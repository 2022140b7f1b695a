//! Reading numbers from buffers.

use super::container::Contents;
use super::document::Accessor;
use super::{bad, get};
use crate::wrong::Wrong;

/// Type of a number in a buffer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn of(code: u32) -> Option<Self> {
        Some(match code {
            5120 => Component::I8,
            5121 => Component::U8,
            5122 => Component::I16,
            5123 => Component::U16,
            5125 => Component::U32,
            5126 => Component::F32,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Component::I8 | Component::U8 => 1,
            Component::I16 | Component::U16 => 2,
            Component::U32 | Component::F32 => 4,
        }
    }

    /// Decodes a number. Normalized integers are fractions of 1 (glTF 2.0, 3.6.2.2).
    fn read(self, b: &[u8], normalized: bool) -> f64 {
        let (value, one) = match self {
            Component::I8 => (f64::from(b[0] as i8), 127.0),
            Component::U8 => (f64::from(b[0]), 255.0),
            Component::I16 => (f64::from(i16::from_le_bytes([b[0], b[1]])), 32767.0),
            Component::U16 => (f64::from(u16::from_le_bytes([b[0], b[1]])), 65535.0),
            Component::U32 => (f64::from(u32::from_le_bytes([b[0], b[1], b[2], b[3]])), 4294967295.0),
            Component::F32 => return f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]])),
        };
        if normalized { (value / one).max(-1.0) } else { value }
    }
}

/// Elements at a fixed stride in a view.
struct Rows<'a> {
    bytes: &'a [u8],
    stride: usize,
    component: Component,
    normalized: bool,
}

impl Rows<'_> {
    fn row<const N: usize>(&self, index: usize) -> [f64; N] {
        let size = self.component.size();
        std::array::from_fn(|i| {
            let at = index * self.stride + i * size;
            self.component.read(&self.bytes[at..at + size], self.normalized)
        })
    }
}

/// Some elements of an otherwise zero array: index and value, indices ascending.
pub(super) type Few<const N: usize> = Vec<(u32, [f64; N])>;

impl Contents<'_> {
    /// All elements of an accessor of the given type (`VEC3` has N = 3).
    pub fn elements<const N: usize>(&self, index: usize, kind: &str, by: &str) -> Result<Vec<[f64; N]>, Wrong> {
        let (accessor, place) = self.accessor(index, kind, by)?;
        let rows = match accessor.buffer_view {
            Some(view) => Some(self.rows::<N>(accessor, view, accessor.byte_offset, accessor.count, true, &place)?),
            None => None,
        };
        self.charge(accessor.count.saturating_mul(N))?;
        let mut list = match rows {
            Some(rows) => (0..accessor.count).map(|i| rows.row(i)).collect(),
            None => vec![[0.0; N]; accessor.count],
        };
        for (i, value) in self.sparse::<N>(accessor, &place)? {
            list[i as usize] = value;
        }
        if let Some(i) = list.iter().position(|row| row.iter().any(|value| !value.is_finite())) {
            return Err(bad(place, format!("element {i} is not finite")));
        }
        Ok(list)
    }

    /// The elements of a sparse accessor that has values for a few only, as morph targets often do.
    pub fn few<const N: usize>(&self, index: usize, kind: &str, by: &str) -> Result<Option<Few<N>>, Wrong> {
        let (accessor, place) = self.accessor(index, kind, by)?;
        if accessor.buffer_view.is_some() {
            return Ok(None);
        }
        let list = self.sparse::<N>(accessor, &place)?;
        if let Some((i, _)) = list.iter().find(|(_, row)| row.iter().any(|value| !value.is_finite())) {
            return Err(bad(place, format!("element {i} is not finite")));
        }
        Ok(Some(list))
    }

    /// Number of elements.
    pub fn count(&self, index: usize, by: &str) -> Result<usize, Wrong> {
        Ok(get(&self.document.accessors, "accessor", index, by)?.count)
    }

    /// Indices of triangles or joints.
    pub fn integers<const N: usize>(&self, index: usize, kind: &str, by: &str) -> Result<Vec<[u32; N]>, Wrong> {
        let (accessor, place) = self.accessor(index, kind, by)?;
        if !matches!(Component::of(accessor.component_type), Some(Component::U8 | Component::U16 | Component::U32)) {
            return Err(bad(place, "indices must be unsigned integers"));
        }
        Ok(self.elements::<N>(index, kind, by)?.into_iter().map(|row| row.map(|value| value as u32)).collect())
    }

    fn accessor(&self, index: usize, kind: &str, by: &str) -> Result<(&Accessor, String), Wrong> {
        let accessor = get(&self.document.accessors, "accessor", index, by)?;
        let place = format!("accessors[{index}]");
        if accessor.kind != kind {
            return Err(bad(place, format!("{by} needs {kind}, not {}", accessor.kind)));
        }
        Ok((accessor, place))
    }

    fn sparse<const N: usize>(&self, accessor: &Accessor, place: &str) -> Result<Few<N>, Wrong> {
        let Some(sparse) = &accessor.sparse else { return Ok(Vec::new()) };
        self.charge(sparse.count.saturating_mul(N + 1))?;
        let (indices, values) = (&sparse.indices, &sparse.values);
        let integer = Accessor {
            buffer_view: None,
            byte_offset: 0,
            component_type: indices.component_type,
            normalized: false,
            count: sparse.count,
            kind: "SCALAR".into(),
            sparse: None,
        };
        let indices = self.rows::<1>(&integer, indices.buffer_view, indices.byte_offset, sparse.count, false, place)?;
        let values = self.rows::<N>(accessor, values.buffer_view, values.byte_offset, sparse.count, false, place)?;
        let mut list = Vec::with_capacity(sparse.count);
        for k in 0..sparse.count {
            let [i] = indices.row::<1>(k);
            if i < 0.0 || i >= accessor.count as f64 || i > f64::from(u32::MAX) {
                return Err(bad(place, format!("sparse element {i} does not exist: there are {}", accessor.count)));
            }
            list.push((i as u32, values.row(k)));
        }
        Ok(list)
    }

    fn rows<const N: usize>(
        &self,
        accessor: &Accessor,
        view: usize,
        offset: usize,
        count: usize,
        strided: bool,
        place: &str,
    ) -> Result<Rows<'_>, Wrong> {
        let component = Component::of(accessor.component_type)
            .ok_or_else(|| bad(place, format!("component type {} is not known", accessor.component_type)))?;
        let bytes = self.view(view, place)?;
        let size = N * component.size();
        let stride = self.document.buffer_views[view].byte_stride.filter(|_| strided).unwrap_or(size);
        if stride < size {
            return Err(bad(place, format!("a stride of {stride} bytes is less than an element of {size}")));
        }
        let needed = count.saturating_sub(1).checked_mul(stride).and_then(|n| n.checked_add(size));
        let needed = if count == 0 { Some(0) } else { needed.and_then(|n| n.checked_add(offset)) };
        match needed {
            Some(needed) if needed <= bytes.len() => {
                let bytes = bytes.get(offset..).unwrap_or_default();
                Ok(Rows { bytes, stride, component, normalized: accessor.normalized })
            }
            _ => Err(bad(
                place,
                format!("{count} elements of {size} bytes from {offset} on are not in a view of {} bytes", bytes.len()),
            )),
        }
    }
}
