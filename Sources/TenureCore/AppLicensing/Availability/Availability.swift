/// Where an app, or one package of it, may be offered, as App Store Connect has told so far; nothing told means everywhere.
///
/// What is told has its own time, and may come late or twice: an older word never undoes a later one, and of two of one
/// moment the one that closes wins.
public struct Availability: Sendable, Hashable {
    /// Where something opens or closes.
    public enum Extent: Sendable, Hashable {
        /// Wherever Apple sells.
        case everywhere
        /// In these territories.
        case within(Set<Territory>)
    }

    /// Whether it is closed wherever it was not reported open.
    public var isClosedElsewhere: Bool
    /// Where it is closed.
    public var closed: Set<Territory>
    /// Where it was reported open, and not closed since.
    public var open: Set<Territory>
    /// When what was last told happened, in microseconds since 1970; nil where nothing was.
    public var toldAt: Int64?
    /// What was closed at just that moment; nil for nothing.
    public var closedLast: Extent?
    /// The latest own time of a closing whose own time lay ahead of its receipt, in microseconds since 1970. It counts
    /// against openings that lay ahead as well; all others compare with ``toldAt``.
    public var closedAhead: Int64?

    /// States how it stands; by default as nobody has told.
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

    /// Whether it is nowhere to be had: closed altogether, or in the whole European Union and wherever else it was ever
    /// reported open.
    public var isWithdrawn: Bool {
        open.isEmpty && (isClosedElsewhere || closed.isSuperset(of: Territory.europeanUnion))
    }

    /// Whether it is closed in a territory; nobody is refused who does not say where he is.
    public func isClosed(in territory: Territory?) -> Bool {
        guard let territory else { return isWithdrawn }
        return isClosedElsewhere ? !open.contains(territory) : closed.contains(territory)
    }

    /// What a word comes to.
    public enum Hearing: Sendable, Hashable {
        /// It stands so now, otherwise than before.
        case changed(Availability)
        /// It stood so already, and the word is later than the last.
        case same(Availability)
        /// A later word was heard already, or one of the same moment that wins.
        case outdated
    }

    /// Hears that it opened or closed.
    /// - Parameters:
    ///   - moment: When, in microseconds since 1970.
    ///   - ahead: Its own time, where that lay too far ahead of its receipt; nil where it did not.
    public func hearing(isOpen: Bool, _ extent: Extent, at moment: Int64, ahead: Int64? = nil) -> Hearing {
        if let toldAt, moment < toldAt { return .outdated }
        if isOpen, isClosedAhead(of: ahead) { return .outdated }
        var after = self
        if toldAt != moment { after.closedLast = nil }
        after.toldAt = moment
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

    /// Whether an opening whose own time lay ahead is not later than a closing whose own time did, too.
    func isClosedAhead(of opening: Int64?) -> Bool {
        guard let opening, let closedAhead else { return false }
        return opening <= closedAhead
    }

    /// False where all of it was closed at the same moment.
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
