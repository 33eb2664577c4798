package import TenureCore
import TenureServerKit
package import TenureStore

/// Where App Store Connect has an app, or one of its packages, offered, as it is stored.
package struct AvailabilityRow: Sendable, Hashable {
    /// Whose marketplace.
    package let tenant: TenantID
    /// Which app; the catalog may not list it yet.
    package let item: AppleItemID
    /// Which package, by App Store Connect's name; empty for the app itself.
    package let package: String
    /// What was told.
    package var availability: Availability
    /// When the first notification came that counted for it; nil where that was before this was recorded.
    package let firstHeardAt: Timestamp?

    /// Puts it together.
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
    /// Where apps and packages are offered.
    package static let table = Table<AvailabilityRow>(
        "app_availability", key: ["tenant", "item", "package"],
        [
            Field("tenant") { $0.tenant }, Field("item") { $0.item }, Field("package") { $0.package },
            Field("is_closed_elsewhere") { $0.availability.isClosedElsewhere },
            Field("closed") { Self.code($0.availability.closed) }, Field("open") { Self.code($0.availability.open) },
            Field("told_at") { $0.availability.toldAt }, Field("closed_last") { Self.code($0.availability.closedLast) },
            Field("closed_ahead") { $0.availability.closedAhead }, Field("first_heard") { $0.firstHeardAt },
        ],
        parents: [TenantRow.table.shape], changesAlone: true
    ) { row throws(StoreError) in
        AvailabilityRow(
            tenant: try row.next(), item: try row.next(), package: try row.next(),
            availability: Availability(
                isClosedElsewhere: try row.next(), closed: territories(try row.next()),
                open: territories(try row.next()), toldAt: try row.next(), closedLast: extent(try row.next()),
                closedAhead: try row.next()), firstHeardAt: try row.next())
    }

    /// A tenant's.
    package static let ofTenant = table.set("of_tenant", "tenant")
    /// Those of an app and of its packages.
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
        Set(code.split(separator: " ").compactMap { Territory(alpha3: $0) })
    }

    private static func extent(_ code: String?) -> Availability.Extent? {
        code.map { $0 == everywhere ? .everywhere : .within(territories($0)) }
    }

    private static let everywhere = "*"
}

extension AppAvailability {
    /// Sorts the rows of one app.
    package init(_ rows: [AvailabilityRow]) {
        self.init()
        for row in rows {
            if row.package.isEmpty { app = row.availability } else { packages[row.package] = row.availability }
        }
    }

    /// The saves that make the stored rows of an app say this. Rows of which it says nothing are kept, as if nothing had
    /// been told of them.
    /// - Parameter receipt: When the notification came that changes them.
    package func saves(
        over rows: [AvailabilityRow], of tenant: TenantID, _ item: AppleItemID, heardAt receipt: Timestamp
    ) -> [Save] {
        saves(over: rows, of: tenant, item) { known in
            known?.availability.toldAt == nil ? receipt : known?.firstHeardAt
        }
    }

    /// The same, where the caller knows when the first notification came that counts for a row.
    package func saves(
        over rows: [AvailabilityRow], of tenant: TenantID, _ item: AppleItemID,
        firstHeardAt: (AvailabilityRow?) -> Timestamp?
    ) -> [Save] {
        var after = packages
        for row in rows where after[row.package] == nil { after[row.package] = Availability() }
        after[""] = app == Availability() && !rows.contains { $0.package.isEmpty } ? nil : app
        return after.sorted { $0.key < $1.key }.compactMap { package, availability in
            let known = rows.first { $0.package == package }
            if known?.availability == availability, known?.firstHeardAt == firstHeardAt(known) { return nil }
            let row = AvailabilityRow(
                tenant: tenant, item: item, package: package, availability: availability,
                firstHeardAt: firstHeardAt(known))
            return .put(row, over: known)
        }
    }
}

extension MarketplaceApp {
    /// Takes in what App Store Connect has told of it or of one of its packages.
    mutating func hear(_ row: AvailabilityRow) {
        if row.package.isEmpty { availability = row.availability }
        for version in versions.values where version.package?.id == row.package {
            versions[version.id]?.availability = row.availability
        }
    }
}
