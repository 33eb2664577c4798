package import TenureThreads

extension StoreError {
    /// Creates an error for a thread of the store that couldn't be started.
    package init(_ error: ThreadError) { self.init(.failed, error.description, cause: error.cause) }

    /// Creates an error for queued work that wasn't started.
    @Sendable package init(_ refusal: WorkerPoolRefusal) {
        self =
            switch refusal {
            case .full: .crowded
            case .late: .late
            case .closed: .closed
            }
    }
}
