//! The contact map: contact forces of the run per area.

use crate::failure::Failure;
use taffeta_files::cache::CacheReader;
use taffeta_files::run::{RunError, RunView};
use taffeta_render::{Quantity, Subject, force_by_area};

/// The quantity shown. It is per area, so that another resolution of the same cloth has the same colours.
pub fn quantity() -> Quantity {
    Quantity::Given { name: "contact".into(), unit: "N/m²".into() }
}

/// The source of the forces.
pub struct Contact(Option<Box<CacheReader>>);

impl Contact {
    /// The forces of a run.
    pub fn of(run: &RunView) -> Result<Self, Failure> {
        Ok(Self(run.contact()?.map(Box::new)))
    }

    /// A scene at its start: there is no contact yet.
    pub fn none() -> Self {
        Self(None)
    }

    /// Whether there is no contact, so that all forces are zero.
    pub fn is_none(&self) -> bool {
        self.0.is_none()
    }

    /// Force per area at each vertex, N/m².
    pub fn values(&mut self, frame: u64, subject: &Subject) -> Result<Vec<f64>, Failure> {
        let Some(cache) = &mut self.0 else { return Ok(vec![0.0; subject.vertices]) };
        let mut forces = Vec::new();
        cache.read(frame, &mut forces).map_err(RunError::from)?;
        Ok(force_by_area(subject, &forces)?)
    }
}
