//! Pass `names`: short names, and the short word for declaring a constant.

use std::collections::{BTreeMap, BTreeSet};

use smt::Script;
use smt::rename::{canonical, order, own_names, renamed};
use smt::sexpr;

use crate::reduce::{Change, Pass};

/// All names at once, in the order of declarations and in that of their uses, then each.
pub struct Names;

impl Pass for Names {
    fn changes(&self, script: &mut Script, group: usize) -> Option<Vec<Change>> {
        if group > 0 {
            return None;
        }
        let text = script.text();
        let own = own_names(script);
        let (order, short) = order(&text, &own);
        let words: BTreeSet<&str> = sexpr::words(&text).collect();
        let all: BTreeMap<&str, &str> = order.iter().copied().zip(short.iter().map(String::as_str)).collect();
        let offer =
            |some: &BTreeMap<&str, &str>| Change { text: Some(renamed(&text, some)), ..Change::default() };
        let mut changes = vec![offer(&all)];
        let by_use = canonical(script, &text);
        changes.push(Change { text: Some(by_use), ..Change::default() });
        // A name must not become one that another still has.
        for old in &order {
            let free = short.iter().find(|new| !words.contains(new.as_str()));
            changes.extend(free.map(|new| offer(&BTreeMap::from([(*old, new.as_str())]))));
        }
        changes.push(offer(&BTreeMap::new()));
        Some(changes)
    }
}
