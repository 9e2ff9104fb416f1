//! All questions against a matcher that knows nothing of derivatives.

use dashu_int::IBig;
use proptest::prelude::*;

use super::super::{Regex, indexof_re, replace_re, replace_re_all};
use super::{codes, fuel, string};

/// A matcher on the tree: which ends can a match from `start` have?
#[derive(Clone, Debug)]
enum Tree {
    None,
    All,
    Any,
    Word(Vec<u32>),
    Range(u32, u32),
    Concat(Vec<Tree>),
    Union(Vec<Tree>),
    Inter(Vec<Tree>),
    Diff(Vec<Tree>),
    Comp(Box<Tree>),
    Loop(Box<Tree>, u64, Option<u64>),
    Reverse(Box<Tree>),
}

impl Tree {
    fn regex(&self) -> Regex {
        let each = |parts: &[Self]| parts.iter().map(Self::regex).collect::<Vec<_>>();
        match self {
            Self::None => Regex::none(),
            Self::All => Regex::all(),
            Self::Any => Regex::allchar(),
            Self::Word(word) => Regex::word(word),
            Self::Range(low, high) => Regex::range(&[*low], &[*high]),
            Self::Concat(parts) => Regex::concat(each(parts)),
            Self::Union(parts) => Regex::union(each(parts)),
            Self::Inter(parts) => Regex::inter(each(parts)),
            Self::Diff(parts) => parts[0].regex().diff(each(&parts[1..])),
            Self::Comp(body) => body.regex().comp(),
            Self::Loop(body, low, high) => body.regex().repeat(*low, *high),
            Self::Reverse(body) => body.regex().reverse(),
        }
    }

    fn matches(&self, word: &[u32]) -> bool {
        self.ends(word, 0)[word.len()]
    }

    fn ends(&self, word: &[u32], start: usize) -> Vec<bool> {
        let places = word.len() + 1;
        let only = |at: Option<usize>| (0..places).map(|end| Some(end) == at).collect::<Vec<_>>();
        let one = |fits: bool| only((fits && start < word.len()).then_some(start + 1));
        let code = word.get(start).copied().unwrap_or(0);
        match self {
            Self::None => only(None),
            Self::All => (0..places).map(|end| end >= start).collect(),
            Self::Any => one(true),
            Self::Range(low, high) => one((low..=high).contains(&&code)),
            Self::Word(part) => only(word[start..].starts_with(part).then_some(start + part.len())),
            Self::Concat(parts) => {
                parts.iter().fold(only(Some(start)), |from, part| part.ends_from(word, &from))
            }
            Self::Union(parts) => parts.iter().fold(only(None), |all, part| {
                all.iter().zip(part.ends(word, start)).map(|(&x, y)| x | y).collect()
            }),
            Self::Inter(parts) => {
                parts.iter().fold((0..places).map(|end| end >= start).collect(), |all: Vec<bool>, part| {
                    all.iter().zip(part.ends(word, start)).map(|(&x, y)| x & y).collect()
                })
            }
            Self::Diff(parts) => parts[1..].iter().fold(parts[0].ends(word, start), |all, part| {
                all.iter().zip(part.ends(word, start)).map(|(&x, y)| x && !y).collect()
            }),
            Self::Comp(body) => {
                let inside = body.ends(word, start);
                (0..places).map(|end| end >= start && !inside[end]).collect()
            }
            Self::Loop(body, low, high) => {
                let mut power = only(Some(start));
                let mut out = only(None);
                // After that many rounds no new end can appear: rounds that eat nothing repeat.
                let last = high.unwrap_or(low + places as u64);
                for round in 0..=last {
                    if round >= *low {
                        out = out.iter().zip(&power).map(|(&x, &y)| x | y).collect();
                    }
                    power = body.ends_from(word, &power);
                }
                out
            }
            Self::Reverse(body) => (0..places)
                .map(|end| {
                    end >= start && {
                        let back: Vec<u32> = word[start..end].iter().rev().copied().collect();
                        body.matches(&back)
                    }
                })
                .collect(),
        }
    }

    fn ends_from(&self, word: &[u32], from: &[bool]) -> Vec<bool> {
        let mut out = vec![false; from.len()];
        for start in (0..from.len()).filter(|&start| from[start]) {
            for (end, found) in self.ends(word, start).into_iter().enumerate() {
                out[end] |= found;
            }
        }
        out
    }
}

fn tree() -> BoxedStrategy<Tree> {
    const A: u32 = b'a' as u32;
    let leaf = prop_oneof![
        1 => Just(Tree::None),
        2 => Just(Tree::All),
        3 => Just(Tree::Any),
        12 => prop::collection::vec(A..A + 2, 1..3).prop_map(Tree::Word),
        1 => Just(Tree::Word(vec![])),
        4 => (A..A + 3, A..A + 3).prop_map(|(x, y)| Tree::Range(x.min(y), x.max(y))),
    ];
    grow(3, leaf.boxed())
}

/// Counters above all: words of one character, so that loops meet often.
fn counting() -> BoxedStrategy<Tree> {
    let a = |count: usize| Just(Tree::Word(vec![97; count]));
    grow(3, prop_oneof![6 => a(1), 2 => a(2), 1 => a(0), 1 => a(3), 1 => Just(Tree::Any)].boxed())
}

fn grow(depth: u32, leaf: BoxedStrategy<Tree>) -> BoxedStrategy<Tree> {
    if depth == 0 {
        return leaf;
    }
    let inner = grow(depth - 1, leaf.clone());
    let some = || prop::collection::vec(inner.clone(), 2..4);
    let one = || inner.clone().prop_map(Box::new);
    prop_oneof![
        3 => leaf,
        6 => some().prop_map(Tree::Concat),
        6 => some().prop_map(Tree::Union),
        1 => some().prop_map(Tree::Inter),
        1 => some().prop_map(Tree::Diff),
        2 => one().prop_map(Tree::Comp),
        2 => one().prop_map(|body| Tree::Loop(body, 0, None)),
        4 => (one(), 0_u64..4, prop::option::of(0_u64..4)).prop_map(|(body, low, more)| {
            Tree::Loop(body, low, more.map(|more| low + more))
        }),
        1 => (one(), 0_u64..4, 0_u64..4).prop_map(|(body, low, high)| Tree::Loop(body, low, Some(high))),
        1 => one().prop_map(Tree::Reverse),
    ]
    .boxed()
}

/// All words over three characters up to a length.
fn words(length: usize) -> Vec<Vec<u32>> {
    let mut all = vec![vec![]];
    let mut from = 0;
    for _ in 0..length {
        let upto = all.len();
        for at in from..upto {
            for code in codes("abc") {
                let mut longer = all[at].clone();
                longer.push(code);
                all.push(longer);
            }
        }
        from = upto;
    }
    all
}

/// The standard's words, by trying all substrings: the leftmost, then the shortest.
fn first_match(tree: &Tree, word: &[u32], from: usize, least: usize) -> Option<(usize, usize)> {
    (from..=word.len())
        .flat_map(|start| (start + least..=word.len()).map(move |end| (start, end)))
        .find(|&(start, end)| tree.matches(&word[start..end]))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn membership_is_the_naive_one(tree in tree()) {
        let regex = tree.regex();
        for word in words(5) {
            prop_assert_eq!(regex.contains(&word, &mut fuel()), Ok(tree.matches(&word)), "{}", string(&word));
        }
    }

    #[test]
    fn counting_is_the_naive_one(tree in counting()) {
        let regex = tree.regex();
        for count in 0..13 {
            let mut word = vec![97; count];
            prop_assert_eq!(regex.contains(&word, &mut fuel()), Ok(tree.matches(&word)), "{}", count);
            word.insert(count / 2, 98);
            prop_assert_eq!(regex.contains(&word, &mut fuel()), Ok(tree.matches(&word)), "{} and b", count);
        }
    }

    #[test]
    fn emptiness_has_an_example(tree in tree()) {
        let regex = tree.regex();
        let example = regex.example(&mut fuel()).expect("enough fuel");
        prop_assert_eq!(regex.is_empty(&mut fuel()), Ok(example.is_none()));
        match example {
            None => prop_assert!(words(5).iter().all(|word| !tree.matches(word))),
            Some(word) => {
                prop_assert!(tree.matches(&word));
                let shorter = words(word.len().saturating_sub(1).min(5));
                prop_assert!(word.is_empty() || shorter.iter().all(|word| !tree.matches(word)));
            }
        }
    }

    #[test]
    fn equality_is_a_lack_of_counterexamples(one in tree(), two in tree(), odd in any::<bool>()) {
        // Unrelated trees are hardly ever equal: compare with a tree around the first as well.
        let two = if odd {
            Tree::Inter(vec![Tree::Union(vec![one.clone(), two.clone()]), Tree::Union(vec![one.clone(), Tree::Comp(Box::new(two))])])
        } else {
            two
        };
        let (a, b) = (one.regex(), two.regex());
        let both = Regex::union([a.diff([b.clone()]), b.diff([a.clone()])]);
        match both.example(&mut fuel()).expect("enough fuel") {
            None => {
                prop_assert_eq!(a.equals(&b, &mut fuel()), Ok(true));
                for word in words(5) {
                    prop_assert_eq!(one.matches(&word), two.matches(&word));
                }
            }
            Some(word) => {
                prop_assert!(!odd);
                prop_assert_eq!(a.equals(&b, &mut fuel()), Ok(false));
                prop_assert_ne!(one.matches(&word), two.matches(&word));
            }
        }
        for (x, y) in [(&a, &b), (&b, &a)] {
            let outside = x.diff([y.clone()]).is_empty(&mut fuel());
            prop_assert_eq!(x.is_subset(y, &mut fuel()), outside);
        }
    }

    #[test]
    fn replacing_is_the_standard_definition(
        tree in tree(),
        text in prop::collection::vec(97_u32..100, 0..7),
        new in prop::collection::vec(97_u32..100, 0..3),
        from in -1_i32..8,
    ) {
        let regex = tree.regex();

        let once = match first_match(&tree, &text, 0, 0) {
            Some((start, end)) => [&text[..start], &new, &text[end..]].concat(),
            None => text.clone(),
        };
        prop_assert_eq!(replace_re(&text, &regex, &new, &mut fuel()), Ok(once));

        let mut all = Vec::new();
        let mut rest = &text[..];
        while let Some((start, end)) = first_match(&tree, rest, 0, 1) {
            all.extend_from_slice(&rest[..start]);
            all.extend_from_slice(&new);
            rest = &rest[end..];
        }
        all.extend_from_slice(rest);
        prop_assert_eq!(replace_re_all(&text, &regex, &new, &mut fuel()), Ok(all));

        let index = usize::try_from(from).ok().and_then(|from| first_match(&tree, &text, from, 0));
        let index = index.map_or(IBig::NEG_ONE, |(start, _)| start.into());
        prop_assert_eq!(indexof_re(&text, &regex, &from.into(), &mut fuel()), Ok(index));
    }
}
