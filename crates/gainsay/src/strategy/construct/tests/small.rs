//! Small values: all strings and sequences of two elements up to a length, and what a row speaks of besides.

use super::super::tree::Tree;
use super::search::domain;

/// The greatest length.
const LONGEST: usize = 4;
/// A row is tried on values of the greatest length at which there are at most so many ways to choose them.
const WAYS: usize = 60_000;
/// Of a variable that is looked for, so many values are counted: most are ruled out by a conjunct of their own.
const LOOKED_FOR: usize = 2;

/// The values that the variables of a row may have.
pub struct Small {
    about: String,
    /// The greatest length of strings and sequences.
    pub length: usize,
}

impl Small {
    /// Values for a row whose variables, those that quantifiers bind included, have these sorts; so many others are looked
    /// for.
    pub fn of(about: &str, sorts: &[&str], looked_for: usize) -> Small {
        let small = |length: usize| Small { about: about.to_owned(), length };
        let ways = |small: &Small| {
            let counts = sorts.iter().map(|sort| small.values(sort).len());
            counts.chain(vec![LOOKED_FOR; looked_for]).fold(1usize, usize::saturating_mul)
        };
        (2..=LONGEST).rev().map(small).find(|small| ways(small) <= WAYS).unwrap_or_else(|| small(1))
    }

    /// The constants of a sort, as they are written: closed under taking parts.
    pub fn values(&self, sort: &str) -> Vec<String> {
        match sort {
            "String" => self.strings(),
            "(Seq Int)" => words(&["(seq.unit 0)", "(seq.unit 1)"], self.length)
                .iter()
                .map(|word| match &word[..] {
                    [] => "(as seq.empty (Seq Int))".to_owned(),
                    [one] => (*one).to_owned(),
                    several => format!("(seq.++ {})", several.join(" ")),
                })
                .collect(),
            // Places in such words, and some outside.
            "Int"
                if !self.is_of("_int")
                    && !self.is_of("_code")
                    && (self.is_of("str.") || self.is_of("seq.")) =>
            {
                let places = 0..=self.length + 1;
                ["(- 2)".to_owned(), "(- 1)".to_owned()]
                    .into_iter()
                    .chain(places.map(|n| n.to_string()))
                    .collect()
            }
            _ => domain(sort, &self.about),
        }
    }

    fn is_of(&self, name: &str) -> bool {
        self.about.contains(name)
    }

    fn strings(&self) -> Vec<String> {
        let letters: &[&str] = if self.is_of("_int") { &["0", "1"] } else { &["a", "b"] };
        let mut all: Vec<String> = words(letters, self.length).iter().map(|word| word.concat()).collect();
        let mut add = |text: String| {
            if !all.contains(&text) {
                all.push(text);
            }
        };
        // The characters that the row names, and those beside them.
        for code in codes(&Tree::of(&format!("({})", self.about))) {
            for code in [code.wrapping_sub(1), code, code + 1] {
                match char::from_u32(code) {
                    Some(c) if c.is_ascii_graphic() && !"\"\\".contains(c) => add(c.to_string()),
                    _ if code <= 0x2_ffff => add(format!("\\u{{{code:x}}}")),
                    _ => {}
                }
            }
        }
        all.iter().map(|text| format!("\"{text}\"")).collect()
    }
}

/// All words of these letters up to a length.
fn words<'a>(letters: &[&'a str], length: usize) -> Vec<Vec<&'a str>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..length {
        let longer = |word: &Vec<&'a str>| {
            let word = word.clone();
            letters.iter().map(move |letter| word.iter().copied().chain([*letter]).collect::<Vec<_>>())
        };
        last = last.iter().flat_map(longer).collect();
        all.extend(last.clone());
    }
    all
}

/// The codes of characters in a row: literals of one character, and numbers where it speaks of codes.
fn codes(tree: &Tree) -> Vec<u32> {
    fn look(tree: &Tree, numbers: bool, found: &mut Vec<u32>) {
        match tree {
            Tree::List(list) => list.iter().for_each(|tree| look(tree, numbers, found)),
            Tree::Word(word) => {
                let literal = word.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
                let code = match literal.map(|text| text.chars().collect::<Vec<_>>()).as_deref() {
                    Some([one]) => Some(u32::from(*one)),
                    Some(_) => None,
                    None => word.parse().ok().filter(|_| numbers),
                };
                found.extend(code.filter(|code| !found.contains(code)));
            }
        }
    }
    let mut found = Vec::new();
    look(tree, tree.to_string().contains("_code"), &mut found);
    found
}

#[test]
fn values_are_all_up_to_a_length_and_what_a_row_names() {
    let rows = [
        ("(str.in_re s (re.range \"a\" \"c\"))", 4, "\"d\"", true),
        ("(str.in_re s (re.range \"a\" \"c\"))", 2, "\"bbab\"", true),
        ("(<= (str.to_code s) 57)", 1, "\":\"", true),
        ("(str.replace_re s (str.to_re \"ab\") u)", 2, "\"abab\"", true),
        ("(str.len s)", 5, "\"abab\"", false),
        ("(str.to_int s)", 1, "\"00\"", true),
    ];
    for (about, variables, text, expected) in rows {
        let small = Small::of(about, &vec!["String"; variables], 0);
        assert_eq!(small.values("String").contains(&text.to_owned()), expected, "{about} {text}");
    }
    assert_eq!(Small { about: String::new(), length: 3 }.values("(Seq Int)").len(), 15);
}
