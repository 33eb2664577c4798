import TenureContent
import TenureCore
import TenureServerKit
import TenureStore

/// A request of a holder's device, which is performed only once.
enum DeviceRequest {
    enum Outcome<Extra: Sendable>: Sendable {
        /// The response.
        ///
        /// The extra value is `nil` if the response is repeated.
        case answered(ContentReply, Extra?, CatalogSnapshot)
        /// The device used the same id for another request.
        case reused
        /// The tenant offers no content.
        case nothingOffered
        /// The holder's token ended after the request had been authenticated; `isMissing` if the store lost it
        /// meanwhile.
        case ended(isMissing: Bool)
        /// The device reported too many new plays; nothing was changed.
        case tooManyPlays(retryAfter: Int64)
    }

    /// The result of deciding on a request, before it is saved.
    struct Decided<Extra: Sendable>: Sendable {
        var reply: ContentReply
        /// Whether to store the response, so that it can be repeated.
        var isKept = true
        /// A value for the caller that isn't stored, so a repeated response has none.
        var extra: Extra
        /// Rows to write in addition to the changes in the ``HolderState``.
        var saves: [RowWrite] = []
        /// How many plays are new, by license.
        var newPlays: [ContentLicenseID: Int] = [:]
        /// The enrolments whose licenses on the device must be read before the request can be decided.
        var needs: Set<EnrolmentID> = []
    }

    /// The ids of the rows that a request needs, apart from the holder's enrolments.
    struct Named: Sendable {
        var licenses: [ContentLicenseID] = []
        var contents: [ContentID] = []
        var plays: [(license: ContentLicenseID, session: PlaySessionID)] = []
        /// The licenses whose plays are all read, because the device has a version that the server lost.
        var ahead: [ContentLicenseID] = []
    }

    /// The rows that were read for a decision, apart from those in the ``HolderState``.
    struct LoadedRecords: Sendable {
        let now: Timestamp
        /// The holder's token as read in this transaction.
        let token: HolderCredential
        let plays: [SessionReport]
        let ahead: [SessionReport]
    }

    /// The result of one attempt to decide.
    fileprivate enum Attempt<Extra: Sendable>: Sendable {
        case ended(Outcome<Extra>, _ newPlays: [ContentLicenseID: Int])
        case needs(Set<EnrolmentID>)
    }
}

extension ContentContext {
    /// Decides on a device's request in one transaction, which is durable before this returns; a repeated request gets
    /// the stored response.
    func performOnce<Extra: Sendable>(
        _ request: NamedRequest, of holder: PresentHolder, naming named: DeviceRequest.Named,
        decide:
            @escaping @Sendable (inout HolderState, DeviceRequest.LoadedRecords) throws
            -> DeviceRequest.Decided<Extra>
    ) async throws(ServerError) -> DeviceRequest.Outcome<Extra> {
        let now = clock.now()
        let (rate, device) = (rate, ContentRateLimit.Device(holder))
        var (loadedEnrolments, attempts) = (Set<EnrolmentID>(), RetryPolicy())
        while attempts.isLeft {
            let enrolmentIDs = loadedEnrolments
            let attempt = try await catalog.perform(
                DeviceQueries.bind(request, holder, named, enrolmentIDs), within: &attempts
            ) {
                results, queries, snapshot -> TransactionResult<DeviceRequest.Attempt<Extra>> in
                let token = results[queries.token]
                guard let token, token.endedAt == nil else {
                    return TransactionResult(.ended(.ended(isMissing: token == nil), [:]))
                }
                let reply = results[queries.reply]
                switch request.repeatable.repetition(of: reply, at: now) {
                case .repeated(let earlier):
                    return TransactionResult(.ended(.answered(ContentReply(kept: earlier.reply), nil, snapshot), [:]))
                case .keyReused: return TransactionResult(.ended(.reused, [:]))
                case nil: break
                }
                guard let contents = snapshot.catalog.tenants[holder.tenant]?.contents else {
                    return TransactionResult(.ended(.nothingOffered, [:]))
                }
                var state = HolderState(
                    results, queries.holder, tenant: holder.tenant, holder: holder.holder, contents: contents,
                    loadedEnrolments: enrolmentIDs)
                for license in results[queries.licenses] + results[queries.requestedLicenses] where license.isOf(holder)
                {
                    state.take(license)
                }
                let records = DeviceRequest.LoadedRecords(
                    now: now, token: token, plays: results[queries.plays].map(\.report),
                    ahead: results[queries.ahead].map(\.report))
                let decided = try decide(&state, records)
                guard decided.needs.isSubset(of: enrolmentIDs) else { return TransactionResult(.needs(decided.needs)) }
                if let wait = rate.wait(decided.newPlays, of: device, at: now) {
                    return TransactionResult(.ended(.tooManyPlays(retryAfter: wait), [:]))
                }
                let keeping: [RowWrite] =
                    decided.isKept ? [.put(request.keeping(decided.reply, at: now), over: reply)] : []
                return TransactionResult(
                    .ended(.answered(decided.reply, decided.extra, snapshot), decided.newPlays),
                    state.saves + decided.saves + keeping)
            }
            switch attempt {
            case .ended(let outcome, let newPlays):
                rate.count(newPlays, of: device, at: now)
                return outcome
            case .needs(let more): loadedEnrolments.formUnion(more)
            }
        }
        throw .decisionBusy
    }
}

extension ContentLicense {
    /// Whether the license belongs to this holder and device.
    ///
    /// A license of another holder or device is treated as unknown.
    func isOf(_ present: PresentHolder) -> Bool {
        holder == present.holder && self.present.tenant == present.tenant && self.present.device == present.device
    }

    /// Returns the license with the time of its device's request.
    ///
    /// The time is updated at most once an hour, or with another change.
    func seen(at now: Timestamp, besides before: ContentLicense?) -> ContentLicense {
        guard self != before || lastSeenAt.seconds(until: now) >= Self.seenEvery else { return self }
        var license = self
        license.lastSeenAt = max(lastSeenAt, now)
        return license
    }

    private static let seenEvery: Int64 = 3_600
}

/// The rows that a device's request reads.
private struct DeviceQueries: Sendable {
    let reply: RowQuery<IdempotentReply>
    let holder: HolderQueries
    let licenses: RowsQuery<ContentLicense>
    let requestedLicenses: RowsQuery<ContentLicense>
    let plays: RowsQuery<ReportedPlay>
    let ahead: RowsQuery<ReportedPlay>
    let token: RowQuery<HolderCredential>

    struct Parameters: Sendable {
        let request: Digest
        let holder: HolderQueries.Parameters
        let token: Digest
        let named: DeviceRequest.Named
    }

    init(_ query: inout QueryBuilder<Parameters>) {
        query.hold(IdempotentResponse.turn) { [.of($0.request)] }
        reply = query.row(IdempotentReply.table.key) { [.of($0.request)] }
        holder = query.part(HolderQueries.init) { $0.holder }
        licenses = query.each(ContentLicense.table.key) { $0.named.licenses.map(StoredValue.of) }
        requestedLicenses = query.each(ContentLicense.ofContent, upTo: .everything) { bound in
            let holder = bound.holder
            return bound.named.contents.flatMap {
                [.of(holder.tenant), .of(holder.holder), .of(holder.device), .of($0)]
            }
        }
        plays = query.each(ReportedPlay.table.key) { $0.named.plays.flatMap { [.of($0.license), .of($0.session)] } }
        ahead = query.each(ReportedPlay.ofLicense, upTo: .everything) { $0.named.ahead.map(StoredValue.of) }
        token = query.row(HolderCredential.table.key) { [.of($0.token)] }
    }

    static let plan = CatalogQueryPlan(DeviceQueries.init)

    static func bind(
        _ request: NamedRequest, _ present: PresentHolder, _ named: DeviceRequest.Named,
        _ loadedEnrolments: Set<EnrolmentID>
    ) -> BoundCatalogQuery<DeviceQueries> {
        plan.bind(
            .init(
                request: request.repeatable.key,
                holder: .init(
                    tenant: present.tenant, holder: present.holder, device: present.device,
                    loadedEnrolments: loadedEnrolments),
                token: present.token.hash, named: named))
    }
}
