//! The open levels of a script and where each began.

/// The open levels, each with a mark of where it began. Levels that one command opens are kept as one entry, so that
/// `(push 1000000)` costs no more than `(push 1)`.
#[derive(Clone, Debug)]
pub struct Levels<M>(Vec<(M, u32)>);

impl<M> Default for Levels<M> {
    fn default() -> Self {
        Levels(Vec::new())
    }
}

impl<M: Copy> Levels<M> {
    /// Opens so many levels at this mark.
    pub fn push(&mut self, mark: M, count: u32) {
        if count > 0 {
            self.0.push((mark, count));
        }
    }

    /// Leaves so many levels; where the outermost of them began, if one was left, and whether there were enough.
    pub fn pop(&mut self, mut count: u64) -> (Option<M>, bool) {
        let mut outermost = None;
        while count > 0 {
            let Some((mark, here)) = self.0.last_mut() else { return (outermost, false) };
            outermost = Some(*mark);
            if u64::from(*here) > count {
                *here -= count as u32;
                break;
            }
            count -= u64::from(*here);
            self.0.pop();
        }
        (outermost, true)
    }

    /// Leaves all levels.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
