//! Plots as SVG: stacked bars and lines over releases, in a grid of panels. They read on light and dark ground, hold no
//! script, and stand alone or inside a page.

mod scale;

use std::fmt::Write;

use maud::{Markup, PreEscaped, html};

use super::escape::without_control;
use scale::{label, ticks};

/// One row of values over the releases.
#[derive(Clone, Debug)]
pub struct Series {
    /// What it is, in the legend.
    pub name: String,
    /// A value for each release; none leaves a gap.
    pub values: Vec<Option<f64>>,
}

/// How values are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// Bars on one another.
    Stacked,
    /// Lines with points.
    Lines,
}

/// How the series of a figure are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// Things of different kinds.
    Kinds,
    /// Things in an order, such as bounds of time.
    Order,
}

/// One pair of axes.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What it shows.
    pub title: String,
    /// The releases.
    pub places: Vec<String>,
    /// How it is drawn.
    pub marks: Marks,
    /// What is drawn; the series of all panels of a figure have the same names.
    pub series: Vec<Series>,
}

/// A figure.
#[derive(Clone, Debug)]
pub struct Figure {
    /// What it shows.
    pub title: String,
    /// What the numbers are.
    pub about: String,
    /// How its series are told apart.
    pub colours: Colours,
    /// Its panels.
    pub panels: Vec<Panel>,
    /// How many panels stand beside one another.
    pub columns: usize,
}

/// Measures in units of the drawing.
const PANEL: (f64, f64) = (380.0, 210.0);
const LEFT: f64 = 46.0;
const TOP: f64 = 22.0;
const BELOW: f64 = 48.0;
const GAP: f64 = 18.0;
/// More names than these would run into one another.
const NAMES: usize = 24;

/// Colours of kinds and of steps, on light and on dark ground: each is told from its neighbours without colour vision, too.
const KINDS: [(&str, &str); 8] = [
    ("#b3261e", "#ff8a80"),
    ("#d97706", "#ffb74d"),
    ("#6d28d9", "#c4a7ff"),
    ("#0f766e", "#5eead4"),
    ("#64748b", "#a3b1c6"),
    ("#1d4ed8", "#7cb0ff"),
    ("#be185d", "#ff9ecb"),
    ("#4d7c0f", "#bef264"),
];
const STEPS: [(&str, &str); 10] = [
    ("#440154", "#d8b4fe"),
    ("#482878", "#c4b5fd"),
    ("#3e4a89", "#a5b4fc"),
    ("#31688e", "#93c5fd"),
    ("#26828e", "#7dd3fc"),
    ("#1f9e89", "#67e8f9"),
    ("#35b779", "#5eead4"),
    ("#5a9e2f", "#86efac"),
    ("#8f8f00", "#bef264"),
    ("#b08000", "#fde047"),
];

impl Figure {
    /// The drawing as a file of its own.
    pub fn svg(&self) -> String {
        without_control(&self.markup().into_string()) + "\n"
    }

    /// The drawing as a part of a page.
    pub fn markup(&self) -> Markup {
        let columns = self.columns.clamp(1, self.panels.len().max(1));
        let rows = self.panels.len().div_ceil(columns);
        let width = columns as f64 * (PANEL.0 + GAP) + GAP;
        let names = self.names();
        let (legend, legend_height) = self.legend(&names, width);
        let head = 52.0 + legend_height;
        let height = head + rows as f64 * (PANEL.1 + GAP) + GAP;
        html! {
            svg xmlns="http://www.w3.org/2000/svg" class="gainsay-plot" viewBox={ "0 0 " (width) " " (height) }
                width=(width) height=(height) role="img" aria-label=(self.title) {
                title { (self.title) }
                desc { (self.about) }
                style { (PreEscaped(self.style())) }
                rect.ground width=(width) height=(height) {}
                text.title x=(GAP) y="24" { (self.title) }
                text.about x=(GAP) y="41" { (self.about) }
                (legend)
                @for (i, panel) in self.panels.iter().enumerate() {
                    @let x = GAP + (i % columns) as f64 * (PANEL.0 + GAP);
                    @let y = head + (i / columns) as f64 * (PANEL.1 + GAP);
                    g transform={ "translate(" (x) " " (y) ")" } { (panel.drawn(&names)) }
                }
            }
        }
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for series in self.panels.iter().flat_map(|p| &p.series) {
            if !names.contains(&series.name) {
                names.push(series.name.clone());
            }
        }
        names
    }

    fn style(&self) -> String {
        let colours: &[(&str, &str)] = if self.colours == Colours::Kinds { &KINDS } else { &STEPS };
        let rules = |dark: bool| {
            let (ink, dim, ground, rule) = if dark {
                ("#e6e6e6", "#a8adb4", "#15181c", "#3a3f46")
            } else {
                ("#1b1f24", "#57606a", "#ffffff", "#d0d7de")
            };
            let p = ".gainsay-plot";
            let mut text = format!(
                "{p} text{{fill:{ink}}}{p} .about,{p} .tick{{fill:{dim}}}{p} .ground{{fill:{ground}}}\
                 {p} .rule{{stroke:{rule}}}{p} .axis{{stroke:{dim}}}"
            );
            for (i, (light, deep)) in colours.iter().enumerate() {
                let colour = if dark { deep } else { light };
                let _ = write!(text, "{p} .f{i}{{fill:{colour}}}{p} .s{i}{{stroke:{colour}}}");
            }
            text
        };
        format!(
            ".gainsay-plot text{{font:11px system-ui,sans-serif}}.gainsay-plot .title{{font-size:16px;font-weight:600}}\
             .gainsay-plot .about{{font-size:12px}}.gainsay-plot .head{{font-size:12px;font-weight:600}}\
             .gainsay-plot .tick{{font-size:10px}}.gainsay-plot .line{{fill:none;stroke-width:1.6}}\
             .gainsay-plot .rule,.gainsay-plot .axis{{stroke-width:1;fill:none}}{}\
             @media (prefers-color-scheme: dark){{{}}}",
            rules(false),
            rules(true)
        )
    }

    /// The legend, and how much room it takes.
    fn legend(&self, names: &[String], width: f64) -> (Markup, f64) {
        let mut placed = Vec::new();
        let (mut x, mut y) = (GAP, 60.0);
        for (i, name) in names.iter().enumerate() {
            let long = 22.0 + 6.6 * name.chars().count() as f64;
            if x + long > width - GAP && x > GAP {
                x = GAP;
                y += 18.0;
            }
            placed.push((i % self.colour_count(), x, y, name));
            x += long;
        }
        let markup = html! {
            @for (colour, x, y, name) in placed {
                rect class={ "f" (colour) } x=(tenths(x)) y=(tenths(y - 9.0)) width="10" height="10" rx="2" {}
                text x=(tenths(x + 14.0)) y=(tenths(y)) { (name) }
            }
        };
        (markup, if names.is_empty() { 0.0 } else { y - 60.0 + 22.0 })
    }

    fn colour_count(&self) -> usize {
        if self.colours == Colours::Kinds { KINDS.len() } else { STEPS.len() }
    }
}

impl Panel {
    fn colour(names: &[String], series: &Series) -> usize {
        // A panel does not know its figure's colours; both lists have at least these.
        let place = names.iter().position(|n| *n == series.name).unwrap_or(0);
        if names.len() > KINDS.len() { place % STEPS.len() } else { place }
    }

    fn drawn(&self, names: &[String]) -> Markup {
        let count = self.places.len().max(1);
        let (wide, high) = (PANEL.0 - LEFT, PANEL.1 - TOP - BELOW);
        let step = wide / count as f64;
        let marks = ticks(self.most());
        let top = marks.last().copied().unwrap_or(1.0);
        let y_of = |value: f64| TOP + high - value / top * high;
        let base = tenths(y_of(0.0));
        html! {
            text.head x="0" y="12" { (self.title) }
            @for &mark in &marks {
                @let y = tenths(y_of(mark));
                line.rule x1=(LEFT) x2=(PANEL.0) y1=(y) y2=(y) {}
                text.tick x=(LEFT - 5.0) y=(tenths(y_of(mark) + 3.5)) text-anchor="end" { (label(mark)) }
            }
            @for (i, place) in self.places.iter().enumerate().step_by(count.div_ceil(NAMES)) {
                @let at = format!("translate({:.1} {:.1}) rotate(-45)", LEFT + (i as f64 + 0.5) * step, TOP + high + 12.0);
                text.tick transform=(at) text-anchor="end" { (place) }
            }
            @match self.marks {
                Marks::Stacked => (self.bars(names, step, &y_of)),
                Marks::Lines => (self.lines(names, step, &y_of)),
            }
            line.axis x1=(LEFT) x2=(PANEL.0) y1=(base) y2=(base) {}
        }
    }

    /// The largest value that must fit.
    fn most(&self) -> f64 {
        let value = |s: &Series, i: usize| s.values.get(i).copied().flatten().unwrap_or(0.0);
        let at = |i: usize| match self.marks {
            Marks::Stacked => self.series.iter().map(|s| value(s, i)).sum::<f64>(),
            Marks::Lines => self.series.iter().map(|s| value(s, i)).fold(0.0, f64::max),
        };
        (0..self.places.len()).map(at).fold(0.0, f64::max)
    }

    fn said(&self, series: &Series, i: usize, value: f64) -> Markup {
        html! { title { (self.places[i]) ", " (series.name) ": " (label(value)) } }
    }

    fn bars(&self, names: &[String], step: f64, y_of: &impl Fn(f64) -> f64) -> Markup {
        let mut bars = Vec::new();
        for i in 0..self.places.len() {
            let mut below = 0.0;
            for series in &self.series {
                if let Some(value) = series.values.get(i).copied().flatten().filter(|v| *v > 0.0) {
                    bars.push((i, series, value, y_of(below + value), y_of(below)));
                    below += value;
                }
            }
        }
        html! {
            @for (i, series, value, y, end) in bars {
                rect class={ "f" (Panel::colour(names, series)) } x=(tenths(LEFT + (i as f64 + 0.15) * step))
                    y=(tenths(y)) width=(tenths(step * 0.7)) height=(tenths((end - y).max(0.5))) {
                    (self.said(series, i, value))
                }
            }
        }
    }

    fn lines(&self, names: &[String], step: f64, y_of: &impl Fn(f64) -> f64) -> Markup {
        html! {
            @for series in &self.series {
                @let colour = Panel::colour(names, series);
                @let points = self.points(series, step, y_of);
                path class={ "line s" (colour) } d=(path(&points)) {}
                @for (i, point) in points.iter().enumerate() {
                    @if let Some((value, x, y)) = *point {
                        circle class={ "f" (colour) } cx=(tenths(x)) cy=(tenths(y)) r="2.4" {
                            (self.said(series, i, value))
                        }
                    }
                }
            }
        }
    }

    /// The values of a series and where they are drawn, by place.
    fn points(&self, series: &Series, step: f64, y_of: &impl Fn(f64) -> f64) -> Vec<Option<(f64, f64, f64)>> {
        let point = |i: usize| {
            let value = series.values.get(i).copied().flatten()?;
            Some((value, LEFT + (i as f64 + 0.5) * step, y_of(value)))
        };
        (0..self.places.len()).map(point).collect()
    }
}

/// A line through points; where one is missing, the line has a gap.
fn path(points: &[Option<(f64, f64, f64)>]) -> String {
    let mut path = String::new();
    let mut drawing = false;
    for point in points {
        if let Some((_, x, y)) = point {
            path.push_str(&format!("{}{x:.1} {y:.1}", if drawing { "L" } else { "M" }));
        }
        drawing = point.is_some();
    }
    path
}

/// A measure with one digit after the point.
fn tenths(x: f64) -> String {
    format!("{x:.1}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(marks: Marks) -> Figure {
        let series =
            |name: &str, values: &[Option<f64>]| Series { name: name.to_owned(), values: values.to_vec() };
        Figure {
            title: "A <b> & c".to_owned(),
            about: "counts".to_owned(),
            colours: Colours::Kinds,
            panels: vec![Panel {
                title: "Ints".to_owned(),
                places: ["1.0", "2.0", "3.0"].map(str::to_owned).to_vec(),
                marks,
                series: vec![
                    series("one", &[Some(1.0), None, Some(4.0)]),
                    series("two", &[Some(2.0), Some(0.0), Some(3.0)]),
                ],
            }],
            columns: 2,
        }
    }

    #[test]
    fn what_is_drawn_is_what_is_there() {
        let bars = figure(Marks::Stacked).svg();
        assert!(bars.contains("aria-label=\"A &lt;b&gt; &amp; c\""), "{bars}");
        // Four values above zero, a ground and two in the legend.
        assert_eq!(bars.matches("<rect").count(), 4 + 1 + 2, "{bars}");
        assert!(bars.contains("<title>3.0, one: 4</title>") && bars.contains("prefers-color-scheme: dark"));
        assert!(!bars.contains("<script") && !bars.contains("var("));
        let lines = figure(Marks::Lines).svg();
        assert_eq!(lines.matches("<circle").count(), 5, "{lines}");
        // A gap in the values is a gap in the line.
        let gap = lines.split("<path").find(|path| path.contains("line s0")).expect("a line");
        let gap = gap.split('>').next().expect("a tag");
        assert_eq!(gap.matches('M').count(), 2, "{gap}");
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        let none = Figure { panels: Vec::new(), ..figure(Marks::Lines) }.svg();
        assert!(none.ends_with("</svg>\n") && !none.contains("NaN"), "{none}");
        let mut flat = figure(Marks::Lines);
        flat.panels[0].series[0].values = vec![Some(0.0); 3];
        flat.panels[0].series[1].values = vec![None; 3];
        assert!(!flat.svg().contains("NaN"));
    }
}
