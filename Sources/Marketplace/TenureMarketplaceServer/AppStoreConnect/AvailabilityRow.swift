package import TenureCore
package import TenureMarketplace
import TenureServerKit
package import TenureStore

/// Where App Store Connect offers an app or one of its packages, as stored.
package struct AvailabilityRow: Sendable, Hashable {
    package let tenant: TenantID
    /// The app, which the catalog may not list yet.
    package let item: AppleItemID
    /// App Store Connect's id of the package; empty for the app as a whole.
    package let package: String
    package var availability: Availability
    /// When the first notification that took effect arrived; `nil` if there was none.
    package let firstHeardAt: Timestamp?

    package init(
        tenant: TenantID, item: AppleItemID, package: String, availability: Availability,
        firstHeardAt: Timestamp? = nil
    ) {
        self.tenant = tenant
        self.item = item
        self.package = package
        self.availability = availability
        self.firstHeardAt = firstHeardAt
    }
}

extension AvailabilityRow: Stored {
    package static let table = Table<AvailabilityRow>(
        "app_availability", key: ["tenant", "item", "package"],
        [
            Field("tenant") { $0.tenant }, Field("item") { $0.item }, Field("package") { $0.package },
            Field("is_closed_elsewhere") { $0.availability.isClosedElsewhere },
            Field("closed") { Self.code($0.availability.closed) }, Field("open") { Self.code($0.availability.open) },
            Field("told_at") { $0.availability.toldAt }, Field("closed_last") { Self.code($0.availability.closedLast) },
            Field("closed_ahead") { $0.availability.closedAhead }, Field("first_heard") { $0.firstHeardAt },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)], changesAlone: true
    ) { row in
        AvailabilityRow(
            tenant: try row.next(), item: try row.next(), package: try row.next(),
            availability: Availability(
                isClosedElsewhere: try row.next(), closed: territories(try row.next()),
                open: territories(try row.next()), toldAt: try row.next(), closedLast: extent(try row.next()),
                closedAhead: try row.next()), firstHeardAt: try row.next())
    }

    package static let ofTenant = table.set("of_tenant", "tenant")
    package static let ofApp = table.set("of_app", "tenant", "item")

    private static func code(_ territories: Set<Territory>) -> String {
        territories.sorted().map(\.code).joined(separator: " ")
    }

    private static func code(_ extent: Availability.Extent?) -> String? {
        switch extent {
        case nil: nil
        case .everywhere: everywhere
        case .within(let territories): code(territories)
        }
    }

    private static func territories(_ code: String) -> Set<Territory> {
        Set(code.split(atByte: " ").compactMap { Territory(alpha3: $0) })
    }

    private static func extent(_ code: String?) -> Availability.Extent? {
        code.map { $0 == everywhere ? .everywhere : .within(territories($0)) }
    }

    private static let everywhere = "*"
}

extension AppAvailability {
    /// Combines the rows of one app and its packages.
    package init(_ rows: [AvailabilityRow]) {
        self.init()
        for row in rows {
            if row.package.isEmpty { app = row.availability } else { packages[row.package] = row.availability }
        }
    }

    /// Returns the writes that bring an app's stored rows to this state.
    ///
    /// Rows that this value lacks stay stored and are reset to the default.
    ///
    /// - Parameter receipt: When the notification that causes the change arrived.
    package func saves(
        over rows: [AvailabilityRow], of tenant: TenantID, _ item: AppleItemID, heardAt receipt: Timestamp
    ) -> [RowWrite] {
        saves(over: rows, of: tenant, item) { existing in
            existing?.availability.toldAt == nil ? receipt : existing?.firstHeardAt
        }
    }

    /// Returns the writes that bring an app's stored rows to this state.
    ///
    /// - Parameter firstHeardAt: Returns when the first notification that took effect on a row arrived.
    package func saves(
        over rows: [AvailabilityRow], of tenant: TenantID, _ item: AppleItemID,
        firstHeardAt: (AvailabilityRow?) -> Timestamp?
    ) -> [RowWrite] {
        var after = packages
        for row in rows where after[row.package] == nil { after[row.package] = Availability() }
        after[""] = app == Availability() && !rows.contains { $0.package.isEmpty } ? nil : app
        return after.sorted { $0.key < $1.key }.compactMap { package, availability in
            let existing = rows.first { $0.package == package }
            if existing?.availability == availability, existing?.firstHeardAt == firstHeardAt(existing) { return nil }
            let row = AvailabilityRow(
                tenant: tenant, item: item, package: package, availability: availability,
                firstHeardAt: firstHeardAt(existing))
            return .put(row, over: existing)
        }
    }
}

extension MarketplaceApp {
    /// Applies a stored availability to the app, or to the versions of one package.
    mutating func hear(_ row: AvailabilityRow) {
        if row.package.isEmpty { availability = row.availability }
        for version in versions.values where version.package?.id == row.package {
            versions[version.id]?.availability = row.availability
        }
    }
}
