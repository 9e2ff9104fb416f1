//! Plots as SVG: stacked bars and lines over releases, in a grid of panels. They read on light and dark ground, hold no
//! script, and stand alone or inside a page.

mod scale;

use std::fmt::Write;

use super::escape::escape;
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
    /// The drawing.
    pub fn svg(&self) -> String {
        let columns = self.columns.clamp(1, self.panels.len().max(1));
        let rows = self.panels.len().div_ceil(columns);
        let width = columns as f64 * (PANEL.0 + GAP) + GAP;
        let names = self.names();
        let (legend, legend_height) = self.legend(&names, width);
        let head = 52.0 + legend_height;
        let height = head + rows as f64 * (PANEL.1 + GAP) + GAP;
        let mut out = String::new();
        let _ = writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"gainsay-plot\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"{}\">",
            escape(&self.title)
        );
        let _ = writeln!(out, "<title>{}</title>\n<desc>{}</desc>", escape(&self.title), escape(&self.about));
        out.push_str(&self.style());
        let _ = writeln!(out, "<rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>");
        let _ = writeln!(out, "<text class=\"title\" x=\"{GAP}\" y=\"24\">{}</text>", escape(&self.title));
        let _ = writeln!(out, "<text class=\"about\" x=\"{GAP}\" y=\"41\">{}</text>", escape(&self.about));
        out.push_str(&legend);
        for (i, panel) in self.panels.iter().enumerate() {
            let x = GAP + (i % columns) as f64 * (PANEL.0 + GAP);
            let y = head + (i / columns) as f64 * (PANEL.1 + GAP);
            let _ = writeln!(out, "<g transform=\"translate({x} {y})\">");
            out.push_str(&panel.drawn(&names));
            out.push_str("</g>\n");
        }
        out.push_str("</svg>\n");
        out
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
            "<style>.gainsay-plot text{{font:11px system-ui,sans-serif}}.gainsay-plot .title{{font-size:16px;font-weight:600}}\
             .gainsay-plot .about{{font-size:12px}}.gainsay-plot .head{{font-size:12px;font-weight:600}}\
             .gainsay-plot .tick{{font-size:10px}}.gainsay-plot .line{{fill:none;stroke-width:1.6}}\
             .gainsay-plot .rule,.gainsay-plot .axis{{stroke-width:1;fill:none}}{}\
             @media (prefers-color-scheme: dark){{{}}}</style>\n",
            rules(false),
            rules(true)
        )
    }

    /// The legend, and how much room it takes.
    fn legend(&self, names: &[String], width: f64) -> (String, f64) {
        let mut out = String::new();
        let (mut x, mut y) = (GAP, 60.0);
        for (i, name) in names.iter().enumerate() {
            let long = 22.0 + 6.6 * name.chars().count() as f64;
            if x + long > width - GAP && x > GAP {
                x = GAP;
                y += 18.0;
            }
            let c = i % self.colour_count();
            let _ = writeln!(
                out,
                "<rect class=\"f{c}\" x=\"{x:.1}\" y=\"{:.1}\" width=\"10\" height=\"10\" rx=\"2\"/>\
                 <text x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
                y - 9.0,
                x + 14.0,
                escape(name)
            );
            x += long;
        }
        (out, if names.is_empty() { 0.0 } else { y - 60.0 + 22.0 })
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

    fn drawn(&self, names: &[String]) -> String {
        let mut out = String::new();
        let count = self.places.len().max(1);
        let (wide, high) = (PANEL.0 - LEFT, PANEL.1 - TOP - BELOW);
        let step = wide / count as f64;
        let most = self.most();
        let marks = ticks(most);
        let top = marks.last().copied().unwrap_or(1.0);
        let y_of = |value: f64| TOP + high - value / top * high;
        let _ = writeln!(out, "<text class=\"head\" x=\"0\" y=\"12\">{}</text>", escape(&self.title));
        for mark in &marks {
            let y = y_of(*mark);
            let _ = writeln!(
                out,
                "<line class=\"rule\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text class=\"tick\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                PANEL.0,
                LEFT - 5.0,
                y + 3.5,
                label(*mark)
            );
        }
        let every = count.div_ceil(NAMES);
        for (i, place) in self.places.iter().enumerate().filter(|(i, _)| i % every == 0) {
            let x = LEFT + (i as f64 + 0.5) * step;
            let y = TOP + high + 12.0;
            let _ = writeln!(
                out,
                "<text class=\"tick\" transform=\"translate({x:.1} {y:.1}) rotate(-45)\" text-anchor=\"end\">{}</text>",
                escape(place)
            );
        }
        match self.marks {
            Marks::Stacked => self.bars(&mut out, names, step, &y_of),
            Marks::Lines => self.lines(&mut out, names, step, &y_of),
        }
        let base = y_of(0.0);
        let _ = writeln!(
            out,
            "<line class=\"axis\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{base:.1}\" y2=\"{base:.1}\"/>",
            PANEL.0
        );
        out
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

    fn said(&self, series: &Series, i: usize, value: f64) -> String {
        format!("<title>{}, {}: {}</title>", escape(&self.places[i]), escape(&series.name), label(value))
    }

    fn bars(&self, out: &mut String, names: &[String], step: f64, y_of: &impl Fn(f64) -> f64) {
        for i in 0..self.places.len() {
            let mut below = 0.0;
            for series in &self.series {
                let Some(value) = series.values.get(i).copied().flatten().filter(|v| *v > 0.0) else {
                    continue;
                };
                let (y, end) = (y_of(below + value), y_of(below));
                let _ = writeln!(
                    out,
                    "<rect class=\"f{}\" x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\">{}</rect>",
                    Panel::colour(names, series),
                    LEFT + (i as f64 + 0.15) * step,
                    step * 0.7,
                    (end - y).max(0.5),
                    self.said(series, i, value)
                );
                below += value;
            }
        }
    }

    fn lines(&self, out: &mut String, names: &[String], step: f64, y_of: &impl Fn(f64) -> f64) {
        for series in &self.series {
            let c = Panel::colour(names, series);
            let mut path = String::new();
            let mut drawing = false;
            let mut points = String::new();
            for i in 0..self.places.len() {
                let Some(value) = series.values.get(i).copied().flatten() else {
                    drawing = false;
                    continue;
                };
                let (x, y) = (LEFT + (i as f64 + 0.5) * step, y_of(value));
                let _ = write!(path, "{}{x:.1} {y:.1}", if drawing { "L" } else { "M" });
                drawing = true;
                let said = self.said(series, i, value);
                let _ = write!(
                    points,
                    "<circle class=\"f{c}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.4\">{said}</circle>"
                );
            }
            let _ = writeln!(out, "<path class=\"line s{c}\" d=\"{path}\"/>{points}");
        }
    }
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
        let gap = lines.lines().find(|l| l.contains("line s0")).expect("a line");
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
