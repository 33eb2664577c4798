import TenureCore
public import TenureLicensing
import TenureServerKit
import TenureStore

/// A key that a license had before, for people: when and by whom it was replaced, and how many devices may still use
/// it.
public struct ReplacedKey: Sendable, Hashable {
    /// The replaced key, with the license that it belonged to.
    public let key: FormerKey
    /// How many active devices may still use the key, counted up to ``mostDevices``.
    public let devices: Int

    /// The number up to which devices are counted.
    static let mostDevices = 1_000
    /// The most former keys of a license that are shown.
    static let mostKeys = 100
}

extension ReplacedKey {
    static let document = Document<ReplacedKey>(
        "ReplacedKey",
        [
            .text("key", "The masked key.") { $0.key.key.masked },
            .text("license", "The license that it was a key of.") { $0.key.license.description },
            .dateTime("replacedAt") { $0.key.replacedAt },
            .text("replacedBy", "Who replaced it, such as `operator:cli`.") { $0.key.replacedBy.description },
            .integer(
                "devices",
                "How many active devices may still use it; 1000 means that many or more."
            ) { Int64($0.devices) },
        ])
}

extension RecordStore {
    /// The former keys of a license, latest first.
    func replacedKeys(of license: LicenseID) async throws(Failure) -> [ReplacedKey] {
        let plan = ReplacedKeyQueries.ofLicense
        return plan.queries.replacedKeys(in: try await fetch(plan.bind(license)))
    }

    /// The former keys that a person may mean by a text: a whole key or, with `byEnding`, its last four characters.
    ///
    /// The licenses are those of the given tenant and product.
    func lookUpReplacedKeys(
        _ text: String, tenant: TenantID?, product: ProductID?, byEnding: Bool
    ) async throws(Failure) -> (keys: [ReplacedKey], licenses: [License]) {
        var found = ([ReplacedKey](), [License]())
        if let key = PresentedKey(text) {
            let plan = ReplacedKeyQueries.ofHash
            let results = try await fetch(plan.bind(key.readings))
            found = plan.queries.found(in: results)
        }
        if found.0.isEmpty, byEnding, let ending = LicenseKeyText(text)?.shownEnding {
            // The index begins with the tenant, so each tenant needs a query of its own.
            let tenants = if let tenant { [tenant] } else { try await all(TenantRow.table.all).map(\.id) }
            let plan = ReplacedKeyQueries.ofEnding
            let results = try await fetch(plan.bind(.init(tenants: tenants, ending: ending)))
            found = plan.queries.found(in: results)
        }
        let licenses = found.1.filter { license in
            (tenant.map { $0 == license.product.tenant } ?? true)
                && (product.map { $0 == license.product.product } ?? true)
        }
        let ids = Set(licenses.map(\.id))
        return (found.0.filter { ids.contains($0.key.license) }, licenses)
    }
}

extension LicenseKeyText {
    /// The last four characters of a key, if the text is only these or a masked key such as `****-KLMN`; otherwise
    /// `nil`.
    fileprivate var shownEnding: String? {
        let bare = withoutQuotes
        let ending = bare.unicodeScalars.split { "*-….".unicodeScalars.contains($0) }.last.map { String($0) } ?? ""
        let isAlone = ending == bare || bare.contains("*") || bare.contains("…") || bare.contains("..")
        return isAlone && ending.utf8.count == LicenseKey.endingLength ? ending : nil
    }
}

/// Former keys with their licenses and active devices.
private struct ReplacedKeyQueries: Sendable {
    let keys: RowsQuery<FormerKey>
    let licenses: RowsQuery<License>
    let activations: RowsQuery<Activation>

    private init<Parameters>(_ keys: RowsQuery<FormerKey>, _ query: inout QueryBuilder<Parameters>) {
        self.keys = keys
        licenses = query.each(License.table.key, .column("license_id", of: keys))
        activations = query.each(
            Activation.live, upTo: ReplacedKey.mostDevices, .column("license_id", of: keys))
    }

    struct Ending: Sendable {
        let tenants: [TenantID]
        let ending: String
    }

    static let ofLicense = QueryPlan(for: LicenseID.self) { query in
        let keys = query.rows(FormerKey.ofLicense, upTo: ReplacedKey.mostKeys) { [.of($0)] }
        return ReplacedKeyQueries(keys, &query)
    }
    static let ofHash = QueryPlan(for: [Digest].self) { query in
        let keys = query.each(FormerKey.ofHash, upTo: ReplacedKey.mostKeys) { $0.map(StoredValue.of) }
        return ReplacedKeyQueries(keys, &query)
    }
    static let ofEnding = QueryPlan(for: Ending.self) { query in
        let keys = query.each(FormerKey.ofKeyEnding, upTo: ReplacedKey.mostKeys) { bound in
            bound.tenants.flatMap { [.of($0), .of(bound.ending)] }
        }
        return ReplacedKeyQueries(keys, &query)
    }

    func replacedKeys(in results: QueryResult) -> [ReplacedKey] {
        let devices = Dictionary(grouping: results[activations], by: \.license)
        return results[keys].map { key in
            // A license may be found by several of its keys, so its devices may occur several times.
            let usable = Set((devices[key.license] ?? []).filter { key.keeps($0) }).count
            return ReplacedKey(key: key, devices: min(usable, ReplacedKey.mostDevices))
        }
    }

    func found(in results: QueryResult) -> (keys: [ReplacedKey], licenses: [License]) {
        (replacedKeys(in: results), results[licenses])
    }
}
