//! Many requests of one kind over some connections, as fast as they go or at a pace.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::client::{Answer, Client};
use super::figures::{Figures, ms};

/// Requests, and how they are sent.
pub(super) struct Load<'a> {
    pub(super) address: SocketAddr,
    pub(super) path: &'a str,
    /// One for each request.
    pub(super) bodies: &'a [String],
    pub(super) connections: usize,
    /// When each request is due after the one before it, whatever becomes of that one. `None`: as
    /// soon as a connection is free.
    pub(super) pace: Option<Duration>,
    /// After this, nothing more is sent.
    pub(super) longest: Duration,
    /// What every answer must have in it.
    pub(super) must_have: &'a [&'a str],
}

impl Load<'_> {
    /// Sends them all, or as many as there is time for.
    pub(super) fn run(&self) -> Tally {
        let next = AtomicUsize::new(0);
        let begin = Instant::now();
        let mut all = Tally::default();
        thread::scope(|scope| {
            let workers: Vec<_> = (0..self.connections)
                .map(|_| scope.spawn(|| self.work(&next, begin)))
                .collect();
            for worker in workers {
                match worker.join() {
                    Ok(tally) => all.add(tally),
                    Err(_) => all.fail("a client panicked".to_owned()),
                }
            }
        });
        all.time = begin.elapsed();
        if self.pace.is_some() && all.sent() < self.bodies.len() {
            let unsent = self.bodies.len() - all.sent();
            all.fail(format!("{unsent} requests could not be sent in time"));
        }
        all
    }

    fn work(&self, next: &AtomicUsize, begin: Instant) -> Tally {
        let mut tally = Tally::default();
        let mut client = Client::connect(self.address);
        while let Some((i, body)) = self.next(next, begin) {
            let due = match self.pace {
                Some(pace) => begin + pace * i as u32,
                None => Instant::now(),
            };
            thread::sleep(due.saturating_duration_since(Instant::now()));
            let answer = match &mut client {
                Ok(client) => client.post(self.path, body).map_err(String::from),
                Err(_) => Err("cannot connect".to_owned()),
            };
            let lost = answer.is_err();
            match answer.and_then(|answer: Answer| answer.must_have(self.must_have)) {
                Ok(()) => tally.times.push(due.elapsed()),
                Err(why) => tally.fail(why),
            }
            if lost {
                client = Client::connect(self.address);
                if client.is_err() {
                    break;
                }
            }
        }
        tally
    }

    fn next(&self, next: &AtomicUsize, begin: Instant) -> Option<(usize, &str)> {
        if begin.elapsed() > self.longest {
            return None;
        }
        let i = next.fetch_add(1, Ordering::Relaxed);
        Some((i, self.bodies.get(i)?))
    }
}

/// What requests came to.
#[derive(Default)]
pub(super) struct Tally {
    /// How long each good answer took.
    pub(super) times: Vec<Duration>,
    /// How many others there were, and what was wrong with one of them.
    pub(super) failures: usize,
    pub(super) failure: Option<String>,
    /// How long it all took.
    pub(super) time: Duration,
}

impl Tally {
    pub(super) fn fail(&mut self, why: String) {
        self.failures += 1;
        self.failure.get_or_insert(why);
    }

    pub(super) fn add(&mut self, other: Self) {
        self.times.extend(other.times);
        self.failures += other.failures;
        self.failure = self.failure.take().or(other.failure);
    }

    fn sent(&self) -> usize {
        self.times.len() + self.failures
    }

    /// Good answers a second.
    pub(super) fn rate(&self) -> f64 {
        f64::from(self.times.len() as u32) / self.time.as_secs_f64().max(1e-9)
    }

    /// The time that this many of 100 answers stay within; the longest there is if there are none.
    pub(super) fn percentile(&self, percent: usize) -> Duration {
        let mut times = self.times.clone();
        times.sort_unstable();
        let rank = (times.len() * percent).div_ceil(100);
        times
            .get(rank.saturating_sub(1))
            .copied()
            .unwrap_or(Duration::MAX)
    }

    /// Half of the answers, and the slowest.
    pub(super) fn tell(&self, figures: &mut Figures, of: &str) {
        if !self.times.is_empty() {
            let (half, slowest) = (ms(self.percentile(50)), ms(self.percentile(100)));
            figures.tell(format!("{of}: p50, max"), format!("{half}, {slowest}"));
        }
    }

    /// There must be no failure.
    pub(super) fn expect_no_failure(&self, figures: &mut Figures, of: &str) {
        let seen = match &self.failure {
            None => "0".to_owned(),
            Some(one) => format!("{}, such as: {one:.300}", self.failures),
        };
        figures.expect(format!("{of}: errors"), "none", seen, self.failures == 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_times_that_were_seen() {
        let mut tally = Tally::default();
        assert_eq!(tally.percentile(99), Duration::MAX);
        tally.times = (1..=200).rev().map(Duration::from_millis).collect();
        let percentile = |percent| tally.percentile(percent).as_millis();
        assert_eq!([50, 99, 100].map(percentile), [100, 198, 200]);
    }
}
