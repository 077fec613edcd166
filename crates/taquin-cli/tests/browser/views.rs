//! What there is to look at.

use crate::support::Page;

/// A view, and how to know that it is all there.
pub(crate) struct View {
    pub(crate) name: &'static str,
    pub(crate) path: &'static str,
    /// An element, and what it says in the end.
    ready: (&'static str, &'static str),
}

pub(crate) const VIEWS: &[View] = &[
    View {
        name: "play",
        path: "/#play?size=4x4&seed=7",
        ready: ("[data-field=note]", "Slide tiles"),
    },
    View {
        name: "solve-empty",
        path: "/#solve",
        ready: ("[data-field=headline]", "No board yet"),
    },
    View {
        name: "solve",
        path: "/#solve?board=8 1 3/4 0 2/7 6 5",
        ready: ("[data-field=proof]", "Proven optimal"),
    },
    View {
        name: "solve-slides",
        path: "/#solve?board=8 6 7/2 5 4/3 0 1&metric=multi",
        ready: ("[data-field=proof]", "Proven optimal"),
    },
    View {
        name: "solve-unsolvable",
        path: "/#solve?board=1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0",
        ready: ("[data-field=verdict]", "Not solvable"),
    },
    View {
        name: "learn-ida",
        path: "/#learn/ida?board=8 1 3/4 0 2/7 6 5&step=40",
        ready: ("[data-field=status]", "expanded."),
    },
    View {
        name: "learn-xray",
        path: "/#learn/xray?board=3 11 14 2/12 6 5 15/10 13 7 8/0 1 9 4",
        ready: ("[data-field=sum]", "="),
    },
    View {
        name: "learn-race",
        path: "/#learn/race?board=8 1 3/4 0 2/7 6 5&pairs=idastar:manhattan,astar:linear-conflict",
        ready: ("[data-field=state]", "ready"),
    },
    View {
        name: "learn-space",
        path: "/#learn/space",
        ready: ("[data-field=boards]", "181,440"),
    },
    View {
        name: "api",
        path: "/api",
        ready: ("[data-operation]", "/api/v1"),
    },
];

/// The view of a name.
pub(crate) fn view(name: &str) -> &'static View {
    VIEWS.iter().find(|view| view.name == name).unwrap()
}

impl View {
    /// Loads the view from nothing and waits until it is all there.
    pub(crate) fn load(&self, page: &Page) {
        page.load(self.path);
        self.wait(page);
    }

    pub(crate) fn wait(&self, page: &Page) {
        page.until_text(self.ready.0, self.ready.1);
    }
}
