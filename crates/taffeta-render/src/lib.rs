//! Pictures and films of cloth on the CPU: no GPU, no display, and the same bits on any number of threads.
//!
//! Use this crate to ray trace any moving triangle mesh as stills, contact sheets or films, with fabric, colour maps or
//! springs, and to plot series of points. It takes plain data and needs neither a run nor a scene.
//!
//! ```
//! use taffeta::{Mesh, Pattern};
//! use taffeta_render::{Frame, Picture, Subject, still};
//!
//! let mesh = Mesh::grid([1.0, 1.0], [4, 4], Pattern::Alternating)?;
//! let subject = Subject { vertices: mesh.rest.len(), triangles: mesh.triangles, uv: mesh.uv, ..Subject::default() };
//! let frame = Frame { positions: &mesh.rest, ..Frame::default() };
//! let image = still(&subject, &frame, &Picture { width: 96, height: 54, ..Picture::default() })?;
//! assert_eq!(image.pixels().len(), 3 * 96 * 54);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ```text
//! Subject + Frame   what is shown: triangles, bodies, springs; positions at a time       subject
//! Picture           what it should be like: size, look, camera                           picture
//! Survey → Stage    one camera, floor and scale of colours for all frames                survey
//! render → Image    geometry → bvh → trace (shade, studio, texture) → PNG                 render
//! contact_sheet     several frames with their times                                      sheet
//! Plot              series of points over an axis: SVG, PNG                              plot
//! Film              .gif by itself, .mp4 by ffmpeg, .y4m, numbered .png                   film
//! ```

mod body;
mod bvh;
mod camera;
mod colour;
mod crease;
mod crossings;
mod error;
mod film;
mod geometry;
mod histogram;
mod image;
mod legend;
mod picture;
pub mod plot;
mod pn_triangles;
mod quantity;
mod render;
mod sequence;
mod shade;
mod sheet;
mod springs;
mod studio;
mod subject;
mod survey;
mod text;
mod texture;
mod trace;
mod vector;

pub use camera::Camera;
pub use error::RenderError;
pub use film::Film;
pub use image::Image;
pub use legend::ticks;
pub use picture::{Colours, Fabric, Ground, Look, MAX_SIDE, Map, Pattern, Picture, Quantity, View};
pub use quantity::{force_by_area, quantity};
pub use render::{Stats, render, render_with_stats, still};
pub use sheet::{contact_sheet, contact_sheet_size};
pub use subject::{Frame, Segment, Subject, Values};
pub use survey::{Stage, Survey};
