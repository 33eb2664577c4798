import Glibc

/// The limit on open files and connections of this process.
enum Descriptors {
    /// Descriptors that are reserved for the store, its log and other files.
    private static let reserved = 64

    /// Raises the soft limit to the hard limit.
    static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
            limit.rlim_cur < limit.rlim_max
        else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// Returns how many connections fit into the limit, at least one per thread.
    ///
    /// Every second connection may need another descriptor for a package's file.
    static func connections(atMost most: Int, threads: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return most }
        let files = Int(clamping: limit.rlim_cur)
        return max(threads, min(most, (files - reserved) * 2 / 3))
    }
}
