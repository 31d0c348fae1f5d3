//! Histograms and curves as inline SVG.

use std::fmt::Write as _;

/// Maximum number of bars.
const BARS: usize = 16;
/// Size of the drawing.
const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 120.0;
/// Room under the bars for the axis.
const AXIS: f64 = 18.0;
/// Room above the bars for the counts.
const TOP: f64 = 14.0;

/// A histogram of the values, starting at 0; for integers, bar widths are integers.
pub(super) fn histogram(title: &str, values: &[f64]) -> String {
    let max = values.iter().copied().fold(0.0, f64::max);
    let least = if values.iter().all(|value| value.fract() == 0.0) { 1.0 } else { 0.0 };
    let width = bar_width(max).max(least);
    let mut counts = vec![0_usize; (max / width) as usize + 1];
    for value in values {
        if let Some(count) = counts.get_mut((value / width) as usize) {
            *count += 1;
        }
    }
    draw(title, &counts, width)
}

/// A round width (1, 2 or 5 times a power of ten) at which all bars fit.
fn bar_width(max: f64) -> f64 {
    let least = max / (BARS - 1) as f64;
    if least <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0].map(|step| step * power).into_iter().find(|width| *width >= least).unwrap_or(10.0 * power)
}

fn draw(title: &str, counts: &[usize], width: f64) -> String {
    let highest = counts.iter().copied().max().unwrap_or_default().max(1) as f64;
    let step = WIDTH / counts.len() as f64;
    let base = HEIGHT - AXIS;
    let mut svg =
        format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title} per question\">");
    for (place, count) in counts.iter().enumerate() {
        let height = (base - TOP) * *count as f64 / highest;
        let (left, top) = (place as f64 * step, base - height);
        let (from, to) = (number(place as f64 * width), number((place + 1) as f64 * width));
        // Writing to a String cannot fail.
        let _written = write!(
            svg,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{height:.1}\"><title>{from} to under {to}: {count}</title></rect>",
            (step - 1.5).max(0.5)
        );
        if *count > 0 {
            let (middle, above) = (left + step / 2.0, top - 3.0);
            let _written =
                write!(svg, "<text x=\"{middle:.1}\" y=\"{above:.1}\" class=\"count\">{count}</text>");
        }
        if place % counts.len().div_ceil(6) == 0 {
            let _written = write!(svg, "<text x=\"{left:.1}\" y=\"{:.1}\">{from}</text>", HEIGHT - 5.0);
        }
    }
    let _written = write!(svg, "<line x1=\"0\" y1=\"{base}\" x2=\"{WIDTH}\" y2=\"{base}\"/></svg>");
    svg
}

/// A curve through points from 0 to 1, with lines at each quarter.
pub(super) fn curve(title: &str, points: &[(f64, f64)]) -> String {
    let base = HEIGHT - AXIS;
    let place = |(x, y): &(f64, f64)| (x * WIDTH, base - y * (base - TOP));
    let mut svg = format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}\">");
    for quarter in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let (x, y) = place(&(quarter, quarter));
        let _written = write!(
            svg,
            "<line x1=\"0\" y1=\"{y:.1}\" x2=\"{WIDTH}\" y2=\"{y:.1}\" opacity=\"0.3\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            x.min(WIDTH - 14.0),
            HEIGHT - 5.0,
            number(quarter)
        );
    }
    let path: Vec<String> = points.iter().map(place).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _written = write!(svg, "<polyline points=\"{}\" fill=\"none\"/></svg>", path.join(" "));
    svg
}

/// A mean with its interval on a line from 0 to 1.
pub(super) fn interval(mean: f64, low: f64, high: f64) -> String {
    let place = |share: f64| share.clamp(0.0, 1.0) * (WIDTH - 8.0) + 4.0;
    let (from, at, to) = (place(low), place(mean), place(high));
    format!(
        "<svg viewBox=\"0 0 {WIDTH} 20\" role=\"img\" aria-label=\"{mean:.3}, 95 %: {low:.3} to {high:.3}\">\
         <line x1=\"4\" y1=\"10\" x2=\"{:.1}\" y2=\"10\" opacity=\"0.3\"/>\
         <rect x=\"{from:.1}\" y=\"8\" width=\"{:.1}\" height=\"4\"/><rect x=\"{:.1}\" y=\"3\" width=\"3\" height=\"14\"/></svg>",
        WIDTH - 4.0,
        to - from,
        at - 1.5
    )
}

/// A number without insignificant digits.
pub(super) fn number(value: f64) -> String {
    match value {
        v if v >= 10_000.0 => format!("{:.0}k", v / 1000.0),
        v if v >= 1000.0 => format!("{:.1}k", v / 1000.0),
        v if v.fract() == 0.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v if v >= 0.1 => format!("{v:.2}"),
        v => format!("{v:.4}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_round_and_hold_every_value() {
        assert_eq!([0.0, 3.0, 15.0, 16.0, 70.0, 12_000.0].map(bar_width), [1.0, 0.2, 1.0, 2.0, 5.0, 1000.0]);
        let svg = histogram("Steps", &[1.0, 1.0, 15.0]);
        assert!(svg.contains("1 to under 2: 2<") && svg.contains("15 to under 16: 1<"), "{svg}");
        assert!(histogram("Steps", &[2.0, 2.0]).contains("2 to under 3: 2<"));
        assert!(histogram("Steps", &[]).starts_with("<svg"));
    }

    #[test]
    fn a_curve_goes_from_left_to_right_within_its_box() {
        let svg = curve("Right", &[(0.0, 1.0), (0.5, 0.5), (1.0, 0.0)]);
        assert!(svg.contains("points=\"0.0,14.0 160.0,58.0 320.0,102.0\""), "{svg}");
        assert!(curve("Right", &[]).ends_with("fill=\"none\"/></svg>"));
    }

    #[test]
    fn an_interval_is_around_its_mean() {
        let svg = interval(0.5, 0.25, 0.75);
        assert!(svg.contains("x=\"82.0\" y=\"8\" width=\"156.0\"") && svg.contains("x=\"158.5\""), "{svg}");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [0.0, 3.0, 0.0042, 1.25, 12.34, 1234.0, 45_678.0].map(number),
            ["0", "3", "0.0042", "1.25", "12.3", "1.2k", "46k"]
        );
    }
}
