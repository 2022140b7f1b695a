//! Valid scenes and what they become.

use crate::{Scene, Source, builtin, load};
use std::num::NonZeroU64;
use taffeta::*;
use taffeta_files::export::{Format, Pick};

pub(super) fn read(text: &str) -> Scene {
    load(&Source::text("test", text, "."), &[]).unwrap_or_else(|e| panic!("{text}\n{e}"))
}

const CLOTH: &str = "[[cloth]]\ngrid = { size = [1.0, 0.5], cells = [4, 2] }\n";

#[test]
fn every_built_in_scene_loads_and_has_a_title() {
    for scene in builtin::scenes() {
        let loaded = load(&Source::find(scene.name).unwrap(), &[]).unwrap_or_else(|e| panic!("{e}"));
        assert!(loaded.title == scene.description && loaded.title != scene.name, "{}", scene.name);
        assert!(loaded.notes.is_empty(), "{}: {:?}", scene.name, loaded.notes);
        assert!(loaded.files.is_empty());
        assert_eq!(loaded.saved_text(), scene.text);
        let world = loaded.world().unwrap_or_else(|e| panic!("{e}"));
        assert!(world.steps_per_frame < 1000, "{}: {} steps a frame", scene.name, world.steps_per_frame);
    }
}

#[test]
fn defaults_of_the_table_of_keys_are_those_of_the_simulator() {
    let scene = read(CLOTH);
    let default = Setup::default();
    let setup = &scene.setup;
    assert_eq!((setup.gravity, setup.air), (default.gravity, default.air));
    assert_eq!((setup.time, setup.components), (default.time, default.components));
    assert!(setup.limiter.is_none() && setup.bodies.is_empty());
    let cloth = Cloth::new("cloth", setup.cloths[0].mesh.clone());
    assert_eq!(format!("{cloth:?}"), format!("{:?}", setup.cloths[0]));
    assert_eq!(read(&format!("{CLOTH}[limiter]\n")).setup.limiter, Some(Limiter::default()));
    let fabric = "fabric = { density = 0.15, stretch = 1000.0, shear = 50.0, bend = 1e-5 }\n";
    assert_eq!(read(&format!("{CLOTH}{fabric}")).setup.cloths[0].material, Material::Fabric(Fabric::default()));
    assert_eq!(scene.title, "test");
}

#[test]
fn the_method_follows_from_the_scene_if_it_is_not_named() {
    let method = |text: &str| {
        let setup = read(text).setup;
        setup.method.unwrap_or_else(|| Method::best(&setup))
    };
    let loose = format!("{CLOTH}[[cloth.pin]]\nselect = {{ edge = \"top\" }}\n");
    let stiff = CLOTH.to_owned() + "fabric = { density = 0.15, stretch = 1000.0, shear = 500.0, bend = 1e-5 }\n";
    let pinned = format!("{stiff}[[cloth.pin]]\nselect = {{ edge = \"top\" }}\n");
    let (bdf2, filtered) = (Method::Bdf2(Implicit::default()), Method::FilteredEuler);
    for more in ["", "[air]\ndrag = 1.0\n", "[air]\nwind = [1, 0, 0]\n"] {
        assert_eq!(method(&format!("{pinned}{more}")), filtered, "{more}");
    }
    assert_eq!(method(&stiff), filtered);
    for more in [
        "[air]\ndrag = 1.0\nwind = [1, 0, 0]\n",
        "[time]\nstep = 0.01\n",
        "[limiter]\n",
        "[components]\nshear = false\n",
        "[contact]\nlaw = \"constraint\"\n[[body]]\nsphere = { radius = 0.1 }\n",
        "[[cloth.region]]\nselect = { edge = \"top\" }\nstretch_rest = [1.1, 1.0]\n",
        "[method]\ntolerance = 0.001\n",
        "[method]\nname = \"auto\"\nnewton = 1\n",
    ] {
        assert_eq!(method(&format!("{pinned}{more}")), bdf2, "{more}");
    }
    // contact by the barrier
    let euler = Method::BackwardEuler(Implicit::default());
    assert_eq!(method(&format!("{pinned}[[body]]\nsphere = {{ radius = 0.1 }}\n")), euler);
    // it goes over to BDF2 where cloth comes near itself
    assert_eq!(method(&format!("{pinned}[contact]\ncloth = true\n")), filtered);
    // it shears easily
    assert_eq!(method(&loose), bdf2);
    // it hardly bends
    assert_eq!(method(&pinned.replace("bend = 1e-5", "bend = 10.0")), bdf2);
    // it flies
    assert_eq!(method(&format!("{stiff}[air]\ndrag = 1.0\n")), bdf2);
    let lets_go = format!("{pinned}until = 0.5\n[time]\nduration = 1.0\n[air]\ndrag = 1.0\n");
    assert_eq!(method(&lets_go), bdf2);
    // the fabric's own drag is relative to the wind
    let dragged = pinned.replace("bend = 1e-5", "bend = 1e-5, damping = { air = 0.1 }");
    assert_eq!(method(&dragged), filtered);
    let blown = read(&format!("{dragged}[air]\nwind = [1, 0, 0]\n"));
    assert!(blown.world().unwrap().method == bdf2 && blown.notes.is_empty());
    // components that are switched off do nothing
    let off = "[[body]]\nsphere = { radius = 0.1 }\n[components]\ncontact = false\n";
    assert_eq!(method(&format!("{pinned}{off}")), filtered);
    let newton = format!("{pinned}[method]\nnewton = 5\n");
    let settings = Implicit { newton: 5, ..Implicit::default() };
    assert_eq!(method(&newton), Method::Bdf2(settings));
    // contact by the barrier has the same method with settings and without
    let ball = format!("{pinned}[[body]]\nsphere = {{ radius = 0.1 }}\n[contact]\nlaw = \"barrier\"\n");
    assert_eq!(method(&format!("{ball}[method]\nnewton = 5\n")), Method::BackwardEuler(settings));
    // and by constraints
    assert_eq!(method(&ball), Method::BackwardEuler(Implicit::default()));
    let held = ball.replace("barrier", "constraint");
    assert_eq!(method(&format!("{held}[method]\nnewton = 5\n")), Method::Bdf2(settings));
}

#[test]
fn every_key_reaches_the_setup() {
    let scene = read(
        r#"
        title = "All of it"
        gravity = [0, 0, -1]
        [time]
        duration = 2
        fps = 30
        step = 1e-3
        [method]
        name = "verlet"
        damping = 0.01
        [air]
        density = 1.3
        drag = 0.5
        fluid = 0.1
        fluid_per_particle = 0.2
        wind = [1, 2, 3]
        gust = { strength = 0.5, period = 2.0, seed = 9 }
        [[cloth]]
        name = "sheet"
        grid = { size = [2.0, 1.0], cells = [4, 2], pattern = "crossed" }
        grain = 45.0
        place = { at = [1, 2, 3], rotate = [90, 0, 0], scale = 2.0 }
fabric = { base = "FABRIC", density = 0.2, stretch = { warp = 10, weft = 20 }, damping.bend = 0.5, friction = 0.1 }
        model = { name = "mass-spring", bending = "flexion", curvature = 5.0 }
        velocity = [0, 1, 0]
        noise = { size = 1e-3, seed = 4 }
        [[cloth.pin]]
        select = { corners = ["left-top"] }
        hold = "xz"
        motion = [{ t = 0, move = [0, 0, 0] }, { t = 1, move = [0, 1, 0], turn = [0, 90, 0] }]
        ease = "smooth"
        from = 0.5
        until = 1.5
        [[cloth.pin]]
        select = { edge = ["left", "top"] }
        hold = { normal = [0, 1, 0] }
        [[cloth.pin]]
        select = { vertices = [0, 3] }
        hold = { along = [1, 0, 0] }
        [[cloth.pin]]
        select = { box = [[0, 0, 0], [1, 1, 1]] }
        clamp = true
        [[cloth.pin]]
        select = { sphere = { centre = [0, 1, 0], radius = 0.5 } }
        [[cloth.load]]
        select = { uv = [[0, 0], [0.5, 1]] }
        force = [{ t = 0, force = [0, 0, 0] }, { t = 1, force = [0, -1, 0] }]
        [[cloth.load]]
        select = { all = true }
        force = [0, -0.5, 0]
        until = 2.0
        [[cloth]]
        equilateral = { size = [1.0, 1.0], edge = 0.25 }
        raw = { mass = 0.1, structural = 100.0, shear = 50.0, flexion = 10.0, damping = "critical", along = 0.5 }
        [[body]]
        name = "ball"
        sphere = { radius = 0.25 }
        place = { at = [0, 0.3, 0] }
        friction = 0.4
        restitution = 0.5
        motion = [{ t = 1.0, move = [0, 1, 0] }]
        [[body]]
        plane = true
        [[body]]
        box = { size = [1, 2, 3] }
        [[body]]
        capsule = { radius = 0.1, height = 1.0 }
        [[body]]
        cylinder = { radius = 0.1, height = 1.0 }
        [[body]]
        cone = { radius = 0.1, height = 1.0 }
        [[body]]
        torus = { radius = 0.5, tube = 0.1 }
        [limiter]
        limit = 0.05
        rule = "pull"
        passes = 3
        order = "longest-first"
        inverse_dynamics = false
        springs = ["flexion"]
        [components]
        wind = false
        [output]
        formats = ["npz", "obj", "npz"]
        frames = "0.1s.."
        every = 2
        "#
        .replace("FABRIC", builtin::fabrics()[0].name)
        .as_str(),
    );
    let setup = &scene.setup;
    assert_eq!((scene.title.as_str(), scene.duration, setup.gravity), ("All of it", 2.0, -Vec3::Z));
    assert_eq!(
        setup.time,
        Time { fps: 30.0, step: StepSize::AtMost(1e-3), duration: 2.0, adaptive: Some(Default::default()) }
    );
    assert_eq!(setup.method, Some(Method::Verlet { damping: 0.01 }));
    let gust = Some(Gust { strength: 0.5, period: 2.0, seed: 9 });
    let wind = Vec3::new(1.0, 2.0, 3.0);
    assert_eq!(setup.air, Air { density: 1.3, drag: 0.5, fluid: 0.1, fluid_per_particle: 0.2, wind, gust });

    let [sheet, other] = setup.cloths.as_slice() else { panic!("two cloths") };
    assert_eq!((sheet.name.as_str(), other.name.as_str()), ("sheet", "cloth-2"));
    assert_eq!(sheet.mesh.grid, Some(Grid { size: [2.0, 1.0], cells: [4, 2], pattern: Pattern::Crossed }));
    assert_eq!((sheet.grain, sheet.velocity), (45.0, Vec3::Y));
    assert_eq!(sheet.place, Place { scale: 2.0, rotate: Vec3::new(90.0, 0.0, 0.0), at: wind });
    assert_eq!(sheet.noise, Some(Noise { size: 1e-3, seed: 4 }));
    let Material::Fabric(fabric) = &sheet.material else { panic!("a fabric") };
    assert_eq!((fabric.density, fabric.stretch, fabric.damping.bend), (0.2, [10.0, 20.0], 0.5));
    assert_eq!((fabric.friction.cloth, fabric.friction.solid), (0.1, 0.1));
    let flexion = |curvature| Model::MassSpring { bending: Bending::Flexion { curvature } };
    assert_eq!((&sheet.model, &other.model), (&flexion(5.0), &flexion(20.0)));
    let raw = Raw {
        mass: 0.1,
        structural: 100.0,
        shear: 50.0,
        flexion: 10.0,
        hinge: 0.0,
        damping: ViscousDamping::Critical,
        along: 0.5,
    };
    assert_eq!(other.material, Material::Raw(raw));

    let holds: Vec<Hold> = sheet.pins.iter().map(|pin| pin.hold).collect();
    let axes = Hold::Axes([true, false, true]);
    assert_eq!(holds, [axes, Hold::Normal(Vec3::Y), Hold::Along(Vec3::X), Hold::All, Hold::All]);
    let selects: Vec<Select> = sheet.pins.iter().map(|pin| pin.select.clone()).collect();
    let expected = [
        Select::Corners(vec![Corner::LeftTop]),
        Select::Edge(vec![Side::Left, Side::Top]),
        Select::Vertices(vec![0, 3]),
        Select::Box { min: Vec3::ZERO, max: Vec3::ONE },
        Select::Sphere { centre: Vec3::Y, radius: 0.5 },
    ];
    assert_eq!(selects, expected);
    let clamps: Vec<bool> = sheet.pins.iter().map(|pin| pin.clamp).collect();
    assert_eq!(clamps, [false, false, false, true, false]);
    let pin = &sheet.pins[0];
    assert!((pin.from, pin.until, pin.motion.smooth) == (0.5, 1.5, true) && sheet.pins[1].until == f64::INFINITY);
    assert_eq!(pin.motion.keys[1], Key { t: 1.0, shift: Vec3::Y, turn: Vec3::new(0.0, 90.0, 0.0) });
    assert_eq!(sheet.loads[0].select, Select::Uv { min: [0.0, 0.0], max: [0.5, 1.0] });
    assert_eq!(sheet.loads[0].force, [(0.0, Vec3::ZERO), (1.0, -Vec3::Y)]);
    assert_eq!((sheet.loads[1].force.as_slice(), sheet.loads[1].until), (&[(0.0, -0.5 * Vec3::Y)][..], 2.0));

    let shapes: Vec<Shape> = setup.bodies.iter().map(|body| body.shape.clone()).collect();
    let (radius, height) = (0.1, 1.0);
    let expected = [
        Shape::Sphere { radius: 0.25 },
        Shape::Plane,
        Shape::Box { size: [1.0, 2.0, 3.0] },
        Shape::Capsule { radius, height },
        Shape::Cylinder { radius, height },
        Shape::Cone { radius, height },
        Shape::Torus { radius: 0.5, tube: 0.1 },
    ];
    assert_eq!(shapes, expected);
    let ball = &setup.bodies[0];
    assert_eq!((ball.friction, ball.restitution, ball.motion.keys.len()), (Some(0.4), 0.5, 1));
    let limiter = setup.limiter.as_ref().unwrap();
    assert_eq!(limiter.rule, Some(Rule::Pull));
    assert_eq!((limiter.limit, limiter.passes, limiter.order), (0.05, 3, Order::LongestFirst));
    assert_eq!((limiter.inverse_dynamics, limiter.springs.as_slice()), (false, &[SpringKind::Flexion][..]));
    assert!(!setup.components.wind && setup.components.air);
    assert_eq!(scene.output.formats, [Format::Npz, Format::Obj]);
    assert_eq!(scene.output.frames, Pick::Range("0.1s..".parse().unwrap(), NonZeroU64::new(2)));
}

#[test]
fn regions_change_single_values_of_the_clothes_fabric() {
    let scene = read(
        r#"
        [[cloth]]
        grid = { size = [1.0, 0.5], cells = [4, 2] }
fabric = { density = 0.2, stretch = {warp = 10, weft = 20}, shear = 1, bend = 1e-5, damping.air = 0.5, friction = 0.1 }
        model = "membrane"
        [[cloth.region]]
        select = { uv = [[0.0, 0.0], [0.25, 1.0]] }
        stretch_rest = [1.1, 0.9]
        [[cloth.region]]
        select = { all = true }
        density = 0.3
        thickness = 0.001
        stretch = { warp = 11.0, weft = 21.0 }
        shear = 2.0
        poisson = 0.25
        bend = { warp = 1e-4, weft = 2e-4 }
        damping = { air = 0.7 }
        "#,
    );
    let cloth = &scene.setup.cloths[0];
    let Material::Fabric(own) = cloth.material else { panic!("a fabric") };
    let [first, second] = cloth.regions.as_slice() else { panic!("two regions") };
    let select = Select::Uv { min: [0.0, 0.0], max: [0.25, 1.0] };
    assert_eq!(*first, Region { select, stretch_rest: [1.1, 0.9], fabric: None });
    let other = Fabric {
        density: 0.3,
        thickness: 0.001,
        stretch: [11.0, 21.0],
        shear: 2.0,
        poisson: 0.25,
        bend: [1e-4, 2e-4],
        damping: FabricDamping { air: 0.7, ..own.damping },
        ..own
    };
    assert_eq!(*second, Region { select: Select::All, stretch_rest: [1.0, 1.0], fabric: Some(other) });
    assert_eq!((own.damping.air, other.friction.solid), (0.5, 0.1));

    assert!(scene.world().is_ok());

    // springs refuse them, at the place of the first
    let source = Source::text("s.toml", &scene.text, ".");
    let springs = load(&source, &["cloth.model=mass-spring".into()]).unwrap();
    let found = springs.world().unwrap_err();
    assert_eq!((found.list.len(), found.list[0].at.as_ref().unwrap().line), (1, 6), "{found}");
    assert!(found.list[0].help.contains("baraff-witkin or membrane"), "{found}");
}

#[test]
fn meshes_are_those_of_the_simulator() {
    let mesh = |shape: &str| read(&format!("[[cloth]]\n{shape}\n")).setup.cloths[0].mesh.clone();
    let disc = mesh("disc = { radius = 0.15, edge = 0.02, rings = [0.09, 0.05] }");
    assert_eq!(disc, Mesh::disc(0.15, 0.02, &[0.05, 0.09]).unwrap());
    assert_eq!(mesh("disc = { radius = 0.15, edge = 0.02 }"), Mesh::disc(0.15, 0.02, &[]).unwrap());
    let random = mesh("random = { size = [0.3, 0.2], edge = 0.02, seed = 5 }");
    assert_eq!(random, Mesh::random([0.3, 0.2], 0.02, 5).unwrap());
    let default = mesh("random = { size = [0.3, 0.2], edge = 0.02 }");
    assert_eq!(default, Mesh::random([0.3, 0.2], 0.02, 1).unwrap());
}

#[test]
fn problems_of_the_simulator_stand_at_their_keys() {
    let text = format!(
        "{CLOTH}[[cloth.pin]]\nselect = {{ all = true }}\n[[cloth.pin]]\nselect = {{ edge = \"top\" }} # here\n"
    );
    let scene = read(&text);
    let problem = |path: &str| Problem { path: path.into(), message: "m".into(), help: String::new() };
    let lines = |path: &str| {
        let found = scene.diagnostics(&[problem(path)]);
        let at = found.list[0].at.clone().unwrap();
        assert!(!found.list[0].help.is_empty());
        (at.line, at.excerpt[at.span].to_string())
    };
    assert_eq!(lines("cloth.0.pin.1.select"), (6, "{ edge = \"top\" }".into()));
    assert_eq!(lines("cloth.0.pin.1.motion.3.t"), (5, "[[cloth.pin]]".into()));
    assert_eq!(lines("cloth.0.fabric.density"), (1, "[[cloth]]".into()));
    assert_eq!(lines("time.step").0, 1);
    assert_eq!(lines("").0, 1);
}

#[test]
fn all_that_the_simulator_refuses_is_shown_in_the_scene() {
    let nowhere = "[[cloth.pin]]\nselect = { box = [[8.0, 8.0, 8.0], [9.0, 9.0, 9.0]] }\n";
    let found = read(&format!("{CLOTH}{nowhere}{nowhere}")).world().unwrap_err();
    let places: Vec<_> = found.list.iter().map(|d| (d.key.as_str(), d.at.as_ref().unwrap().line)).collect();
    assert_eq!(places, [("cloth.0.pin.0.select", 4), ("cloth.0.pin.1.select", 6)], "{found}");
    assert!(found.list.iter().all(|d| !d.help.is_empty()));
}

#[test]
fn built_in_fabrics_have_a_source_for_every_value() {
    for fabric in builtin::fabrics() {
        let scene = read(&format!("{CLOTH}fabric = \"{}\"\n", fabric.name));
        assert!(matches!(scene.setup.cloths[0].material, Material::Fabric(_)));
        let document = crate::document::Document::new(fabric.name, fabric.text.into()).unwrap();
        let mut out = crate::mistakes::Mistakes::new(&document, None);
        crate::check::table(&mut out, &document.root, &crate::keys::FABRIC, &[]);
        assert!(out.list.is_empty(), "{}: {:?}", fabric.name, out.list);
        for entry in document.root.entries() {
            if ["name", "description", "source"].contains(&entry.key.as_str()) {
                continue;
            }
            let source = document.root.get("source").and_then(|s| s.get(&entry.key)).and_then(|s| s.text());
            let known = ["measured:", "estimated:", "composite:"];
            let source = source.unwrap_or_else(|| panic!("{}: no source of {}", fabric.name, entry.key));
            assert!(known.iter().any(|word| source.starts_with(word)), "{}: {source}", fabric.name);
        }
        assert!(document.root.get("name").is_some());
    }
}

/// The list in `builtin` matches the folders, so that no file is forgotten.
#[test]
fn every_file_of_scenes_and_fabrics_is_built_in() {
    for (folder, built_in) in [("scenes", builtin::scenes()), ("fabrics", builtin::fabrics())] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
        let files = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<String> = files
            .filter(|file| file.extension().is_some_and(|e| e == "toml"))
            .map(|file| file.file_stem().unwrap().to_str().unwrap().to_string())
            .collect();
        let mut names: Vec<&str> = built_in.iter().map(|each| each.name).collect();
        files.sort();
        names.sort();
        assert_eq!(files, names, "{folder}");
        assert!(built_in.iter().all(|each| each.description != each.name));
    }
}

/// Values that the test writes into the scene, and not those that the code reads, are expected.
#[test]
fn every_setting_of_every_method_is_read() {
    for method in Method::all() {
        for (place, setting) in method.info().settings.iter().enumerate() {
            let default = (setting.default.to_string(), method.values()[place]);
            let values = match setting.kind {
                SettingKind::Number(Bounds { min, max, .. }) => [0.25 * (3.0 * min + max), 0.5 * (min + max)]
                    .map(|x| (format!("{x:?}"), SettingValue::Number(x)))
                    .to_vec(),
                SettingKind::Whole(least, most) => {
                    [least, most].map(|n| (n.to_string(), SettingValue::Whole(n))).to_vec()
                }
                SettingKind::Flag => [false, true].map(|on| (on.to_string(), SettingValue::Flag(on))).to_vec(),
                SettingKind::Word(words, _) => {
                    words.iter().map(|(word, _)| (format!("\"{word}\""), SettingValue::Word(word))).collect()
                }
            };
            for (text, value) in values.into_iter().chain([default]) {
                let mut expected = method;
                expected.set(setting.key, value);
                let set = format!("name = \"{}\"\n{} = {text}\n", method.name(), setting.key);
                let scene = read(&format!("{CLOTH}[method]\n{set}"));
                assert_eq!(scene.setup.method, Some(expected), "{set}");
                assert_eq!(expected.values()[place], value, "{set}");
            }
        }
    }
}
