public import TenureCore

/// The reasons and events of a server and its features.
///
/// Programs branch on their names, so each is declared with its meaning, its facts and the version that introduced it.
/// `Documentation/reasons.md` and `Documentation/events.md` are generated from these declarations.
public struct Registry: Sendable {
    package let reasons: [Feature.Family<Reason.Kind>]

    /// The reasons for rejecting a request before a decision.
    package let requests: [Feature.Family<Reason.Kind>]

    /// All values that the `code` of a response can have.
    public let codes: Set<String>

    package let events: [Feature.Family<EventKind>]

    /// The valid values of the filter by kind of event: each kind, and each family, such as `license.*`.
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

    /// Whether a pattern matches at least one kind of event.
    package func knows(_ pattern: EventFilter.KindPattern) -> Bool {
        events.flatMap(\.kinds).contains(where: pattern.matches)
    }

    /// The text of `Documentation/reasons.md`, in Markdown.
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

    /// The text of `Documentation/events.md`, in Markdown.
    public var eventsPage: String {
        """
        # Events

        This page lists every event that the server records, for those who read the history or follow it with a \
        program. An event is saved in the transaction of the change that it records. `GET /v1/{tenant}/events` (scope \
        `events:read`) lists a tenant's events in order; `detail` contains the facts. Each tenant's events are numbered \
        from 1 without gaps. Only the first event after a restored backup has a higher number. An event's `id` is `evt_` \
        and this number. `tenure events` prints the same list, and `tenure events --follow` also prints new events as \
        they happen.

        The filters are `account`, `license`, `enrolment`, `contentLicense`, `holder` and `kind`, which is one kind or a \
        family such as `license.*`. No event contains the name of a holder: events about a holder's content page have \
        `holderRef`, a digest under a secret of the server, and `holder` finds those of the holder with this name. An unknown filter, or an id that the tenant doesn't have, is answered with 422. Kinds aren't \
        indexed, so one request reads at most 10,000 events. With `kind`, a page may therefore be empty although `next` \
        has moved. Send the request again with `next` as `after`; once `next` stays the same, you have seen all events.

        This page is generated from the program: `TENURE_WRITE_COPIES=1 swift test --filter Register`.

        """ + events.map { "\n## \($0.heading)\n\n\($0.kinds.table)" }.joined()
    }

    /// Returns the difference between a response's reason and its declaration, as a sentence; `nil` if they match.
    public func fault(in reason: String, evidence: [Reason.Evidence]) -> String? {
        guard let kind = (reasons + requests).flatMap(\.kinds).first(where: { $0.text == reason }) else {
            return "the reason \(reason) is not listed"
        }
        let faults = kind.facts.faults(in: evidence)
        return faults.isEmpty ? nil : "the reason \(kind): \(faults.joined(separator: ", "))"
    }

    /// Returns the difference between an event and its declaration, as a sentence; `nil` if they match.
    public func fault(in event: Event) -> String? {
        guard let kind = events.flatMap(\.kinds).first(where: { $0 == event.kind }) else {
            return "the event \(event.kind) is not listed"
        }
        let faults = kind.facts.faults(in: event.facts)
        return faults.isEmpty ? nil : "the event \(kind): \(faults.joined(separator: ", "))"
    }
}
