import Foundation
import GoldenFiles
import TenureCore
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

/// Events can't be changed or removed, so they must not contain personal data that has to be erased later.
///
/// A new fact or column fails these tests until it is listed here, or its column declares that it may name a person.
@Suite struct PersonalDataTests {
    /// Facts whose text a person wrote, or another server. The documentation asks operators to name no person there.
    static let free: Set<String> = ["reason", "order", "failure"]

    /// Facts whose text is an id, a code, a name from the catalog, a masked key or a digest.
    static let coded: Set<String> = [
        "activationLimit", "appleVersionID", "askedFrom", "asset", "by", "cause", "changed", "content", "credential",
        "device",
        "holderRef", "job", "key", "kid", "kind", "ledger", "licenses", "message", "newLength", "notification",
        "origin",
        "package", "policy",
        "previousEnrolment",
        "previousKey", "previousLength", "previousPolicy", "previousState", "purpose", "reference", "releasedBy",
        "request",
        "scope", "shown", "source", "state", "territories", "toldTo",
    ]

    /// Columns with text that names no person: ids, codes, digests, and texts of the catalog. A column is listed with
    /// its table if another table has personal data under the same name. `events.account` is an id, which the events
    /// keep.
    static let impersonal: Set<String> = [
        "access", "accounts.password_hash", "activation_url", "aliases", "answers.actor", "apps.name", "asset",
        "brand_accent",
        "brand_accent_dark", "brand_homepage", "brand_name", "bundle_id", "bundle_version", "cause", "closed",
        "closed_last", "content", "contents.title", "course", "courses.title", "domain", "duration", "entitlements",
        "etag", "events.account", "events.actor", "events.detail", "events.holder_ref", "former_paths", "id",
        "import",
        "job",
        "jobs.failure", "jobs.payload", "key_ending", "key_masked", "key_prefix", "kid", "kind", "kollus_key",
        "language", "ledger", "licenses", "lowest_ios", "lowest_ipados", "mail_base_url", "mail_bounces", "mail_from",
        "mail_reply_to",
        "marketplaces.name", "means", "message_id", "notices.detail",
        "on_renewal", "open", "order_facts.fact", "order_folded", "order_names.name", "order_reference",
        "orders.customer", "origin", "outcome", "overrides", "package",
        "package_access", "package_id", "package_url", "payment_customers.customer", "payment_messages.detail",
        "payment_messages.message", "payment_messages.reason", "play_time_basis", "policies.name", "policy",
        "product",
        "products.name", "purpose", "redirect", "redirect_uris", "reference", "released_by", "renew_url",
        "replaced", "replaced_by", "request", "scope", "scopes", "settings.name", "share_url", "short_version",
        "sign_in_url", "source", "stage", "standing", "start_by", "state", "support_email", "support_url", "system",
        "system_version", "target", "tenant", "tenants.name", "term_starts", "tokens.name", "type",
        "unstarted_length", "when_over",
    ]

    @Test func `every text fact of an event is listed as free text or as a code`() {
        let events = FeatureSet.tenure.registry.events.flatMap(\.kinds)
        let texts = events.flatMap { event in event.facts.filter { $0.type == .text } }
        #expect(Set(texts.map(\.name)) == Self.free.union(Self.coded))
        #expect(Self.free.isDisjoint(with: Self.coded))
        #expect(Self.free.isDisjoint(with: ["holder", "name", "instanceName", "email"]))
    }

    @Test func `every text column is declared as personal data or listed as not personal`() {
        var found: Set<String> = []
        for table in FeatureSet.tenure.schema.tables {
            for column in table.columns where column.type == .text && !column.namesPerson {
                let name = "\(table.name).\(column.name)"
                found.insert(Self.impersonal.contains(column.name) ? column.name : name)
            }
        }
        #expect(found.symmetricDifference(Self.impersonal).sorted() == [])
    }

    @Test func `the page on storage lists the columns with personal data`() throws {
        let page = try String(
            contentsOf: URL.packageRoot.appending(path: "Documentation/storage.md"), encoding: .utf8)
        for table in FeatureSet.tenure.schema.tables {
            let columns = table.columns.filter(\.namesPerson).map { "`\($0.name)`" }
            let row = "| `\(table.name)` | \(columns.joined(separator: ", ")) |\n"
            #expect(page.contains(row) == !columns.isEmpty, "\(row)")
        }
    }

    @Test func `the page on privacy says why and how long each table stores personal data`() throws {
        let rows = try DocumentedTable.rows(of: "privacy.md", below: "What is stored about a person")
        let documented = Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0) })
        for table in FeatureSet.tenure.schema.tables {
            let columns = table.columns.filter(\.namesPerson).map { "`\($0.name)`" }
            let row = documented["`\(table.name)`"]
            #expect(row?[1] ?? "" == columns.joined(separator: ", "), "\(table.name)")
            #expect(columns.isEmpty || row?.count == 4 && row?.contains("") == false, "\(table.name)")
        }
    }
}
