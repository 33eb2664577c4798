package import TenureThreads

extension StoreError {
    /// Reports that a thread for the store couldn't be started.
    package init(_ error: ThreadError) { self.init(.failed, error.description, cause: error.cause) }

    /// Reports why queued work wasn't started.
    @Sendable package init(_ refusal: LaneRefusal) {
        self =
            switch refusal {
            case .full: .crowded
            case .late: .late
            case .closed: .closed
            }
    }
}
