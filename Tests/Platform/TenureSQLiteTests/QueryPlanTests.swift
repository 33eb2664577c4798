import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
import TenureSQLite
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct `Index use of the server's queries` {
    /// SQLite's text of a query, with the index that the query must use.
    struct Question: Sendable, CustomTestStringConvertible {
        let text: String
        let index: String
        var testDescription: String { text }

        init(_ text: String, _ index: String) {
            self.text = text
            self.index = index
        }
    }

    /// The queries of changes and reads. None of these frequent queries may need a sort.
    static let queries: [Question] = [
        fetch(License.byKey.shape, "licenses_by_key"),
        count(Activation.live.shape, "COVERING INDEX activations_by_license"),
        fetch(AppGrant.table.key.shape, "PRIMARY KEY"), fetch(AppGrant.ofAccount.shape, "PRIMARY KEY"),
        fetch(Account.table.key.shape, "PRIMARY KEY"), fetch(Trial.table.key.shape, "PRIMARY KEY"),
        fetch(AppAsset.ofVersion.shape, "sqlite_autoindex_app_assets_1"),
    ]

    /// Queries that may sort, because they match few rows.
    static let sorted: [Question] = [
        fetch(License.ofKey.shape, "licenses_by_key"),
        fetch(License.ofKeyAtTenant.shape, "licenses_by_key (key_hash=? AND tenant=?)"),
        fetch(Activation.live.shape, "activations_by_time"),
        fetch(Activation.liveOfDevice.shape, "activations_by_license"),
        fetch(Activation.ofLicense.shape, "activations_by_license"),
        fetch(Activation.releasedByHolder.shape, "activations_by_holder_release"),
        fetch(Activation.counted.shape, "activations_by_license"),
        fetch(AppLicense.earlierOfAccount.shape, "app_licenses_by_device"),
        fetch(AppLicense.earlierOfDevice.shape, "app_licenses_by_device"),
        fetch(SigningKeyRecord.ofTenant.shape, "PRIMARY KEY"), fetch(Account.byEmail.shape, "accounts_by_email"),
    ]

    /// Listings that are read page by page.
    static let listings: [Question] = [
        list(License.ofProduct, [1, 2], after: [5], "licenses_by_product"),
        list(License.ofPolicy, [1, 2, 3], after: [5], "licenses_by_p"),
        list(License.ofTenant, [1], after: [5], "licenses_by_tenant"),
        list(License.ofHolder, [1, 2], after: [5], "by_holder (tenant=? AND holder_folded=?"),
        list(License.ofKeyEnding, [1, 2], "by_key_ending (tenant=? AND key_ending=?)"),
        list(License.ofOrder, [1, 2], "by_order (tenant=? AND order_folded=?)"),
        list(
            License.byHolder, [1],
            where: [
                Comparison("holder_folded", .atLeast(.text("ada"))),
                Comparison("holder_folded", .below(.text("adb"))),
            ], "by_holder (tenant=? AND holder_folded>? AND holder_folded<?)"),
        list(Account.byEmail, [1, 2], "accounts_by_email (tenant=? AND email_folded=?)"),
        list(License.toExpire, [], where: [Comparison("term_end", .atMost(.integer(5)))], "licenses_to_expire"),
        list(Trial.byStart, [1, 2], after: [5, 1, 2, 6], "trials_by_start"),
        list(Trial.ofProduct, [1, 2], "PRIMARY KEY"),
        list(Trial.Device.byRemoval, [], "trial_devices_by_removal"),
        list(EventRecord.ofLicense, [1, 2], after: [2, 5], "events_by_license"),
        list(EventRecord.ofTenant, [1], after: [1, 5], "sqlite_autoindex_events_1"),
        list(EventRecord.ofAccount, [1, 2], after: [1, 5], "events_by_account"),
        list(EventRecord.ofHolder, [1, 2], after: [2, 5], "events_by_holder"),
        list(EventRecord.ofTenant, [1], where: ofKind, after: [1, 5], "sqlite_autoindex_events_1"),
        list(EventRecord.ofAccount, [1, 2], where: ofKind, after: [1, 5], "events_by_account"),
        list(EventRecord.ofLicense, [1, 2], where: ofKind, after: [2, 5], "events_by_license"),
        list(AppLicense.ofApp, [1, 2], after: [5], "app_licenses_by_app"),
        list(Account.ofTenant, [1], after: [1, 5], "PRIMARY KEY"),
        list(IdempotentResponse.byAge, [], where: [Comparison("at", .below(.integer(5)))], "answers_by_age"),
        list(
            IdempotentResponse.withResponse, [], where: [Comparison("at", .below(.integer(5)))], "answers_sealed"),
        list(AccountCredential.byExpiry, [], where: [over("expires_at")], "credentials_by_expiry"),
        list(AccountCredential.byEnd, [], where: [over("ended_at")], "credentials_by_end"),
        list(LicenseCredential.byExpiry, [], where: [over("expires_at")], "license_credentials_by_expiry"),
        list(LicenseCredential.byEnd, [], where: [over("ended_at")], "license_credentials_by_end"),
        list(Job.inState, [1], after: [5, 6], "jobs_by_state"),
    ]

    /// Listings that use an index and then sort, because one account or device has few licenses.
    static let sortedListings: [Question] = [
        list(AppLicense.ofAccount, [1, 2], after: [5], "app_licenses_by_account"),
        list(AppLicense.ofDevice, [1], after: [5], "app_licenses_by_device"),
    ]

    /// The named queries that run for each app of a request.
    static let viewsOfRequests: [Question] = [
        Question(AppDevice.ofRights.shape.sqlite, "app_licenses_by_account"),
        Question(AppDevice.ofLicenses.shape.sqlite, "app_licenses_by_account"),
    ]

    /// The named queries that read many rows.
    static let views: [Question] = [
        Question(RenewalRisk.all.shape.sqlite, "COVERING INDEX app_licenses_to_renew"),
        Question(KeyedAsset.all.shape.sqlite, "INDEX app_assets_with_key"),
    ]

    @Test(arguments: queries + listings + stretches + viewsOfRequests)
    func `a frequent query uses its index and needs no sort`(_ question: Question) async throws {
        let plan = try await plan(of: question)
        #expect(plan.contains(question.index), "\(plan)")
        #expect(!plan.contains("SCAN") || isInOrderOf(question.index, plan), "\(plan)")
        #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
    }

    @Test(arguments: sorted + sortedListings + views)
    func `each query that is allowed to sort its rows uses its expected index`(_ question: Question) async throws {
        let plan = try await plan(of: question)
        #expect(plan.contains(question.index), "\(plan)")
    }

    private func plan(of question: Question) async throws -> String {
        let folder = try TemporaryFolder()
        await (try SQLiteStore.open(.tenure, path: folder.file())).close()
        // Counting scans rows that the query has already found.
        return try sqlite(folder.file(), "EXPLAIN QUERY PLAN \(question.text)").replacing("SCAN counted", with: "")
    }

    /// Returns whether a plan reads the index from its start, which finds a page as fast as a search does.
    private func isInOrderOf(_ index: String, _ plan: String) -> Bool { plan.contains("USING INDEX \(index)") }

    private static let ofKind = [Comparison("kind", .begins("a.")), Comparison("sequence", .atMost(.integer(9)))]

    /// The queries for the last event of a filter, needed for filters that no index covers.
    static let stretches: [Question] = [
        stretch(EventFilter(tenant: acme), "COVERING INDEX sqlite_autoindex_events_1"),
        stretch(EventFilter(tenant: acme, account: AccountID("ada")), "COVERING INDEX events_by_account"),
        stretch(EventFilter(tenant: acme, license: LicenseID(number: 1)), "COVERING INDEX events_by_license"),
        stretch(EventFilter(tenant: acme, holderRef: "ref"), "COVERING INDEX events_by_holder"),
    ]

    private static let acme = TenantID("acme")!

    private static func stretch(_ filter: EventFilter, _ index: String) -> Question {
        Question(EventSource(filter).ends.shape.sqlite, index)
    }

    private static func over(_ column: String) -> Comparison { Comparison(column, .below(.integer(5))) }

    private static func fetch(_ set: SetShape, _ index: String) -> Question {
        Question(SQLDialect.sqlite.looking(at: set, .rows(upTo: 10)), index)
    }

    private static func count(_ set: SetShape, _ index: String) -> Question {
        Question(SQLDialect.sqlite.looking(at: set, .count(upTo: 10)), index)
    }

    private static func list<Row>(
        _ set: RowSet<Row>, _ values: [Int64], where filter: [Comparison] = [], after cursor: [Int64] = [],
        _ index: String
    ) -> Question {
        let listing = Listing(
            set, values.map(StoredValue.integer), where: filter.isEmpty ? [] : [filter],
            after: cursor.map(StoredValue.integer), limit: 10)
        return Question(ListingStatement(listing.shape, in: .sqlite).text, index)
    }
}
