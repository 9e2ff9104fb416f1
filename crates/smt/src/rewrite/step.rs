//! Steps as data: their kinds, and what each keeps.

use crate::term::TermId;

/// The kind of a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rule {
    /// A constant becomes the term that it is asserted to equal, and the equation goes.
    Substitute,
    /// An application of a definition, or a name given by `:named`, becomes its body.
    InlineDefinition,
    /// A `let` becomes its body with the bound terms in place.
    InlineLet,
    /// A `lambda` applied to arguments becomes its body.
    Beta,
    /// A term without symbols becomes its value.
    FoldGround,
    /// An asserted conjunction becomes several assertions.
    SplitAnd,
    /// An operator of many arguments becomes applications to two.
    Binary,
    /// `distinct` becomes inequalities of pairs.
    ExpandDistinct,
    /// `(=> a b)` becomes `(or (not a) b)`.
    ExpandImplies,
    /// `(xor a b)` becomes `(not (= a b))`.
    ExpandXor,
    /// An instance of an asserted `forall` is asserted besides.
    Instance,
    /// The variables of an asserted `exists`, or of a `forall` that is denied, become new constants.
    Skolem,
    /// Two assertions change places.
    Reorder,
    /// A declared function has a new name.
    Rename,
    /// Bound variables have new names.
    RenameBound,
    /// Annotations go.
    Unannotate,
}

impl Rule {
    /// All rules, in a fixed order.
    pub const ALL: [Rule; 16] = [
        Rule::Substitute,
        Rule::InlineDefinition,
        Rule::InlineLet,
        Rule::Beta,
        Rule::FoldGround,
        Rule::SplitAnd,
        Rule::Binary,
        Rule::ExpandDistinct,
        Rule::ExpandImplies,
        Rule::ExpandXor,
        Rule::Instance,
        Rule::Skolem,
        Rule::Reorder,
        Rule::Rename,
        Rule::RenameBound,
        Rule::Unannotate,
    ];

    /// The word for it in stores and on command lines.
    pub fn word(self) -> &'static str {
        match self {
            Rule::Substitute => "substitute",
            Rule::InlineDefinition => "inline-definition",
            Rule::InlineLet => "inline-let",
            Rule::Beta => "beta",
            Rule::FoldGround => "fold-ground",
            Rule::SplitAnd => "split-and",
            Rule::Binary => "binary",
            Rule::ExpandDistinct => "expand-distinct",
            Rule::ExpandImplies => "expand-implies",
            Rule::ExpandXor => "expand-xor",
            Rule::Instance => "instance",
            Rule::Skolem => "skolem",
            Rule::Reorder => "reorder",
            Rule::Rename => "rename",
            Rule::RenameBound => "rename-bound",
            Rule::Unannotate => "unannotate",
        }
    }

    /// The relation between a script before and after a step of this kind.
    pub fn keeps(self) -> Keeps {
        match self {
            Rule::Substitute | Rule::Skolem | Rule::Instance | Rule::Rename => Keeps::Satisfiability,
            _ => Keeps::Meaning,
        }
    }
}

/// The relation between a script before and after a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keeps {
    /// The old and the new term have the same value, whatever the symbols are.
    Meaning,
    /// One script is satisfiable if the other is. [`super::apply`] checks the shape of such a step.
    Satisfiability,
}

/// Which occurrences of a term a step replaces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// All in its assertion.
    Everywhere,
    /// The one at this path: which argument to take at each node from the root.
    At(Vec<u32>),
}

/// One step. Its terms are in the pool of the script that it is made for, and in those that follow from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The kind.
    pub rule: Rule,
    /// The number of the command with the assertion that it is about; for [`Rule::Rename`] that with the declaration.
    pub command: usize,
    /// Which occurrences it replaces.
    pub place: Place,
    /// The old term: what is replaced, or the assertion that is split, instantiated or moved.
    pub old: TermId,
    /// The new term: what replaces it. For [`Rule::Reorder`] the assertion that it changes places with.
    pub new: TermId,
}

impl Step {
    /// The relation between the script before and after the step.
    pub fn keeps(&self) -> Keeps {
        self.rule.keeps()
    }
}
