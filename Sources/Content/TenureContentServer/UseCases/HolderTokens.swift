package import TenureCore
import TenureCrypto
import TenureFormats
package import TenureServerKit
import TenureStore

extension HolderTokens {
    /// The prefix of the texts of holders' tokens.
    static let prefix = "tenure_ht_"
    /// The default lifetime of a token, in hours.
    static let hours = 720
}

/// Creates and ends the tokens of holders' devices.
package struct HolderTokens: Sendable {
    let context: ContentContext

    package init(_ context: ContentContext) { self.context = context }

    /// Creates a token for a holder's device; durable before this returns. The result is the only copy of the text.
    ///
    /// A given name replaces the device's previous one. Throws ``ServerError``.
    package func make(
        for holder: String, on device: Digest, of tenant: TenantID, named name: String?, hours: Int
    ) async throws(ServerError) -> (text: String, expiresAt: Timestamp) {
        let now = context.clock.now()
        let text = CredentialText.random(prefix: Self.prefix)
        let token = HolderCredential(
            hash: text.hash, tenant: tenant, holder: holder, kind: .token, device: device, createdAt: now,
            expiresAt: now.adding(seconds: Int64(hours) * 3_600))
        let plan = Self.deviceForm
        let bound = plan.bind(.init(tenant: tenant, holder: holder, device: device))
        try await context.store.perform(
            Transaction(bound) { results -> TransactionResult<Void> in
                let tokens = results[plan.queries]
                let named = ContentDevice(
                    tenant: tenant, holder: holder, device: device, name: name ?? tokens?.name)
                let saves: [RowWrite] = tokens == named ? [] : [.put(named, over: tokens)]
                return TransactionResult((), [.insert(token)] + saves)
            })
        return (text.text, token.expiresAt)
    }

    /// Ends all valid credentials of a holder, or only those of one device; returns how many it ended.
    package func end(_ holder: String, on device: Digest?, of tenant: TenantID) async throws(ServerError) -> Int {
        let now = context.clock.now()
        let plan = Self.ofHolder
        let bound = plan.bind(.init(tenant: tenant, holder: holder))
        return try await context.store.perform(
            Transaction(bound) { results -> TransactionResult<Int> in
                let working = results[plan.queries].filter { credential in
                    now < credential.expiresAt && (device == nil || credential.device == device)
                }
                return TransactionResult(working.count, working.map { .replace($0, by: $0.ended(at: now)) })
            })
    }

    private struct DeviceName: Sendable {
        let tenant: TenantID
        let holder: String
        let device: Digest
    }

    private static let deviceForm = QueryPlan(for: DeviceName.self) { query in
        query.row(ContentDevice.table.key) { [.of($0.tenant), .of($0.holder), .of($0.device)] }
    }
    private static let ofHolder = QueryPlan(for: HolderName.self) { query in
        query.hold(QueryLock.holder) { [.of($0.tenant), .of($0.holder)] }
        return query.rows(HolderCredential.ofHolder, upTo: .everything) { [.of($0.tenant), .of($0.holder)] }
    }
}

extension HolderCredential {
    /// The query that finds a credential by its hash.
    static let byHash = QueryPlan(for: Digest.self) { query in query.row(HolderCredential.table.key) { [.of($0)] } }
}
