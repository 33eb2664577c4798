#if canImport(Network)
    import Dispatch
    import Network
#endif

/// The backoff for an unreachable server.
///
/// Pauses are random, and their maximum doubles until the server sends its time.
package struct NetworkRecovery: Sendable, Hashable {
    /// Whether a request failed to reach the server.
    package private(set) var wants = false
    /// Whether the server sent a refusal that waiting can't resolve.
    ///
    /// Retries stop until ``goOn()`` or ``want()``.
    package private(set) var isStuck = false
    /// The number of consecutive failed attempts.
    package private(set) var failures = 0

    /// The maximum of the first pause, in seconds.
    ///
    /// It doubles with each failure.
    package static let firstPause = 2.0
    /// The maximum of any pause, in seconds.
    package static let longestPause = 300.0
    /// The maximum delay after a hint, in seconds.
    ///
    /// It spreads the load if many devices reconnect at once.
    package static let hintPause = 10.0

    /// Creates a state with no pending work.
    package init() {}

    /// The maximum of the next pause, in seconds; the pause is random between 0 and this value.
    package var most: Double { min(Self.longestPause, Self.firstPause * Double(1 << min(failures, 16))) }

    /// Records that a request couldn't reach the server.
    package mutating func want() {
        wants = true
        isStuck = false
    }

    /// Records a failed attempt.
    package mutating func failed() { failures += 1 }

    /// Records that the server responds.
    ///
    /// The pending work may still fail.
    package mutating func answered() { wants = false }

    /// Records a refusal that waiting can't resolve.
    package mutating func stop() { isStuck = true }

    /// Allows retries again, for example after a sign-in or another successful request.
    package mutating func goOn() { isStuck = false }

    /// Records that all pending work is done.
    package mutating func done() {
        failures = 0
        wants = false
    }
}

#if canImport(Network)
    /// Tells a library when the system reports a usable network path.
    ///
    /// Keep a reference to it after ``start()``.
    public final class PathHints: Sendable {
        private let monitor = NWPathMonitor()
        private let library: ContentLibrary

        /// Creates a monitor; call ``start()`` to begin.
        public init(_ library: ContentLibrary) { self.library = library }

        /// Starts monitoring.
        ///
        /// The library is told at once and on each change to a usable path.
        public func start() {
            monitor.pathUpdateHandler = { [library] path in
                guard path.status == .satisfied else { return }
                Task { await library.networkMayBeBack() }
            }
            monitor.start(queue: DispatchQueue(label: "tenure.content.path"))
        }

        deinit { monitor.cancel() }
    }
#endif
