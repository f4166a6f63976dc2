//! Random queries over the table `t`: every expression is of the type that its place asks for, and every literal of the
//! type of its neighbours.
//!
//! What would make a literal and a parameter of the same value differ is left out: a division of integers that is
//! compared with a fraction (`7 / 2` is 3, `7 / 2.0` is 3.5), and arithmetic that overflows. So are places that tell no
//! type, and those that DataFusion 55.2 cannot run whatever stands there: `TIME '…'` beside a time column, and `IN`, under
//! `OR` or `NOT`, of a subquery that is a bare aggregate or `UNION`.
//!
//! An option that comes first is the simpler one: failing queries shrink to it.

use super::literal::{self, Expr, Piece, Sql};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::Union;

/// Something that [`sql!`] puts together.
trait Part {
    fn part(&self) -> Expr;
}

impl Part for &'static str {
    fn part(&self) -> Expr {
        Just(vec![Piece::Text(self)]).boxed()
    }
}

impl Part for Expr {
    fn part(&self) -> Expr {
        self.clone()
    }
}

macro_rules! sql {
    ($($part:expr),+ $(,)?) => { joined(vec![$(Part::part(&$part)),+]) };
}

fn joined(parts: Vec<Expr>) -> Expr {
    parts.prop_map(|parts: Vec<Sql>| parts.concat()).boxed()
}

fn any_of(options: Vec<Expr>) -> Expr {
    Union::new(options).boxed()
}

fn word(words: &'static [&'static str]) -> Expr {
    select(words).prop_map(|word| vec![Piece::Text(word)]).boxed()
}

fn compared() -> Expr {
    word(&[" = ", " <> ", " < ", " <= ", " > ", " >= "])
}

fn perhaps_not() -> Expr {
    word(&["", " NOT"])
}

/// Expressions of each type that are equally deep.
struct Level {
    /// Integers, without a division.
    whole: Expr,
    /// Decimals, or doubles made of them.
    decimal: Expr,
    /// Reals and doubles.
    double: Expr,
    text: Expr,
    day: Expr,
    moment: Expr,
    instant: Expr,
}

/// Columns of each type.
fn columns() -> Level {
    Level {
        whole: word(&["medium", "small", "big", "id"]),
        decimal: word(&["amount"]),
        double: word(&["dbl", "single"]),
        text: word(&["label"]),
        day: word(&["day"]),
        moment: word(&["moment"]),
        instant: word(&["instant"]),
    }
}

/// A decimal beside which a whole number may stand as well.
fn number() -> Expr {
    any_of(vec![literal::whole(), literal::point()])
}

/// A condition without subqueries and operators, for `CASE` and inner queries.
fn simple_condition() -> Expr {
    let Level { whole, decimal, double, text, day, moment, .. } = columns();
    any_of(vec![
        sql!["flag"],
        sql!["flag IS NULL"],
        sql![whole, compared(), literal::whole()],
        sql![decimal, compared(), literal::point()],
        sql![double, compared(), literal::point()],
        sql![text, compared(), literal::text()],
        sql![day, compared(), literal::date()],
        sql![moment, compared(), literal::timestamp()],
        sql!["clock", compared(), literal::time()],
        sql!["flag = ", literal::boolean()],
        literal::boolean(),
    ])
}

/// What stands around a value of any type.
fn choices(value: &Expr, literal: &Expr) -> Vec<Expr> {
    let condition = simple_condition();
    vec![
        sql!["coalesce(", *value, ", ", *literal, ")"],
        sql!["coalesce(", *literal, ", ", *value, ")"],
        sql!["nullif(", *value, ", ", *literal, ")"],
        sql![word(&["greatest(", "least("]), *value, ", ", *literal, ")"],
        sql!["CASE WHEN ", condition, " THEN ", *value, " ELSE ", *literal, " END"],
        sql!["CASE WHEN ", condition, " THEN ", *literal, " ELSE ", *value, " END"],
        sql!["CASE ", columns().whole, " WHEN ", literal::whole(), " THEN ", *literal, " ELSE ", *value, " END"],
        sql!["CASE ", *value, " WHEN ", *literal, " THEN ", *value, " ELSE ", *literal, " END"],
    ]
}

/// The expressions that are one step deeper.
fn above(below: &Level) -> Level {
    Level {
        whole: whole(below),
        decimal: decimal(below),
        double: double(below),
        text: text(below),
        day: day(below),
        moment: moment(below),
        instant: instant(below),
    }
}

fn whole(below: &Level) -> Expr {
    let (value, literal) = (&below.whole, literal::whole());
    let operator = word(&[" + ", " - ", " * "]);
    let mut options = vec![
        value.clone(),
        sql!["(", *value, operator, literal, ")"],
        sql!["(", literal, operator, *value, ")"],
        sql!["(", *value, operator, *value, ")"],
        sql!["(", *value, " % ", literal::positive(), ")"],
        sql!["abs(", *value, ")"],
        sql!["(-", *value, ")"],
        sql!["length(", below.text, ")"],
        sql!["strpos(", below.text, ", ", literal::text(), ")"],
        sql!["date_part(", literal::part(), ", ", below.day, ")"],
        sql!["date_part(", literal::part(), ", ", below.moment, ")"],
    ];
    options.extend(choices(value, &literal));
    any_of(options)
}

/// Integers with a division; to be compared with integers only.
fn divided(level: &Level) -> Expr {
    let quotient = sql!["(", level.whole, " / ", literal::positive(), ")"];
    let operator = word(&[" + ", " - ", " * "]);
    any_of(vec![
        quotient.clone(),
        sql!["(", quotient, operator, literal::whole(), ")"],
        sql!["(", quotient, operator, level.whole, ")"],
    ])
}

fn decimal(below: &Level) -> Expr {
    let value = &below.decimal;
    let operator = word(&[" + ", " - "]);
    let mut options = vec![
        value.clone(),
        sql!["(", *value, operator, number(), ")"],
        sql!["(", number(), operator, *value, ")"],
        sql!["(", *value, operator, *value, ")"],
        sql!["(", *value, operator, below.whole, ")"],
        sql!["(", *value, " * ", literal::point(), ")"],
        sql!["(", *value, " / ", literal::positive_point(), ")"],
        sql!["(", *value, " % ", literal::positive_point(), ")"],
        sql!["abs(", *value, ")"],
        sql!["(-", *value, ")"],
    ];
    // Of the column alone: beside a double it becomes a decimal(30,15), which two products would overflow.
    options.extend(choices(&columns().decimal, &number()));
    any_of(options)
}

fn double(below: &Level) -> Expr {
    let value = &below.double;
    let operator = word(&[" + ", " - ", " * "]);
    let mut options = vec![
        value.clone(),
        sql!["(", *value, operator, number(), ")"],
        sql!["(", number(), operator, *value, ")"],
        sql!["(", *value, operator, *value, ")"],
        sql!["(", *value, operator, below.whole, ")"],
        // A real divided by an integer is a real, and by a parameter a double.
        sql!["(", *value, " / ", literal::positive_point(), ")"],
        sql!["abs(", *value, ")"],
        sql!["round(", *value, ")"],
        sql!["round(dbl, ", literal::positive(), ")"],
        sql!["(-", *value, ")"],
    ];
    options.extend(choices(value, &number()));
    any_of(options)
}

fn text(below: &Level) -> Expr {
    let (value, literal) = (&below.text, literal::text());
    let mut options = vec![
        value.clone(),
        sql![word(&["lower(", "upper(", "trim(", "reverse("]), *value, ")"],
        sql!["lower(", literal, ")"],
        sql!["(", *value, " || ", literal, ")"],
        sql!["(", literal, " || ", *value, ")"],
        sql!["concat(", *value, ", ", literal, ")"],
        sql!["concat(", literal, ", ", *value, ")"],
        sql![word(&["substr(", "left("]), *value, ", ", literal::positive(), ")"],
        sql!["substr(", *value, ", ", literal::positive(), ", ", literal::positive(), ")"],
        sql!["replace(", *value, ", ", literal, ", ", literal, ")"],
    ];
    options.extend(choices(value, &literal));
    any_of(options)
}

/// A point in time, and what becomes of it when a span of time is added.
fn shifted(value: &Expr) -> Vec<Expr> {
    vec![
        value.clone(),
        sql!["(", *value, word(&[" + ", " - "]), literal::interval(), ")"],
        sql!["(", literal::interval(), " + ", *value, ")"],
    ]
}

fn day(below: &Level) -> Expr {
    let mut options = shifted(&below.day);
    options.extend(choices(&below.day, &literal::date()));
    any_of(options)
}

fn moment(below: &Level) -> Expr {
    let mut options = shifted(&below.moment);
    options.push(sql!["date_trunc(", literal::unit(), ", ", below.moment, ")"]);
    options.push(sql!["date_trunc(", literal::unit(), ", ", below.day, ")"]);
    options.push(sql!["date_trunc('day', ", literal::timestamp(), ")"]);
    options.extend(choices(&below.moment, &literal::timestamp()));
    any_of(options)
}

fn instant(below: &Level) -> Expr {
    let mut options = shifted(&below.instant);
    options.extend(choices(&below.instant, &literal::timestamptz()));
    any_of(options)
}

/// A type with all that can be compared in it.
struct Family {
    value: Expr,
    literal: Expr,
    column: Expr,
}

/// The levels, and the types with expressions of every level.
struct Grammar {
    one: Level,
    two: Level,
    families: Vec<Family>,
}

impl Grammar {
    fn new() -> Grammar {
        let zero = columns();
        let one = above(&zero);
        let two = above(&one);
        let family = |of: fn(&Level) -> &Expr, literal: Expr| Family {
            value: any_of(vec![of(&zero).clone(), of(&one).clone(), of(&two).clone()]),
            literal,
            column: of(&zero).clone(),
        };
        let clock = Family { value: sql!["clock"], literal: literal::time(), column: sql!["clock"] };
        let families = vec![
            family(|level| &level.whole, literal::whole()),
            family(|level| &level.decimal, number()),
            family(|level| &level.double, number()),
            family(|level| &level.text, literal::text()),
            family(|level| &level.day, literal::date()),
            family(|level| &level.moment, literal::timestamp()),
            family(|level| &level.instant, literal::timestamptz()),
            clock,
        ];
        Grammar { one, two, families }
    }

    /// A condition without subqueries.
    fn comparison(&self) -> Expr {
        let mut options: Vec<Expr> = self.families.iter().map(comparison).collect();
        options.push(self.mixed_comparison());
        options.push(self.text_condition());
        options.push(self.time_condition());
        options.push(boolean_condition());
        any_of(options)
    }

    fn mixed_comparison(&self) -> Expr {
        let Level { whole, decimal, double, .. } = &self.two;
        any_of(vec![
            sql!["(", divided(&self.two), compared(), literal::whole(), ")"],
            sql!["(", divided(&self.two), compared(), self.one.whole, ")"],
            sql!["(", *whole, compared(), *double, ")"],
            sql!["(", *whole, compared(), *decimal, ")"],
            sql!["(", *decimal, compared(), *double, ")"],
        ])
    }

    fn text_condition(&self) -> Expr {
        let text = &self.one.text;
        any_of(vec![
            sql!["(", *text, word(&[" LIKE ", " NOT LIKE ", " ILIKE "]), literal::pattern(), ")"],
            sql!["(", literal::text(), " LIKE ", *text, ")"],
            sql!["(", *text, word(&[" ~ ", " !~ "]), literal::regular_expression(), ")"],
            sql!["starts_with(", *text, ", ", literal::text(), ")"],
        ])
    }

    fn time_condition(&self) -> Expr {
        let Level { day, moment, .. } = &self.one;
        let sign = word(&[" + ", " - "]);
        let day_or_text = any_of(vec![literal::date(), literal::date_text()]);
        any_of(vec![
            sql!["(", *day, compared(), "(", literal::date(), sign, literal::interval(), "))"],
            sql!["(", *moment, compared(), "(", literal::timestamp(), sign, literal::interval(), "))"],
            sql!["((", *day, " - ", literal::date(), ")", compared(), literal::whole(), ")"],
            sql!["((", literal::date(), " - ", *day, ")", compared(), literal::whole(), ")"],
            sql!["(", *day, compared(), literal::date_text(), ")"],
            sql!["(", *day, " IN (", literal::date_text(), ", ", literal::date_text(), "))"],
            sql!["(", *moment, compared(), day_or_text, ")"],
        ])
    }

    /// A condition with a subquery. Not for `CASE` and not for the select list.
    fn subquery(&self) -> Expr {
        let mut options: Vec<Expr> = self.families.iter().map(subquery).collect();
        let having = sql!["FROM t GROUP BY flag HAVING count(*)", compared(), literal::positive()];
        options.push(sql!["EXISTS (SELECT 1 FROM t WHERE ", simple_condition(), ")"]);
        options.push(sql!["(", self.one.whole, " IN (SELECT max(medium) AS m ", having, "))"]);
        let filtered = sql!["(SELECT count(*) FILTER (WHERE ", simple_condition(), ") FROM t)"];
        options.push(sql!["(", filtered, compared(), literal::positive(), ")"]);
        any_of(options)
    }

    fn condition(&self) -> Expr {
        let comparison = self.comparison();
        let one = any_of(vec![comparison.clone(), comparison.clone(), comparison, self.subquery()]);
        let all = any_of(vec![
            one.clone(),
            sql!["(", one, word(&[" AND ", " OR "]), one, ")"],
            sql!["NOT (", one, ")"],
            sql!["((", one, " OR ", one, ") AND ", one, ")"],
        ]);
        // Half of the queries return rows whatever the condition says of them.
        any_of(vec![all.clone(), sql!["(id % 2 = 1 OR ", all, ")"]])
    }

    /// What the query returns beside `id`.
    fn result(&self) -> Expr {
        let mut options: Vec<Expr> = self.families.iter().map(|family| family.value.clone()).collect();
        options.push(divided(&self.two));
        options.push(self.comparison());
        any_of(options)
    }

    fn query(&self) -> Expr {
        let (result, condition) = (self.result(), self.condition());
        let limit = any_of(vec![sql![""], sql![" LIMIT ", literal::positive()]]);
        let plain = sql!["SELECT id, ", result, " AS v FROM t WHERE ", condition, " ORDER BY id", limit];
        let mut options = vec![plain; 2 * self.families.len()];
        for Family { literal, column, .. } in &self.families {
            let projected = sql!["(SELECT *, ", *literal, " AS x FROM t)"];
            let filter = sql!["(x", compared(), *column, ") AND ", condition, " ORDER BY id", limit];
            options.push(sql!["SELECT id, ", result, " AS v FROM ", projected, " AS d WHERE ", filter]);
            options.push(sql!["WITH d AS ", projected, " SELECT id, ", result, " AS v FROM d WHERE ", filter]);
        }
        any_of(options)
    }
}

fn comparison(family: &Family) -> Expr {
    let Family { value, literal, .. } = family;
    any_of(vec![
        sql!["(", *value, compared(), *literal, ")"],
        sql!["(", *literal, compared(), *value, ")"],
        sql!["(", *value, compared(), *value, ")"],
        sql!["(", *value, perhaps_not(), " BETWEEN ", *literal, " AND ", *literal, ")"],
        sql!["(", *value, " BETWEEN ", *value, " AND ", *literal, ")"],
        sql!["(", *literal, " BETWEEN ", *value, " AND ", *value, ")"],
        sql!["(", *value, perhaps_not(), " IN (", *literal, "))"],
        sql!["(", *value, perhaps_not(), " IN (", *literal, ", ", *literal, ", ", *value, "))"],
        sql!["(", *literal, " IN (", *value, ", ", *value, "))"],
        sql!["(", *value, " IS", perhaps_not(), " DISTINCT FROM ", *literal, ")"],
    ])
}

fn subquery(family: &Family) -> Expr {
    let Family { value, literal, column } = family;
    let rows = sql![" FROM t WHERE ", simple_condition(), ")"];
    let union =
        sql!["(SELECT ", *value, " AS y FROM t WHERE ", simple_condition(), " UNION ALL SELECT ", *literal, ")"];
    let pairs = sql!["(SELECT id, ", *literal, " AS x, ", *value, " AS y FROM t)"];
    any_of(vec![
        sql!["(", *value, perhaps_not(), " IN (SELECT ", *value, rows, ")"],
        sql!["(", *literal, " IN (SELECT ", *value, rows, ")"],
        sql!["(", *value, compared(), "(SELECT max(", *column, ")", rows, ")"],
        sql!["(", *literal, compared(), "(SELECT min(", *column, ")", rows, ")"],
        sql!["(", *value, " IN (SELECT u.y FROM ", union, " AS u))"],
        sql!["(id IN (SELECT e.id FROM ", pairs, " AS e WHERE e.x", compared(), "e.y))"],
    ])
}

fn boolean_condition() -> Expr {
    let (simple, literal) = (simple_condition(), literal::boolean());
    any_of(vec![
        literal.clone(),
        sql!["(flag", word(&[" = ", " <> ", " IS DISTINCT FROM "]), literal, ")"],
        sql!["coalesce(flag, ", literal, ")"],
        sql!["((", simple, ")", word(&[" IS TRUE)", " IS NOT FALSE)", " IS UNKNOWN)"])],
        sql!["CASE WHEN ", simple, " THEN ", simple, " ELSE ", literal, " END"],
    ])
}

/// Queries with at least one literal.
pub(super) fn queries() -> Expr {
    let has_literal = |sql: &Sql| sql.iter().any(|piece| matches!(piece, Piece::Literal(_)));
    Grammar::new().query().prop_filter("a query without a literal", has_literal).boxed()
}
