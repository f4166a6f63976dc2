//! The Python programs that qtool carries: one that describes functions, and one that calls them.
//!
//! Each is a single text: the modules of the package `_qtool` as raw strings, and what makes them importable. No module
//! may therefore contain three single quotes.

/// Run as `python -I -B -X utf8 -c START <length>` with this many bytes of a program first on standard input: a program
/// is longer than what some systems take in a command line. `-B` also holds for processes that functions start.
pub const START: &str = "import os,sys
n=int(sys.argv[1]);b=b''
while len(b)<n:
    p=os.read(0,n-len(b))
    if not p:sys.exit(2)
    b+=p
exec(compile(b,'<_qtool>','exec'),{'__name__':'_qtool_boot'})";

/// A module of the package as a line of Python that adds it to `SOURCES`.
macro_rules! module {
    ($name:literal, $file:literal) => {
        concat!("SOURCES['", $name, "'] = r'''", include_str!(concat!("_qtool/", $file)), "'''\n")
    };
}

/// A program: the modules it imports, and the one it runs.
macro_rules! program {
    ($start:literal: $($name:literal in $file:literal),+) => {
        concat!(
            "SOURCES = {}\n",
            $(module!($name, $file),)+
            include_str!("_qtool/boot.py"),
            "\n\nstart('", $start, "')\n",
        )
    };
}

/// Describes functions: reads one JSON, writes one JSON.
pub const INTROSPECT: &str = program!("introspect":
    "_qtool" in "__init__.py",
    "_qtool.annotations" in "annotations.py",
    "_qtool.context" in "context.py",
    "_qtool.described" in "described.py",
    "_qtool.docstrings" in "docstrings.py",
    "_qtool.fields" in "fields.py",
    "_qtool.introspect" in "introspect.py",
    "_qtool.results" in "results.py",
    "_qtool.targets" in "targets.py"
);

/// Calls functions: reads and writes a JSON a line until its input ends.
pub const WORKER: &str = program!("worker":
    "_qtool" in "__init__.py",
    "_qtool.annotations" in "annotations.py",
    "_qtool.answers" in "answers.py",
    "_qtool.arguments" in "arguments.py",
    "_qtool.callee" in "callee.py",
    "_qtool.context" in "context.py",
    "_qtool.fields" in "fields.py",
    "_qtool.moments" in "moments.py",
    "_qtool.results" in "results.py",
    "_qtool.scalars" in "scalars.py",
    "_qtool.targets" in "targets.py",
    "_qtool.worker" in "worker.py"
);
