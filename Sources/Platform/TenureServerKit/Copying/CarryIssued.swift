import TenureCommandLine
package import TenureCore
package import TenureStore

/// Lists the records that a later store issued or changed after a copy was made. On request, adds them to the restored
/// copy.
///
/// It runs after ``RestoreReplay``. By then, a license key that was replaced since the copy is free for the license
/// that got it later.
package struct CarryIssued: Sendable {
    /// Whether to list or to add the records that were issued since the copy.
    package enum Mode: Sendable, Hashable {
        /// Lists the records without adding them.
        case list
        /// Adds the records that were issued until this time; `nil` for no limit.
        case carry(until: Timestamp?)

        fileprivate var carrying: (isCarried: Bool, limit: Timestamp?) {
            switch self {
            case .list: (false, nil)
            case .carry(let limit): (true, limit)
            }
        }
    }

    private let features: FeatureSet
    private let mode: Mode
    private let master: MasterKey?

    /// Creates the operation.
    ///
    /// - Parameter master: The master key for checking secrets; `nil` if it isn't available.
    package init(_ mode: Mode, of features: FeatureSet, under master: MasterKey?) {
        self.mode = mode
        self.features = features
        self.master = master
    }

    /// The records issued or changed since the copy, and whether they were carried over.
    package struct Outcome: Sendable {
        /// The reported records, at most ``most`` of each kind and later store.
        package private(set) var items: [RestoreAddition.Item] = []
        /// The numbers of issued or changed records, by actor, kind and act.
        package private(set) var groups: [Group: Count] = [:]
        /// The parts of the later stores that couldn't be read completely, with the cause.
        package internal(set) var unread: [RestoreReplay.Outcome.Unread] = []
        /// The events of each later store that was compared.
        package internal(set) var histories: [EventsSince] = []
        /// The events that explain the carried-over changes, for recording them again.
        package internal(set) var events = RepeatedEvents()
        /// The number of records that weren't carried over because the store lacks the record they belong to, such as
        /// their policy.
        package private(set) var orphans = 0
        /// The keys of the rows that were added from the later stores so far, by kind.
        var added: [String: Set<[StoredValue]>] = [:]

        /// Whether records are carried over; otherwise, they are only reported.
        package let isCarried: Bool
        /// The time after which changes aren't carried over; `nil` for no limit.
        package let limit: Timestamp?

        /// The number of records that were added or changed, including those that aren't reported.
        package fileprivate(set) var saved = 0

        package init(_ mode: Mode = .list) {
            (isCarried, limit) = mode.carrying
        }

        /// The maximum number of records of a kind that are reported one by one.
        package static let most = 10_000

        /// Records that are counted together.
        package struct Group: Sendable, Hashable {
            /// The actor who issued or changed the records; `nil` if unknown.
            package let actor: String?
            package let kind: String
            /// Whether the records are new. Otherwise, existing records were changed.
            package let isNew: Bool
            /// What happened to new records, such as `issued`. For existing records, it's `changed`.
            package let act: String
        }

        /// The number of records of a group, and when the first and the last of them were issued or changed.
        package struct Count: Sendable, Hashable {
            package var total = 0
            /// The number of records that weren't carried over, although that was requested.
            package var left = 0
            package var first: Timestamp?
            package var last: Timestamp?
        }

        mutating func add(_ item: RestoreAddition.Item, isListed: Bool, listed: inout Int) {
            let group = Group(
                actor: item.actor, kind: item.kind, isNew: item.isNew,
                act: item.isNew ? item.acts.first ?? "" : "changed")
            var count = groups[group] ?? Count()
            count.total += 1
            if item.obstacle != nil { count.left += 1 }
            if item.isOrphan { orphans += 1 }
            if let at = item.at {
                count.first = min(count.first ?? at, at)
                count.last = max(count.last ?? at, at)
            }
            groups[group] = count
            guard isListed, listed < Self.most else { return }
            listed += 1
            items.append(item)
        }
    }

    /// Compares the stores and adds to an outcome. Repeating the call changes nothing.
    ///
    /// - Parameters:
    ///   - history: The later store's events since the copy.
    ///   - others: The events of all other later stores.
    ///   - own: The events that the restored store has recorded since its history split from the later store's, if it's
    ///     in use; `nil` for an old copy.
    /// - Throws: `StoreError` if the restored store fails. Read errors of the later store are part of the outcome.
    package func carry(
        from later: any Store, to store: any Store, history: EventsSince, others: [EventsSince],
        after own: OwnHistory? = nil, at now: Timestamp, adding outcome: inout Outcome
    ) async throws(StoreError) {
        let position = outcome.histories.count
        let (isCarried, limit) = mode.carrying
        var comparison = RestoreComparison(
            later: later, store: store, history: history, earlier: outcome.histories, others: others,
            isCarried: isCarried, until: limit, ownHistory: own, now: now, master: master, features: features)
        if own != nil {
            do throws(StoreError) {
                comparison.repeatedHere = try await RepeatedRequests.records(of: later, repeatedIn: store)
            } catch {
                outcome.unread.append(.init(kind: "repeatable request", cause: error.description))
                outcome.histories.append(history)
                return
            }
        }
        for rule in features.restoreAdditions {
            var listed = 0
            let seen = Set(outcome.items.lazy.filter { $0.kind == rule.kind }.map(\.name))
            var items: [RestoreAddition.Item] = []
            comparison.added = outcome.added[rule.kind] ?? []
            comparison.own = try await own?.refresh()
            let fault = try await rule.compare(comparison) { items.append($0) }
            for item in items where item.isNew && item.obstacle != nil {
                if let number = item.record?.number { comparison.leftBehind.insert(number) }
            }
            for item in items {
                if isCarried, item.obstacle == nil {
                    outcome.saved += 1
                    if item.isNew { outcome.added[rule.kind, default: []].insert(item.row) }
                    if let record = item.record, item.isExplained {
                        let events = comparison.own?.missing(about: record) ?? history[record]
                        // Another later store has issued the same record again, such as the license of an order.
                        let isRepeated = own == nil && !item.isNew
                        outcome.events.add(
                            events.filter { !isRepeated || $0.event.kind != rule.creationEvent }, of: position)
                    }
                }
                guard rule.detail != .silent, !item.acts.isEmpty, isCarried || !seen.contains(item.name) else {
                    continue
                }
                outcome.add(item, isListed: rule.detail == .listed || !item.isNew, listed: &listed)
            }
            if let fault {
                outcome.unread.append(.init(kind: rule.kind, cause: fault.description))
                // Without all records, a store in use must not get the stored responses to requests, because they
                // refer to records.
                if own != nil { break }
            }
        }
        if let fault = history.fault { outcome.unread.append(.init(kind: "event", cause: fault.description)) }
        outcome.histories.append(history)
    }
}

extension RestoreAddition {
    /// Restores operator tokens. Without them, a shop's requests, for example, would be refused with 401.
    static let tokens: RestoreAddition = {
        var rows = AddedRows<TokenRecord, TenantRow>(
            "token", under: TenantRow.table.key, parent: { [.of($0.tenant)] }, unique: TokenRecord.byHash,
            uniqueValues: { [.of($0.hash)] }
        ) { token in
            .init("\(token.id) (\(token.name)) of \(token.tenant)", givenAt: token.createdAt, actor: .commandLine)
        }
        rows.added = "created"
        rows.orphan = { "there is no tenant \($0.tenant)" }
        rows.isGiven = { token, now in token.revokedAt == nil && token.expiresAt.map { now < $0 } ?? true }
        rows.mayFollow = { added, token in added.revokedAt == nil || token.revokedAt != nil }
        return RestoreAddition(rows)
    }()

    /// Restores the rows that detect repeated requests. Otherwise, an order that is sent again would be carried out
    /// twice.
    ///
    /// If a record wasn't carried over, its request isn't either: sending the request again creates the record.
    static let answers: RestoreAddition = {
        var rows = AddedRows<IdempotentResponse, TenantRow>(
            "repeatable request", .silent, under: TenantRow.table.key, parent: nil
        ) { .init("of \($0.at)", givenAt: $0.at) }
        rows.records = \.recordNumbers
        return RestoreAddition(rows)
    }()
}
