//! Numbers as people write them, and no language does: `1,1`, `1,234.50`, `110%`.

/// The numbers that a text may mean, each with what is to be said of it; none where it means none, or is one already.
pub fn meant_numbers(text: &str) -> Vec<(String, String)> {
    let text = text.trim();
    if let Some(share) = text.strip_suffix('%') {
        let number = share.trim_end();
        let number = if is_plain(number) { Some(number.to_owned()) } else { with_point(number) };
        let told = |number: String| (format!("a share is a number: {text} is {number}"), number);
        return number.and_then(|number| hundredth(&number)).map(told).into_iter().collect();
    }
    let with_point = with_point(text).map(|number| ("a number has a point and no comma".to_owned(), number));
    let ungrouped = ungrouped(text).map(|number| ("thousands are not parted".to_owned(), number));
    with_point.into_iter().chain(ungrouped).collect()
}

/// `1,1` as `1.1`.
fn with_point(text: &str) -> Option<String> {
    let (whole, fraction) = text.split_once(',')?;
    let is_number = is_digits(unsigned(whole)) && is_digits(fraction);
    is_number.then(|| format!("{whole}.{fraction}"))
}

/// `1,234.50` as `1234.50`.
fn ungrouped(text: &str) -> Option<String> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let mut groups = unsigned(whole).split(',');
    let first = groups.next()?;
    let is_first = is_digits(first) && first.len() <= 3 && !first.starts_with('0');
    let rest: Vec<&str> = groups.collect();
    let are_groups = !rest.is_empty() && rest.iter().all(|group| is_digits(group) && group.len() == 3);
    (is_first && are_groups && is_digits(fraction)).then(|| text.replace(',', ""))
}

/// A hundredth of a plain number, by its digits.
fn hundredth(number: &str) -> Option<String> {
    let digits = unsigned(number);
    let sign = number.strip_suffix(digits)?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let whole = format!("{whole:0>3}");
    let (before, moved) = whole.split_at_checked(whole.len().checked_sub(2)?)?;
    let before = match before.trim_start_matches('0') {
        "" => "0",
        before => before,
    };
    let behind = format!("{moved}{fraction}");
    Some(match behind.trim_end_matches('0') {
        "" => format!("{sign}{before}"),
        behind => format!("{sign}{before}.{behind}"),
    })
}

fn is_plain(number: &str) -> bool {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    is_digits(unsigned(whole)) && is_digits(fraction)
}

fn unsigned(number: &str) -> &str {
    number.strip_prefix('-').unwrap_or(number)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_as_they_are_written_here() {
        let meant = |text: &str| meant_numbers(text).into_iter().map(|(_, number)| number).collect::<Vec<_>>();
        assert_eq!(meant("1,1"), ["1.1"]);
        assert_eq!(meant("-0,125"), ["-0.125"]);
        assert_eq!(meant("1,100"), ["1.100", "1100"]);
        assert_eq!(meant("1,234,567.50"), ["1234567.50"]);
        assert_eq!(meant("110%"), ["1.1"]);
        assert_eq!(meant("7,5 %"), ["0.075"]);
        assert_eq!(meant("-200%"), ["-2"]);
        for none in ["", "%", "1.1", "1,", ",1", "1,2,3", "a,b", "1e3%", "1,1,"] {
            assert!(meant(none).is_empty(), "{none}");
        }
    }
}
