//! The page: its files, and what browsers are told about them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::support::{EASY, Reply, Rig, path};

const WEB: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/web");

/// All files of a folder, and what is in the folders in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

/// The files of the page as paths of the server, with what is in them.
fn embedded() -> Vec<(String, Vec<u8>)> {
    let all = files(Path::new(WEB)).into_iter();
    let page = all.filter(|file| file.extension().is_none_or(|end| end != "md"));
    page.map(|file| {
        let path = file.strip_prefix(WEB).unwrap().to_str().unwrap();
        (
            format!("/{}", path.replace('\\', "/")),
            fs::read(&file).unwrap(),
        )
    })
    .collect()
}

#[test]
fn every_file_is_served_with_its_type() {
    let rig = Rig::new();
    let files = embedded();
    assert!(files.len() > 10, "{files:?}");
    for (path, content) in files {
        let reply = rig.get(&path);
        assert_eq!(reply.status, 200, "{path}");
        assert!(reply.body == content, "{path} is another file");
        let kind = match path.rsplit_once('.').unwrap().1 {
            "html" => "text/html; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "svg" => "image/svg+xml",
            other => panic!("{path}: what is {other}?"),
        };
        assert_eq!(reply.header("content-type"), kind, "{path}");
    }
}

#[test]
fn folders_stand_for_their_index() {
    let rig = Rig::new();
    for (path, file) in [
        ("/", "/index.html"),
        ("/api", "/api/index.html"),
        ("/api/", "/api/index.html"),
    ] {
        let reply = rig.get(path);
        assert_eq!(
            (reply.status, reply.header("content-type")),
            (200, "text/html; charset=utf-8")
        );
        assert_eq!(reply.body, rig.get(file).body);
    }
    let reference = rig.get("/api").text();
    assert!(reference.contains("reference"), "{reference}");
}

#[test]
fn a_file_that_is_known_is_not_sent_again() {
    let rig = Rig::new();
    for path in ["/", "/js/main.js", "/api"] {
        let reply = rig.get(path);
        let tag = reply.header("etag");
        assert!(tag.starts_with('"') && tag.ends_with('"'), "{tag}");
        assert_eq!(
            reply.header("cache-control"),
            "no-cache",
            "it is asked for each time"
        );
        for known in [tag.to_owned(), format!("\"x\", {tag}"), format!("W/{tag}")] {
            let again = rig.get_with(path, &[("If-None-Match", &known)]);
            assert_eq!((again.status, again.body.len()), (304, 0), "{known}");
            assert_eq!(again.header("etag"), tag);
        }
        let other = rig.get_with(path, &[("If-None-Match", "\"0000000000000000\"")]);
        assert_eq!((other.status, other.body), (200, reply.body));
    }
    assert_ne!(
        rig.get("/").header("etag"),
        rig.get("/js/main.js").header("etag")
    );
}

#[test]
fn every_answer_tells_browsers_what_to_refuse() {
    let rig = Rig::new();
    let guarded = |reply: &Reply| {
        let policy = reply.header("content-security-policy");
        assert!(policy.contains("default-src 'none'"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        for loose in ["unsafe-inline", "unsafe-eval", "http:", "https:", "*"] {
            assert!(!policy.contains(loose), "{policy}");
        }
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
        assert_eq!(reply.header("referrer-policy"), "no-referrer");
        assert_eq!(reply.header("cross-origin-opener-policy"), "same-origin");
        assert_eq!(reply.header("cross-origin-resource-policy"), "same-origin");
        assert!(reply.header_if_any("permissions-policy").is_some());
        assert!(reply.header_if_any("access-control-allow-origin").is_none());
        assert!(reply.header_if_any("server").is_none());
    };
    for (path, status) in [
        ("/", 200),
        ("/js/main.js", 200),
        ("/healthz", 200),
        ("/metrics", 200),
        ("/api", 200),
        ("/api/openapi.json", 200),
        ("/api/v1/about", 200),
        ("/nothing", 404),
        ("/api/v1/nothing", 404),
        ("/api/v1/check", 405),
        ("/api/v1/solve/stream", 422),
        ("/api/v1/distribution/%ff", 400),
    ] {
        let reply = rig.get(path);
        if path != "/api/v1/distribution/%ff" {
            assert_eq!(reply.status, status, "{path}");
        }
        guarded(&reply);
    }
    guarded(&rig.get(&path("trace/stream", &[("board", EASY)])));
    guarded(&rig.post("solve", &json!({"board": EASY})));
    guarded(&rig.post("solve", &json!({"board": "x"})));
    guarded(&rig.post_text("/api/v1/solve", "text/plain", "x"));
    guarded(&rig.post_text("/api/v1/solve", "application/json", "x"));
    guarded(&rig.get_with("/", &[("Host", "example.org")]));
    let tag = rig.get("/").header("etag").to_owned();
    guarded(&rig.get_with("/", &[("If-None-Match", &tag)]));
    guarded(&rig.head("/"));
}

#[test]
fn nothing_comes_from_elsewhere() {
    for (path, content) in embedded() {
        let text = String::from_utf8(content).unwrap();
        for scheme in ["http://", "https://"] {
            for (at, _) in text.match_indices(scheme) {
                let rest: String = text[at..].chars().take(60).collect();
                // The names of SVG and its like are no addresses.
                assert!(rest.starts_with("http://www.w3.org/"), "{path}: {rest}");
            }
        }
        for attribute in [
            "src=\"//",
            "href=\"//",
            "url(//",
            "from \"//",
            "import(\"//",
        ] {
            assert!(!text.contains(attribute), "{path}: {attribute}");
        }
    }
}

#[test]
fn the_page_needs_no_inline_code() {
    for (path, content) in embedded() {
        if Path::new(&path).extension().is_none_or(|end| end != "html") {
            continue;
        }
        let text = String::from_utf8(content).unwrap();
        assert!(
            !text.contains("<style") && !text.contains(" style=\""),
            "{path}"
        );
        assert!(
            !text.contains(" onclick=") && !text.contains(" onload="),
            "{path}"
        );
        for script in text.split("<script").skip(1) {
            let tag = script.split('>').next().unwrap();
            assert!(tag.contains("src=\""), "{path}: <script{tag}>");
        }
    }
}

#[test]
fn only_files_of_the_page_are_found() {
    let rig = Rig::new();
    for path in [
        "/../Cargo.toml",
        "/../../Cargo.toml",
        "/js/../../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/%2e%2e%2fCargo.toml",
        "/..%2fCargo.toml",
        "/..%5cCargo.toml",
        "//etc/passwd",
        "/js/",
        "/js",
        "/README.md",
        "/index.html/",
        "/index.html%00",
        "/%",
        "/.",
        "/..",
    ] {
        let mut client = rig.connect();
        client.get(path);
        let reply = client.reply();
        assert_eq!(reply.status, 404, "{path}");
        reply.problem(404, "not-found");
    }
}

#[test]
fn heads_are_those_of_the_answers() {
    let rig = Rig::new();
    for path in [
        "/",
        "/js/main.js",
        "/api",
        "/healthz",
        "/api/v1/about",
        "/nothing",
    ] {
        let (head, reply) = (rig.head(path), rig.get(path));
        assert!(head.body.is_empty(), "{path}");
        assert_eq!(head.status, reply.status, "{path}");
        for name in ["content-type", "content-length", "etag"] {
            assert_eq!(
                head.header_if_any(name),
                reply.header_if_any(name),
                "{path}"
            );
        }
    }
}
