//! How many connections each peer has.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

/// Counts the connections of each address, so that one of them cannot hold all there are.
#[derive(Debug)]
pub(crate) struct Peers {
    open: Mutex<HashMap<IpAddr, usize>>,
    most: usize,
}

/// One of the places of a peer, which is free again when this is dropped.
#[derive(Debug)]
pub(crate) struct PeerPlace {
    peers: Arc<Peers>,
    peer: IpAddr,
}

impl Peers {
    /// No address has more connections than this.
    pub(crate) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self {
            open: Mutex::default(),
            most,
        })
    }

    /// A place for one more connection of an address, unless it has too many.
    pub(crate) fn place(self: &Arc<Self>, address: IpAddr) -> Option<PeerPlace> {
        let peer = network(address);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(peer).or_insert(0);
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(PeerPlace {
            peers: Arc::clone(self),
            peer,
        })
    }
}

impl Drop for PeerPlace {
    fn drop(&mut self) {
        let open = &self.peers.open;
        let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.peer) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.peer);
            }
        }
    }
}

/// What counts as one peer: an address, or the network that every holder of an IPv6 address has.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let prefix = u128::from(address) >> 64 << 64;
            Ipv6Addr::from(prefix).into()
        }
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_peer_has_its_own_places() {
        let peers = Peers::new(2);
        let place = |address: &str| peers.place(address.parse().unwrap());
        let first = place("192.0.2.1");
        let second = place("::ffff:192.0.2.1");
        assert!(first.is_some() && second.is_some());
        assert!(place("192.0.2.1").is_none());
        let other = place("192.0.2.2");
        assert!(other.is_some());
        drop(first);
        assert!(place("192.0.2.1").is_some());
        drop((second, other));
        assert!(peers.open.lock().unwrap().is_empty());
    }

    #[test]
    fn one_network_is_one_peer() {
        let peers = Peers::new(1);
        let place = |address: &str| peers.place(address.parse().unwrap());
        let _first = place("2001:db8::1").unwrap();
        assert!(place("2001:db8::2").is_none());
        assert!(place("2001:db8:0:1::1").is_some());
    }
}
