//! The program, a browser, and what a person can do with them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use serde_json::{Value, json};
use tempfile::TempDir;
use thirtyfour::ChromeCapabilities;
use thirtyfour::common::log::LoggingPrefsLogLevel;
use thirtyfour::prelude::*;
use thirtyfour::session::handle::SessionHandle;
use tokio::runtime::{self, Runtime};

/// Not the tables of whoever runs the tests.
const TABLES: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/tables");

/// How long anything may take to happen; far more than it needs.
const PATIENCE: Duration = Duration::from_secs(20);

/// A screen as people have it on a desk, and one as they have it in the hand.
pub(crate) const WIDE: (u32, u32) = (1280, 900);
pub(crate) const NARROW: (u32, u32) = (360, 740);

/// What the program prints with `--json`.
pub(crate) fn taquin(args: &[&str]) -> Value {
    let text = taquin_text(args);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{args:?}: {error}: {text}"))
}

/// What the program prints with `--json`, a value a line.
pub(crate) fn taquin_lines(args: &[&str]) -> Vec<Value> {
    let text = taquin_text(args);
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn taquin_text(args: &[&str]) -> String {
    let out = program().args(args).arg("--json").output().unwrap();
    String::from_utf8(out.stdout).unwrap()
}

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taquin"));
    command.env("TAQUIN_TABLES", TABLES);
    command
}

/// A running `taquin serve`; it ends with this value.
pub(crate) struct Server {
    process: Child,
    /// `127.0.0.1:40000`
    pub(crate) address: String,
}

impl Server {
    /// Starts on an address; with port 0 on any that is free.
    pub(crate) fn start(listen: &str) -> Self {
        let mut process = program()
            .args(["serve", "--listen", listen, "--log", "off"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let line = line_with(process.stdout.take().unwrap(), "http://");
        let (line, _) = line.expect("the server starts");
        let (_, address) = line.split_once("http://").unwrap();
        let address = address.to_owned();
        Self { process, address }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// The first line that holds `part`, and what comes after it; nothing if the output ends before.
fn line_with(output: ChildStdout, part: &str) -> Option<(String, BufReader<ChildStdout>)> {
    let mut output = BufReader::new(output);
    let mut line = String::new();
    while !line.contains(part) {
        line.clear();
        if output.read_line(&mut line).unwrap() == 0 {
            return None;
        }
    }
    Some((line.trim_end().to_owned(), output))
}

/// A running chromedriver; it and its browsers end with this value.
struct Chromedriver {
    process: Child,
    port: u16,
    /// Kept open: a driver that cannot write ends.
    _output: BufReader<ChildStdout>,
}

impl Chromedriver {
    /// Starts one on a free port. It takes the same port for both versions of the Internet
    /// protocol; when somebody else has one of the two it ends, and another try finds another port.
    fn start() -> Self {
        let started = (0..5).find_map(|_| Self::try_start());
        started.expect("chromedriver starts")
    }

    fn try_start() -> Option<Self> {
        let program = env::var_os("TAQUIN_CHROMEDRIVER").unwrap_or_else(|| "chromedriver".into());
        let mut process = Command::new(&program)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{} cannot be started: {error}", program.display()));
        let output = process.stdout.take().unwrap();
        let Some((line, output)) = line_with(output, "successfully on port") else {
            drop(process.wait());
            return None;
        };
        let port = line.trim_end_matches('.').rsplit(' ').next().unwrap();
        Some(Self {
            port: port.parse().unwrap(),
            process,
            _output: output,
        })
    }
}

impl Drop for Chromedriver {
    /// Asks it to leave: one that is killed would leave its browser behind.
    fn drop(&mut self) {
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) {
            let request = b"GET /shutdown HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
            drop(stream.set_read_timeout(Some(Duration::from_secs(5))));
            drop(stream.write_all(request));
            drop(stream.read_to_end(&mut Vec::new()));
        }
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// Waits for something to become so; tells whether it did.
pub(crate) fn eventually(is_so: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if is_so() {
            return true;
        }
        thread::sleep(Duration::from_millis(20));
    }
    false
}

/// The browsers of the tests that run: to start one takes longer than most tests. Those that are not
/// in use wait here for the next test. All end with the last test that runs, so that none is left
/// behind at the end.
struct Browsers {
    // Before the driver: they leave while it is still there.
    idle: Mutex<Vec<Browser>>,
    chromedriver: Chromedriver,
}

static BROWSERS: Mutex<Weak<Browsers>> = Mutex::new(Weak::new());

impl Browsers {
    /// Those of the other tests that run; if there are none, new ones.
    fn shared() -> Arc<Self> {
        let mut shared = BROWSERS.lock().unwrap_or_else(PoisonError::into_inner);
        shared.upgrade().unwrap_or_else(|| {
            let browsers = Arc::new(Self {
                idle: Mutex::default(),
                chromedriver: Chromedriver::start(),
            });
            *shared = Arc::downgrade(&browsers);
            browsers
        })
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Browser>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One that is idle, or a new one.
    fn take(&self) -> Browser {
        let idle = self.idle().pop();
        idle.unwrap_or_else(|| Browser::start(self.chromedriver.port))
    }
}

/// A running Chromium; it ends with this value.
struct Browser {
    driver: Option<WebDriver>,
    runtime: Runtime,
    _profile: TempDir,
    /// A window that shows nothing. Every test has another one, with a history, a console and a
    /// screen of its own.
    empty: WindowHandle,
}

impl Browser {
    fn start(port: u16) -> Self {
        let profile = TempDir::new().unwrap();
        let runtime = runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let url = format!("http://127.0.0.1:{port}");
        let driver = runtime.block_on(WebDriver::new(url, capabilities(profile.path()).unwrap()));
        let driver = driver.expect("Chromium starts");
        let empty = runtime.block_on(driver.window()).unwrap();
        Self {
            driver: Some(driver),
            runtime,
            _profile: profile,
            empty,
        }
    }

    fn driver(&self) -> &WebDriver {
        self.driver.as_ref().expect("only gone at the end")
    }

    /// Opens a new window for a test, which does not know what earlier ones have left behind.
    fn open_window(&self) {
        let driver = self.driver();
        self.runtime.block_on(async {
            let window = driver.new_window().await.unwrap();
            driver.switch_to_window(window).await.unwrap();
            let cdp = driver.cdp();
            let nothing = json!({});
            cdp.send_raw("Network.clearBrowserCache", nothing)
                .await
                .unwrap();
            // What was complained of before.
            driver.handle().browser_log().await.unwrap();
        });
    }

    /// Closes the window of a test.
    fn close_window(&self) -> WebDriverResult<()> {
        let driver = self.driver();
        self.runtime.block_on(async {
            driver.close_window().await?;
            driver.switch_to_window(self.empty.clone()).await
        })
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if let Some(driver) = self.driver.take() {
            drop(self.runtime.block_on(driver.quit()));
        }
    }
}

/// A window of a browser that looks at a server of its own. Its origin is therefore its own as well,
/// with all that a browser keeps for an origin.
pub(crate) struct Page {
    /// Before the others that it comes from: it goes back to them, or ends.
    browser: Option<Browser>,
    browsers: Arc<Browsers>,
    folder: TempDir,
    pub(crate) server: Option<Server>,
    /// `http://127.0.0.1:40000`
    pub(crate) origin: String,
}

impl Drop for Page {
    fn drop(&mut self) {
        // After a failure it may be in any state.
        if let Some(browser) = self.browser.take()
            && !thread::panicking()
            && browser.close_window().is_ok()
        {
            self.browsers.idle().push(browser);
        }
    }
}

impl Page {
    /// Starts a server, and opens a window at an address such as `/#play`.
    pub(crate) fn open(path: &str) -> Self {
        let page = Self::start();
        page.go(path);
        page
    }

    /// Starts a server, and opens a window that looks at nothing yet.
    pub(crate) fn start() -> Self {
        let server = Server::start("127.0.0.1:0");
        let browsers = Browsers::shared();
        let browser = browsers.take();
        browser.open_window();
        let page = Self {
            browser: Some(browser),
            browsers,
            folder: TempDir::new().unwrap(),
            origin: format!("http://{}", server.address),
            server: Some(server),
        };
        // Headless Chromium has no focus unless it is told so, and then `:focus` does not match.
        page.cdp(
            "Emulation.setFocusEmulationEnabled",
            json!({"enabled": true}),
        );
        page.screen(WIDE);
        page
    }

    /// A folder that ends with the page.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn browser(&self) -> &Browser {
        self.browser.as_ref().expect("only gone at the end")
    }

    fn session(&self) -> &Arc<SessionHandle> {
        self.browser().driver().handle()
    }

    fn wait<T>(&self, what: impl Future<Output = WebDriverResult<T>>) -> T {
        self.browser()
            .runtime
            .block_on(what)
            .unwrap_or_else(|error| panic!("{error}"))
    }

    // Addresses

    /// Loads an address from nothing, as from a link elsewhere.
    pub(crate) fn load(&self, path: &str) {
        self.wait(self.session().goto("about:blank"));
        self.go(path);
    }

    /// Goes to an address as by typing it: if only what stands behind `#` differs, nothing is loaded.
    pub(crate) fn go(&self, path: &str) {
        self.wait(self.session().goto(format!("{}{path}", self.origin)));
    }

    pub(crate) fn back(&self) {
        self.wait(self.session().back());
    }

    pub(crate) fn forward(&self) {
        self.wait(self.session().forward());
    }

    /// What stands behind the origin, with spaces and slashes as people would write them.
    pub(crate) fn address(&self) -> String {
        let text = self.js("return decodeURIComponent(location.href.slice(location.origin.length).replaceAll('+', ' '))");
        text.as_str().unwrap().to_owned()
    }

    // Looking

    /// What a script returns; `arguments` are its arguments.
    pub(crate) fn js_with(&self, script: &str, arguments: Vec<Value>) -> Value {
        let found = self.wait(self.session().execute(script, arguments));
        found.json().clone()
    }

    pub(crate) fn js(&self, script: &str) -> Value {
        self.js_with(script, Vec::new())
    }

    /// A command to the browser itself.
    pub(crate) fn cdp(&self, method: &str, parameters: Value) -> Value {
        let cdp = self.browser().driver().cdp();
        self.wait(cdp.send_raw(method, parameters))
    }

    /// The text of the first element that matches, or nothing.
    pub(crate) fn text(&self, selector: &str) -> String {
        let script = "return (document.querySelector(arguments[0])?.textContent ?? '').replace(/\\s+/g, ' ').trim()";
        let text = self.js_with(script, vec![selector.into()]);
        text.as_str().unwrap().to_owned()
    }

    /// The texts of all elements that match.
    pub(crate) fn texts(&self, selector: &str) -> Vec<String> {
        let script = "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent.trim())";
        serde_json::from_value(self.js_with(script, vec![selector.into()])).unwrap()
    }

    /// What a field shows as a number; people get commas between thousands.
    pub(crate) fn number(&self, selector: &str) -> Option<u64> {
        self.text(selector).replace(',', "").parse().ok()
    }

    pub(crate) fn attribute(&self, selector: &str, name: &str) -> Option<String> {
        let script =
            "return document.querySelector(arguments[0])?.getAttribute(arguments[1]) ?? null";
        let found = self.js_with(script, vec![selector.into(), name.into()]);
        found.as_str().map(str::to_owned)
    }

    pub(crate) fn count(&self, selector: &str) -> usize {
        let script = "return document.querySelectorAll(arguments[0]).length";
        let count = self.js_with(script, vec![selector.into()]);
        count.as_u64().unwrap() as usize
    }

    /// The board in an element as a screen reader hears it, in the form `rows`.
    pub(crate) fn board(&self, selector: &str) -> String {
        let label = self.attribute(selector, "aria-label").unwrap_or_default();
        let rows: Vec<&str> = label
            .split("; ")
            .filter_map(|part| part.strip_prefix("row ")?.split_once(": "))
            .map(|(_, tiles)| tiles)
            .collect();
        rows.join("/").replace("blank", "0")
    }

    /// Waits until something is so.
    pub(crate) fn until(&self, what: &str, is_so: impl Fn() -> bool) {
        if !eventually(is_so) {
            let (address, main) = (self.address(), self.text("main"));
            panic!("never so: {what}\nat {address}\n{main}");
        }
    }

    /// Waits until an element is there.
    pub(crate) fn until_there(&self, selector: &str) {
        self.until(&format!("{selector} is there"), || self.count(selector) > 0);
    }

    /// Waits until an element's text has a part.
    pub(crate) fn until_text(&self, selector: &str, part: &str) {
        self.until(&format!("{selector} says {part:?}"), || {
            self.text(selector).contains(part)
        });
    }

    pub(crate) fn until_board(&self, selector: &str, board: &str) {
        self.until(&format!("{selector} shows {board}"), || {
            self.board(selector) == board
        });
    }

    /// Waits until nothing that is shown moves any more.
    pub(crate) fn until_still(&self) {
        self.until("everything stands still", || {
            let script =
                "return document.getAnimations().every((one) => one.playState !== 'running')";
            self.js(script) == true
        });
    }

    /// What the browser complained of since it was last asked.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let log = self.wait(self.session().browser_log());
        log.into_iter()
            .filter(|entry| entry.level == "SEVERE" || entry.level == "WARNING")
            .map(|entry| entry.message)
            .collect()
    }

    /// The picture of what is shown, a PNG.
    pub(crate) fn picture(&self) -> Vec<u8> {
        self.wait(self.session().screenshot_as_png())
    }

    pub(crate) fn save_picture(&self, path: &Path) {
        fs::write(path, self.picture()).unwrap();
    }

    // Doing

    fn find(&self, selector: &str) -> WebElement {
        self.until_there(selector);
        self.wait(self.session().find(By::Css(selector)))
    }

    /// Clicks in the middle of an element, as with a mouse.
    pub(crate) fn click(&self, selector: &str) {
        self.wait(self.find(selector).click());
    }

    pub(crate) fn focus(&self, selector: &str) {
        self.wait(self.find(selector).focus());
    }

    /// Replaces what is in a field.
    pub(crate) fn fill(&self, selector: &str, text: &str) {
        let field = self.find(selector);
        self.wait(field.clear());
        self.wait(field.send_keys(text));
    }

    /// Chooses a file.
    pub(crate) fn choose_file(&self, selector: &str, file: &Path) {
        self.wait(self.find(selector).send_keys(file.to_str().unwrap()));
    }

    /// Chooses an option of a select by its value.
    pub(crate) fn choose(&self, selector: &str, value: &str) {
        self.find(selector);
        let script = "return [...document.querySelector(arguments[0]).options].findIndex((option) => option.value === arguments[1])";
        let index = self.js_with(script, vec![selector.into(), value.into()]);
        let index = index.as_i64().unwrap();
        assert!(index >= 0, "{selector} has no option {value}");
        self.click(&format!("{selector} option:nth-of-type({})", index + 1));
    }

    /// Presses keys one after the other.
    pub(crate) fn press(&self, keys: impl IntoIterator<Item = Key>) {
        let mut chain = self.session().action_chain();
        for key in keys {
            chain = chain.key_down(key.clone()).key_up(key);
        }
        self.wait(chain.perform());
    }

    /// Presses a letter while another key is held.
    pub(crate) fn press_with(&self, held: Key, letter: char) {
        let chain = self.session().action_chain();
        let chain = chain.key_down(held.clone()).key_down(letter).key_up(letter);
        self.wait(chain.key_up(held).perform());
    }

    /// Drags with the mouse from one place on the screen to another.
    pub(crate) fn drag(&self, from: (f64, f64), to: (f64, f64)) {
        let whole = |(x, y): (f64, f64)| (x.round() as i64, y.round() as i64);
        let (from, to) = (whole(from), whole(to));
        let no_delay = Some(Duration::ZERO);
        let chain = self.session().action_chain_with_delay(no_delay, no_delay);
        let chain = chain.move_to(from.0, from.1).click_and_hold();
        let half = chain.move_to(i64::midpoint(from.0, to.0), i64::midpoint(from.1, to.1));
        self.wait(half.move_to(to.0, to.1).release().perform());
    }

    /// Swipes with a finger from one place on the screen to another.
    pub(crate) fn swipe(&self, from: (f64, f64), to: (f64, f64)) {
        let touch = |kind: &str, points: Value| {
            let event = json!({"type": kind, "touchPoints": points});
            self.cdp("Input.dispatchTouchEvent", event);
        };
        let half = (f64::midpoint(from.0, to.0), f64::midpoint(from.1, to.1));
        touch("touchStart", json!([{"x": from.0, "y": from.1}]));
        touch("touchMove", json!([{"x": half.0, "y": half.1}]));
        touch("touchMove", json!([{"x": to.0, "y": to.1}]));
        touch("touchEnd", json!([]));
    }

    /// The middle of an element on the screen, which is scrolled to it if need be.
    pub(crate) fn middle(&self, selector: &str) -> (f64, f64) {
        let script = "const element = document.querySelector(arguments[0]);
            element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
            const box = element.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2]";
        serde_json::from_value(self.js_with(script, vec![selector.into()])).unwrap()
    }

    // The surroundings

    /// Makes the screen this large; a small one is a phone's.
    pub(crate) fn screen(&self, (width, height): (u32, u32)) {
        let phone = width < 600;
        self.cdp(
            "Emulation.setDeviceMetricsOverride",
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone}),
        );
        let touch = json!({"enabled": phone, "maxTouchPoints": 5});
        self.cdp("Emulation.setTouchEmulationEnabled", touch);
    }

    /// Says what the person prefers, such as `prefers-color-scheme`.
    pub(crate) fn prefer(&self, feature: &str, value: &str) {
        let features = json!([{"name": feature, "value": value}]);
        self.cdp("Emulation.setEmulatedMedia", json!({"features": features}));
    }
}

fn capabilities(profile: &Path) -> WebDriverResult<ChromeCapabilities> {
    let mut capabilities = DesiredCapabilities::chrome();
    let chromium = env::var("TAQUIN_CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
    capabilities.set_binary(&absolute(&chromium))?;
    capabilities.set_browser_log_level(LoggingPrefsLogLevel::All)?;
    let profile = format!("--user-data-dir={}", profile.display());
    for flag in [
        "--headless=new",
        // Root has no sandbox; and the only page that is opened is ours.
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-extensions",
        &profile,
    ] {
        capabilities.add_arg(flag)?;
    }
    Ok(capabilities)
}

/// Chromedriver does not look for browsers on the `PATH`.
fn absolute(program: &str) -> String {
    if program.contains('/') {
        return program.to_owned();
    }
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
        .map_or(program.to_owned(), |file| file.display().to_string())
}
