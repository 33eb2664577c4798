/// Where an app and each of its packages may be offered, as App Store Connect has told.
public struct AppAvailability: Sendable, Hashable {
    /// The app as a whole.
    public var app: Availability
    /// Its packages, by App Store Connect's names in small letters.
    public var packages: [String: Availability]

    /// Puts it together; by default nothing was told.
    public init(app: Availability = Availability(), packages: [String: Availability] = [:]) {
        self.app = app
        self.packages = packages
    }

    /// What is told of an app or of one of its packages.
    public struct Word: Sendable, Hashable {
        /// Which package; nil for the app.
        public let package: String?
        /// Whether it opens.
        public let isOpen: Bool
        /// Where.
        public let extent: Availability.Extent
        /// When it counts from, in microseconds since 1970.
        public let moment: Int64
        /// Its own time, where that lay too far ahead of its receipt; nil where it did not.
        public let ahead: Int64?

        /// Puts it together.
        public init(
            package: String?, isOpen: Bool, extent: Availability.Extent, moment: Int64, ahead: Int64? = nil
        ) {
            self.package = package
            self.isOpen = isOpen
            self.extent = extent
            self.moment = moment
            self.ahead = ahead
        }
    }

    /// What a word comes to.
    public enum Hearing: Sendable, Hashable {
        /// It stands so now, otherwise than before.
        case changed(AppAvailability)
        /// It stood so already; the word is remembered as the last.
        case same(AppAvailability)
        /// A later word was heard already, or one of the same moment that wins.
        case outdated
    }

    /// Hears a word.
    ///
    /// A package's opening lists an app again that was closed as a whole before; the app's other packages stay closed,
    /// each until it is named itself.
    /// - Parameter known: The packages that the server knows beside those that something was told of.
    public func hearing(_ word: Word, among known: Set<String> = []) -> Hearing {
        var after = self
        guard let package = word.package else {
            switch app.hearing(isOpen: word.isOpen, word.extent, at: word.moment, ahead: word.ahead) {
            case .outdated: return .outdated
            case .same(let app):
                after.app = app
                return .same(after)
            case .changed(let app):
                after.app = app
                return .changed(after)
            }
        }
        if let toldAt = app.toldAt {
            if word.moment < toldAt { return .outdated }
            if word.moment == toldAt, word.isOpen, app.closedLast == .everywhere { return .outdated }
        }
        if word.isOpen, app.isClosedAhead(of: word.ahead) { return .outdated }
        let hearing = (packages[package] ?? Availability()).hearing(
            isOpen: word.isOpen, word.extent, at: word.moment, ahead: word.ahead)
        let isChanged: Bool
        switch hearing {
        case .outdated: return .outdated
        case .same(let one): (after.packages[package], isChanged) = (one, false)
        case .changed(let one): (after.packages[package], isChanged) = (one, true)
        }
        guard word.isOpen, app.isWithdrawn else { return isChanged ? .changed(after) : .same(after) }
        for other in known.union(packages.keys) where other != package {
            guard packages[other]?.isWithdrawn != true else { continue }
            after.packages[other] = Availability(
                isClosedElsewhere: true, toldAt: max(app.toldAt ?? .min, packages[other]?.toldAt ?? .min))
        }
        after.app = Availability(toldAt: word.moment, closedAhead: app.closedAhead)
        return .changed(after)
    }
}

/// What App Store Connect notifies a marketplace of, whichever of its two forms it came in (`spec/apple.md` §7).
public struct MarketplaceNotice: Sendable, Hashable {
    /// What is to be done.
    public enum Act: Sendable, Hashable {
        /// A version of a package can be fetched; with its package where that is told, and whether that also lists it.
        case packageVersion(id: String, package: String?, lists: Bool)
        /// Packages, or without any the app, opened or closed.
        case availability(packages: [String], isOpen: Bool, extent: Availability.Extent)
        /// Nothing: a ping, or something that this version does not know.
        case nothing
    }

    /// Apple's name for it: the same when it is sent again.
    public let id: String
    /// Its type as it came.
    public let type: String
    /// Whose marketplace it is meant for; nil where it does not say.
    public let marketplace: AppleItemID?
    /// Which app; nil where it does not say.
    public let item: AppleItemID?
    /// When it happened, in microseconds since 1970; nil where it does not say.
    public let moment: Int64?
    /// What is to be done.
    public let act: Act

    /// Puts it together.
    public init(
        id: String, type: String, marketplace: AppleItemID?, item: AppleItemID?, moment: Int64?, act: Act
    ) {
        self.id = id
        self.type = type
        self.marketplace = marketplace
        self.item = item
        self.moment = moment
        self.act = act
    }

    /// Whether its own time lies too far ahead of its receipt (``AppAvailability/tolerance``), in microseconds since 1970.
    public func isAhead(ofReceipt receipt: Int64) -> Bool {
        moment.map { AppAvailability.isAhead($0, ofReceipt: receipt) } ?? false
    }

    /// Whether it opens something; nil where it says nothing of offers.
    public var opens: Bool? {
        switch act {
        case .nothing, .packageVersion(_, nil, _), .packageVersion(_, _, false): nil
        case .packageVersion(_, .some, true): true
        case .availability(_, let isOpen, _): isOpen
        }
    }

    /// The packages that it opens or closes; empty for the app as a whole, and where it says nothing of offers.
    public var packages: [String] {
        switch act {
        case .nothing: []
        case .packageVersion(_, let package, let lists): lists ? [package].compactMap { $0 } : []
        case .availability(let packages, _, _): packages
        }
    }

    /// What it says of where the app and its packages may be offered, one word a subject.
    /// - Parameters:
    ///   - receipt: When it came, in microseconds since 1970: it counts from then where it does not say when it happened.
    ///   - counted: When it counts from, where that is neither of the two: see
    ///     ``AppAvailability/moment(ofClosingAhead:receivedAt:of:)``.
    public func words(receivedAt receipt: Int64, countedFrom counted: Int64? = nil) -> [AppAvailability.Word] {
        let ahead = isAhead(ofReceipt: receipt) ? moment : nil
        let moment = counted ?? moment ?? receipt
        switch act {
        case .nothing, .packageVersion(_, nil, _), .packageVersion(_, _, false): return []
        case .packageVersion(_, let package, true):
            return [.init(package: package, isOpen: true, extent: .everywhere, moment: moment, ahead: ahead)]
        case .availability(let packages, let isOpen, let extent):
            let subjects: [String?] = packages.isEmpty ? [nil] : packages
            return subjects.map { .init(package: $0, isOpen: isOpen, extent: extent, moment: moment, ahead: ahead) }
        }
    }
}
