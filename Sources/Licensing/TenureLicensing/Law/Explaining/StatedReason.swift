public import TenureCore

/// Why an operator suspended or revoked a license or released a device, in the operator's own words.
///
/// It's stored in the event that records the action.
public struct StatedReason: Sendable, Hashable {
    /// The reason, as the operator wrote it.
    public let text: String
    /// Whether the holder may read the reason, too.
    public let isTold: Bool

    /// Creates a reason; with `isTold`, the holder may read it too.
    public init(_ text: String, isTold: Bool = false) {
        self.text = text
        self.isTold = isTold
    }

    /// Reads the reason from an event's facts; `nil` if the operator gave none.
    init?(_ event: Event) {
        guard case .text(let text)? = event.facts.first(where: { $0.name == Self.fact })?.value else { return nil }
        self.init(text, isTold: event.facts.contains { $0.name == Self.telling })
    }

    /// The latest reason for a stop of the license; `nil` if none was given.
    ///
    /// The stop is a suspension or a revocation, which is identified by the kind of its event.
    ///
    /// - Parameter events: The license's events, newest first.
    static func inForce(_ stop: EventKind, among events: [Event]) -> StatedReason? {
        events.first { $0.states(stop) }.flatMap(StatedReason.init)
    }

    /// Records this reason for an earlier stop, unless it is the current reason already.
    func replacing(
        _ stop: EventKind, _ events: [Event], about subject: Event.Subject, by actor: Actor, at now: Timestamp
    ) -> Consequences {
        if self == StatedReason.inForce(stop, among: events) { return .none }
        let event = Event(.licenseReasonChanged, at: now, actor: actor, about: subject, facts: facts)
        return Consequences(events: [event])
    }

    /// The facts that record the reason in an event.
    var facts: [Reason.Evidence] {
        [.init(Self.fact, .text(text))] + (isTold ? [.init(Self.telling, .text("holder"))] : [])
    }

    private static let fact = "reason"
    private static let telling = "toldTo"

    /// The declarations of the facts that record a reason, for the kinds of events that may have one.
    static let declared: [Fact] = [.text(fact).optional, .text(telling).optional]
}

extension Event {
    /// Whether the event records a stop of this kind, or a later reason for one.
    func states(_ stop: EventKind) -> Bool { kind == stop || kind == .licenseReasonChanged }
}

/// An operator's action with the reason that was given for it.
public struct StatedAct: Sendable, Hashable {
    /// The kind of the action's event, such as `license.suspended`.
    public let kind: EventKind
    /// When the operator acted.
    public let at: Timestamp
    /// The reason that the operator gave.
    public let reason: StatedReason
    /// The name of the released device; `nil` for acts on the license.
    public let device: String?

    /// The kinds of events that may carry a reason.
    public static let kinds: [EventKind] = [
        .licenseSuspended, .licenseRevoked, .licenseReasonChanged, .activationReleased,
    ]

    /// The actions with a reason that still have an effect: the stop of the license, and releases that weren't undone.
    ///
    /// - Parameters:
    ///   - events: The license's events of the ``kinds``, newest first.
    ///   - activations: The activations that the events are about.
    static func effective(
        _ events: [Event], of license: License, _ activations: [Activation], to audience: ExplanationAudience
    ) -> [StatedAct] {
        let stops: [License.State: EventKind] = [.suspended: .licenseSuspended, .revoked: .licenseRevoked]
        let kind = stops[license.recordedState]
        let stop = events.first { $0.kind == kind }
        let stated = kind.flatMap { kind in events.first { $0.states(kind) } }
        return events.compactMap { event in
            let device = activations.first { $0.id == event.subject.activation && $0.releasedAt == event.at }
            guard event == stated || event.kind == .activationReleased && device != nil,
                let reason = StatedReason(event), audience == .vendor || reason.isTold
            else { return nil }
            if device == nil, let kind {
                return StatedAct(kind: kind, at: (stop ?? event).at, reason: reason, device: nil)
            }
            return StatedAct(kind: event.kind, at: event.at, reason: reason, device: device?.name)
        }
    }
}
