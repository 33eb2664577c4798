package import TenureStore
package import TenureThreads

extension StoreError {
    /// Says that there is no thread for the store.
    package init(_ error: ThreadError) { self.init(.failed, error.description, cause: error.cause) }

    /// Says that a lane did not begin what it was asked.
    @Sendable package init(_ refusal: LaneRefusal) {
        self =
            switch refusal {
            case .full: .crowded
            case .late: .late
            case .closed: .closed
            }
    }
}
