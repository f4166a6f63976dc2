//! What stands between `<<` and `>>`: a name, a type, a default. Where it is something else, what was probably meant.

use super::{Bracket, Folder, Placeholder};
use crate::diagnostic::{Diagnostic, codes};
use crate::name;
use crate::source::{Span, Spanned};
use crate::syntax::default::{self, DefaultValue};
use crate::syntax::lexer::Lexed;
use crate::syntax::literal::Literal;
use crate::syntax::spellings;
use crate::ty::Type;
use crate::ty::either::Declared;
use sqlparser::tokenizer::{Token, Word};

impl Folder<'_> {
    /// Reads the tokens of one placeholder; `whole` is its place with the signs around them.
    pub(super) fn read(&mut self, inside: &[Lexed], whole: Span, list: bool) -> Option<Placeholder> {
        let Some((first, mut rest)) = inside.split_first() else {
            self.sink.push(codes::invalid_placeholder(whole, "a name is missing"));
            return None;
        };
        // Of several words, the first is no name: there is nothing to say of it alone.
        if let Some(odd) = rest.first().filter(|next| is_word(first) && !may_follow_name(next)) {
            let diagnostic = self.odd(odd, inside);
            self.sink.push(diagnostic);
            return None;
        }
        if let Some(edit) = self.with_two_signs(inside, whole) {
            let what = format!("expected a name, found `{}`", self.file.slice(first.span));
            let diagnostic = codes::invalid_placeholder(first.span, &what);
            self.sink.push(diagnostic.fix(
                "a placeholder stands between two signs on each side",
                edit.span,
                edit.value,
            ));
            return None;
        }
        let name = self.name(first)?;
        let mut placeholder = Placeholder {
            head: name.span,
            name,
            span: whole,
            declared: None,
            also: Vec::new(),
            default: None,
            optional: false,
            list,
            clause: self.brackets.iter().rev().find_map(|bracket| match bracket {
                Bracket::Clause { connective, .. } => Some(*connective),
                Bracket::Array => None,
            }),
        };
        if let Some((mark, tail)) = rest.split_first()
            && is_question_mark(mark)
        {
            placeholder.optional = true;
            placeholder.head = placeholder.head.to(mark.span);
            rest = tail;
        }
        if let Some((colon, tail)) = rest.split_first()
            && colon.token == Token::Colon
        {
            let cut = top_level(tail, &Token::Eq).unwrap_or(tail.len());
            let (ty, tail) = tail.split_at_checked(cut)?;
            let Spanned { value: Declared { ty, also }, span } = self.declared_type(ty, colon.span, &placeholder)?;
            placeholder.declared = Some(Spanned::new(ty, span));
            placeholder.also = also;
            rest = tail;
        }
        if let Some((equals, tail)) = rest.split_first()
            && equals.token == Token::Eq
        {
            placeholder.default = Some(self.default(tail, equals.span, &placeholder)?);
            rest = &[];
        }
        if let Some(odd) = rest.first() {
            let diagnostic = self.unexpected(odd);
            self.sink.push(diagnostic);
            return None;
        }
        Some(placeholder)
    }

    fn name(&mut self, token: &Lexed) -> Option<Spanned<String>> {
        let Token::Word(word @ Word { quote_style: None, .. }) = &token.token else {
            let what = format!("expected a name, found `{}`", self.file.slice(token.span));
            self.sink.push(codes::invalid_placeholder(token.span, &what));
            return None;
        };
        if !name::is_legal(&word.value) {
            self.sink.push(spellings::invalid_name(self.file, token.span, &word.value));
            return None;
        }
        if name::RESERVED.contains(&word.value.as_str()) {
            self.sink.push(codes::reserved_name(token.span, &word.value));
            return None;
        }
        Some(Spanned::new(word.value.clone(), token.span))
    }

    fn declared_type(&mut self, tokens: &[Lexed], colon: Span, of: &Placeholder) -> Option<Spanned<Declared>> {
        let Some(span) = extent(tokens) else {
            self.sink.push(codes::invalid_placeholder(colon, "a type is missing behind `:`"));
            return None;
        };
        let written = self.file.slice(span);
        match Declared::parse(written) {
            Ok(declared) => Some(Spanned::new(declared, span)),
            Err(unknown) => {
                let diagnostic = codes::unknown_type(span, &unknown);
                let marked = written.strip_suffix('?').map(str::trim_end).filter(|ty| Type::parse(ty).is_ok());
                self.sink.push(match marked {
                    Some(ty) => {
                        let meant = format!("{}?: {ty}", of.name.value);
                        diagnostic.fix("write the `?` behind the name", of.head.to(span), meant)
                    }
                    None => diagnostic,
                });
                None
            }
        }
    }

    fn default(&mut self, tokens: &[Lexed], equals: Span, of: &Placeholder) -> Option<Spanned<DefaultValue>> {
        let Some(span) = extent(tokens) else {
            self.sink.push(codes::invalid_placeholder(equals, "a default is missing behind `=`"));
            return None;
        };
        if let Some(literal) = Literal::parse(self.file.slice(span)) {
            return Some(Spanned::new(DefaultValue::Literal(literal), span));
        }
        if let Some(colon) = top_level(tokens, &Token::Colon) {
            let diagnostic = self.type_behind(tokens, colon, of);
            self.sink.push(diagnostic);
            return None;
        }
        if let Some(diagnostic) = self.misspelt_literal((tokens, span), of) {
            self.sink.push(diagnostic);
            return None;
        }
        let expression = default::expression(self.file, tokens, span, &of.name.value, self.sink)?;
        Some(Spanned::new(DefaultValue::Expression(Box::new(expression)), span))
    }

    fn unexpected(&self, token: &Lexed) -> Diagnostic {
        let found = self.file.slice(token.span);
        codes::invalid_placeholder(token.span, &format!("expected `:`, `=` or `>>`, found `{found}`"))
    }

    /// What cannot stand behind the name, with what was probably meant.
    fn odd(&self, odd: &Lexed, inside: &[Lexed]) -> Diagnostic {
        let mut diagnostic = self.unexpected(odd);
        let sign = match odd.token {
            Token::DoubleColon => Some(":"),
            Token::Assignment | Token::DoubleEq => Some("="),
            _ => None,
        };
        if let Some(sign) = sign {
            return diagnostic.fix(format!("write `{sign}`"), odd.span, sign);
        }
        if let Some(default) = self.default_of_template(odd, inside) {
            return diagnostic.fix("a default stands behind `=`", default.span, default.value);
        }
        let end = inside.iter().position(may_follow_name).unwrap_or(inside.len());
        let before = inside.get(..end).unwrap_or_default();
        if let Some((name, ty)) = before.split_first()
            && extent(ty).is_some_and(|ty| Type::parse(self.file.slice(ty)).is_ok())
        {
            diagnostic = diagnostic.fix("put a colon before the type", name.span.after(), ":");
        }
        match extent(before).zip(self.joined(before)) {
            Some((place, name)) => diagnostic.fix("write the name as one word", place, name),
            None => diagnostic,
        }
    }

    /// `<<< name >>>` as a placeholder, with its place.
    fn with_two_signs(&self, inside: &[Lexed], whole: Span) -> Option<Spanned<String>> {
        let [sign, name] = inside else { return None };
        let is_one = sign.token == Token::Lt && is_word(name);
        let third = self.file.text.get(whole.end..)?.starts_with('>');
        let end = if third { whole.end + 1 } else { whole.end };
        is_one.then(|| Spanned::new(format!("<< {} >>", self.file.slice(name.span)), Span { end, ..whole }))
    }

    /// The default that templates write behind a bar: `status | open`, `status | default('open')`. As it is written here,
    /// with its place.
    fn default_of_template(&self, bar: &Lexed, inside: &[Lexed]) -> Option<Spanned<String>> {
        if bar.token != Token::Pipe {
            return None;
        }
        let at = inside.iter().position(|token| token.span == bar.span)?;
        let behind = inside.get(at + 1..)?;
        let place = bar.span.to(behind.last()?.span);
        let value = match behind {
            [function, open, value, close]
                if open.token == Token::LParen
                    && close.token == Token::RParen
                    && self.file.slice(function.span).eq_ignore_ascii_case("default") =>
            {
                value
            }
            [value] => value,
            _ => return None,
        };
        let written = self.file.slice(value.span);
        let text = match &value.token {
            Token::Word(_) if Literal::parse(written).is_some() => written.to_owned(),
            Token::Word(word) => format!("'{}'", word.value.replace('\'', "''")),
            Token::SingleQuotedString(_) | Token::Number(..) => written.to_owned(),
            _ => return None,
        };
        Some(Spanned::new(format!("= {text}"), place))
    }

    /// The name that several words make, with hyphens between them or not.
    fn joined(&self, tokens: &[Lexed]) -> Option<String> {
        let are_words = tokens.iter().all(|token| is_word(token) || token.token == Token::Minus);
        if !are_words || !tokens.last().is_some_and(is_word) {
            return None;
        }
        let words: Vec<&str> =
            tokens.iter().filter(|token| is_word(token)).map(|one| self.file.slice(one.span)).collect();
        let name = name::snake_case(&words.join(" "));
        (name::is_legal(&name) && !name::RESERVED.contains(&name.as_str())).then_some(name)
    }

    /// What is told of a type that stands behind the default.
    fn type_behind(&self, tokens: &[Lexed], colon: usize, of: &Placeholder) -> Diagnostic {
        let (default, ty) = tokens.split_at_checked(colon).unwrap_or((tokens, &[]));
        let place = ty.first().map_or(of.span, |colon| colon.span);
        let diagnostic = codes::invalid_placeholder(place, "the type stands before the default");
        match (extent(default), extent(ty.get(1..).unwrap_or_default())) {
            (Some(default), Some(ty)) if of.declared.is_none() => {
                let whole = of.head.to(ty);
                let written = self.file.slice(of.head);
                let meant = format!("{written}: {} = {}", self.file.slice(ty), self.file.slice(default));
                diagnostic.fix("put the type before the default", whole, meant)
            }
            _ => diagnostic,
        }
    }

    /// What tokens are told that are no literal, but were meant as one.
    fn misspelt_literal(&self, (tokens, span): (&[Lexed], Span), of: &Placeholder) -> Option<Diagnostic> {
        let text = self.file.slice(span);
        let name = of.name.value.as_str();
        if is_day(text) {
            let why = "it is a subtraction; a date is written `DATE '…'`";
            return Some(codes::invalid_default(span, name, why).fix("write a date", span, format!("DATE '{text}'")));
        }
        let [Lexed { token: Token::Word(word), .. }] = tokens else {
            return None;
        };
        let declared = of.declared.as_ref();
        let boolean = boolean(word).filter(|_| declared.is_none_or(|ty| ty.value == Type::Boolean))?;
        let why = format!("`{text}` is no boolean");
        Some(codes::invalid_default(span, name, &why).fix("write a boolean", span, boolean))
    }
}

fn is_word(token: &Lexed) -> bool {
    matches!(&token.token, Token::Word(word) if word.quote_style.is_none())
}

fn is_question_mark(token: &Lexed) -> bool {
    // In the SQL of PostgreSQL it is an operator.
    matches!(&token.token, Token::Placeholder(text) if text == "?") || token.token == Token::Question
}

fn may_follow_name(token: &Lexed) -> bool {
    matches!(token.token, Token::Colon | Token::Eq) || is_question_mark(token)
}

/// What `yes` and `no` mean in YAML and elsewhere.
fn boolean(word: &Word) -> Option<&'static str> {
    match word.value.to_ascii_lowercase().as_str() {
        "yes" | "on" => Some("true"),
        "no" | "off" => Some("false"),
        _ => None,
    }
}

/// `2024-03-31`, which SQL takes for a subtraction.
fn is_day(text: &str) -> bool {
    let fits = |(at, byte): (usize, u8)| if matches!(at, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() };
    text.len() == 10 && text.bytes().enumerate().all(fits)
}

/// The bytes from the first token to the last.
pub(super) fn extent(tokens: &[Lexed]) -> Option<Span> {
    Some(tokens.first()?.span.to(tokens.last()?.span))
}

/// The index of a token outside of brackets.
fn top_level(tokens: &[Lexed], wanted: &Token) -> Option<usize> {
    let mut depth = 0_i32;
    tokens.iter().position(|token| {
        match token.token {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket => depth -= 1,
            _ => {}
        }
        depth == 0 && token.token == *wanted
    })
}
