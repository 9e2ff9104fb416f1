//! Which solvers read an operator: since which release, under which options, and with which arguments.

use super::ReleaseNumber;

/// The solvers of which the table says for each operator whether they read it. Of others it says nothing.
pub const DESCRIBED: [&str; 2] = ["z3", "cvc5"];

/// The options without which a solver refuses an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Needs {
    /// One of these; it has had several names.
    pub options: &'static [&'static str],
    /// From this release on; earlier ones need no option.
    pub since: ReleaseNumber,
}

/// A solver that reads an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reader {
    /// The solver's name.
    pub solver: &'static str,
    /// The name under which it reads the operator, if that is another one.
    pub name: Option<&'static str>,
    /// The first release that is known to read it.
    pub since: ReleaseNumber,
    /// The options without which it refuses the operator.
    pub needs: Option<Needs>,
    /// Whether it refuses the operator where [`super::Op::constants`] are no constants.
    pub constants_only: bool,
}

impl Reader {
    /// Whether a release with these options reads the operator; no release stands for the newest.
    pub fn reads<S: AsRef<str>>(&self, release: Option<ReleaseNumber>, options: &[S]) -> bool {
        let reached = |first: ReleaseNumber| release.is_none_or(|release| release >= first);
        let given = |needs: &Needs| options.iter().any(|option| needs.options.contains(&option.as_ref()));
        reached(self.since) && !self.needs.is_some_and(|needs| reached(needs.since) && !given(&needs))
    }
}

/// The solvers that read an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Readers {
    /// As many as are described, or fewer; in no order.
    all: [Option<Reader>; DESCRIBED.len()],
}

impl Readers {
    /// All described solvers, in every release.
    pub(super) const fn everyone() -> Readers {
        let mut all = [None; DESCRIBED.len()];
        let mut i = 0;
        while i < DESCRIBED.len() {
            all[i] = Some(Reader {
                solver: DESCRIBED[i],
                name: None,
                since: ReleaseNumber::ZERO,
                needs: None,
                constants_only: false,
            });
            i += 1;
        }
        Readers { all }
    }

    /// These without all but one.
    pub(super) const fn only(mut self, solver: &str) -> Readers {
        let kept = position(solver);
        let mut i = 0;
        while i < DESCRIBED.len() {
            if i != kept {
                self.all[i] = None;
            }
            i += 1;
        }
        self
    }

    /// These without one.
    pub(super) const fn without(mut self, solver: &str) -> Readers {
        self.all[position(solver)] = None;
        self
    }

    /// Puts another in the place of the reader of the same name.
    pub(super) const fn with(mut self, reader: Reader) -> Readers {
        self.all[position(reader.solver)] = Some(reader);
        self
    }

    /// What is known of a solver that is among these.
    pub(super) const fn the(&self, solver: &str) -> Reader {
        self.all[position(solver)].expect("the row says that this solver reads it")
    }

    /// The reader of that name, if it is one.
    pub fn get(&self, solver: &str) -> Option<&Reader> {
        self.iter().find(|reader| reader.solver == solver)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Reader> {
        self.all.iter().flatten()
    }
}

/// The number of a described solver. Rows are constants, so that a wrong name does not compile.
const fn position(solver: &str) -> usize {
    let mut i = 0;
    while i < DESCRIBED.len() {
        let (known, name) = (DESCRIBED[i].as_bytes(), solver.as_bytes());
        let mut same = known.len() == name.len();
        let mut k = 0;
        while same && k < name.len() {
            same = known[k] == name[k];
            k += 1;
        }
        if same {
            return i;
        }
        i += 1;
    }
    panic!("the table does not describe this solver")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_and_options_decide() {
        let number = |text| ReleaseNumber::parse(text).expect("a number");
        let plain = Reader { since: number("5.4.0"), ..Readers::everyone().the("z3") };
        for (release, expected) in [
            (Some("4.8.12"), false),
            (Some("5.4"), true),
            (Some("5.4.0"), true),
            (Some("5.10"), true),
            (None, true),
        ] {
            assert_eq!(plain.reads::<&str>(release.map(number), &[]), expected, "{release:?}");
        }
        let needs = Some(Needs { options: &["--new", "--old"], since: number("1.2") });
        let picky = Reader { needs, ..Readers::everyone().the("cvc5") };
        for (release, options, expected) in [
            (Some("1.1"), &[][..], true),
            (Some("1.2"), &[], false),
            (Some("1.2"), &["--old"], true),
            (None, &["--other"], false),
        ] {
            assert_eq!(picky.reads(release.map(number), options), expected, "{release:?} {options:?}");
        }
    }
}
