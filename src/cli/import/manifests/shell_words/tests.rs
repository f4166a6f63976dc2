use super::super::jinja::parsed;
use super::*;

fn pieces(all: &[Piece]) -> String {
    let each = all.iter().map(|piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Value { name, bare, .. } => format!("<{name}{}>", if *bare { "!" } else { "" }),
        Piece::Variable(name) => format!("${{{name}}}"),
        Piece::When { name, then } => format!("[{name}? {}]", pieces(then)),
    });
    each.collect()
}

fn shape(command: &str) -> String {
    let nodes = parsed(command).unwrap();
    let entry = |entry: &Entry| match entry {
        Entry::Word(word) => pieces(word),
        Entry::When { name, words } => {
            format!("{{{name}? {}}}", words.iter().map(|word| pieces(word)).collect::<Vec<_>>().join("·"))
        }
    };
    match split(&nodes) {
        Ok(entries) => entries.iter().map(entry).collect::<Vec<_>>().join("·"),
        Err(flaw) => format!("flaw: {flaw}"),
    }
}

#[test]
fn quotes_and_spaces_make_words() {
    for (command, words) in [
        ("wc -l {{ file | quote }}", "wc·-l·<file>"),
        ("  wc\t-l  x\n", "wc·-l·x"),
        ("echo 'a b'\"c d\"e\\ f", "echo·a bc de f"),
        ("echo '' \"\"", "echo··"),
        ("echo \"a\\\"b\\n\\\\\"", "echo·a\"b\\n\\"),
        ("echo 'it'\\''s'", "echo·it's"),
        ("echo \"{{ a }} and {{ b }}\" {{ c }}", "echo·<a> and <b>·<c!>"),
        ("f --x={{ x | quote }}", "f·--x=<x>"),
        ("awk '{print $1}' 's/a$/b/'", "awk·{print $1}·s/a$/b/"),
        ("find . -exec wc {} +", "find·.·-exec·wc·{}·+"),
        ("a \\\n  b", "a·b"),
        ("a#b c~d é", "a#b·c~d·é"),
        ("f \"$A\" '${B}' x$C", "f·${A}·${B}·x${C}"),
        ("f 'a|b;c>d*e`f(g)'", "f·a|b;c>d*e`f(g)"),
    ] {
        assert_eq!(shape(command), words, "{command}");
    }
}

#[test]
fn conditions_cover_words() {
    for (command, words) in [
        ("grep {% if r %}-r {% endif %}{{ p | quote }}", "grep·{r? -r}·<p>"),
        ("grep{% if r %} -r{% endif %} x", "grep·{r? -r}·x"),
        ("f {% if a %}--a {{ a | quote }}{% endif %} {% if b %}-b{% endif %}", "f·{a? --a·<a>}·{b? -b}"),
        ("f{% if a %} -a{% endif %}{% if b %} -b{% endif %}", "f·{a? -a}·{b? -b}"),
        ("f 'x?q={{ q }}{% if c %}&c={{ c }}{% endif %}'", "f·x?q=<q>[c? &c=<c>]"),
    ] {
        assert_eq!(shape(command), words, "{command}");
    }
    for command in [
        "f{% if a %}b{% endif %}",
        "f {% if a %}-a{% endif %}b",
        "f{% if a %} -a{% endif %}b",
        "f{% if a %} -a {% endif %}b",
        "f {% if a %}'b{% endif %}'",
        "f {% if a %}-a{% endif %}{% if b %}-b{% endif %}",
        "f 'a{% if b %}' x '{% endif %}'",
    ] {
        assert!(shape(command).contains("a part of a word"), "{command}: {}", shape(command));
    }
}

#[test]
fn what_a_shell_does_is_refused() {
    for (command, what) in [
        ("a | b", "a pipe"),
        ("a || b", "a pipe"),
        ("a && b", "`&&`"),
        ("a &", "`&`"),
        ("a; b", "several commands"),
        ("a\nb", "several commands"),
        ("a > f", "a redirection"),
        ("a 2>&1", "a redirection"),
        ("a << x", "a redirection"),
        ("(a)", "a subshell"),
        ("a `b`", "the output"),
        ("a \"`b`\"", "the output"),
        ("a $(b)", "`$` with more"),
        ("a \"$(b)\"", "`$` with more"),
        ("a ${b:-c}", "`$` with more"),
        ("a '${b:-c}'", "`$` with more"),
        ("a $1", "`$` with more"),
        ("a *.txt", "a pattern"),
        ("a b?", "a pattern"),
        ("a [b]", "a pattern"),
        ("a {b,c}", "braces"),
        ("{ a; }", "braces"),
        ("a ~/b", "a home"),
        ("a # b", "a comment"),
        ("a 'b", "a quote is not closed"),
        ("a \"{{ b | quote }}\"", "stands in quotes"),
        ("a \\{{ b }}", "in front of a value"),
    ] {
        assert!(shape(command).starts_with("flaw: ") && shape(command).contains(what), "{command}: {}", shape(command));
    }
}
