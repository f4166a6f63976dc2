//! The codes: one per rule, kebab-case, named for what is wrong.

use super::Severity;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident $name:literal $severity:ident;)*) => {
        /// Names a rule. Each has a page in the book under its name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $($(#[$doc])* $variant,)* }

        impl Code {
            /// Every code, by topic.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            /// The name that a person reads and types.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $name,)* }
            }

            /// The code's page of the book: what is wrong, why it matters, an example and its correction, in Markdown.
            pub fn page(self) -> &'static str {
                match self {
                    $(Code::$variant => include_str!(concat!("../../book/src/diagnostics/", $name, ".md")),)*
                }
            }

            /// The code of that name.
            pub fn parse(name: &str) -> Option<Code> {
                Code::ALL.iter().copied().find(|code| code.as_str() == name)
            }

            /// How bad a finding of this rule is.
            pub fn severity(self) -> Severity {
                match self { $(Code::$variant => Severity::$severity,)* }
            }
        }
    };
}

codes! {
    // The project and its files.
    /// A file cannot be opened or does not exist.
    UnreadableFile "unreadable-file" Error;
    /// A text file is not UTF-8.
    NotUtf8 "not-utf8" Error;
    /// A path leaves the project's declared roots.
    PathOutsideRoots "path-outside-roots" Error;
    /// YAML that cannot be parsed.
    InvalidYaml "invalid-yaml" Error;
    /// A key that the format does not have.
    UnknownKey "unknown-key" Error;
    /// A value of the wrong shape.
    InvalidValue "invalid-value" Error;
    /// A required key is absent.
    MissingKey "missing-key" Error;
    /// A project without a query.
    EmptyProject "empty-project" Warning;
    /// A file that is called nearly as one that is read.
    MisnamedFile "misnamed-file" Error;
    // Prompts.
    /// A prompt file that cannot be read, or whose template does not fit its arguments.
    InvalidPrompt "invalid-prompt" Error;
    // Tables.
    /// A table's data cannot be read or has no consistent schema.
    UnreadableTable "unreadable-table" Error;
    /// A database that `sources` does not have.
    UnknownSource "unknown-source" Error;
    /// A database that cannot be opened or asked.
    UnreadableSource "unreadable-source" Error;
    /// A column of a database whose values lose something when they are read.
    LossyType "lossy-type" Warning;
    /// A statement in a database's own SQL that is refused.
    ForeignStatement "foreign-statement" Error;
    /// A table or a column that no tool may change, and one changes.
    NotWritable "not-writable" Error;
    /// A change whose rows nothing bounds.
    UnboundedChange "unbounded-change" Error;
    /// What the database says of a statement in its own SQL is not locked.
    StatementNotLocked "statement-not-locked" Error;
    /// What a manifest runs cannot be run so.
    InvalidProgram "invalid-program" Error;
    /// A program that would not run on this machine.
    UnrunnableProgram "unrunnable-program" Warning;
    /// A function of which nobody knows what it takes.
    UndescribedFunction "undescribed-function" Error;
    /// A program in Fractalic's convention that does not say what it takes.
    UndescribedProgram "undescribed-program" Error;
    /// A program whose parameters nobody declares: any arguments are handed on to it.
    UndeclaredParameters "undeclared-parameters" Warning;
    /// Settings of another server that cannot hold.
    InvalidUpstream "invalid-upstream" Error;
    /// It is not locked what another server says of its tools.
    UpstreamNotLocked "upstream-not-locked" Error;
    /// Another server that cannot be asked for its tools.
    UnreachableUpstream "unreachable-upstream" Error;
    /// A policy that says something else than who sees what of a table.
    InvalidPolicy "invalid-policy" Error;
    /// What reads a table past its policy.
    BypassedPolicy "bypassed-policy" Error;
    /// A table has no locked schema.
    TableNotLocked "table-not-locked" Error;
    /// Allowed values of a query are not locked.
    ValuesNotLocked "values-not-locked" Error;
    /// A table whose data no longer has the locked schema.
    TableChanged "table-changed" Error;
    // The query file.
    /// `/*---` without `---*/`.
    UnclosedHeader "unclosed-header" Error;
    /// A header that stands where it is not read, or that is nearly one.
    UnreadHeader "unread-header" Error;
    /// `<<` without `>>`.
    UnclosedPlaceholder "unclosed-placeholder" Error;
    /// Something between `<<` and `>>` that is no placeholder.
    InvalidPlaceholder "invalid-placeholder" Error;
    /// `$1`, `?`, `:name` or `@name` in the text.
    RawPlaceholder "raw-placeholder" Error;
    /// A placeholder in a text or in a name in quotes.
    QuotedPlaceholder "quoted-placeholder" Error;
    /// A placeholder in a comment.
    CommentedPlaceholder "commented-placeholder" Warning;
    /// A key of ORDER BY, GROUP BY, PARTITION BY or DISTINCT ON that is made of parameters alone.
    ConstantKey "constant-key" Error;
    /// `[[` without `]]`, or a clause that cannot stand there.
    InvalidClause "invalid-clause" Error;
    /// The SQL does not parse.
    SyntaxError "syntax-error" Error;
    /// A file without a statement.
    EmptyQuery "empty-query" Error;
    /// More than one statement.
    MultipleStatements "multiple-statements" Error;
    /// A statement that is no query.
    NotAQuery "not-a-query" Error;
    /// A statement nested or chained too deeply to plan safely.
    QueryTooDeep "query-too-deep" Error;
    /// A statement with more in it than can be planned in a second.
    QueryTooLarge "query-too-large" Error;
    // Names.
    /// A name with characters that names cannot have.
    InvalidName "invalid-name" Error;
    /// A name that qtool itself uses.
    ReservedName "reserved-name" Error;
    /// Two things of one name.
    NameCollision "name-collision" Error;
    /// A table that does not exist.
    UnknownTable "unknown-table" Error;
    /// A column that does not exist.
    UnknownColumn "unknown-column" Error;
    /// A column that several tables have.
    AmbiguousColumn "ambiguous-column" Error;
    /// A function that does not exist.
    UnknownFunction "unknown-function" Error;
    /// Two output columns of one name.
    DuplicateColumn "duplicate-column" Error;
    /// An output column that is an expression without a name.
    UnnamedColumn "unnamed-column" Warning;
    /// Queries that select from each other in a circle.
    QueryCycle "query-cycle" Error;
    // Rows and columns.
    /// A tool that may return any number of rows.
    UnboundedResult "unbounded-result" Warning;
    /// A tool that changes data, where somebody wants to hear of that.
    ChangesData "changes-data" Warning;
    /// A tool that returns personal data to every caller.
    UnmaskedPii "unmasked-pii" Warning;
    /// `SELECT *`.
    SelectStar "select-star" Warning;
    /// LIMIT without ORDER BY.
    UnorderedLimit "unordered-limit" Warning;
    /// An order that pages would not fit together in.
    UnstableOrder "unstable-order" Warning;
    /// A comparison with NULL, or one that matches nothing where a parameter is absent.
    NullComparison "null-comparison" Warning;
    /// A condition that an optional clause before it takes along where it is left out.
    SwallowedCondition "swallowed-condition" Warning;
    /// A condition that an optional clause would say.
    HandWrittenClause "hand-written-clause" Warning;
    /// A parameter that is compared as if it were the column of its name.
    ParameterAsColumn "parameter-as-column" Warning;
    /// A large table that is read without a filter.
    UnfilteredScan "unfiltered-scan" Warning;
    // Types.
    /// No evidence for a parameter's type.
    CannotInferType "cannot-infer-type" Error;
    /// Uses of one parameter that ask for different types.
    ConflictingTypes "conflicting-types" Error;
    /// A type name that does not exist.
    UnknownType "unknown-type" Error;
    /// A statement that the planner refuses.
    InvalidQuery "invalid-query" Error;
    /// A statement that is planned, and that the engine cannot run.
    CannotRun "cannot-run" Error;
    /// An output column of a type that cannot be returned.
    UnsupportedType "unsupported-type" Error;
    // Parameters.
    /// A parameter declared and never used.
    UnusedParameter "unused-parameter" Error;
    /// A new name for a parameter that the query does not have.
    UnknownParameter "unknown-parameter" Error;
    /// One parameter configured in two ways.
    ConflictingConfiguration "conflicting-configuration" Error;
    /// A default that is not of the parameter's type or breaks its constraints.
    InvalidDefault "invalid-default" Error;
    /// A default that is not among the allowed values.
    DefaultNotAllowed "default-not-allowed" Error;
    /// An allowed value or example that is not of the parameter's type or breaks its constraints.
    InvalidAllowedValue "invalid-allowed-value" Error;
    /// A constraint that the type does not have, or that nothing satisfies.
    InvalidConstraint "invalid-constraint" Error;
    /// A rule across parameters that is no condition, or speaks of something else.
    InvalidRule "invalid-rule" Error;
    /// A choice that cannot be put into the query, or choices where there can be none.
    InvalidChoice "invalid-choice" Error;
    /// Choices with which the query has other columns, or parameters of other types.
    ChoicesDiffer "choices-differ" Error;
    /// A header takes parameters from a group that `qtool.yaml` does not have.
    UnknownGroup "unknown-group" Error;
    // Tools.
    /// A header key that does not fit the query.
    InvalidSetting "invalid-setting" Error;
    /// A tool or parameter that an agent knows only by its name.
    MissingDescription "missing-description" Warning;
    /// A tool that asks something of its callers, of whom the project knows nothing.
    MissingAuth "missing-auth" Warning;
    /// A tool without scopes that selects from a query with some.
    DroppedScopes "dropped-scopes" Warning;
    /// A header that asks for less, or binds to something else, than the one that it extends.
    ReplacedGuard "replaced-guard" Warning;
    /// A description that tells the model what to do.
    InstructingDescription "instructing-description" Warning;
    /// A tool whose definition takes too much of an agent's context.
    LargeDefinition "large-definition" Warning;
}

impl Code {
    /// The codes whose level can be set.
    pub fn lints() -> impl Iterator<Item = Code> {
        Code::ALL.iter().copied().filter(|code| code.is_lint())
    }

    /// Whether nothing is said of it until somebody sets its level.
    pub fn is_silent(self) -> bool {
        self == Code::ChangesData
    }

    /// Whether its level can be set: that of a warning can, and of an error that is right now and then.
    pub fn is_lint(self) -> bool {
        self.severity() == Severity::Warning || self == Code::QuotedPlaceholder
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Code::parse(&name).ok_or_else(|| serde::de::Error::custom(format!("there is no code `{name}`")))
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
