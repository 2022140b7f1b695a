//! Parts of a cloth that are made of something else.

use crate::common::*;
use taffeta::*;

#[test]
fn springs_refuse_regions_with_a_way_out_and_wrong_values_are_named() {
    let paths = |cloth: Cloth| -> Vec<(String, String)> {
        let problems = World::new(Setup::with_cloth(cloth)).err().unwrap_or_default();
        problems.into_iter().map(|problem| (problem.path, problem.help)).collect()
    };
    let sheet = || Cloth {
        model: Model::MassSpring { bending: Bending::Hinge },
        ..grid([0.4, 0.2], [4, 2], Pattern::Alternating, fabric())
    };
    assert!(!sheet().model.takes_regions() && Model::default().takes_regions());

    let mut cloth = sheet();
    cloth.regions = vec![Region { stretch_rest: [1.1, 0.9], ..Region::new(Select::All) }];
    let found = paths(cloth.clone());
    assert_eq!((found.len(), found[0].0.as_str()), (1, "cloth.0.region"));
    assert!(found[0].1.contains("baraff-witkin or membrane"), "{found:?}");

    let thin = Fabric { density: f64::NAN, ..fabric() };
    cloth.regions.push(Region { fabric: Some(thin), ..Region::new(Select::Vertices(vec![99])) });
    cloth.regions.push(Region { stretch_rest: [0.0, f64::INFINITY], ..Region::new(Select::All) });
    let found: Vec<String> = paths(cloth.clone()).into_iter().map(|(path, _)| path).collect();
    let wanted = ["region", "region.1.select", "region.1.density", "region.2.stretch_rest", "region.2.stretch_rest"];
    assert_eq!(found, wanted.map(|path| format!("cloth.0.{path}")));

    cloth.regions.truncate(1);
    cloth.material = Material::Raw(structural(1.0, 1.0));
    assert!(paths(cloth).iter().any(|(_, help)| help.contains("`fabric` in place of `raw`")));
}
