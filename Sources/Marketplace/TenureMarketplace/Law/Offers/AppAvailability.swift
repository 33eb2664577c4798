public import TenureCore

/// Where an app and each of its packages may be offered, as reported by App Store Connect.
public struct AppAvailability: Sendable, Hashable {
    /// The availability of the app as a whole.
    public var app: Availability
    /// The availability of packages by App Store Connect's ids, in lower case.
    public var packages: [String: Availability]

    /// Creates a state; by default, nothing has been reported.
    public init(app: Availability = Availability(), packages: [String: Availability] = [:]) {
        self.app = app
        self.packages = packages
    }

    /// A report that an app or one of its packages becomes available or unavailable.
    public struct Word: Sendable, Hashable {
        /// The package; `nil` for the whole app.
        public let package: String?
        /// Whether the report makes the app or package available; otherwise, it makes it unavailable.
        public let isOpen: Bool
        /// The territories that the report applies to.
        public let extent: Availability.Extent
        /// When the report takes effect, in microseconds since 1970.
        public let time: Int64
        /// The report's date, in microseconds since 1970, if it is more than ``AppAvailability/tolerance`` after its
        /// receipt; otherwise `nil`.
        public let ahead: Int64?

        /// Creates a report from its parts.
        public init(
            package: String?, isOpen: Bool, extent: Availability.Extent, time: Int64, ahead: Int64? = nil
        ) {
            self.package = package
            self.isOpen = isOpen
            self.extent = extent
            self.time = time
            self.ahead = ahead
        }
    }

    /// The result of applying a report.
    public enum Hearing: Sendable, Hashable {
        /// The report changes the availability.
        case changed(AppAvailability)
        /// The availability stays the same; only the time of the last report changes.
        case same(AppAvailability)
        /// The report is ignored: a later report, or a report of unavailability with the same time, takes precedence.
        case outdated
    }

    /// Applies a report.
    ///
    /// If the whole app is unavailable, a report that makes one package available makes the app available again. The
    /// app's other packages then stay unavailable until a report names them.
    ///
    /// - Parameter names: The packages that the server knows, including those without any report.
    public func hearing(_ word: Word, among names: Set<String> = []) -> Hearing {
        var after = self
        guard let package = word.package else {
            switch app.hearing(isOpen: word.isOpen, word.extent, at: word.time, ahead: word.ahead) {
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
            if word.time < toldAt { return .outdated }
            if word.time == toldAt, word.isOpen, app.closedLast == .everywhere { return .outdated }
        }
        if word.isOpen, app.isClosedAhead(of: word.ahead) { return .outdated }
        let hearing = (packages[package] ?? Availability()).hearing(
            isOpen: word.isOpen, word.extent, at: word.time, ahead: word.ahead)
        let isChanged: Bool
        switch hearing {
        case .outdated: return .outdated
        case .same(let availability): (after.packages[package], isChanged) = (availability, false)
        case .changed(let availability): (after.packages[package], isChanged) = (availability, true)
        }
        guard word.isOpen, app.isWithdrawn else { return isChanged ? .changed(after) : .same(after) }
        for other in names.union(packages.keys) where other != package {
            guard packages[other]?.isWithdrawn != true else { continue }
            after.packages[other] = Availability(
                isClosedElsewhere: true, toldAt: max(app.toldAt ?? .min, packages[other]?.toldAt ?? .min))
        }
        after.app = Availability(toldAt: word.time, closedAhead: app.closedAhead)
        return .changed(after)
    }
}

/// A notification from App Store Connect, in either of its two formats.
public struct MarketplaceNotice: Sendable, Hashable {
    /// The effect of a notification on an app or its packages.
    public enum Act: Sendable, Hashable {
        /// A version of a package can be downloaded.
        ///
        /// `package` is `nil` if the notification doesn't name it; `lists` tells whether the package also becomes
        /// available.
        case packageVersion(id: String, package: String?, lists: Bool)
        /// The packages, or the whole app if the list is empty, become available or unavailable.
        case availability(packages: [String], isOpen: Bool, extent: Availability.Extent)
        /// The notification has no effect: it's a ping, or its type is unknown.
        case nothing
    }

    /// Apple's id of the notification, which stays the same when it is sent again.
    public let id: String
    /// The notification's type as received, such as `AppVersionsUnavailable`.
    public let type: String
    /// The marketplace app that the notification is meant for; `nil` if the notification names none.
    public let marketplace: AppleItemID?
    /// The app that the notification concerns; `nil` if the notification names none.
    public let item: AppleItemID?
    /// The date in the notification, in microseconds since 1970; `nil` if it has none.
    public let time: Int64?
    /// The effect of the notification on an app or its packages.
    public let act: Act

    /// Creates a notification from its parts.
    public init(
        id: String, type: String, marketplace: AppleItemID?, item: AppleItemID?, time: Int64?, act: Act
    ) {
        self.id = id
        self.type = type
        self.marketplace = marketplace
        self.item = item
        self.time = time
        self.act = act
    }

    /// Whether the notification's date is more than ``AppAvailability/tolerance`` after its receipt.
    ///
    /// - Parameter receipt: When the notification was received, in microseconds since 1970.
    public func isAhead(ofReceipt receipt: Int64) -> Bool {
        time.map { AppAvailability.isAhead($0, ofReceipt: receipt) } ?? false
    }

    /// Whether the notification makes something available; `nil` if it doesn't change the availability.
    public var opens: Bool? {
        switch act {
        case .nothing, .packageVersion(_, nil, _), .packageVersion(_, _, false): nil
        case .packageVersion(_, .some, true): true
        case .availability(_, let isOpen, _): isOpen
        }
    }

    /// The packages that the notification makes available or unavailable.
    ///
    /// The list is empty for the whole app, and if the notification doesn't change the availability.
    public var packages: [String] {
        switch act {
        case .nothing: []
        case .packageVersion(_, let package, let lists): lists ? [package].compactMap { $0 } : []
        case .availability(let packages, _, _): packages
        }
    }

    /// Returns the notification as reports, one for each package or one for the whole app; empty if availability
    /// doesn't change.
    ///
    /// - Parameters:
    ///   - receipt: When the notification was received, in microseconds since 1970. It is the reports' time if the
    ///     notification has no date.
    ///   - counted: The reports' time, if it should be neither the notification's date nor the receipt; see
    ///     ``AppAvailability/time(ofClosingAhead:receivedAt:of:)``.
    public func words(receivedAt receipt: Int64, countedFrom counted: Int64? = nil) -> [AppAvailability.Word] {
        let ahead = isAhead(ofReceipt: receipt) ? time : nil
        let time = counted ?? time ?? receipt
        switch act {
        case .nothing, .packageVersion(_, nil, _), .packageVersion(_, _, false): return []
        case .packageVersion(_, let package, true):
            return [.init(package: package, isOpen: true, extent: .everywhere, time: time, ahead: ahead)]
        case .availability(let packages, let isOpen, let extent):
            let subjects: [String?] = packages.isEmpty ? [nil] : packages
            return subjects.map { .init(package: $0, isOpen: isOpen, extent: extent, time: time, ahead: ahead) }
        }
    }
}
