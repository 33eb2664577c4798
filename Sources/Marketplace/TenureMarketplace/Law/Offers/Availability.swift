/// Where an app or a package may be offered, as reported by App Store Connect; everywhere if nothing was reported.
///
/// Reports are dated, and may arrive late or twice. An older report never undoes a later one. If a report of
/// availability and one of unavailability have the same time, the latter takes precedence.
public struct Availability: Sendable, Hashable {
    /// The territories that a report applies to.
    public enum Extent: Sendable, Hashable {
        /// All territories that Apple sells in.
        case everywhere
        /// Only these territories.
        case within(Set<Territory>)
    }

    /// Whether the app or package is unavailable in every territory that isn't in ``open``.
    public var isClosedElsewhere: Bool
    /// The territories in which the app or package is reported unavailable.
    public var closed: Set<Territory>
    /// The territories in which the app or package was reported available, and not unavailable since.
    public var open: Set<Territory>
    /// The time of the latest report, in microseconds since 1970; `nil` if there was none.
    public var toldAt: Int64?
    /// The territories that were reported unavailable at the time ``toldAt``; `nil` if there were none.
    public var closedLast: Extent?
    /// The latest date of a report of unavailability that was dated after its receipt, in microseconds since 1970;
    /// `nil` if there was none.
    ///
    /// It is compared only with reports of availability that were also dated after their receipt. All other reports are
    /// compared with ``toldAt``.
    public var closedAhead: Int64?

    /// Creates a state; by default, nothing has been reported.
    public init(
        isClosedElsewhere: Bool = false, closed: Set<Territory> = [], open: Set<Territory> = [], toldAt: Int64? = nil,
        closedLast: Extent? = nil, closedAhead: Int64? = nil
    ) {
        self.isClosedElsewhere = isClosedElsewhere
        self.closed = closed
        self.open = open
        self.toldAt = toldAt
        self.closedLast = closedLast
        self.closedAhead = closedAhead
    }

    /// Whether the app or package isn't available anywhere.
    ///
    /// That is the case if it is unavailable everywhere, or in the whole European Union and in every other territory
    /// that was ever reported available.
    public var isWithdrawn: Bool {
        open.isEmpty && (isClosedElsewhere || closed.isSuperset(of: Territory.europeanUnion))
    }

    /// Whether the app or package is unavailable in a territory; without a territory, whether it is withdrawn.
    public func isClosed(in territory: Territory?) -> Bool {
        guard let territory else { return isWithdrawn }
        return isClosedElsewhere ? !open.contains(territory) : closed.contains(territory)
    }

    /// The result of applying a report.
    public enum Hearing: Sendable, Hashable {
        /// The report changes the availability.
        case changed(Availability)
        /// The availability stays the same, and the report is the latest.
        case same(Availability)
        /// The report is ignored: a later report, or a report of unavailability with the same time, takes precedence.
        case outdated
    }

    /// Applies a report that the app or package became available or unavailable.
    ///
    /// - Parameters:
    ///   - time: The report's time, in microseconds since 1970.
    ///   - ahead: The report's date if it is more than ``AppAvailability/tolerance`` after its receipt; otherwise
    ///     `nil`.
    public func hearing(isOpen: Bool, _ extent: Extent, at time: Int64, ahead: Int64? = nil) -> Hearing {
        if let toldAt, time < toldAt { return .outdated }
        if isOpen, isClosedAhead(of: ahead) { return .outdated }
        var after = self
        if toldAt != time { after.closedLast = nil }
        after.toldAt = time
        if isOpen {
            guard after.open(extent) else { return .outdated }
        } else {
            after.close(extent)
            if let ahead { after.closedAhead = max(ahead, closedAhead ?? ahead) }
        }
        var before = self
        (before.toldAt, before.closedLast, before.closedAhead) = (after.toldAt, after.closedLast, after.closedAhead)
        return before == after ? .same(after) : .changed(after)
    }

    /// Whether a report of availability that was dated after its receipt isn't later than ``closedAhead``.
    func isClosedAhead(of opening: Int64?) -> Bool {
        guard let opening, let closedAhead else { return false }
        return opening <= closedAhead
    }

    /// Makes territories available; returns `false` if all of them were made unavailable at the same time, so nothing
    /// changes.
    private mutating func open(_ extent: Extent) -> Bool {
        switch (extent, closedLast) {
        case (_, .everywhere): return false
        case (.everywhere, let last):
            isClosedElsewhere = false
            open = []
            if case .within(let closedNow) = last { closed = closedNow } else { closed = [] }
        case (.within(var territories), let last):
            if case .within(let closedNow) = last { territories.subtract(closedNow) }
            if territories.isEmpty { return false }
            open.formUnion(territories)
            closed.subtract(territories)
        }
        return true
    }

    private mutating func close(_ extent: Extent) {
        switch extent {
        case .everywhere:
            (isClosedElsewhere, closed, open) = (true, [], [])
            closedLast = .everywhere
        case .within(let territories):
            if !isClosedElsewhere { closed.formUnion(territories) }
            open.subtract(territories)
            switch closedLast {
            case .everywhere: break
            case .within(let earlier): closedLast = .within(earlier.union(territories))
            case nil: closedLast = .within(territories)
            }
        }
    }
}
