import TenureClient

#if canImport(Network)
    import Dispatch
    import Network
#endif

/// The backoff for an unreachable server, and the pause while no work waits for it.
///
/// Pauses are random, and their maximum doubles until the server sends its time.
final class NetworkRecovery {
    /// Whether work is pending because a request failed to reach the server.
    private(set) var wants = false
    /// Whether the server sent a refusal that waiting can't resolve.
    ///
    /// Retries stop until ``goOn()`` or ``want(after:)`` is called.
    private(set) var isStuck = false
    /// The number of consecutive failed attempts.
    private var failures = 0
    private(set) var delay: Task<Void, Never>?
    private let idle: @Sendable (Duration) async throws -> Void

    /// The maximum of the first pause, in seconds.
    ///
    /// It doubles with each failure.
    private static let firstPause = 2.0
    /// The maximum of any pause, in seconds.
    private static let longestPause = 300.0
    /// The maximum delay before an attempt after the network may be back, in seconds.
    ///
    /// It spreads the load if many devices reconnect at once.
    static let hintPause = 10.0

    /// Creates a state with no pending work. The closure waits for the given duration at most.
    init(idle: @escaping @Sendable (Duration) async throws -> Void) { self.idle = idle }

    /// The maximum of the next pause, in seconds; the pause is random between 0 and this value.
    var most: Double { min(Self.longestPause, Self.firstPause * Double(1 << min(failures, 16))) }

    /// Records that a request couldn't reach the server, if waiting can resolve the cause.
    func want(after unreached: RequestFailure) {
        guard unreached.cause.isMendedByWaiting else { return }
        wants = true
        isStuck = false
        wake()
    }

    /// Records a failed attempt.
    func failed() { failures += 1 }

    /// Records that the server responds.
    ///
    /// The pending work isn't done yet and may still fail.
    func answered() { wants = false }

    /// Records a refusal that waiting can't resolve.
    func stop() { isStuck = true }

    /// Allows retries again, for example after a sign-in or another successful request.
    func goOn() { isStuck = false }

    /// Records that all pending work is done.
    func done() {
        failures = 0
        wants = false
    }

    /// Ends ``pause()``, so that its caller checks again whether work is pending.
    func wake() { delay?.cancel() }

    /// Waits for at most a day, until ``wake()`` or until the task is cancelled.
    nonisolated(nonsending) func pause() async {
        let sleep = idle
        let delay = Task { () -> Void in try? await sleep(.seconds(86_400)) }
        self.delay = delay
        await withTaskCancellationHandler {
            await delay.value
        } onCancel: {
            delay.cancel()
        }
        if self.delay == delay { self.delay = nil }
    }
}

#if canImport(Network)
    /// Notifies a library when the system reports a usable network path.
    ///
    /// Keep a reference to it after ``start()``.
    public final class PathHints: Sendable {
        private let monitor = NWPathMonitor()
        private let library: ContentLibrary

        /// Creates a monitor for a library; call ``start()`` to begin.
        public init(_ library: ContentLibrary) { self.library = library }

        /// Starts monitoring.
        ///
        /// The library is notified at once if a path is usable, and whenever one becomes usable.
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
