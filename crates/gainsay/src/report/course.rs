//! How a hunt goes, in words.

use std::time::Duration;

use crate::finding::Outlook;
use crate::solver::id::SolverId;

/// The time until another hour is over.
const HOUR: Duration = Duration::from_secs(3600);

/// A part in hundredths; nothing of nothing is nothing.
fn percent(part: f64, all: f64) -> String {
    format!("{:.0} %", if all > 0.0 { 100.0 * part / all } else { 0.0 })
}

/// What share of the time of questions time-outs took, and how many questions were asked again with more.
pub fn time_outs(late: Duration, all: Duration, again: u64) -> String {
    let share = percent(late.as_secs_f64(), all.as_secs_f64());
    format!("time-outs took {share} of the solvers' time; {again} asked again with more")
}

/// How many questions were refused, and the commonest reason.
pub fn refusals(refused: u64, asked: u64, commonest: Option<(&SolverId, &str, u64)>) -> String {
    let share = percent(refused as f64, asked as f64);
    let reason = commonest
        .map(|(solver, words, times)| format!("; {times} times {solver} said: {words}"))
        .unwrap_or_default();
    format!("{share} of the questions were refused{reason}")
}

/// How long ago the last new fault was found.
pub fn last_fault(ago: Option<Duration>) -> String {
    match ago {
        Some(ago) => format!("last new fault {} ago", clock(ago)),
        None => "no fault yet".to_owned(),
    }
}

/// What another hour would bring.
pub fn outlook(outlook: &Outlook) -> String {
    match (outlook.chance(), outlook.within(HOUR)) {
        (Some(chance), Some(more)) => format!(
            "of {} triggers {} were the only ones of their fingerprint: the next is new with a chance of {}, and another \
             hour brings at most about {more:.0} new fingerprints",
            outlook.triggers,
            outlook.once,
            percent(chance, 1.0)
        ),
        _ => "too few triggers to estimate what another hour would bring".to_owned(),
    }
}

/// A time, for people.
pub fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hunt_says_how_it_goes() {
        let seconds = Duration::from_secs;
        let solver: SolverId = "z3@4.8.7".parse().expect("a name");
        let rows = [
            (
                time_outs(seconds(15), seconds(100), 3),
                "time-outs took 15 % of the solvers' time; 3 asked again with more",
            ),
            (
                time_outs(seconds(0), seconds(0), 0),
                "time-outs took 0 % of the solvers' time; 0 asked again with more",
            ),
            (refusals(0, 100, None), "0 % of the questions were refused"),
            (
                refusals(20, 100, Some((&solver, "unknown constant", 12))),
                "20 % of the questions were refused; 12 times z3@4.8.7 said: unknown constant",
            ),
            (last_fault(None), "no fault yet"),
            (last_fault(Some(seconds(61))), "last new fault 1 min 1 s ago"),
            (
                outlook(&Outlook::of([1, 9], seconds(3600))),
                "of 10 triggers 1 were the only ones of their fingerprint: the next is new with a chance of 10 %, and another \
                 hour brings at most about 1 new fingerprints",
            ),
            (
                outlook(&Outlook::of([1], seconds(3600))),
                "too few triggers to estimate what another hour would bring",
            ),
        ];
        for (said, expected) in rows {
            assert_eq!(said, expected);
        }
    }
}
