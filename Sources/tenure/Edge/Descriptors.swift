import Glibc

/// The files and connections that this process may have open at once.
enum Descriptors {
    /// How many are kept for the store, its log and what else is no connection.
    private static let kept = 64

    /// Raises the soft limit as far as the system allows without asking anybody.
    static func raise() {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
            limit.rlim_cur < limit.rlim_max
        else { return }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// How many connections fit beside what is kept, so many at most; each thread needs one at least. Every second of them
    /// may have the file of a package open.
    static func connections(atMost most: Int, threads: Int) -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return most }
        let files = Int(clamping: limit.rlim_cur)
        return max(threads, min(most, (files - kept) * 2 / 3))
    }
}
