import TenureCore
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

/// Acts on a notification once: changes the availability of apps and packages, and starts imports.
///
/// Notifications are ordered by the time that they state. A notification that is older than the last applied one
/// changes nothing. Therefore, the same notification may arrive twice or late, or be replayed by an operator.
///
/// If that time is later than the receipt, an app or package becomes unavailable at the receipt, but becomes available
/// only at that time.
struct ActOnNotice: Sendable {
    let store: ServerStore
    let clock: any WallClock
    let log: any Log

    var kind: Job.Kind<String> {
        Job.Kind(.notice, isOutbound: false) { [self] id, job, _ in
            guard let tenant = job.tenant, let time = try await act(on: id, of: tenant) else {
                return .ending(.done, of: job)
            }
            return .ending(.again(at: time, id), of: job)
        }
    }

    /// Acts on a notification. If the notification is dated in the future and must wait, returns its date instead.
    private func act(on id: String, of tenant: TenantID) async throws(ServerError) -> Timestamp? {
        let found = try await store.fetch(Self.one.bind(.init(tenant: tenant, id: id)))[Self.one.queries]
        guard let found, found.outcome == .waiting else { return nil }
        guard let read = try? MarketplaceNotice(parsing: found.body), let item = read.item else {
            try await finish(found, as: .ignored, "it doesn't name an app")
            return nil
        }
        let now = clock.now()
        if let time = read.wait(afterReceipt: found.receipt, at: now) {
            try await finish(found, as: .waiting, "its date is in the future: it takes effect at \(time)")
            return time
        }
        let version: String? = if case .packageVersion(let id, _, _) = read.act { id } else { nil }
        var random = SystemRandomNumberGenerator()
        let work = NoticeWork(
            notice: found, read: read, item: item, now: now, job: Job.ID.random(using: &random))
        let plan = NoticeQueries.plan
        let change = Transaction(
            plan.bind(.init(tenant: tenant, notice: id, item: item, version: version ?? "-"))
        ) { results -> TransactionResult<Notice?> in work.decide(results, plan.queries) }
        let after = try await store.perform(change)
        if let after, after.outcome == .unmatched {
            log.write(
                LogLine(
                    .error, "notification_unmatched",
                    [
                        ("tenant", .text(tenant.text)), ("notification", .text(id)), ("app", .text(item.description)),
                        ("text", .text(after.detail ?? "")),
                    ]))
        }
        return nil
    }

    private func finish(
        _ notice: Notice, as outcome: Notice.Outcome, _ detail: String
    ) async throws(ServerError) {
        let change = Transaction(Self.one.bind(.init(tenant: notice.tenant, id: notice.id))) {
            results -> TransactionResult<Void> in
            guard let before = results[Self.one.queries], before.outcome == .waiting else {
                return TransactionResult(())
            }
            var after = before
            (after.outcome, after.detail) = (outcome, detail)
            return TransactionResult((), after == before ? [] : [.replace(before, by: after)])
        }
        try await store.perform(change)
    }

    static let one = QueryPlan(for: NoticeRef.self) { query in
        query.row(Notice.table.key) { [.of($0.tenant), .of($0.id)] }
    }
}

/// The parameters of the queries for a notification: its tenant and its id.
struct NoticeRef: Sendable {
    let tenant: TenantID
    let id: String
}

/// The queries of the transaction that acts on a notification.
struct NoticeQueries: Sendable {
    let marks: TenantMarks
    let notice: RowQuery<Notice>
    let availability: RowsQuery<AvailabilityRow>
    let versions: RowsQuery<VersionRow>
    let imports: RowsQuery<PackageImport>
    let row: RowQuery<PackageImport>

    struct Parameters: Sendable {
        let tenant: TenantID
        let notice: String
        let item: AppleItemID
        /// The package version that the notification names.
        let version: String
    }

    private init(_ query: inout QueryBuilder<Parameters>) {
        marks = query.part(TenantMarks.init) { [$0.tenant] }
        notice = query.row(Notice.table.key) { [.of($0.tenant), .of($0.notice)] }
        availability = query.rows(AvailabilityRow.ofApp, upTo: .everything) { [.of($0.tenant), .of($0.item)] }
        versions = query.rows(VersionRow.ofApp, upTo: .everything) { [.of($0.tenant), .of($0.item)] }
        imports = query.rows(PackageImport.ofApp, upTo: .everything) { [.of($0.tenant), .of($0.item)] }
        row = query.row(PackageImport.table.key) { [.of($0.tenant), .of($0.version)] }
    }

    static let plan = QueryPlan(isAlone: true, NoticeQueries.init)
}

/// Decides about a notification, given the rows that the transaction has read.
private struct NoticeWork: Sendable {
    let notice: Notice
    let read: MarketplaceNotice
    let item: AppleItemID
    let now: Timestamp
    let job: Job.ID

    private var tenant: TenantID { notice.tenant }

    func decide(_ results: QueryResult, _ queries: NoticeQueries) -> TransactionResult<Notice?> {
        guard let before = results[queries.notice], before.outcome == .waiting else { return TransactionResult(nil) }
        let rows = results[queries.availability]
        let imports = results[queries.imports]
        let packages = Set(
            results[queries.versions].compactMap { $0.version.package?.id } + imports.compactMap(\.package))
        var appAvailability = AppAvailability(rows)
        var isHeard = false
        var isChanged = false
        var saves: [RowWrite] = []
        let counted = before.countedAt ?? read.counted(receivedAt: before.receipt, over: appAvailability)
        let words = read.words(receivedAt: before.receipt, countedFrom: counted)
        for word in words {
            switch appAvailability.hearing(word, among: packages) {
            case .outdated: continue
            case .same(let after): (appAvailability, isHeard) = (after, true)
            case .changed(let after):
                (appAvailability, isHeard, isChanged) = (after, true, true)
                saves.append(.event(event(of: word)))
            }
        }
        var outcome: Notice.Outcome = isChanged ? .applied : isHeard ? .unchanged : .outdated
        if case .packageVersion(let id, let package, _) = read.act,
            words.isEmpty ? !isOlder(than: appAvailability.app) : isHeard
        {
            let announced = announce(id, package, over: results[queries.row])
            saves += announced
            outcome = announced.isEmpty && !isChanged ? .unchanged : .applied
        }
        saves += imports.filter { $0.isUnderWay && $0.isWithdrawn(in: appAvailability) }.map {
            .replace($0, by: $0.taking(.withdrawn, at: now, draw: 0))
        }
        var after = before
        (after.detail, after.countedAt) = (nil, counted)
        let strangers =
            isHeard ? words.filter { !$0.isOpen }.compactMap(\.package).filter { !packages.contains($0) } : []
        if !strangers.isEmpty {
            outcome = .unmatched
            after.detail = "unknown packages: \(strangers.prefix(5).joined(separator: ", "))"
        }
        after.outcome = outcome
        let availability = appAvailability.saves(over: rows, of: tenant, item, heardAt: before.receivedAt)
        let marks = availability.isEmpty ? [] : queries.marks.raised(for: [tenant], in: results)
        return TransactionResult(after, [.replace(before, by: after)] + availability + saves + marks)
    }

    /// Whether a notification of a new version is older than the app's latest report.
    ///
    /// The comparison applies to notifications that don't change availability.
    private func isOlder(than app: Availability) -> Bool {
        guard let time = read.time, let toldAt = app.toldAt else { return false }
        return time < toldAt
    }

    private func announce(_ id: String, _ package: String?, over row: PackageImport?) -> [RowWrite] {
        let work = JobName.packageImport.job(ImportWork(id: id), id: job, of: tenant, at: now)
        guard let row else {
            let announced = PackageImport.announced(
                id, package: package, item: item, of: tenant, job: job, at: now)
            return [.insert(announced), .insert(work)]
        }
        // The import may have been requested without the package's id, by which takedowns find it.
        guard let again = row.requested(by: job, package: package, at: now) else {
            return row.named(package).map { [.replace(row, by: $0)] } ?? []
        }
        return [.replace(row, by: again), .insert(work)]
    }

    private func event(of word: AppAvailability.Word) -> Event {
        var facts: [Reason.Evidence] = [.init("notification", .text(notice.id))]
        if let package = word.package { facts.append(.init("package", .text(package))) }
        if case .within(let territories) = word.extent {
            facts.append(.init("territories", .text(territories.sorted().map(\.code).joined(separator: " "))))
        }
        return Event(
            word.isOpen ? .appOpened : .appClosed, at: now, actor: .appStore,
            about: Event.Subject(tenant: tenant, app: item), facts: facts)
    }
}
