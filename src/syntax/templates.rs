//! Tags of template languages: `{% if x %}`, `{{ ref('orders') }}`, `{{#if x}}`, `${x:-a}`. A query file is no template:
//! what a tag does there is written in another form here, and told with its place.

use super::lexer::Lexed;
use super::spellings;
use crate::diagnostic::{Diagnostic, codes};
use crate::name::{RESERVED, is_legal, snake_case};
use crate::source::{SourceFile, Span};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

/// Most tokens in a tag, and most between two of them: a file may be full of brackets.
const LONGEST: usize = 60;

/// A tag that a list of tokens begins with.
pub(super) struct Tag {
    /// How many tokens it has.
    pub count: usize,
    /// What is told of it.
    pub diagnostic: Diagnostic,
    /// Whether it only ends or divides what another one has begun, which was told.
    pub goes_with_another: bool,
}

/// The signs that a tag is written in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Signs {
    /// `{% … %}`
    Percent,
    /// `{{ … }}`
    Double,
}

/// A tag with what stands in it.
struct Written<'t> {
    signs: Signs,
    span: Span,
    inside: &'t [Lexed],
    count: usize,
}

/// The tag that the tokens begin with, with what is told of it.
pub(super) fn tag(file: &SourceFile, tokens: &[Lexed]) -> Option<Tag> {
    let written = written(tokens);
    let Some(written) = written else { return dollar(file, tokens).or_else(|| typed(file, tokens)) };
    let rest = tokens.get(written.count..).unwrap_or_default();
    let what = file.slice(written.span);
    let told = codes::template_tag(written.span, what);
    let (diagnostic, goes_with_another) = match written.signs {
        Signs::Percent => of_percent(&written, rest, told),
        Signs::Double => of_double(file, &written, rest, told),
    };
    Some(Tag { count: written.count, diagnostic, goes_with_another })
}

fn written(tokens: &[Lexed]) -> Option<Written<'_>> {
    let (first, second) = (tokens.first()?, tokens.get(1)?);
    if first.token != Token::LBrace || first.span.end != second.span.start {
        return None;
    }
    let signs = match second.token {
        Token::Mod => Signs::Percent,
        Token::LBrace => Signs::Double,
        _ => return None,
    };
    let ends = match signs {
        Signs::Percent => Token::Mod,
        Signs::Double => Token::RBrace,
    };
    let behind = tokens.get(2..)?;
    let pairs = behind.iter().zip(behind.iter().skip(1)).take(LONGEST);
    let is_end = |(one, next): (&Lexed, &Lexed)| {
        one.token == ends && next.token == Token::RBrace && one.span.end == next.span.start
    };
    let end = pairs.into_iter().position(is_end)?;
    let span = first.span.to(behind.get(end + 1)?.span);
    Some(Written { signs, span, inside: behind.get(..end)?, count: end + 4 })
}

fn of_percent(written: &Written<'_>, rest: &[Lexed], told: Diagnostic) -> (Diagnostic, bool) {
    // `{%- if x -%}` takes blanks away.
    let inside = match written.inside.split_first() {
        Some((first, rest)) if first.token == Token::Minus => rest,
        _ => written.inside,
    };
    match inside.first().map(word).unwrap_or_default().to_lowercase().as_str() {
        "if" | "unless" => (clause(written.span, rest, told), false),
        "for" | "foreach" => (told.help("a list of values is one parameter: `status IN << statuses >>`"), false),
        ending if ending.starts_with("end") || ["else", "elif", "elsif"].contains(&ending) => (told, true),
        _ => (told.help("settings stand in the header, and a parameter is written `<< name >>`"), false),
    }
}

fn of_double(file: &SourceFile, written: &Written<'_>, rest: &[Lexed], told: Diagnostic) -> (Diagnostic, bool) {
    let inside = written.inside;
    let first = inside.first().map(word).unwrap_or_default();
    if first.starts_with('#') {
        return (clause(written.span, rest, told), false);
    }
    if inside.first().is_some_and(|first| first.token == Token::Div) || first == "else" {
        return (told, true);
    }
    if let Some(table) = referred(inside) {
        return (told.fix("a table or another query is named as it is", written.span, table), false);
    }
    if inside.get(1).is_some_and(|next| next.token == Token::LParen) {
        return (told.help("settings stand in the header, and a parameter is written `<< name >>`"), false);
    }
    // `{{ params.status }}`, `{{ status | upper }}`: the last name before what is done to it.
    let end = inside.iter().position(|token| token.token == Token::Pipe).unwrap_or(inside.len());
    let path = inside.get(..end).unwrap_or_default();
    let is_path = path.iter().enumerate().all(|(at, token)| match at % 2 {
        0 => !word(token).is_empty(),
        _ => token.token == Token::Period,
    });
    let name = path.last().map(|last| snake_case(word(last))).filter(|_| is_path);
    let told = spellings::raw_placeholder(file, written.span, file.slice(written.span));
    match name.filter(|name| is_legal(name) && !RESERVED.contains(&name.as_str())) {
        Some(name) => {
            (told.without_helps().fix("write it with its name", written.span, format!("<< {name} >>")), false)
        }
        None => (told, false),
    }
}

/// The table of `ref('orders')` or `source('shop', 'orders')`, where it can be written as it is.
fn referred(inside: &[Lexed]) -> Option<String> {
    let [call, open, arguments @ .., close] = inside else { return None };
    let is_call = matches!(word(call), "ref" | "source") && open.token == Token::LParen && close.token == Token::RParen;
    match &arguments.last().filter(|_| is_call)?.token {
        Token::SingleQuotedString(name) | Token::DoubleQuotedString(name) if is_legal(name) => Some(name.clone()),
        Token::Word(name) if is_legal(&name.value) => Some(name.value.clone()),
        _ => None,
    }
}

/// Says what is written for a part of the statement that is left out, whose tag stands at `open`, before `rest`.
fn clause(open: Span, rest: &[Lexed], told: Diagnostic) -> Diagnostic {
    let told =
        told.note("what an agent may leave out is an optional clause: a condition with a placeholder in `[[ … ]]`");
    match edits(open, rest) {
        Some(edits) => told.fixes("write an optional clause", edits),
        None => told.help("write `WHERE true [[ AND status = << status >> ]]`"),
    }
}

/// What makes an optional clause of a tag, the condition behind it and the tag that ends it.
fn edits(open: Span, rest: &[Lexed]) -> Option<Vec<(Span, String)>> {
    let first = rest.first()?;
    let mut at = 0;
    let mut has_value = false;
    while at < LONGEST {
        let token = rest.get(at)?;
        has_value |= matches!(token.token, Token::ShiftLeft | Token::SingleQuotedString(_));
        let Some(tag) = written(rest.get(at..)?) else {
            at += 1;
            continue;
        };
        let words = tag.inside.iter().map(word).find(|word| !word.is_empty()).unwrap_or_default().to_lowercase();
        let is_end = words.starts_with("end") || tag.inside.first().is_some_and(|first| first.token == Token::Div);
        if !is_end {
            // A value inside is told by itself; what divides the clause has no form here.
            let is_value = tag.signs == Signs::Double && !words.starts_with('#') && words != "else";
            has_value |= is_value;
            at += tag.count;
            if is_value { continue } else { return None }
        }
        let begin = match first.keyword() {
            _ if !has_value => return None,
            Some(Keyword::AND | Keyword::OR) => (open, "[[".to_owned()),
            Some(Keyword::WHERE) => (open.to(first.span), "WHERE true [[ AND".to_owned()),
            _ => return None,
        };
        return Some(vec![begin, (tag.span, "]]".to_owned())]);
    }
    None
}

/// `${name:-default}`, as shells have it.
fn dollar(file: &SourceFile, tokens: &[Lexed]) -> Option<Tag> {
    let [first, open, name, rest @ ..] = tokens else { return None };
    let is_one = matches!(&first.token, Token::Placeholder(sign) if sign == "$") && open.token == Token::LBrace;
    let end = rest.iter().take(LONGEST).position(|token| token.token == Token::RBrace).filter(|_| is_one)?;
    let span = first.span.to(rest.get(end)?.span);
    let told = codes::raw_placeholder(span, file.slice(span)).without_helps();
    let parameter = Some(snake_case(word(name))).filter(|name| is_legal(name) && !RESERVED.contains(&name.as_str()));
    let default = match rest.get(..end)? {
        [colon, minus, default] if colon.token == Token::Colon && minus.token == Token::Minus => match &default.token {
            Token::Number(..) | Token::SingleQuotedString(_) => Some(file.slice(default.span).to_owned()),
            Token::Word(word) if word.quote_style.is_none() => Some(format!("'{}'", word.value)),
            _ => None,
        },
        _ => None,
    };
    let diagnostic = match (parameter, default) {
        (Some(name), Some(default)) => {
            told.fix("write it with its name and its default", span, format!("<< {name} = {default} >>"))
        }
        _ => told.help("write `<< name >>`, or `<< name = 'default' >>`"),
    };
    Some(Tag { count: end + 4, diagnostic, goes_with_another: false })
}

/// `{name:Type}`, as ClickHouse has it.
fn typed(file: &SourceFile, tokens: &[Lexed]) -> Option<Tag> {
    let [open, name, colon, ty, close, ..] = tokens else { return None };
    let is_one = open.token == Token::LBrace && colon.token == Token::Colon && close.token == Token::RBrace;
    let ty = word(ty);
    let is_number = ["UInt", "Int", "Float"].iter().any(|kind| {
        ty.strip_prefix(kind).is_some_and(|bits| !bits.is_empty() && bits.bytes().all(|byte| byte.is_ascii_digit()))
    });
    let is_type = is_number || ["String", "Date", "Date32", "DateTime", "DateTime64", "Bool", "UUID"].contains(&ty);
    let parameter = snake_case(word(name));
    if !is_one || !is_type || !is_legal(&parameter) || RESERVED.contains(&parameter.as_str()) {
        return None;
    }
    let span = open.span.to(close.span);
    let told = codes::raw_placeholder(span, file.slice(span)).without_helps();
    let diagnostic = told.fix("write it with its name", span, format!("<< {parameter} >>"));
    Some(Tag { count: 5, diagnostic, goes_with_another: false })
}

/// The word that a token is; nothing where it is none.
fn word(token: &Lexed) -> &str {
    match &token.token {
        Token::Word(word) if word.quote_style.is_none() => &word.value,
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Diagnostics;
    use crate::source::Sources;
    use crate::syntax::lexer::tokenize;

    /// The tag that a text begins with: how many tokens it has, and the texts that its first edits write.
    fn told(text: &str) -> Option<(usize, Vec<String>)> {
        let mut sources = Sources::default();
        let id = sources.add("queries/a.sql", text);
        let file = sources.get(id).unwrap();
        let tokens = tokenize(file, 0, text.len(), &mut Diagnostics::default()).unwrap();
        let tag = tag(file, &tokens)?;
        let edits = tag.diagnostic.helps.iter().flat_map(|help| &help.edits);
        Some((tag.count, edits.map(|edit| edit.replacement.clone()).collect()))
    }

    fn edits(text: &str) -> Vec<String> {
        told(text).unwrap().1
    }

    #[test]
    fn a_condition_between_tags_becomes_an_optional_clause() {
        assert_eq!(edits("{% if t %} AND title = << t >> {% endif %}"), ["[[", "]]"]);
        assert_eq!(edits("{%- if t -%} AND title = {{ t }} {%- endif -%}"), ["[[", "]]"]);
        assert_eq!(edits("{% if t %} WHERE title = << t >> {% endif %}"), ["WHERE true [[ AND", "]]"]);
        assert_eq!(edits("{{#if t}} AND title = << t >> {{/if}}"), ["[[", "]]"]);
        assert_eq!(edits("{% if t %} AND title = << t >> {% else %} AND x {% endif %}"), [""; 0]);
        assert_eq!(edits("{% if t %} LIMIT << t >> {% endif %}"), [""; 0]);
        assert_eq!(edits("{% if t %} AND vip {% endif %}"), [""; 0]);
    }

    #[test]
    fn names_in_tags_are_written_without_them() {
        assert_eq!(edits("{{ ref('orders') }}"), ["orders"]);
        assert_eq!(edits("{{ source('shop', 'orders') }}"), ["orders"]);
        assert_eq!(edits("{{ params.status }}"), ["<< status >>"]);
        assert_eq!(edits("{{ status | upper }}"), ["<< status >>"]);
        assert_eq!(edits("${x:-a}"), ["<< x = 'a' >>"]);
        assert_eq!(edits("${x:-3}"), ["<< x = 3 >>"]);
        assert_eq!(edits("{t:String}"), ["<< t >>"]);
        assert_eq!(edits("{{ config(materialized='table') }}"), [""; 0]);
    }

    #[test]
    fn records_are_no_tags() {
        for text in ["{'a': 1}", "{a: 1}", "{a: b}", "{", "{{", "{% if", "$1", "a"] {
            assert_eq!(told(text), None, "{text}");
        }
    }
}
