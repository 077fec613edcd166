//! No module imports from one that stands above it: `ARCHITECTURE.md` has the order.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The heading in `ARCHITECTURE.md` below which the order stands.
const HEADING: &str = "## The order of the modules";

/// The modules, lowest first, and where the names of the crate's root come from.
struct Order {
    modules: Vec<String>,
    /// The module of each name that `lib.rs` exports.
    root: HashMap<String, String>,
}

#[test]
fn no_module_imports_from_one_above_it() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Ok(architecture) = fs::read_to_string(crate_folder.join("../../ARCHITECTURE.md")) else {
        eprintln!("skipped: a crate that was downloaded has no ARCHITECTURE.md beside it");
        return;
    };
    let src = crate_folder.join("src");
    let lib = fs::read_to_string(src.join("lib.rs")).unwrap();
    let order = Order::new(&architecture, &lib);
    let mut declared = modules_of(&lib);
    let mut listed = order.modules.clone();
    declared.sort();
    listed.sort();
    assert_eq!(declared, listed, "the list names every module once");

    let files = sources(&src);
    assert!(files.len() > 100, "only {} files were found", files.len());
    let faults: Vec<String> = files
        .iter()
        .flat_map(|file| {
            let path = file.strip_prefix(&src).unwrap();
            order.faults(path, &fs::read_to_string(file).unwrap())
        })
        .collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Every source file below a folder, except `lib.rs` and tests.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with("tests") {
                files.extend(sources(&path));
            }
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !path.ends_with("tests.rs")
            && !path.ends_with("src/lib.rs")
        {
            files.push(path);
        }
    }
    files
}

impl Order {
    fn new(architecture: &str, lib: &str) -> Self {
        let (_, section) = architecture.split_once(HEADING).expect("the heading");
        let mut lines = section.lines().skip_while(|line| !line.starts_with("```"));
        lines.next();
        let modules = lines
            .take_while(|line| !line.starts_with("```"))
            .filter_map(|line| line.split_whitespace().next())
            .map(str::to_owned)
            .collect();
        Self {
            modules,
            root: exports(lib),
        }
    }

    /// The imports of a file from above, each in a line. The path is that below `src`.
    fn faults(&self, path: &Path, source: &str) -> Vec<String> {
        let modules = module_path(path);
        let code = without_tests(&code(source));
        let here = self.storey(&modules[0]);
        let mut faults = Vec::new();
        for name in names_of_the_root(&code, modules.len()) {
            let module = self.root.get(&name).unwrap_or(&name);
            let fault = match (here, self.storey(module)) {
                (None, _) => format!("{} has no place in the order", modules[0]),
                (_, None) => format!("crate::{name} is neither a module nor exported"),
                (Some(here), Some(there)) if there > here => {
                    format!(
                        "{} imports crate::{name}, of {module}, above it",
                        modules[0]
                    )
                }
                _ => continue,
            };
            faults.push(format!("{}: {fault}", path.display()));
        }
        faults
    }

    fn storey(&self, module: &str) -> Option<usize> {
        self.modules.iter().position(|name| name == module)
    }
}

/// The modules that a file is in, the outermost first.
fn module_path(path: &Path) -> Vec<String> {
    let path = path.with_extension("");
    let parts = path.iter().map(|part| part.to_str().unwrap().to_owned());
    parts.filter(|part| part != "mod").collect()
}

/// What `lib.rs` exports: names, and the modules they come from.
fn exports(lib: &str) -> HashMap<String, String> {
    let code = code(lib);
    let mut exports = HashMap::new();
    for export in code.split("pub use ").skip(1) {
        let (path, _) = export.split_once(';').expect("the end of an export");
        let (module, names) = path.split_once("::").expect("a path");
        for name in first_names(names) {
            exports.insert(name, module.trim().to_owned());
        }
    }
    exports
}

/// The modules that `lib.rs` declares.
fn modules_of(lib: &str) -> Vec<String> {
    let code = code(lib);
    let lines = code.lines().map(|line| line.trim_start_matches("pub "));
    let names = lines.filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
    names.map(str::to_owned).collect()
}

/// Every name that code takes from the root of the crate, in a module that is `depth` below it:
/// after `crate::`, or after as many `super::` as lead there.
fn names_of_the_root(code: &str, depth: usize) -> Vec<String> {
    let up = "super::".repeat(depth);
    let mut names = Vec::new();
    for start in ["crate::", &up] {
        for (at, _) in code.match_indices(start) {
            let is_whole_word = !code[..at].ends_with(is_of_name);
            let is_further_up = code[..at].ends_with("super::");
            if is_whole_word && !is_further_up {
                names.extend(first_names(&code[at + start.len()..]));
            }
        }
    }
    names
}

/// The first name of a path, or of each path in braces.
fn first_names(path: &str) -> Vec<String> {
    let Some(group) = path.trim_start().strip_prefix('{') else {
        return vec![first_name(path)];
    };
    let mut names = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, c) in group.char_indices() {
        let is_end = c == '}' && depth == 0;
        if is_end || c == ',' && depth == 0 {
            names.push(first_name(&group[start..at]));
            start = at + 1;
        }
        match c {
            _ if is_end => break,
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

fn first_name(path: &str) -> String {
    let path = path.trim_start();
    path.chars().take_while(|&c| is_of_name(c)).collect()
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A source without comments and without what is in quotation marks.
fn code(source: &str) -> String {
    let mut code = String::new();
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(length) = quoted(rest, code.chars().next_back()) {
            code.push_str("\"\"");
            length
        } else {
            code.push(c);
            c.len_utf8()
        };
        rest = &rest[length..];
    }
    code
}

/// The length of the string or character that a text begins with, if it begins with one.
fn quoted(text: &str, before: Option<char>) -> Option<usize> {
    if let Some(raw) = text.strip_prefix('r')
        && !before.is_some_and(is_of_name)
    {
        let inner = raw.trim_start_matches('#');
        let hashes = raw.len() - inner.len();
        let inner = inner.strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(2 + hashes + inner.find(&end)? + end.len());
    }
    let mark = text.chars().next().filter(|c| ['"', '\''].contains(c))?;
    let mut characters = text.char_indices().skip(1);
    if mark == '\'' && !text.starts_with("'\\") {
        // A lifetime has no second mark.
        let (at, c) = characters.nth(1)?;
        return (c == '\'').then_some(at + 1);
    }
    while let Some((at, c)) = characters.next() {
        match c {
            '\\' => drop(characters.next()),
            c if c == mark => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Code without the items that are for tests only.
fn without_tests(code: &str) -> String {
    let mut kept = String::new();
    let mut rest = code;
    while let Some(at) = rest.find("#[cfg(") {
        let (before, attribute) = rest.split_at(at);
        let end = attribute.find(']').map_or(attribute.len(), |end| end + 1);
        kept.push_str(before);
        let is_for_tests = ["#[cfg(test", "#[cfg(all(test"]
            .iter()
            .any(|start| attribute.starts_with(start));
        let skipped = if is_for_tests {
            item_end(attribute, end)
        } else {
            kept.push_str(&attribute[..end]);
            end
        };
        rest = &attribute[skipped..];
    }
    kept + rest
}

/// Where the item ends that begins at a place: at its last brace, or at its semicolon.
fn item_end(code: &str, begin: usize) -> usize {
    let is_use = code[begin..].trim_start().starts_with("use ");
    let mut depth = 0;
    for (at, c) in code[begin..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        let is_end = depth == 0 && (c == ';' || c == '}' && !is_use);
        if is_end {
            return begin + at + 1;
        }
    }
    code.len()
}

const LIST: &str = "# A\n\n## The order of the modules\n\nLow first.\n\n```text\nboard\noutcome\nsearch\npolicy\n```\n";
const LIB: &str = "pub use board::{Board, uniform};\npub use outcome::Limits;\npub use policy::{\n    Answer, Solver,\n};\n";

fn faults(path: &str, source: &str) -> Vec<String> {
    Order::new(LIST, LIB).faults(Path::new(path), source)
}

#[test]
fn imports_from_above_are_found_however_they_are_written() {
    for source in [
        "use crate::policy::Solver;",
        "use crate::{Board, policy::{Solver, Want}};",
        "use crate::Solver;",
        "use crate::{\n    Board,\n    Solver,\n};",
        "pub(crate) use crate::policy;",
        "fn f() { let url = \"http://\"; crate::policy::solve() }",
        "fn f<'a>(x: &'a str) -> crate::Answer { '\"'; '{' }",
        "use super::super::policy::Solver;",
        "#[cfg(feature = \"store\")]\nuse crate::Solver;",
        "#[cfg(test)]\nmod tests;\nuse crate::Solver;",
        "#[cfg(test)]\nuse crate::{Board, Limits};\nuse crate::Answer;",
        "#[cfg(test)]\nmod tests { const C: char = '{'; }\nuse crate::Solver;",
    ] {
        let faults = faults("search/idastar.rs", source);
        assert_eq!(faults.len(), 1, "{source}: {faults:?}");
        assert!(faults[0].contains("policy"), "{faults:?}");
    }
    assert_eq!(faults("board/mod.rs", "use super::Limits;").len(), 1);
    assert_eq!(faults("board.rs", "use crate::Limits;").len(), 1);
}

#[test]
fn imports_from_below_and_what_is_no_code_are_no_faults() {
    for source in [
        "use crate::board::Board;\nuse crate::{Limits, uniform};\nuse crate::search::Domain;",
        "use super::policy::Solver;",
        "/// See [`Solver`](crate::policy::Solver).\n//! crate::policy\n/* crate::policy */",
        "const TEXT: &str = \"use crate::policy::Solver;\";",
        "const TEXT: &str = r#\"\"use crate::policy::Solver;\"#;",
        "#[cfg(test)]\nmod tests {\n    use crate::policy::Solver;\n    fn f() {}\n}",
        "#[cfg(all(test, feature = \"store\"))]\nuse crate::{Solver, Board};",
    ] {
        assert_eq!(faults("search/idastar.rs", source), [""; 0], "{source}");
    }
}

#[test]
fn names_and_modules_that_are_in_no_list_are_faults() {
    assert_eq!(faults("search/idastar.rs", "use crate::Unheard;").len(), 1);
    assert_eq!(faults("extra/mod.rs", "use crate::Board;").len(), 1);
}
