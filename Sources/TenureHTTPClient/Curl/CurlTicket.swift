#if !canImport(Darwin)
    import Synchronization

    /// Names one call of `send` to the loop, which may hear of its cancellation before its start.
    final class CurlTicket: Sendable {
        private let mark = Atomic(false)

        var isCancelled: Bool { mark.load(ordering: .relaxed) }

        func cancel() { mark.store(true, ordering: .relaxed) }
    }
#endif
