#if canImport(Network)
    import Dispatch
    import Network
#endif

/// When a server that could not be asked is asked again: after random pauses that double, until it tells the time.
package struct NetworkRecovery: Sendable, Hashable {
    /// Whether something could not be asked.
    package private(set) var wants = false
    /// Whether the server answered with a no that no waiting changes: nothing is tried before something else happens.
    package private(set) var isStuck = false
    /// How many tries in a row brought nothing.
    package private(set) var failures = 0

    /// The most that the first pause may be, in seconds; each further failure doubles it.
    package static let firstPause = 2.0
    /// The most that any pause may be, in seconds.
    package static let longestPause = 300.0
    /// The most that a try after a hint waits, in seconds: a crowd that lands at once does not ask at once.
    package static let hintPause = 10.0

    /// Nothing waits.
    package init() {}

    /// The most that the next pause may be, in seconds; how long it is, is drawn from 0 up to this.
    package var most: Double { min(Self.longestPause, Self.firstPause * Double(1 << min(failures, 16))) }

    /// Something could not be asked.
    package mutating func want() {
        wants = true
        isStuck = false
    }

    /// A try brought nothing.
    package mutating func failed() { failures += 1 }

    /// The server answers; whether what waits can be done is another matter.
    package mutating func answered() { wants = false }

    /// The server answered with a no that no waiting changes.
    package mutating func stop() { isStuck = true }

    /// Something else happened, a sign-in or an answer to another question: what waits is tried again.
    package mutating func goOn() { isStuck = false }

    /// All that waited is done.
    package mutating func done() {
        failures = 0
        wants = false
    }
}

#if canImport(Network)
    /// Tells a library when the system thinks that there is a network. Make one, start it, and keep it.
    public final class PathHints: Sendable {
        private let monitor = NWPathMonitor()
        private let library: ContentLibrary

        /// Watches for a library; nothing is told before ``start()``.
        public init(_ library: ContentLibrary) { self.library = library }

        /// Begins to tell: at once, and with each change of the network.
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
