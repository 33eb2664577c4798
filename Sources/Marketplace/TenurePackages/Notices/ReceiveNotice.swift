import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

/// Receives notifications from App Store Connect.
///
/// An unsigned notification is rejected, and nothing is stored. A signed notification is stored, and a job acts on it.
struct ReceiveNotice: Sendable {
    let store: ServerStore
    let clock: any WallClock

    var endpoint: Endpoint {
        Endpoint(
            "POST", "/marketplace/{tenant}/notifications", format: .apple, catalog: .current, authentication: .notified,
            reads: .raw(longestBody: MarketplaceNotice.byteLimit)
        ) { [self] call in
            let signature = call.request.headers["x-apple-signature"]
            guard call.caller.isSigned(call.input, signature) else { throw Failure.notSigned }
            try await keep(call.input, signature: signature, at: call.caller)
            return .done(.json(JSONWriter.object { $0.member("received", true) }))
        }
    }

    /// Stores a notification with its job, unless its id is already stored.
    private func keep(_ body: [UInt8], signature: String?, at caller: NotifyingCaller) async throws(ServerError) {
        let now = clock.now()
        let notice: Notice
        do throws(FormatError) {
            let read = try MarketplaceNotice(parsing: body)
            let tenant = caller.marketplace(of: read, body, signature)
            notice = Notice(
                read, of: tenant ?? caller.tenant, at: now, outcome: tenant == nil ? .foreign : nil, body: body)
        } catch {
            notice = Notice(
                tenant: caller.tenant, id: "sha256-" + Hex.encode(SHA256.hash(body)), type: "-", item: nil,
                happenedAt: nil, receivedAt: now, outcome: .unreadable, detail: error.message, body: body)
        }
        var random = SystemRandomNumberGenerator()
        let job = JobName.notice.job(notice.id, id: .random(using: &random), of: notice.tenant, at: now)
        let plan = Self.plan
        let change = Transaction(plan.bind(.init(tenant: notice.tenant, id: notice.id))) {
            results -> TransactionResult<Void> in
            if results[plan.queries] != nil { return TransactionResult(()) }
            return TransactionResult((), [.insert(notice)] + (notice.outcome == .waiting ? [.insert(job)] : []))
        }
        try await store.perform(change)
    }

    private static let plan = QueryPlan(for: NoticeRef.self) { query in
        query.row(Notice.table.key) { [.of($0.tenant), .of($0.id)] }
    }
}

extension JobName where Payload == String {
    /// The job that acts on a notification; its payload is the notification's id.
    static let notice = JobName("packages.notification") { id, body in
        body.member("id", id)
    } read: { body in
        body.string("id").value
    }
}

extension Notice {
    /// Creates the stored form of a notification.
    ///
    /// - Parameter outcome: The outcome, if it is already known; `nil` to derive it from the notification.
    fileprivate init(
        _ read: MarketplaceNotice, of tenant: TenantID, at now: Timestamp, outcome: Outcome?, body: [UInt8]
    ) {
        let initialOutcome: Outcome = read.act == .nothing ? .ignored : .waiting
        self.init(
            tenant: tenant, id: read.id, type: read.type, item: read.item, happenedAt: read.time, receivedAt: now,
            outcome: outcome ?? initialOutcome,
            detail: outcome == .foreign ? read.marketplace.map { "of the marketplace \($0)" } : nil, body: body)
    }
}

/// The tenant that a notification URL belongs to.
struct NotifyingCaller: Sendable {
    let tenant: TenantID
    let snapshot: CatalogSnapshot

    /// Whether one of the tenant's notification secrets signed these bytes.
    func isSigned(_ body: [UInt8], _ signature: String?) -> Bool {
        snapshot.notificationSecrets(of: tenant)?.verify(body, signature: signature) ?? false
    }

    /// The tenant whose marketplace a signed notification is for; `nil` if this server has no such tenant.
    ///
    /// Apple sends the notifications of all of a developer's marketplaces to one URL. If another tenant is named, one
    /// of that tenant's own secrets must have signed the notification. Therefore, a secret can only change the apps of
    /// its own tenant.
    func marketplace(of notice: MarketplaceNotice, _ body: [UInt8], _ signature: String?) -> TenantID? {
        let own = snapshot.catalog.tenants[tenant]?.marketplace?.appleItemID
        guard let named = notice.marketplace, own != named else { return tenant }
        let others = snapshot.catalog.tenants.values.filter { $0.marketplace?.appleItemID == named }
        let other = others.map(\.id).sorted().first { other in
            snapshot.notificationSecrets(of: other)?.verify(body, signature: signature) ?? false
        }
        // A marketplace without an `appleItemID` may be the marketplace that is named.
        return other ?? (own == nil ? tenant : nil)
    }
}

extension Authentication where Caller == NotifyingCaller {
    /// Accepts any caller for the marketplace in the path, because the signature is checked later.
    fileprivate static var notified: Authentication {
        Authentication { _, path, snapshot in
            guard let tenant = path["tenant"].flatMap({ TenantID($0) }),
                snapshot.catalog.tenants[tenant]?.marketplace != nil
            else { throw Failure.noMarketplaceHere }
            return NotifyingCaller(tenant: tenant, snapshot: snapshot)
        }
    }
}

extension Failure {
    fileprivate static let noMarketplaceHere = Failure(
        RejectedRequest(
            404, code: "marketplace_unknown", "This host has no marketplace. Use the domain that the catalog names."))

    fileprivate static let notSigned = Failure(
        RejectedRequest(
            401, code: "notification_unsigned",
            "The body is not signed with a notification secret of this marketplace. Nothing was stored."))
}
