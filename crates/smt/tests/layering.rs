//! No two modules of one folder use each other, not even by way of others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

type Module = Vec<String>;

/// The modules of the crate without tests, each with its text.
fn modules(folder: &Path, path: &[String], found: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).expect("the folder of a module") {
        let file = entry.expect("an entry").path();
        let name = file.file_stem().and_then(|name| name.to_str()).expect("a name of text").to_owned();
        if name == "tests" {
            continue;
        }
        let inner = [path, std::slice::from_ref(&name)].concat();
        if file.is_dir() {
            modules(&file, &inner, found);
            continue;
        }
        let text = fs::read_to_string(&file).expect("a source file");
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let code: Vec<_> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let module = if name == "mod" || name == "lib" { path.to_vec() } else { inner };
        found.insert(module, code.join("\n"));
    }
}

/// The paths that the text of a module names from `crate` or `super` on.
fn named(module: &[String], text: &str) -> BTreeSet<Module> {
    let mut paths = BTreeSet::new();
    let starts = text.match_indices("crate::").chain(text.match_indices("super::"));
    for (at, word) in starts {
        let before = text[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let rest = &text[at..];
        let end = rest.find(|c| !is_path(c)).unwrap_or(rest.len());
        let mut parts: Vec<&str> = rest[..end].split("::").filter(|part| !part.is_empty()).collect();
        let mut path = if word == "crate::" { Vec::new() } else { module.to_vec() };
        while let Some(&first) = parts.first()
            && (first == "crate" || first == "super")
        {
            if first == "super" {
                path.pop();
            }
            parts.remove(0);
        }
        path.extend(parts.into_iter().map(str::to_owned));
        // `use crate::{a, b}` names several.
        let list = rest[end..].strip_prefix('{').and_then(|list| list.split('}').next()).unwrap_or("self");
        for item in list.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let item = item.split("::").next().unwrap_or(item);
            paths.insert([&path[..], &[item.to_owned()]].concat());
        }
    }
    paths
}

/// For each folder, which of its modules use which others.
fn uses(modules: &BTreeMap<Module, String>) -> BTreeMap<Module, BTreeMap<String, BTreeSet<String>>> {
    let known: BTreeSet<&[String]> =
        modules.keys().flat_map(|module| (1..=module.len()).map(|n| &module[..n])).collect();
    let mut uses: BTreeMap<Module, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (module, text) in modules {
        for path in named(module, text) {
            let longest = (0..=path.len()).rev().find(|&n| n == 0 || known.contains(&path[..n])).unwrap_or(0);
            let path = &path[..longest];
            let common = module.iter().zip(path).take_while(|(a, b)| a == b).count();
            if let (Some(from), Some(to)) = (module.get(common), path.get(common)) {
                let folder = uses.entry(module[..common].to_vec()).or_default();
                folder.entry(from.clone()).or_default().insert(to.clone());
            }
        }
    }
    uses
}

fn reached<'u>(uses: &'u BTreeMap<String, BTreeSet<String>>, from: &str) -> BTreeSet<&'u str> {
    let mut reached = BTreeSet::new();
    let mut left = vec![from];
    while let Some(module) = left.pop() {
        for next in uses.get(module).into_iter().flatten() {
            if reached.insert(next.as_str()) {
                left.push(next);
            }
        }
    }
    reached
}

#[test]
fn modules_of_one_folder_do_not_use_each_other() {
    let mut found = BTreeMap::new();
    modules(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &[], &mut found);
    let uses = uses(&found);
    // The test sees what it is about.
    assert!(uses[&Vec::new()]["eval"].contains("theory"));
    assert!(uses[&vec!["read".to_owned()]]["term"].contains("frame"));
    for (folder, uses) in &uses {
        for module in uses.keys() {
            let reached = reached(uses, module);
            assert!(
                !reached.contains(module.as_str()),
                "{folder:?}: {module} uses itself through {reached:?}"
            );
        }
    }
}
