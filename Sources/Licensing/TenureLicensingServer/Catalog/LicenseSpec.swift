import TenureCore
import TenureCrypto
import TenureFormats
import TenureLicensing
import TenureServerKit
import TenureStore

/// A license as a catalog file describes it. Properties that are `nil` leave the stored value unchanged.
struct LicenseSpec: Sendable {
    let product: ProductRef
    /// The stored part of the license's key, without the full text.
    let key: LicenseKey
    let policy: Policy
    /// The fields that the file names, apart from the policy.
    let terms: [LicenseTerms.FieldChange]
    /// The most permissive state that the license may have.
    let state: License.State?
}

extension LicenseSpec {
    /// The fields of one license while the catalog file is being read.
    struct Draft: Sendable {
        var product: Product?
        var key: LicenseKeyText?
        var policy: Policy?
        var terms: [LicenseTerms.FieldChange] = []
        var state: License.State?
    }

    /// The schema of one license, which a catalog file lists under its product.
    static var schema: Schema { section.schema }

    /// Reads one license; returns `nil` if an error was reported, or if the key or policy is missing or invalid.
    init?(_ node: CatalogNode, of product: Product, _ reader: inout CatalogReader) {
        var draft = Draft(product: product)
        Self.section.fill(&draft, from: Self.section.members(of: node, &reader), of: node, &reader)
        guard let key = draft.key, let policy = draft.policy else { return nil }
        self.init(
            product: product.ref, key: key.stored(under: product.keyPrefix), policy: policy, terms: draft.terms,
            state: draft.state)
    }
}

extension CatalogField<LicenseSpec.Draft> {
    static let key = CatalogField(
        "key", needs: "needs a \"key\"; to generate keys, use `tenure license issue`",
        schema: { _ in .text(length: 1...LicenseKeyText.longest).described("The license key, in any format.") }
    ) { node, draft, reader in
        guard node.value != .null else {
            return reader.report(node, "must be a string, not \(node.value.kind)")
        }
        guard let text = reader.text(node, limit: LicenseKeyText.longest) else { return }
        draft.key = LicenseKeyText(text)
        if draft.key == nil { reader.report(node, "must not be blank") }
    }

    static let policy = CatalogField(
        "policy", needs: "needs a \"policy\" of the product",
        schema: { _ in Schema.slug.described("A policy that this file defines for the same product.") }
    ) { node, draft, reader in
        guard let text = reader.text(node) else {
            if node.value == .null { reader.report(node, "must be a policy of the product") }
            return
        }
        let policies = draft.product?.policies ?? [:]
        draft.policy = PolicyID(text).flatMap { policies[$0] }
        if draft.policy == nil {
            let names = policies.keys.sorted().map(\.text).joined(separator: ", ")
            reader.report(node, "the product has no such policy; it has: \(names.isEmpty ? "none" : names)")
        }
    }

    /// The states that a file may set.
    ///
    /// Expired is missing because a term that ended in the past implies it.
    private static let states: [License.State] = [.issued, .active, .suspended, .revoked, .returned]

    static let state = CatalogField(
        "state",
        schema: { _ in
            Schema.choice(states.map(\.rawValue)).described(
                "The state to import the license in; a further one that the server has is kept.")
        }
    ) { node, draft, reader in
        guard case .string(let text) = node.value, let state = License.State(rawValue: text), states.contains(state)
        else {
            let names = states.map(\.rawValue).joined(separator: ", ")
            return reader.report(
                node, "must be one of \(names); for an expired license, set \"expiresAt\" to a past date")
        }
        draft.state = state
    }
}

extension LicenseSpec: CatalogEntry {
    /// Reads the license with the key, the license that had the key before, and the credentials and the policy of each.
    ///
    /// The second license covers a key that was replaced while the file still names the old key. The credentials are
    /// the links and sessions of the licenses' pages, which end if the holder changes.
    private static let byKey = QueryPlan(for: NamedKey.self) { query in
        let former = query.row(FormerKey.table.key) { [.of($0.product.tenant), .of($0.product.product), .of($0.hash)] }
        let license = query.row(License.byKey) { [.of($0.hash), .of($0.product.tenant), .of($0.product.product)] }
        let ofFormer = query.row(License.table.key, .column("license_id", of: former))
        return (
            license: license, ofFormer: ofFormer,
            credentials: query.rows(LicenseCredential.ofLicense, upTo: .everything, .column("id", of: license)),
            ofFormerCredentials: query.rows(
                LicenseCredential.ofLicense, upTo: .everything, .column("license_id", of: former)),
            policies: [license, ofFormer].map { license in
                query.row(
                    PolicyRow.table.key, .column("tenant", of: license), .column("product", of: license),
                    .column("policy", of: license))
            }
        )
    }

    func change(isDry: Bool, by actor: Actor, at now: Timestamp) -> Transaction<[PlannedChange]> {
        var random = SecureRandom()
        let newID = LicenseID.random(using: &random)
        let plan = Self.byKey
        return Transaction(plan.bind(NamedKey(product: product, hash: key.hash))) { results in
            let named = results[plan.queries.license]
            let stored = named ?? results[plan.queries.ofFormer]
            let policy = plan.queries.policies.lazy.compactMap { results[$0]?.policy }.first
            let (changes, consequences) = decide(over: stored, under: policy, newID: newID, by: actor, at: now)
            if isDry { return TransactionResult(changes) }
            var writes = [RowWrite].following(consequences, from: stored)
            if let stored {
                let credentials =
                    results[named == nil ? plan.queries.ofFormerCredentials : plan.queries.credentials]
                writes += .ending(credentials, of: stored, after: consequences, at: now)
            }
            return TransactionResult(changes, writes)
        }
    }
}

/// The parameters of the query for a license key: its product and its hash.
private struct NamedKey: Sendable {
    let product: ProductRef
    let hash: Digest
}
