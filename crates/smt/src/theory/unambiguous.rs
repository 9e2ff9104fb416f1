//! Names that need no search: rows that their arguments tell from all others of their name, and functions whose name
//! no other function has.

use std::sync::LazyLock;

use super::{OpId, table};
use crate::pool::Pool;
use crate::sort::{Pat, Sort, Width};
use crate::term::FunId;

/// Whether arguments that are filled in from the patterns of a row always give what was asked for.
pub(super) fn is_plain(op: OpId) -> bool {
    static PLAIN: LazyLock<Vec<bool>> = LazyLock::new(|| {
        let plain =
            |pat: &Pat| matches!(pat, Pat::Is(_) | Pat::Any(_) | Pat::BitVec(Width::Is(_) | Width::Var(_)));
        let row = |op| {
            let row = table().op(op);
            row.rule.is_none() && row.indices == Some(0) && plain(&row.result) && row.args.iter().all(plain)
        };
        table().ids().map(row).collect()
    });
    PLAIN[op.index()]
}

/// Whether the arguments of a row tell it from every other row of its name, so that it need not be looked for by name.
pub(crate) fn is_unmistakable(op: OpId) -> bool {
    // Patterns of which no sort is an instance of both.
    fn apart(one: &Pat, other: &Pat) -> bool {
        match (one, other) {
            (Pat::Is(one), Pat::Is(other)) => one != other,
            (Pat::Is(_), Pat::BitVec(_) | Pat::Float(..)) | (Pat::BitVec(_) | Pat::Float(..), Pat::Is(_)) => {
                true
            }
            (Pat::BitVec(_), Pat::Float(..)) | (Pat::Float(..), Pat::BitVec(_)) => true,
            _ => false,
        }
    }
    static UNMISTAKABLE: LazyLock<Vec<bool>> = LazyLock::new(|| {
        let row = |op: OpId| {
            let row = table().op(op);
            let differs = |&other: &OpId| {
                let first = (row.args.first(), table().op(other).args.first());
                other == op || matches!(first, (Some(one), Some(other)) if apart(one, other))
            };
            // Its result, too, must be told by the arguments.
            let told = matches!(row.result, Pat::Is(_)) || row.args.contains(&row.result);
            is_plain(op) && told && table().named(row.name).iter().all(differs)
        };
        table().ids().map(row).collect()
    });
    UNMISTAKABLE[op.index()]
}

/// Whether a function's name alone tells solvers which is meant: others may have it, too, and to z3 a constructor of a
/// sort with parameters is one for each of the sort's instances.
pub(super) fn tells(pool: &Pool, fun: FunId) -> bool {
    let alike = |&other: &FunId| pool.fun(other).name == pool.fun(fun).name;
    let many = matches!(pool.sort(pool.fun(fun).result), Sort::Declared(_, list) if !pool.sort_list(list).is_empty());
    !many && pool.functions().filter(alike).count() == 1
}
