package import TenureCore
import TenureCrypto
import TenureFormats
package import TenureServerKit
import TenureStore

extension HolderCredential {
    /// The prefix of the texts of holders' tokens.
    static let tokenPrefix = "tenure_ht_"
    /// The default lifetime of a token, in hours.
    static let tokenHours = 720
}

extension ContentContext {
    /// Creates a token for a holder's device; durable before this returns. The result is the only copy of the text.
    ///
    /// A given name replaces the device's previous one. Throws ``ServerError``.
    package func makeHolderToken(
        for holder: String, on device: Digest, at tenant: TenantID, named name: String?, hours: Int
    ) async throws(ServerError) -> (text: String, expiresAt: Timestamp) {
        let now = clock.now()
        let text = CredentialText.random(prefix: HolderCredential.tokenPrefix)
        let token = HolderCredential(
            hash: text.hash, tenant: tenant, holder: holder, kind: .token, device: device, createdAt: now,
            expiresAt: now.adding(seconds: Int64(hours) * 3_600))
        let plan = Self.holderDevice
        let bound = plan.bind(.init(tenant: tenant, holder: holder, device: device))
        try await store.perform(
            Transaction(bound) { results -> TransactionResult<Void> in
                let existing = results[plan.queries]
                let named = ContentDevice(
                    tenant: tenant, holder: holder, device: device, name: name ?? existing?.name)
                let saves: [RowWrite] = existing == named ? [] : [.put(named, over: existing)]
                return TransactionResult((), [.insert(token)] + saves)
            })
        return (text.text, token.expiresAt)
    }

    /// Ends all valid credentials of a holder, or only those of one device; returns how many it ended.
    package func endHolderCredentials(
        of holder: String, on device: Digest?, at tenant: TenantID
    ) async throws(ServerError) -> Int {
        let now = clock.now()
        let plan = Self.holderCredentials
        let bound = plan.bind(.init(tenant: tenant, holder: holder))
        return try await store.perform(
            Transaction(bound) { results -> TransactionResult<Int> in
                let working = results[plan.queries].filter { credential in
                    now < credential.expiresAt && (device == nil || credential.device == device)
                }
                return TransactionResult(working.count, working.map { .replace($0, by: $0.ended(at: now)) })
            })
    }

    private static let holderDevice = QueryPlan(for: HolderDeviceName.self) { query in
        query.row(ContentDevice.table.key) { [.of($0.tenant), .of($0.holder), .of($0.device)] }
    }
    private static let holderCredentials = QueryPlan(for: HolderName.self) { query in
        query.hold(QueryLock.holder) { [.of($0.tenant), .of($0.holder)] }
        return query.rows(HolderCredential.ofHolder, upTo: .everything) { [.of($0.tenant), .of($0.holder)] }
    }
}

private struct HolderDeviceName: Sendable {
    let tenant: TenantID
    let holder: String
    let device: Digest
}

extension HolderCredential {
    /// The query that finds a credential by its hash.
    static let byHash = QueryPlan(for: Digest.self) { query in query.row(HolderCredential.table.key) { [.of($0)] } }
}
