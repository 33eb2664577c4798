public import Foundation

#if canImport(Combine)
    public import Combine
#endif

/// The license of an app: its state, why, and what may be done about it.
///
/// Lives on the main actor, where interfaces are; all reading, writing and waiting is done elsewhere. Nothing here
/// throws for a license that is not in order: that is a state, with an explanation.
///
/// ```swift
/// let manager = try LicenseManager(LicenseConfiguration(server: "https://licenses.example", tenant: "acme", product: "notes"))
/// await manager.checkOnLaunch()
/// if !manager.isEntitled { print(manager.explanation.cure) }
/// ```
@MainActor
public final class LicenseManager {
    #if canImport(Combine)
        /// Where the app stands with its license; `.notDetermined` until somebody has looked: ``opened(_:)``,
        /// ``checkOnLaunch()``.
        @Published public private(set) var state = LicenseState.notDetermined
    #else
        /// Where the app stands with its license; `.notDetermined` until somebody has looked: ``opened(_:)``,
        /// ``checkOnLaunch()``.
        public private(set) var state = LicenseState.notDetermined
    #endif
    /// Why the state is what it is: all the reasons, most specific first, with what would help.
    public private(set) var explanation = Explanation(.notLookedYet)
    /// What the license gives now, in the order of its lease; empty unless licensed.
    public private(set) var entitlements: [LicenseEntitlement] = []
    /// The license that is kept here, in whatever state it is; nil without one.
    public private(set) var license: LicenseFacts?

    let engine: LicenseEngine
    let trialEntitlements: Set<String>?
    let launchPatience: Duration
    let sleep: @Sendable (Duration) async throws -> Void
    let log: LogListener
    /// The question of the last launch, which goes on after ``checkOnLaunch()`` has returned.
    package var launchQuestion: Task<Void, Never>?
    var wakes: Date?
    private var newest = 0
    private var nap: Task<Void, Never>?
    private var streams: [UUID: AsyncStream<LicenseTransition>.Continuation] = [:]
    private var stateStreams: [UUID: AsyncStream<LicenseState>.Continuation] = [:]
    private var followers: [@MainActor (LicenseManager) -> Void] = []

    /// Puts a manager together from its parts.
    package init(
        engine: LicenseEngine, trialEntitlements: Set<String>? = nil, launchPatience: Duration = .seconds(2),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        hear: (@Sendable (LicenseLogEntry) -> Void)? = nil
    ) {
        log = LogListener(hear: hear)
        self.engine = engine
        self.trialEntitlements = trialEntitlements
        self.launchPatience = launchPatience
        self.sleep = sleep
    }

    // An isolated one needs newer systems than the client supports.
    deinit {
        for stream in streams.values { stream.finish() }
        for stream in stateStreams.values { stream.finish() }
    }

    /// Whether paid features are open: licensed, or in a trial with days left.
    public var isEntitled: Bool { state.isEntitled }

    /// Whether a capability is open now.
    ///
    /// While licensed, those of the lease that have not ended. In a trial all of them, or those that
    /// ``LicenseConfiguration/trialEntitlements`` names. Otherwise none.
    public func hasEntitlement(_ name: String) -> Bool {
        switch state {
        case .licensed: entitlement(name) != nil
        case .trial: isEntitled && trialEntitlements?.contains(name) ?? true
        case .notDetermined, .limited, .freeTier, .expired, .invalid: false
        }
    }

    /// What the license says of a capability, its value among it; nil when it does not give it now, and in a trial.
    public func entitlement(_ name: String) -> LicenseEntitlement? {
        entitlements.first { $0.name == name }
    }

    /// The transitions from now on, for one listener; ask again for another. The first look is one too, from
    /// `.notDetermined`.
    public var transitions: AsyncStream<LicenseTransition> {
        AsyncStream { stream in
            let id = UUID()
            streams[id] = stream
            stream.onTermination = { [weak self] _ in
                Task { @MainActor in self?.streams[id] = nil }
            }
        }
    }

    /// The state now, and then each other one that follows, for one listener; ask again for another.
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

    /// Calls back after each change of state, explanation or entitlements, on the main actor.
    func follow(_ follower: @escaping @MainActor (LicenseManager) -> Void) { followers.append(follower) }

    /// Takes over what the engine decided, and tells everybody who listens if it is another state.
    ///
    /// What was decided before something that is known already is left out: questions run beside each other, and their
    /// answers may come here in another order.
    func adopt(_ standing: Standing) {
        guard standing.number > newest else { return }
        newest = standing.number
        let earlier = state
        let new = standing.resolution
        wakes = standing.wakes.map(Date.init)
        nap?.cancel()
        let given = standing.entitlements.map(LicenseEntitlement.init)
        #if canImport(Combine)
            // A view shows these too, and a change of them alone publishes nothing by itself.
            if new.explanation != explanation || given != entitlements || standing.license != license {
                objectWillChange.send()
            }
        #endif
        if new.state != earlier || new.explanation != explanation {
            log.tell(decided: new)
        }
        explanation = new.explanation
        entitlements = given
        license = standing.license
        if new.state != earlier { state = new.state }
        for follower in followers { follower(self) }
        guard new.state != earlier else { return }
        let transition = LicenseTransition(from: earlier, to: new.state, explanation: new.explanation)
        for stream in streams.values { stream.yield(transition) }
        for stream in stateStreams.values { stream.yield(new.state) }
        NotificationCenter.default.post(name: .tenureLicenseDidChange, object: self)
    }

    /// Sleeps until it is time to look again, or something was decided meanwhile; answers whether the time came.
    func sleepUntilWake(from now: Date) async -> Bool {
        log.tell(
            .debug, "wait.begun", ["until": wakes.map { $0.formatted(.iso8601) } ?? "never"],
            "Nothing is to be done until then.")
        // Without anything to wait for, longer than any program runs.
        let seconds = wakes.map { max(0, $0.timeIntervalSince(now)) } ?? 3.0e8
        let sleep = sleep
        let nap = Task { () -> Void in try? await sleep(.seconds(seconds)) }
        self.nap = nap
        await withTaskCancellationHandler {
            await nap.value
        } onCancel: {
            nap.cancel()
        }
        return !nap.isCancelled
    }
}

#if canImport(Combine)
    extension LicenseManager: ObservableObject {}
#endif

extension Notification.Name {
    /// Posted on the main actor after every transition, with the ``LicenseManager`` as object.
    public static let tenureLicenseDidChange = Notification.Name("tenureLicenseDidChange")
}

/// A named capability that the license gives now.
public struct LicenseEntitlement: Sendable, Hashable {
    /// Its name, such as `sync`.
    public let name: String
    /// Its value, such as `25`; nil when it is only there or not.
    public let value: String?
    /// The first moment it no longer holds; nil when it holds as long as the license.
    public let end: Date?

    /// Makes one, for previews and tests.
    public init(name: String, value: String? = nil, end: Date? = nil) {
        self.name = name
        self.value = value
        self.end = end
    }

    init(_ grant: LeaseFacts.Grant) {
        self.init(name: grant.name, value: grant.value, end: grant.end.map { Date($0.timestamp) })
    }
}
