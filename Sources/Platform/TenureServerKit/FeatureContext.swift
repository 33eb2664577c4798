package import TenureStore

/// The store and the clock, which the use cases of all features share.
///
/// A use case is a function in an extension of this class, or of a feature's own context if it needs the catalog. This
/// is a class because a struct would be copied into the frames of every request.
package final class FeatureContext: Sendable {
    package let store: ServerStore
    package let clock: any WallClock

    package init(store: ServerStore, clock: any WallClock) {
        self.store = store
        self.clock = clock
    }

    /// Creates a context on a store, whose errors it converts to ``ServerError``.
    package convenience init(_ store: any Store, clock: any WallClock) {
        self.init(store: ServerStore(store), clock: clock)
    }
}

extension Installation {
    /// The context for those use cases of a command that need no catalog.
    package var context: FeatureContext { FeatureContext(store, clock: clock) }
}
