import TenureCore
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

extension Notice {
    /// The result of undoing a notification.
    enum ForgetOutcome: Sendable, Hashable {
        case forgotten
        /// The notification had already been undone.
        case alreadyForgotten
        /// The tenant has no notification with this id: it never arrived, or it has been deleted since.
        case unknown
        /// Nothing was changed, because earlier notifications of the app have been deleted.
        ///
        /// The state without the undone notification is therefore unknown.
        case swept
    }
}

extension FeatureContext {
    /// Undoes the notification from App Store Connect with this id.
    ///
    /// The app's availability then follows from its remaining notifications. The id of the undone notification is
    /// stored permanently, so that it changes nothing if it is sent again.
    func forgetNotice(
        _ id: String, of tenant: TenantID, by actor: Actor
    ) async throws(ServerError) -> Notice.ForgetOutcome {
        let found = try await store.fetch(ActOnNotice.one.bind(.init(tenant: tenant, id: id)))[ActOnNotice.one.queries]
        guard let found else { return .unknown }
        guard let item = found.item else { return try await remember(found, by: actor) }
        let imports = try await store.list(Listing(PackageImport.ofApp, [.of(tenant), .of(item)], limit: 1_000))
        var random = SystemRandomNumberGenerator()
        let work = ForgetWork(
            tenant: tenant, id: id, item: item, actor: actor, now: clock.now(),
            jobs: imports.map { _ in Job.ID.random(using: &random) })
        let plan = ForgetQueries.plan
        let change = Transaction(plan.bind(.init(tenant: tenant, notice: id, item: item))) {
            results -> TransactionResult<Notice.ForgetOutcome> in
            work.decide(results, plan.queries)
        }
        return try await store.perform(change)
    }

    /// Marks a notification that names no app as undone; no availability changes.
    private func remember(_ notice: Notice, by actor: Actor) async throws(ServerError) -> Notice.ForgetOutcome {
        let event = Event(
            .noticeForgotten, at: clock.now(), actor: actor, about: Event.Subject(tenant: notice.tenant),
            facts: [.init("notification", .text(notice.id))])
        let plan = ActOnNotice.one
        let change = Transaction(plan.bind(.init(tenant: notice.tenant, id: notice.id))) {
            results -> TransactionResult<Notice.ForgetOutcome> in
            guard let before = results[plan.queries] else { return TransactionResult(.unknown) }
            if before.outcome == .forgotten { return TransactionResult(.alreadyForgotten) }
            return TransactionResult(.forgotten, [.replace(before, by: before.forgotten()), .event(event)])
        }
        return try await store.perform(change)
    }
}

extension Notice {
    fileprivate func forgotten() -> Notice {
        var after = self
        (after.outcome, after.detail) = (.forgotten, nil)
        return after
    }
}

/// The queries of the transaction that undoes a notification.
private struct ForgetQueries: Sendable {
    let marks: TenantMarks
    let notice: RowQuery<Notice>
    let notices: RowsQuery<Notice>
    let availability: RowsQuery<AvailabilityRow>
    let imports: RowsQuery<PackageImport>

    struct Parameters: Sendable {
        let tenant: TenantID
        let notice: String
        let item: AppleItemID
    }

    private init(_ query: inout QueryBuilder<Parameters>) {
        marks = query.part(TenantMarks.init) { [$0.tenant] }
        notice = query.row(Notice.table.key) { [.of($0.tenant), .of($0.notice)] }
        notices = query.rows(Notice.ofApp, upTo: .everything) { [.of($0.tenant), .of($0.item)] }
        availability = query.rows(AvailabilityRow.ofApp, upTo: .everything) { [.of($0.tenant), .of($0.item)] }
        imports = query.rows(PackageImport.ofApp, upTo: .everything) { [.of($0.tenant), .of($0.item)] }
    }

    static let plan = QueryPlan(isAlone: true, ForgetQueries.init)
}

/// Decides about undoing a notification, given the rows that the transaction has read.
private struct ForgetWork: Sendable {
    let tenant: TenantID
    let id: String
    let item: AppleItemID
    let actor: Actor
    let now: Timestamp
    /// Job ids for restarting imports that a takedown had stopped.
    let jobs: [Job.ID]

    func decide(_ results: QueryResult, _ queries: ForgetQueries) -> TransactionResult<Notice.ForgetOutcome> {
        guard let before = results[queries.notice] else { return TransactionResult(.unknown) }
        if before.outcome == .forgotten { return TransactionResult(.alreadyForgotten) }
        var saves: [RowWrite] = [.replace(before, by: before.forgotten()), .event(event(.noticeForgotten))]
        guard mayCount(before) else { return TransactionResult(.forgotten, saves) }
        let rows = results[queries.availability]
        let notices = results[queries.notices]
        guard !isSwept(rows, notices) else { return TransactionResult(.swept) }
        let replayed = Replayed(notices.filter { $0.id != id }, among: Set(rows.map(\.package).filter { !$0.isEmpty }))
        let availability = replayed.availability.saves(over: rows, of: tenant, item) { _ in replayed.firstHeardAt }
        saves += availability + replayed.settled
        saves += events(from: AppAvailability(rows), to: replayed.availability)
        saves += imports(results[queries.imports], in: replayed.availability)
        if !availability.isEmpty { saves += queries.marks.raised(for: [tenant], in: results) }
        return TransactionResult(.forgotten, saves)
    }

    /// Whether the notification may have affected availability.
    private func mayCount(_ notice: Notice) -> Bool {
        switch notice.outcome {
        case .outdated, .ignored, .foreign, .unreadable, .forgotten: return false
        case .applied, .unchanged, .unmatched: return true
        // A notification that makes something available and waits for its time has had no effect. A notification that
        // waits because it is replayed may have had an effect.
        case .waiting:
            guard let read = try? MarketplaceNotice(parsing: notice.body) else { return false }
            return read.wait(afterReceipt: notice.receipt, at: now) == nil
        }
    }

    /// Whether a notification that affected the app may already have been deleted.
    private func isSwept(_ rows: [AvailabilityRow], _ notices: [Notice]) -> Bool {
        let reported = rows.filter { $0.availability.toldAt != nil }
        guard let oldest = notices.filter({ $0.outcome != .forgotten }).map(\.receivedAt).min() else {
            return !reported.isEmpty
        }
        return reported.contains { row in row.firstHeardAt.map { $0 < oldest } ?? true }
    }

    /// Returns the writes that stop imports of unavailable packages and restart imports that a takedown had stopped.
    private func imports(_ imports: [PackageImport], in availability: AppAvailability) -> [RowWrite] {
        var unused = jobs[...]
        return imports.flatMap { packageImport -> [RowWrite] in
            let isWithdrawn = packageImport.isWithdrawn(in: availability)
            if isWithdrawn, packageImport.isUnderWay {
                return [.replace(packageImport, by: packageImport.taking(.withdrawn, at: now, draw: 0))]
            }
            guard !isWithdrawn, packageImport.state == .withdrawn, let job = unused.popFirst(),
                let again = packageImport.requested(by: job, at: now)
            else { return [] }
            return [
                .replace(packageImport, by: again),
                .insert(JobName.packageImport.job(ImportWork(id: packageImport.id), id: job, of: tenant, at: now)),
            ]
        }
    }

    /// Returns the events for the app and packages whose availability changes because the notification is undone.
    private func events(from before: AppAvailability, to after: AppAvailability) -> [RowWrite] {
        let packages = Set(before.packages.keys).union(after.packages.keys).sorted()
        let subjects: [(String?, Bool, Bool)] =
            [(nil, before.app.isWithdrawn, after.app.isWithdrawn)]
            + packages.map {
                ($0, before.packages[$0]?.isWithdrawn ?? false, after.packages[$0]?.isWithdrawn ?? false)
            }
        return subjects.filter { $0.1 != $0.2 }.map { package, _, isWithdrawn in
            .event(event(isWithdrawn ? .appClosed : .appOpened, package: package))
        }
    }

    private func event(_ kind: EventKind, package: String? = nil) -> Event {
        let facts: [Reason.Evidence] = [.init("notification", .text(id))]
        return Event(
            kind, at: now, actor: actor, about: Event.Subject(tenant: tenant, app: item),
            facts: facts + (package.map { [.init("package", .text($0))] } ?? []))
    }
}

/// The availability that follows from an app's notifications, without the undone notification.
private struct Replayed {
    /// The resulting availability of the app and its packages.
    let availability: AppAvailability
    /// When the first effective notification arrived; `nil` if no notification has an effect.
    let firstHeardAt: Timestamp?
    /// The writes for notifications whose effect changes, because the undone notification no longer precedes them.
    let settled: [RowWrite]

    init(_ notices: [Notice], among names: Set<String>) {
        var words: [AppAvailability.Word] = []
        var senders: [Int] = []
        for (index, notice) in notices.enumerated() where Self.acted.contains(notice.outcome) {
            guard let read = try? MarketplaceNotice(parsing: notice.body) else { continue }
            let own = read.words(receivedAt: notice.receipt, countedFrom: notice.countedAt)
            words += own
            senders += own.map { _ in index }
        }
        let replay = AppAvailability.replaying(words, among: names)
        availability = replay.availability
        let counted = Set(zip(senders, replay.counted).filter(\.1).map(\.0))
        firstHeardAt = counted.map { notices[$0].receivedAt }.min()
        settled = Set(senders).sorted().compactMap { index in
            let before = notices[index]
            var after = before
            switch (before.outcome, counted.contains(index)) {
            case (.outdated, true): after.outcome = .applied
            case (.applied, false), (.unchanged, false): after.outcome = .outdated
            default: return nil
            }
            return .replace(before, by: after)
        }
    }

    private static let acted: Set<Notice.Outcome> = [.applied, .unchanged, .unmatched, .outdated]
}
