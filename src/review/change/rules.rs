//! The table of rules: each kind of change, whom it is for, what it does to them, and why.

use super::{Audience, Class};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// What is known of a kind of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// The kind.
    pub kind: Kind,
    /// Its name for programs.
    pub code: &'static str,
    /// Whom it is for.
    pub audience: Audience,
    /// What it does to them.
    pub class: Class,
    /// The sentence for a person; `{tool}`, `{subject}`, `{before}` and `{after}` stand for those of the change.
    pub says: &'static str,
    /// Why it is of that class.
    pub why: &'static str,
}

/// One line a kind: name, code, audience, class; what is said; why.
macro_rules! rules {
    ($($kind:ident $code:literal $audience:ident $class:ident $says:literal $why:literal)*) => {
        /// A kind of change.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind {
            $(#[doc = $says] $kind,)*
        }

        /// The rules, one a kind, in the order in which they are documented.
        pub const RULES: [Rule; [$(Kind::$kind),*].len()] = [$(Kind::$kind.rule()),*];

        impl Kind {
            /// What is known of it.
            pub const fn rule(self) -> Rule {
                match self {
                    $(Kind::$kind => Rule {
                        kind: Kind::$kind,
                        code: $code,
                        audience: Audience::$audience,
                        class: Class::$class,
                        says: $says,
                        why: $why,
                    },)*
                }
            }
        }
    };
}

rules! {
    WritesMore "writes-more" Behaviour Breaking
        "Of {subject}, {before} was written, and {after} is."
        "Calls change what they did not change before."
    MaxChangesRaised "max-changes-raised" Behaviour Breaking
        "A call changes at most {after}, where it was {before}."
        "One call does more harm where it is a mistake."
    ConfirmRemoved "confirm-removed" Behaviour Breaking
        "Calls change data without asking a person."
        "What a person saw and agreed to before is done at once."
    WritersChanged "writers-changed" Behaviour Breaking
        "Field {subject} was written by {before}, and is by {after}."
        "Others write it, or those who did are refused."
    ActorChanged "actor-changed" Behaviour Breaking
        "A caller without a token writes as {after}, and wrote as {before}."
        "Who may write a field is told by who writes."
    ReachesMore "reaches-more" Behaviour Breaking
        "The program reaches more by {subject}: {before} became {after}."
        "A program can read, change or send what it could not before."
    ProgramChanged "program-changed" Behaviour Breaking
        "{subject} of the program was {before}, and is {after}."
        "Another program runs, or with other arguments: nothing says that it does the same."
    UpstreamChanged "upstream-changed" Behaviour Breaking
        "{subject} of the tool's call to its server was {before}, and is {after}."
        "Another tool is called, or with other values, or more of its answers is shown."
    UpstreamDefinitionChanged "upstream-definition-changed" Behaviour Breaking
        "The server says something else of the tool: {before} became {after}."
        "A tool that is described anew may do something new: read what its server says of it now."
    OfferReachChanged "offer-reach-changed" Behaviour Breaking
        "{subject} of the server {tool}, whose prompts and resources are passed on, was {before}, and is {after}."
        "Another server may answer, or others get what it says."
    OfferChanged "offer-changed" Behaviour Breaking
        "The server {tool} says something else of {subject}: {before} became {after}."
        "What is described anew may say something new: read it."
    OfferRemoved "offer-removed" Callers Breaking
        "The server {tool} passes on {subject} no more."
        "Who asks for it is told that it is not there."
    OfferAdded "offer-added" Callers Compatible
        "Of the server {tool} {subject} is passed on: {after}."
        "Nobody asks for it yet."
    UsesMore "uses-more" Behaviour Breaking
        "A call may take more {subject}: {before} became {after}."
        "One call takes more from all others."
    RecordKeyChanged "record-key-changed" Behaviour Breaking
        "Records are told apart by {after}, and were by {before}."
        "A key that was sent means another record, or none."
    OutputSchemaChanged "output-schema-changed" Readers Breaking
        "The schema of the answers was {before}, and is {after}."
        "A reader that relies on the old schema may not find what it reads."
    FieldRequired "field-required" Callers Breaking
        "Records must have a value of field {subject}."
        "New records without it are refused."
    Reaches "reaches" Behaviour Compatible
        "The new tool reaches by {subject}: {after}."
        "Nobody relies on a new tool yet: what it can read, change or send is to be agreed to."
    ReachesLess "reaches-less" Behaviour Compatible
        "The program reaches less by {subject}: {before} became {after}."
        "Less can happen that nobody wants."
    UsesLess "uses-less" Behaviour Breaking
        "A call may take less {subject}: {before} became {after}."
        "Calls that succeeded may be ended before they do."
    FieldOptional "field-optional" Callers Compatible
        "Records need no value of field {subject} any more."
        "What was written before is still written."
    ToolAdded "tool-added" Callers Compatible
        "Tool {tool} was added."
        "Nobody calls it yet."
    ToolRemoved "tool-removed" Callers Breaking
        "Tool {tool} was removed."
        "Every call of it fails as a call of an unknown tool."
    ToolRenamed "tool-renamed" Callers Breaking
        "Tool {before} is now called {after}."
        "Calls by the old name fail."
    ToolDeprecated "tool-deprecated" Callers Compatible
        "Tool {tool} is an alias of {after} now, and shown as deprecated."
        "Calls by the old name go on."
    AliasChanged "alias-changed" Callers Compatible
        "Tool {tool} was an alias of {before} and is one of {after}."
        "Calls by the old name go on; what is different is told by itself."
    ToolRevived "tool-revived" Callers Compatible
        "Tool {tool} was an alias of {before} and is a tool of its own now."
        "Calls of it go on; what is different is told by itself."
    RequiredParameterAdded "required-parameter-added" Callers Breaking
        "Parameter {subject} ({after}) was added and is required."
        "Calls that do not send it are refused."
    OptionalParameterAdded "optional-parameter-added" Callers Compatible
        "Parameter {subject} ({after}) was added and is optional."
        "Calls without it mean what they meant."
    ParameterRemoved "parameter-removed" Callers Breaking
        "Parameter {subject} ({before}) was removed."
        "Calls that send it are refused: it is an unknown argument."
    ParameterRenamed "parameter-renamed" Callers Breaking
        "Parameter {before} is now called {after}."
        "Calls by the old name are refused: it is an unknown argument."
    ParameterBecameRequired "parameter-became-required" Callers Breaking
        "Parameter {subject} is required now."
        "Calls without it are refused."
    ParameterBecameOptional "parameter-became-optional" Callers Compatible
        "Parameter {subject} is optional now."
        "Calls that send it mean what they meant."
    ParameterTypeNarrowed "parameter-type-narrowed" Callers Breaking
        "Parameter {subject} takes fewer values: its type {before} became {after}."
        "Some values that were accepted are refused."
    ParameterTypeWidened "parameter-type-widened" Callers Compatible
        "Parameter {subject} takes more values: its type {before} became {after}."
        "Every value that was accepted still is."
    ParameterTypeChanged "parameter-type-changed" Callers Breaking
        "Parameter {subject} takes other values: its type {before} became {after}."
        "Some values that were accepted are refused, others are new."
    AllowedValuesNarrowed "allowed-values-narrowed" Callers Breaking
        "Parameter {subject} takes fewer values: {before} became {after}."
        "Some values that were accepted are refused."
    AllowedValuesWidened "allowed-values-widened" Callers Compatible
        "Parameter {subject} takes more values: {before} became {after}."
        "Every value that was accepted still is."
    AllowedValuesChanged "allowed-values-changed" Callers Breaking
        "Parameter {subject} takes other values: {before} became {after}."
        "Some values that were accepted are refused, others are new."
    AllowedQueryChanged "allowed-query-changed" Behaviour Compatible
        "The values of parameter {subject} come from another query: {before} became {after}."
        "The values that it gives are compared by themselves."
    AllowedValuesRefreshChanged "allowed-values-refresh-changed" Behaviour Compatible
        "The values of parameter {subject} are read again at other times: {before} became {after}."
        "What is accepted between two versions depends on the data."
    BoundTightened "bound-tightened" Callers Breaking
        "Parameter {subject} takes fewer values: {before} became {after}."
        "Some values that were accepted are refused."
    BoundLoosened "bound-loosened" Callers Compatible
        "Parameter {subject} takes more values: {before} became {after}."
        "Every value that was accepted still is."
    BoundChanged "bound-changed" Callers Breaking
        "Parameter {subject} takes other values: {before} became {after}."
        "Some values that were accepted may be refused."
    DefaultAdded "default-added" Behaviour Breaking
        "Parameter {subject} has a default now: {after}."
        "A call without it asks for something else than before."
    DefaultRemoved "default-removed" Behaviour Breaking
        "Parameter {subject} has no default any more: it was {before}."
        "A call without it asks for something else than before."
    DefaultChanged "default-changed" Behaviour Breaking
        "The default of parameter {subject} was {before} and is {after}."
        "A call without it asks for something else than before."
    DefaultExpressionChanged "default-expression-changed" Behaviour Breaking
        "The default of parameter {subject} is computed in another way: {before} became {after}."
        "A call without it asks for something else than before."
    BoundParameterAdded "bound-parameter-added" Behaviour Breaking
        "Parameter {subject} was added and is taken from {after}."
        "Calls of those who do not bring it are refused."
    BoundParameterRemoved "bound-parameter-removed" Behaviour Breaking
        "Parameter {subject}, which was taken from {before}, was removed."
        "What is returned no longer depends on who calls: some may see more than they may."
    BoundParameterRenamed "bound-parameter-renamed" Behaviour Compatible
        "Parameter {before}, which no caller sends, is now called {after}."
        "Nobody outside knows the name."
    BindingChanged "binding-changed" Behaviour Breaking
        "Parameter {subject} was taken from {before} and is taken from {after}."
        "Those who do not bring it are refused, and others may see other rows."
    ParameterBound "parameter-bound" Callers Breaking
        "Parameter {subject} was sent by the caller and is taken from {after}."
        "Calls that send it are refused."
    ParameterUnbound "parameter-unbound" Callers Breaking
        "Parameter {subject} was taken from {before} and is sent by the caller."
        "The caller decides what its identity decided before."
    ParameterFixed "parameter-fixed" Callers Breaking
        "Parameter {subject} was sent by the caller and is {after} now."
        "Calls that send it are refused."
    ParameterFreed "parameter-freed" Callers Breaking
        "Parameter {subject} was {before} and is sent by the caller now."
        "The caller decides what the author decided before: some may see more than they may."
    HiddenParameterAdded "hidden-parameter-added" Behaviour Breaking
        "Parameter {subject} was added; no caller sends it: it is {after}."
        "What is returned may depend on it."
    HiddenParameterRemoved "hidden-parameter-removed" Behaviour Breaking
        "Parameter {subject}, which no caller sent and was {before}, was removed."
        "What is returned no longer depends on it: some may see more than they may."
    HiddenValueChanged "hidden-value-changed" Behaviour Breaking
        "Parameter {subject}, which no caller sends, was {before} and is {after}."
        "The same call asks for something else than before."
    ChoiceSqlChanged "choice-sql-changed" Behaviour Compatible
        "What parameter {subject} chooses is other SQL: {before} became {after}."
        "The same value gives other rows, or the same in another order."
    ParameterSchemaChanged "parameter-schema-changed" Callers Breaking
        "The schema of parameter {subject} was {before} and is {after}."
        "Schemas that are written by hand are not compared further."
    InputSchemaChanged "input-schema-changed" Callers Breaking
        "The schema of all arguments was {before} and is {after}."
        "Schemas that are written by hand are not compared further."
    RuleAdded "rule-added" Callers Breaking
        "A condition across parameters was added: {after}."
        "Calls that do not meet it are refused."
    RuleRemoved "rule-removed" Callers Compatible
        "A condition across parameters was removed: {before}."
        "Every call that was accepted still is."
    RuleChanged "rule-changed" Callers Breaking
        "A condition across parameters was {before} and is {after}."
        "Some calls that were accepted may be refused."
    AutomaticParameterAdded "automatic-parameter-added" Callers Compatible
        "The automatic parameter {subject} is offered now."
        "Calls without it mean what they meant."
    AutomaticParameterRemoved "automatic-parameter-removed" Callers Breaking
        "The automatic parameter {subject} is no longer offered."
        "Calls that send it are refused."
    StrictEnabled "strict-enabled" Callers Breaking
        "Arguments are read strictly now."
        "Slips that were forgiven, such as a number sent as a text, are refused."
    StrictDisabled "strict-disabled" Callers Compatible
        "Arguments are no longer read strictly."
        "Every call that was accepted still is."
    AskEnabled "ask-enabled" Callers Compatible
        "A person is asked for required arguments that are missing now."
        "Calls that have all of them mean what they meant."
    AskDisabled "ask-disabled" Callers Breaking
        "Nobody is asked for required arguments that are missing any more."
        "Calls without them are refused."
    ScopeAdded "scope-added" Callers Breaking
        "Callers need the scope {subject} now."
        "Those whose token has it not neither see the tool nor may call it."
    ScopeRemoved "scope-removed" Callers Compatible
        "Callers no longer need the scope {subject}."
        "Everybody who could call it still can, and others too."
    AnnotationWeakened "annotation-weakened" Callers Breaking
        "The hint {subject} promises less: {before} became {after}."
        "Clients that call it without asking may do harm."
    AnnotationStrengthened "annotation-strengthened" Callers Compatible
        "The hint {subject} promises more: {before} became {after}."
        "Whoever was careful still is."
    ColumnAdded "column-added" Readers Compatible
        "Column {subject} ({after}) was added."
        "Those who read the other columns by name find them."
    ColumnRemoved "column-removed" Readers Breaking
        "Column {subject} ({before}) was removed."
        "Those who read it find nothing."
    ColumnRenamed "column-renamed" Readers Breaking
        "Column {before} is now called {after}."
        "Those who read the old name find nothing."
    ColumnTypeNarrowed "column-type-narrowed" Readers Compatible
        "Column {subject} has fewer values: its type {before} became {after}."
        "No value comes that could not come before."
    ColumnTypeWidened "column-type-widened" Readers Breaking
        "Column {subject} has more values: its type {before} became {after}."
        "Values come that could not come before."
    ColumnTypeChanged "column-type-changed" Readers Breaking
        "Column {subject} has other values: its type {before} became {after}."
        "Values come that could not come before."
    ColumnNumbersChanged "column-numbers-changed" Readers Breaking
        "The numbers of column {subject} are JSON of the type {after}, where it was {before}."
        "Those who read the old form cannot read the new one."
    ColumnsReordered "columns-reordered" Readers Compatible
        "The columns come in another order: {before} became {after}."
        "Every result names its columns; only those who count them are misled."
    ColumnBecameNullable "column-became-nullable" Readers Breaking
        "Column {subject} may be null now."
        "Those who relied on a value find none."
    ColumnBecameNotNull "column-became-not-null" Readers Compatible
        "Column {subject} is never null now."
        "No value comes that could not come before."
    ResultLimitLowered "result-limit-lowered" Readers Breaking
        "At most {after} rows come, where it was {before}."
        "Rows that came do not come any more."
    ResultLimitRaised "result-limit-raised" Readers Compatible
        "At most {after} rows come, where it was {before}."
        "All rows that came still come."
    DefaultLimitLowered "default-limit-lowered" Readers Breaking
        "Without a limit {after} rows come, where it was {before}."
        "Rows that came do not come any more unless they are asked for."
    DefaultLimitRaised "default-limit-raised" Readers Compatible
        "Without a limit {after} rows come, where it was {before}."
        "All rows that came still come."
    OrderChanged "order-changed" Readers Breaking
        "The rows come in another order: {before} became {after}."
        "Those who take the first rows get others, and so does every limit."
    OrderLoosened "order-loosened" Readers Breaking
        "The order of the rows says less: {before} became {after}."
        "Rows that had an order come in any."
    OrderRefined "order-refined" Readers Compatible
        "The order of the rows says more: {before} became {after}."
        "Rows that had an order have it still."
    TableFormatChanged "table-format-changed" Readers Breaking
        "Rows are written as {after}, where it was {before}."
        "Those who read the old form cannot read the new one."
    StructuredOutputEnabled "structured-output-enabled" Readers Compatible
        "Results are structured content as well as text now."
        "The text is what it was."
    StructuredOutputDisabled "structured-output-disabled" Readers Breaking
        "Results are text alone now."
        "Those who read the structured content find none."
    CountTotalEnabled "count-total-enabled" Readers Compatible
        "All rows are counted now where the result is cut."
        "A number comes where there was none."
    CountTotalDisabled "count-total-disabled" Readers Breaking
        "Rows are no longer counted where the result is cut."
        "Those who read the total find none."
    TimeoutLowered "timeout-lowered" Behaviour Breaking
        "A call may take {after}, where it was {before}."
        "Calls that took longer and succeeded fail."
    TimeoutRaised "timeout-raised" Behaviour Compatible
        "A call may take {after}, where it was {before}."
        "Every call that succeeded still does."
    LimitLowered "limit-lowered" Behaviour Breaking
        "{subject} of the tool is {after}, where it was {before}."
        "Calls that succeeded are refused, or have fewer rows."
    LimitRaised "limit-raised" Behaviour Compatible
        "{subject} of the tool is {after}, where it was {before}."
        "Every call that succeeded still does."
    WritesLess "writes-less" Behaviour Breaking
        "Of {subject}, {before} was written, and {after} is."
        "Calls no longer change what they changed before."
    MaxChangesLowered "max-changes-lowered" Behaviour Breaking
        "A call changes at most {after}, where it was {before}."
        "Calls that changed more are refused."
    ExpectChangesChanged "expect-changes-changed" Behaviour Breaking
        "A call must change {after}, where it was {before}."
        "Calls that succeeded may be refused, or the other way round."
    ConfirmAdded "confirm-added" Behaviour Breaking
        "A person must agree to what a call changes."
        "Clients that cannot ask their user are refused."
    IsolationChanged "isolation-changed" Behaviour Compatible
        "The transaction is {after}, where it was {before}."
        "Others that change the same data at the same time may be seen otherwise."
    CacheChanged "cache-changed" Behaviour Compatible
        "Results are kept for {after}, where it was {before}."
        "Rows may be older, or newer, than they were."
    QueryChanged "query-changed" Behaviour Compatible
        "The rows are found in another way: {before} became {after}."
        "The contract is the same; the rows may be others."
    ComputationChanged "computation-changed" Behaviour Compatible
        "Column {subject} is computed in another way: {before} became {after}."
        "The contract is the same; the values may be others."
    TableAdded "table-added" Behaviour Compatible
        "The query reads the table {subject} as well."
        "The rows depend on more data."
    TableRemoved "table-removed" Behaviour Compatible
        "The query no longer reads the table {subject}."
        "The rows depend on less data."
    PolicyAdded "policy-added" Behaviour Breaking
        "Table {subject} has a policy now: callers see {after}."
        "Rows and values that came may not come any more."
    PolicyRemoved "policy-removed" Behaviour Breaking
        "Table {subject} has no policy any more: callers saw {before}."
        "Some see rows and values that they did not see before."
    PolicyChanged "policy-changed" Behaviour Breaking
        "Of table {subject}, callers saw {before}, and see {after}."
        "Some may see rows and values that they did not see before."
    ShowsMore "shows-more" Behaviour Breaking
        "Of the column {subject}, {before} was shown, and {after} is."
        "Some see values that they did not see before, or it is no longer said whose they are."
    ShowsLess "shows-less" Behaviour Compatible
        "Of the column {subject}, {before} was shown, and {after} is."
        "Some no longer see values that they saw before."
    TextInstructsModel "text-instructs-model" Behaviour Breaking
        "The text of {subject} tells a model what to do: {after}."
        "An agent that reads it may do something that nobody asked for."
    TextHidesCharacters "text-hides-characters" Behaviour Breaking
        "The text of {subject} has a character that nobody sees: {after}."
        "An agent reads what a person who reviews it does not."
    TitleChanged "title-changed" Documentation Documentation
        "The title was {before} and is {after}."
        "Titles are for people."
    DescriptionChanged "description-changed" Documentation Documentation
        "The description was {before} and is {after}."
        "Agents may choose the tool more often, or less."
    ParameterDescriptionChanged "parameter-description-changed" Documentation Documentation
        "The description of parameter {subject} was {before} and is {after}."
        "Agents may send other values."
    ColumnDescriptionChanged "column-description-changed" Documentation Documentation
        "The description of column {subject} was {before} and is {after}."
        "The values are what they were."
    RuleMessageChanged "rule-message-changed" Documentation Documentation
        "What is said to calls that do not meet a condition was {before} and is {after}."
        "The same calls are refused."
    ExamplesChanged "examples-changed" Documentation Documentation
        "The examples of parameter {subject} were {before} and are {after}."
        "Agents may send other values."
    TagsChanged "tags-changed" Documentation Documentation
        "The tags were {before} and are {after}."
        "Tags group tools for people."
    VersionChanged "version-changed" Documentation Documentation
        "The version was {before} and is {after}."
        "It is what the author says of all other changes."
    IconsChanged "icons-changed" Documentation Documentation
        "The pictures were {before} and are {after}."
        "Pictures are for people."
    MetaChanged "meta-changed" Documentation Documentation
        "The data for clients ({subject}) was {before} and is {after}."
        "What it means is between author and client."
    DefinitionChanged "definition-changed" Documentation Documentation
        "How much of the tool is published was {before} and is {after}."
        "Calls and results are what they were."
    ParametersReordered "parameters-reordered" Documentation Documentation
        "The parameters come in another order: {before} became {after}."
        "Arguments are sent by name."
    SpellingChanged "spelling-changed" Documentation Documentation
        "{subject} is written in another way: {before} became {after}."
        "What is accepted and returned is the same."
}

impl Kind {
    /// The kind of that code.
    pub fn from_code(code: &str) -> Option<Kind> {
        RULES.iter().find(|rule| rule.code == code).map(|rule| rule.kind)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.rule().code)
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = String::deserialize(deserializer)?;
        Kind::from_code(&code).ok_or_else(|| serde::de::Error::custom(format!("no kind of change: `{code}`")))
    }
}
