public import TenureFoundation

#if canImport(Combine)
    public import Combine
#endif

/// An app's license: its state, the reasons for it, and the actions on it.
///
/// It is bound to the main actor, like user interfaces; file access and requests run elsewhere. An invalid or expired
/// license is never an error: it is a state with an explanation.
///
/// ```swift
/// let manager = try LicenseManager(
///     LicenseConfiguration(server: "https://licenses.example", tenant: "acme", product: "notes"))
/// await manager.checkOnLaunch()
/// if !manager.isEntitled { print(manager.explanation.cure) }
/// ```
@MainActor
public final class LicenseManager {
    #if canImport(Combine)
        /// The license's state; `.notDetermined` until ``checkOnLaunch()`` or ``opened(_:)`` has decided it.
        @Published public private(set) var state = LicenseState.notDetermined
    #else
        /// The license's state; `.notDetermined` until ``checkOnLaunch()`` or ``opened(_:)`` has decided it.
        public private(set) var state = LicenseState.notDetermined
    #endif
    /// The reasons for the state, most specific first, and the remedies.
    public private(set) var explanation: Explanation
    /// The license's current entitlements, in the order of its lease; empty unless the state is `.licensed`.
    public private(set) var entitlements: [LicenseEntitlement] = []
    /// The license stored on this device, whatever its state; `nil` if there isn't one.
    public private(set) var license: LicenseFacts?

    /// Whether the user is looking at the app, which decides how soon ``run()`` tries again if the server can't be
    /// reached.
    ///
    /// On Apple systems, `keepsLicenseFresh(_:background:)` sets it.
    public var isInForeground = true {
        didSet { if isInForeground != oldValue { delay?.cancel() } }
    }

    let engine: LicenseEngine
    private let names: EntitlementNames
    private let trialEntitlements: Set<String>?
    let launchPatience: Duration
    let sleep: @Sendable (Duration) async throws -> Void
    let log: LogListener
    let style: TextStyle
    /// The request of the last ``checkOnLaunch()``, which may still be running after that returned; `nil` if there was
    /// none.
    package var launchQuestion: Task<Void, Never>?
    var wakes: Date?
    private var newest = 0
    private var delay: Task<Void, Never>?
    private var streams: [UUID: AsyncStream<LicenseTransition>.Continuation] = [:]
    private var stateStreams: [UUID: AsyncStream<LicenseState>.Continuation] = [:]
    private var followers: [@MainActor (LicenseManager) -> Void] = []

    package init(
        engine: LicenseEngine, entitlements: Set<String>? = nil, trialEntitlements: Set<String>? = nil,
        launchPatience: Duration = .seconds(2), languages: [String] = [],
        stop: @escaping (String) -> Void = { assertionFailure($0) },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        hear: (@Sendable (LicenseLogEntry) -> Void)? = nil
    ) {
        log = LogListener(hear: hear)
        style = TextStyle(TextLanguage(preferring: languages))
        explanation = Explanation(.notLookedYet).localized(style)
        self.engine = engine
        names = EntitlementNames(entitlements, log: log, stop: stop)
        self.trialEntitlements = trialEntitlements
        self.launchPatience = launchPatience
        self.sleep = sleep
    }

    // An isolated deinit requires newer systems than the client supports.
    deinit {
        for stream in streams.values { stream.finish() }
        for stream in stateStreams.values { stream.finish() }
    }

    /// Whether paid features are available: the state is `.licensed`, or `.trial` with days left.
    public var isEntitled: Bool { state.isEntitled }

    /// The code by which the vendor's support finds this device's trial, such as `3f2b-7c1e-90ab`.
    ///
    /// Show it where a user asks for a longer trial. It's the beginning of the hash that identifies the device to the
    /// server. Over Keylight it is `nil`, because the app counts the trial itself.
    public var deviceCode: String? { engine.service.deviceCode }

    /// Whether an entitlement is available now: whether the user may use a feature that is paid for.
    ///
    /// In the state `.licensed`, the lease's entitlements that haven't ended are available. In a trial, all
    /// entitlements are, or only those in ``LicenseConfiguration/trialEntitlements`` if that is set. In any other
    /// state, no entitlement is available. If ``LicenseConfiguration/entitlements`` is set and lacks the name, a debug
    /// build stops here.
    public func hasEntitlement(_ name: String) -> Bool {
        guard names.accepts(name) else { return false }
        return switch state {
        case .licensed: entitlements.contains { $0.name == name }
        case .trial: isEntitled && trialEntitlements?.contains(name) ?? true
        case .notDetermined, .limited, .freeTier, .expired, .invalid: false
        }
    }

    /// The license's entitlement with this name, including its value; `nil` if the license doesn't grant it now.
    ///
    /// In a trial the result is always `nil`, because only a lease gives entitlements a value.
    public func entitlement(_ name: String) -> LicenseEntitlement? {
        names.accepts(name) ? entitlements.first { $0.name == name } : nil
    }

    /// The state transitions from now on; get a new stream for each listener.
    ///
    /// The first decision after launch is a transition from `.notDetermined`.
    public var transitions: AsyncStream<LicenseTransition> {
        AsyncStream { stream in
            let id = UUID()
            streams[id] = stream
            stream.onTermination = { [weak self] _ in
                Task { @MainActor in self?.streams[id] = nil }
            }
        }
    }

    /// The current state and all later ones; get a new stream for each listener.
    public var states: AsyncStream<LicenseState> {
        AsyncStream { stream in
            let id = UUID()
            stateStreams[id] = stream
            stream.yield(state)
            stream.onTermination = { [weak self] _ in
                Task { @MainActor in self?.stateStreams[id] = nil }
            }
        }
    }

    /// Registers a closure that is called on the main actor after each new decision.
    package func follow(_ follower: @escaping @MainActor (LicenseManager) -> Void) { followers.append(follower) }

    /// Publishes a decision of the engine, and notifies listeners if the state differs.
    ///
    /// A decision that is older than the current one is ignored, because concurrent requests may finish in any order.
    func adopt(_ status: EngineStatus) {
        guard status.number > newest else { return }
        newest = status.number
        let earlier = state
        let new = Resolution(
            state: status.resolution.state, explanation: status.resolution.explanation.localized(style))
        wakes = status.wakes.map(Date.init)
        delay?.cancel()
        let given = status.entitlements.map(LicenseEntitlement.init)
        #if canImport(Combine)
            // These aren't `@Published`, so a change without a new state has to be announced here.
            if new.explanation != explanation || given != entitlements || status.license != license {
                objectWillChange.send()
            }
        #endif
        if new.state != earlier || new.explanation != explanation {
            log.tell(decided: new)
        }
        explanation = new.explanation
        entitlements = given
        names.check(granted: given)
        license = status.license
        if new.state != earlier { state = new.state }
        for follower in followers { follower(self) }
        guard new.state != earlier else { return }
        let transition = LicenseTransition(from: earlier, to: new.state, explanation: new.explanation)
        for stream in streams.values { stream.yield(transition) }
        for stream in stateStreams.values { stream.yield(new.state) }
        #if canImport(Darwin)
            NotificationCenter.default.post(name: .tenureLicenseDidChange, object: self)
        #endif
    }

    /// Sleeps until the next wake-up is due or a new decision is published; returns whether the wake-up is due.
    func sleepUntilWake(from now: Date) async -> Bool {
        log.tell(
            .debug, "wait.begun", ["until": wakes.map { $0.formatted(.iso8601) } ?? "never"],
            "Waiting until then.")
        // With no wake-up due, sleep longer than any program runs.
        let seconds = wakes.map { max(0, $0.timeIntervalSince(now)) } ?? 3.0e8
        let sleep = sleep
        let delay = Task { () -> Void in try? await sleep(.seconds(seconds)) }
        self.delay = delay
        await withTaskCancellationHandler {
            await delay.value
        } onCancel: {
            delay.cancel()
        }
        return !delay.isCancelled
    }
}

#if canImport(Combine)
    extension LicenseManager: ObservableObject {}
#endif

/// A named capability that the license grants now.
public struct LicenseEntitlement: Sendable, Hashable {
    /// The name, such as `sync`.
    public let name: String
    /// The value, such as `25`; `nil` if the entitlement has none.
    public let value: String?
    /// When the entitlement ends; `nil` if it lasts as long as the license.
    public let end: Date?

    /// Creates an entitlement, for previews and tests.
    public init(name: String, value: String? = nil, end: Date? = nil) {
        self.name = name
        self.value = value
        self.end = end
    }

    init(_ grant: LeaseFacts.Grant) {
        self.init(name: grant.name, value: grant.value, end: grant.end.map { Date($0.timestamp) })
    }
}
