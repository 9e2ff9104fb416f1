//! A macro that gives each variant of an enum a word, for stored data, messages and the command line.

/// Gives an enum its words. `ALL`, `word`, `named`, `Display` and serde are made from the list.
macro_rules! words {
    ($type:ident, $what:literal: $($variant:ident $word:literal),+ $(,)?) => {
        impl $type {
            /// All variants, in order.
            pub const ALL: &'static [$type] = &[$($type::$variant),+];

            /// The word for the variant.
            pub const fn word(self) -> &'static str {
                match self {
                    $($type::$variant => $word),+
                }
            }

            /// The variant with this word.
            pub fn named(word: &str) -> Option<$type> {
                match word {
                    $($word => Some($type::$variant),)+
                    _ => None,
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.word())
            }
        }

        impl std::str::FromStr for $type {
            type Err = String;

            fn from_str(word: &str) -> Result<$type, String> {
                let known = || $type::ALL.iter().map(|one| one.word()).collect::<Vec<_>>().join(", ");
                $type::named(word).ok_or_else(|| format!("`{word}` is no {}: it is one of {}", $what, known()))
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.word())
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                let word = std::borrow::Cow::<str>::deserialize(deserializer)?;
                word.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use words;
