public import TenureCore

/// All reasons and events of a server, collected from its features.
///
/// Programs branch on these names, so each is listed with its meaning, its facts and the version that introduced it.
/// `Documentation/reasons.md` and `Documentation/events.md` are generated from it.
public struct Registry: Sendable {
    /// The reasons for refusals.
    package let reasons: [Feature.Family<Reason.Kind>]

    /// The reasons for rejecting a request before a decision; their codes appear in responses too.
    package let requests: [Feature.Family<Reason.Kind>]

    /// All values of a response's `code`.
    public let codes: Set<String>

    /// The kinds of events.
    package let events: [Feature.Family<EventKind>]

    /// The valid filters by kind of event: each kind, and each family such as `license.*`.
    let eventPatterns: [String]

    init(_ features: [Feature]) {
        reasons = features.flatMap(\.reasons)
        requests = [Feature.Family("Requests", Reason.Kind.requests)] + features.flatMap(\.requests)
        codes = Set((reasons + requests).flatMap(\.kinds).map(\.text))
        events =
            features.flatMap(\.events)
            + [
                Feature.Family("Jobs", EventKind.jobs), Feature.Family("Time", EventKind.time),
                Feature.Family("The store", EventKind.stores),
            ]
        let kinds = events.flatMap(\.kinds).map(\.text)
        eventPatterns = kinds + Set(kinds.map { $0.prefix { $0 != "." } + ".*" }).sorted()
    }

    /// Whether a pattern matches any kind of event.
    package func knows(_ pattern: EventKindPattern) -> Bool {
        events.flatMap(\.kinds).contains(where: pattern.matches)
    }

    /// The text of `Documentation/reasons.md`.
    public var reasonsPage: String {
        """
        # Reasons

        This page is for anyone who handles a refused request: it lists every code, what happened, and what to do about it.

        Every error response contains `code` and `reasons`, in every API ([formats.md](formats.md#reasons)). Branch on the \
        code only, and accept codes that you don't know. A response may word a reason more specifically than the sentences \
        below. The codes that only a client reports are in [client-reasons.md](client-reasons.md).

        A request that is rejected before a license's rules are checked gets one of the codes from [Requests](#requests) on. \
        The operator and content APIs then include that one reason with its remedy; in the other APIs, `reasons` is empty.

        This page is generated from the program: `TENURE_WRITE_COPIES=1 swift test --filter Register`.

        """ + (reasons + requests).map { "\n## \($0.heading)\n\n\($0.kinds.table)" }.joined()
    }

    /// The text of `Documentation/events.md`.
    public var eventsPage: String {
        """
        # Events

        What the server records, in the transaction of the change that it records, and tells in their order under \
        `GET /v1/{tenant}/events` (scope `events:read`). `detail` holds the facts. `tenure events` prints the same, and \
        `tenure events --follow` goes on with what happens next.

        Filters are `account`, `license`, `enrolment`, `contentLicense` and `kind`: one kind, or a family such as \
        `license.*`. A filter that is not known, and a name that the tenant does not have, are 422. No index has the kind, \
        so one request looks at 10,000 events at most: with `kind` a page may be empty while `next` has moved. Ask again \
        with `next` as `after`; once it stays the same, you have seen everything.

        This page is printed from the register in the program: `TENURE_WRITE_COPIES=1 swift test --filter Register`.

        """ + events.map { "\n## \($0.heading)\n\n\($0.kinds.table)" }.joined()
    }

    /// Describes how a response's reason differs from its declaration; `nil` if it matches.
    public func fault(in reason: String, evidence: [Reason.Evidence]) -> String? {
        guard let kind = (reasons + requests).flatMap(\.kinds).first(where: { $0.text == reason }) else {
            return "the reason \(reason) is not listed"
        }
        let faults = kind.facts.faults(in: evidence)
        return faults.isEmpty ? nil : "the reason \(kind): \(faults.joined(separator: ", "))"
    }

    /// Describes how an event differs from its declaration; `nil` if it matches.
    public func fault(in event: Event) -> String? {
        guard let kind = events.flatMap(\.kinds).first(where: { $0 == event.kind }) else {
            return "the event \(event.kind) is not listed"
        }
        let faults = kind.facts.faults(in: event.facts)
        return faults.isEmpty ? nil : "the event \(kind): \(faults.joined(separator: ", "))"
    }
}
