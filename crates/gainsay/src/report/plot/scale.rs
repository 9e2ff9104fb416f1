//! Round numbers along an axis.

/// Four to seven round numbers from 0 to at least `most`.
pub(super) fn ticks(most: f64) -> Vec<f64> {
    if !(most.is_finite() && most > 0.0) {
        return vec![0.0, 1.0];
    }
    let rough = most / 4.0;
    let power = 10f64.powf(rough.log10().floor());
    let step =
        [1.0, 2.0, 2.5, 5.0, 10.0].iter().map(|m| m * power).find(|s| *s >= rough).unwrap_or(power * 10.0);
    let count = (most / step).ceil() as usize;
    (0..=count.max(1)).map(|i| i as f64 * step).collect()
}

/// A number as it stands at an axis.
pub(super) fn label(value: f64) -> String {
    let rounded = (value * 1000.0).round() / 1000.0;
    match rounded.abs() {
        x if x >= 1e6 => format!("{}M", rounded / 1e6),
        x if x >= 1e4 => format!("{}k", (rounded / 100.0).round() / 10.0),
        _ => format!("{rounded}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_reach() {
        for most in [0.003, 0.9, 1.0, 7.0, 99.0, 100.0, 187_858.0] {
            let ticks = ticks(most);
            assert!((3..=7).contains(&ticks.len()), "{most}: {ticks:?}");
            assert!(*ticks.last().expect("some") >= most, "{most}: {ticks:?}");
        }
        assert_eq!(ticks(0.0), [0.0, 1.0]);
        assert_eq!([0.25, 3.0, 12_500.0, 2e6].map(label), ["0.25", "3", "12.5k", "2M"]);
    }
}
