package import TenureCore
import TenureFormats
package import TenureStore

/// A running server's report of the master key that it encrypts with, and of settings that `tenure doctor` needs.
///
/// Each server saves its report as a setting when it starts, when it begins to use another key, and twice a minute. It
/// removes the report when it stops. So `tenure doctor` can name the servers that haven't read a new key yet.
package struct ServerReport: Sendable {
    /// A random id of the process.
    private let id: String
    /// The process's name for operators, such as `process 4711 on alpha`.
    package let name: String
    /// The ``MasterKey/identifier`` of the key that the server encrypts with.
    package let key: String
    /// Whether the server sends letters but has no `--base-url` for links in them.
    let lacksMailLinks: Bool
    private let at: Timestamp

    init(id: String, name: String, key: String, lacksMailLinks: Bool, at: Timestamp) {
        self.id = id
        self.name = name
        self.key = key
        self.lacksMailLinks = lacksMailLinks
        self.at = at
    }

    /// Lists the running servers that use another key. Throws `StoreError`.
    package static func withOtherKey(
        than master: MasterKey, in store: some RecordStore<StoreError>, at now: Timestamp
    ) async throws(StoreError) -> [ServerReport] {
        try await running(in: store, at: now).filter { $0.key != master.identifier }
    }

    /// Lists the running servers. Throws `StoreError`.
    static func running(
        in store: some RecordStore<StoreError>, at now: Timestamp
    ) async throws(StoreError) -> [ServerReport] {
        try await all(in: store).filter { $0.age(at: now) < lifetime }
    }

    /// Whether the report is recent enough that it needn't be saved again.
    func isFresh(at now: Timestamp) -> Bool { age(at: now) < Self.interval }

    /// Saves the report, replacing the process's last report.
    ///
    /// - Parameter removingOutdated: Whether to remove outdated reports of servers that ended without removing their
    ///   reports.
    func save(in store: ServerStore, removingOutdated: Bool) async throws(ServerError) {
        var outdated: [ServerReport] = []
        if removingOutdated {
            outdated = try await Self.all(in: store).filter { $0.age(at: at) >= Self.lifetime }
        }
        let plan = Self.plan
        let row = setting
        try await store.perform(
            Transaction(plan.bind(([self] + outdated).map(\.setting.name))) { results in
                let rows = results[plan.queries]
                return TransactionResult(
                    (),
                    rows.filter { $0.name != row.name }.map { .remove($0) }
                        + [.put(row, over: rows.first { $0.name == row.name })])
            })
    }

    /// Removes the process's report, because the server stops.
    func remove(from store: ServerStore) async throws(ServerError) {
        let plan = Self.plan
        try await store.perform(
            Transaction(plan.bind([setting.name])) { results in
                TransactionResult((), results[plan.queries].map { .remove($0) })
            })
    }

    /// The age of the report in seconds. It's never negative, even if the clock of the server that saved the report is
    /// ahead.
    private func age(at now: Timestamp) -> Int64 { abs(at.seconds(until: now)) }

    private static let plan = QueryPlan(for: [String].self) { query in
        query.each(SettingRecord.table.key) { $0.map { .of($0) } }
    }

    /// How often a server repeats its report, in seconds.
    private static let interval: Int64 = 30
    /// How long a server counts as running after a report, in seconds.
    private static let lifetime: Int64 = 90
}

extension ServerReport {
    /// Returns the rows of a table without reports. Reports aren't copied, because their servers don't run on the
    /// copy.
    static func leavingOutReports(_ rows: [StoredRow], of table: TableShape) -> [StoredRow] {
        guard table === SettingRecord.table.shape else { return rows }
        return rows.filter { row in
            guard case .text(let name) = table.key(of: row)[0] else { return true }
            return !name.hasPrefix(prefix)
        }
    }

    static func count(in snapshot: any StoreSnapshot) async throws(StoreError) -> Int {
        try await snapshot.list(
            Listing(SettingRecord.table.all, where: [[Comparison("name", .begins(prefix))]], limit: 10_000)
        ).count
    }

    private static func all<Records: RecordStore>(
        in store: Records
    ) async throws(Records.Failure) -> [ServerReport] {
        try await store.all(SettingRecord.table.all, where: [[Comparison("name", .begins(prefix))]])
            .compactMap(ServerReport.init)
    }

    private var setting: SettingRecord {
        SettingRecord(name: Self.prefix + id, value: Array("\(at.seconds) \(key) \(lacksMailLinks) \(name)".utf8))
    }

    private init?(_ record: SettingRecord) {
        let text = String(decoding: record.value, as: UTF8.self)
        let words = text.split(atByte: " ", maxSplits: 3)
        guard words.count == 4, let seconds = Int64(words[0]) else { return nil }
        self.init(
            id: String(record.name.dropFirst(Self.prefix.count)), name: String(words[3]), key: String(words[1]),
            lacksMailLinks: words[2] == "true", at: Timestamp(seconds: seconds))
    }

    /// The prefix of the names of settings that contain reports.
    static let prefix = "server."
}
