//! How the system's allocator deals with what a search no longer needs.

/// From this size on, what is freed goes back to the system at once.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: i32 = 256 << 10;

/// Tells the allocator to give large blocks back to the system as soon as they are free.
///
/// The one of the GNU C library learns from the first large block that is freed to keep blocks of
/// that size, up to 32 MB, in the arena of the thread that asked for them. Searches run on several
/// threads and take such blocks all the time, so that a server would hold hundreds of megabytes for
/// nothing. Other allocators are left as they are.
pub fn give_large_blocks_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        #[expect(unsafe_code, reason = "the allocator has no other way in")]
        // SAFETY: `mallopt` takes two numbers, changes nothing but the allocator's own settings
        // under its own lock, and may be called at any time. What was handed out before is freed as
        // it was taken: each block knows where it came from.
        let done = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
        debug_assert_eq!(done, 1, "the allocator refuses a size that it takes");
    }
}

/// Gives free memory back to the system: small blocks that searches have freed, and that the
/// allocator of the GNU C library would keep for the next ones. It takes milliseconds.
pub(crate) fn give_free_memory_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        #[expect(unsafe_code, reason = "the allocator has no other way in")]
        // SAFETY: `malloc_trim` takes a number, touches only blocks that are free, under the
        // allocator's own locks, and may be called at any time.
        let _ = unsafe { libc::malloc_trim(0) };
    }
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    use super::*;

    /// The anonymous memory of this process.
    fn anonymous() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("RssAnon:"));
        let kibibytes = line.unwrap().trim().strip_suffix(" kB").unwrap();
        kibibytes.parse::<u64>().unwrap() << 10
    }

    #[test]
    fn what_a_thread_frees_below_a_block_that_is_in_use_goes_back() {
        const BLOCK: usize = 4 << 20;
        const BLOCKS: usize = 12;
        give_large_blocks_back();
        let (before, kept) = std::thread::spawn(|| {
            // Without the setting, this teaches the allocator to keep blocks of this size.
            drop(vec![1_u8; 2 * BLOCK]);
            let before = anonymous();
            let large: Vec<_> = (0..BLOCKS).map(|_| vec![1_u8; BLOCK]).collect();
            let kept = vec![1_u8; 1000];
            drop(large);
            (before, kept)
        })
        .join()
        .unwrap();
        let after = anonymous();
        // Other tests may take some at the same time.
        let most = before + (BLOCKS * BLOCK / 2) as u64;
        assert!(after < most, "{after} bytes after {before}");
        drop(kept);
    }
}
