//! The figures as a plot: SVG, read on light and on dark pages.

use std::fmt::Write;

use super::bootstrap::Figure;
use super::measures::Measure;
use super::summary::{Row, Summary};
use crate::cli::EvalMode;

/// One panel for each.
const PANELS: [(Measure, &str); 3] =
    [(Measure::Hit1, "hit@1"), (Measure::Hit5, "hit@5"), (Measure::Mrr, "MRR")];
const LEFT: f64 = 56.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 44.0;
const PANEL: f64 = 170.0;
const BETWEEN: f64 = 34.0;
/// Room for slanted names below the last panel.
const NAMES: f64 = 110.0;
const BAR: f64 = 16.0;
const GAP: f64 = 26.0;
/// Wide enough for the key above.
const NARROWEST: f64 = 420.0;
/// Colours that eyes with any colour vision tell apart; the second is for dark pages.
const STYLE: &str = "\
.page{fill:#ffffff}.text{fill:#1f2328;font:12px sans-serif}.small{font-size:11px}.bold{font-weight:bold}\
.grid{stroke:#d0d7de}.halo{stroke:#ffffff;stroke-width:3.2;fill:none}.whisker{stroke:#1f2328;stroke-width:1.2;fill:none}\
.naive{fill:#8c959f}.lexical{fill:#e69f00}.vector{fill:#56b4e9}.hybrid{fill:#0072b2}.rerank{fill:#009e73}\
@media (prefers-color-scheme:dark){.page{fill:#0d1117}.text{fill:#e6edf3}.grid{stroke:#30363d}\
.halo{stroke:#0d1117}.whisker{stroke:#e6edf3}.naive{fill:#6e7681}.vector{fill:#8ccbf0}.hybrid{fill:#3d8fd1}.rerank{fill:#2fbf96}}";

/// Bars of every mode for each file and the mean, with the 95 % intervals as whiskers.
pub fn render(summary: &Summary) -> String {
    let groups = groups(summary);
    let group = summary.modes.len() as f64 * BAR + GAP;
    let inner = (groups.len() as f64 * group).max(NARROWEST);
    let (width, height) = (LEFT + inner + RIGHT, TOP + 3.0 * PANEL + 2.0 * BETWEEN + NAMES);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" role=\"img\" aria-label=\"hit@1, hit@5 and MRR of each file and mode\">\n\
         <style>{STYLE}</style>\n<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n"
    );
    key(&mut svg, summary);
    let mut top = TOP;
    for (measure, title) in PANELS {
        axis(&mut svg, top, inner, title);
        let mut left = LEFT + GAP / 2.0;
        for (name, rows) in &groups {
            for (place, (mode, row)) in rows.iter().enumerate() {
                if let Some(figure) = row.figures.get(&measure) {
                    bar(
                        &mut svg,
                        left + place as f64 * BAR,
                        top,
                        *mode,
                        figure,
                        &format!("{name}, {}", mode.as_str()),
                    );
                }
            }
            left += group;
        }
        top += PANEL + BETWEEN;
    }
    let mut middle = LEFT + group / 2.0;
    for (name, _) in &groups {
        slanted(&mut svg, middle, top - BETWEEN + 16.0, name);
        middle += group;
    }
    svg.push_str("</svg>\n");
    svg
}

type Group<'a> = (String, Vec<(EvalMode, &'a Row)>);

/// Each file with its rows, and the mean behind them.
fn groups(summary: &Summary) -> Vec<Group<'_>> {
    let of_file = |place: usize| {
        summary.modes.iter().filter_map(|mode| Some((mode.mode, mode.files.get(place)?))).collect()
    };
    let mut groups: Vec<Group<'_>> =
        summary.files.iter().enumerate().map(|(place, file)| (escape(&file.name), of_file(place))).collect();
    if groups.len() > 1 {
        groups.push(("mean".to_owned(), summary.modes.iter().map(|mode| (mode.mode, &mode.mean)).collect()));
    }
    groups
}

fn key(svg: &mut String, summary: &Summary) {
    let mut left = LEFT;
    for mode in &summary.modes {
        let name = mode.mode.as_str();
        let _ = writeln!(
            svg,
            "<rect class=\"{name}\" x=\"{left:.1}\" y=\"10\" width=\"12\" height=\"12\"/><text class=\"text\" x=\"{:.1}\" y=\"20\">{name}</text>",
            left + 17.0
        );
        left += 80.0;
    }
    let _ = writeln!(svg, "<text class=\"text small\" x=\"{left:.1}\" y=\"20\">I 95 %</text>");
}

fn axis(svg: &mut String, top: f64, inner: f64, title: &str) {
    for tick in 0..=5 {
        let value = f64::from(tick) / 5.0;
        let y = height_of(top, value);
        let _ = writeln!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text class=\"text small\" text-anchor=\"end\" x=\"{:.1}\" y=\"{:.1}\">{value:.1}</text>",
            LEFT + inner,
            LEFT - 6.0,
            y + 4.0
        );
    }
    let (x, y) = (16.0, top + PANEL / 2.0);
    let _ = writeln!(
        svg,
        "<text class=\"text bold\" text-anchor=\"middle\" transform=\"translate({x:.1} {y:.1}) rotate(-90)\">{title}</text>"
    );
}

fn bar(svg: &mut String, left: f64, top: f64, mode: EvalMode, figure: &Figure, name: &str) {
    let Figure { value, low, high, .. } = *figure;
    let (y, foot) = (height_of(top, value), height_of(top, 0.0));
    let (middle, mode) = (left + BAR / 2.0, mode.as_str());
    let _ = writeln!(
        svg,
        "<rect class=\"{mode}\" x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\"><title>{name}: {value:.3} \
         ({low:.3} to {high:.3})</title></rect>",
        left + 1.0,
        BAR - 2.0,
        foot - y
    );
    let (upper, lower) = (height_of(top, high), height_of(top, low));
    let (from, to) = (middle - 3.0, middle + 3.0);
    let path = format!(
        "M{middle:.1} {upper:.1}V{lower:.1}M{from:.1} {upper:.1}H{to:.1}M{from:.1} {lower:.1}H{to:.1}"
    );
    // First in the page's colour, wider: it stands out from any bar.
    let _ = writeln!(svg, "<path class=\"halo\" d=\"{path}\"/><path class=\"whisker\" d=\"{path}\"/>");
}

fn slanted(svg: &mut String, x: f64, y: f64, name: &str) {
    let _ = writeln!(
        svg,
        "<text class=\"text\" text-anchor=\"end\" transform=\"translate({x:.1} {y:.1}) rotate(-35)\">{name}</text>"
    );
}

/// Where a value stands in the panel that begins there.
fn height_of(top: f64, value: f64) -> f64 {
    top + PANEL * (1.0 - value)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::eval::summary::example;

    #[test]
    fn every_file_and_mode_has_a_bar_in_every_panel() {
        let svg = render(&example());
        // Two files and the mean, two modes, three panels; the key has a square for each mode.
        assert_eq!(svg.matches("<title>").count(), 18);
        assert_eq!(svg.matches("class=\"whisker\"").count(), 18);
        assert_eq!(svg.matches("class=\"hybrid\"").count(), 10);
        assert!(svg.contains(">a&amp;b</text>") && !svg.contains("a&b"));
    }

    #[test]
    fn bars_are_as_high_as_their_values() {
        assert_eq!((height_of(44.0, 1.0), height_of(44.0, 0.0)), (44.0, 44.0 + PANEL));
        let mut svg = String::new();
        let figure = Figure { value: 0.5, low: 0.25, high: 0.75, questions: 4 };
        bar(&mut svg, 100.0, 44.0, EvalMode::Hybrid, &figure, "x");
        assert!(svg.contains("y=\"129.0\" width=\"14.0\" height=\"85.0\""), "{svg}");
        assert!(svg.contains("M108.0 86.5V171.5"), "{svg}");
    }
}
