import TenureCore
import TenureCrypto
import TenureFormats
package import TenureStore

/// The store's records about its master key.
package struct MasterKeyState: Sendable {
    /// The key that is being replaced and its successor, each encrypted under the other, so that either key decrypts
    /// the other one.
    struct Rotation: Sendable {
        let next: [UInt8]
        let current: [UInt8]
    }

    /// A former key of the store.
    struct FormerKey: Sendable {
        let replacedAt: Timestamp
        let checkValue: [UInt8]
    }

    /// The check value of the store's key; `nil` if the store isn't initialized.
    let checkValue: [UInt8]?
    /// The change in progress; `nil` if the key isn't being changed.
    let change: Rotation?
    /// The former keys, oldest first.
    let former: [FormerKey]

    /// Reads the store's records about its master key. Throws `StoreError`.
    package static func read(from store: any Store) async throws(StoreError) -> MasterKeyState {
        try await store.masterKeyState()
    }

    fileprivate static let queries = QueryPlan { query in MasterKeyState.Queries(&query) }
}

extension RecordStore {
    /// Reads the store's records about its master key.
    package func masterKeyState() async throws(Failure) -> MasterKeyState {
        let plan = MasterKeyState.queries
        return plan.queries.state(in: try await fetch(plan.bind()))
    }
}

extension MasterKeyState {
    /// Returns the key that encrypts, joined with the keys that only decrypt; `nil` if the given key doesn't belong to
    /// the store. In a store that isn't initialized, the given key is returned.
    ///
    /// - Parameter key: A key from a file, or a combination that this function returned before.
    package func resolved(_ key: MasterKey) -> MasterKey? {
        guard let checkValue else { return key }
        guard let change else {
            return key.alone.first { $0.matches(checkValue: checkValue) }?.decrypting(with: [key])
        }
        if let bytes = next(after: key) { return (try? MasterKey(bytes: bytes))?.decrypting(with: [key]) }
        for next in key.alone {
            guard let bytes = try? next.open(change.current, labelled: Self.currentLabel),
                let current = try? MasterKey(bytes: bytes)
            else { continue }
            return next.decrypting(with: [current, key])
        }
        return nil
    }

    /// Returns the bytes of the key that is replacing the given one; `nil` if the given key isn't being replaced.
    func next(after key: MasterKey) -> [UInt8]? {
        guard let checkValue, let change, let current = key.alone.first(where: { $0.matches(checkValue: checkValue) })
        else { return nil }
        return try? current.open(change.next, labelled: Self.nextLabel)
    }

    /// Returns the time at which a key was last replaced; `nil` if it never was.
    ///
    /// The store's present key has such a time if it was replaced before and has come back.
    func replacedAt(_ key: MasterKey) -> Timestamp? {
        former.last { former in key.alone.contains { $0.matches(checkValue: former.checkValue) } }?.replacedAt
    }

    static let nextLabel = Array("tenure master key next".utf8)
    static let currentLabel = Array("tenure master key current".utf8)
}

extension MasterKeyState {
    /// The queries for the settings about the master key.
    package struct Queries: Sendable {
        private let checkValue: RowQuery<SettingRecord>
        private let change: RowQuery<SettingRecord>
        private let former: RowQuery<SettingRecord>

        package init<Parameters>(_ query: inout QueryBuilder<Parameters>) {
            checkValue = query.row(SettingRecord.table.key, .constant(MasterKey.checkValueSetting))
            change = query.row(SettingRecord.table.key, .constant(Self.changeSetting))
            former = query.row(SettingRecord.table.key, .constant(Self.formerSetting))
        }

        package func state(in results: QueryResult) -> MasterKeyState {
            MasterKeyState(
                checkValue: results[checkValue]?.value,
                change: results[change].flatMap { row in
                    let half = row.value.count / 2
                    return .init(next: Array(row.value[..<half]), current: Array(row.value[half...]))
                },
                former: results[former].map { Self.formerKeys($0.value) } ?? [])
        }

        /// Returns the row write that begins a change.
        func beginning(_ begun: MasterKeyState.Rotation, in results: QueryResult) -> RowWrite {
            .put(SettingRecord(name: Self.changeSetting, value: begun.next + begun.current), over: results[change])
        }

        /// Returns the row writes that make a new key the store's key.
        func completion(_ fresh: [UInt8], at now: Timestamp, in results: QueryResult) -> [RowWrite] {
            let replaced = results[checkValue].map { "\(now.seconds) \(Hex.encode($0.value))\n" } ?? ""
            let keys = (results[former]?.value ?? []) + Array(replaced.utf8)
            return [
                .put(SettingRecord(name: MasterKey.checkValueSetting, value: fresh), over: results[checkValue]),
                .put(SettingRecord(name: Self.formerSetting, value: keys), over: results[former]),
            ] + (results[change].map { [.remove($0)] } ?? [])
        }

        /// Parses the list of former keys. Each line has the time of the replacement in seconds and the check value.
        private static func formerKeys(_ value: [UInt8]) -> [MasterKeyState.FormerKey] {
            String(decoding: value, as: UTF8.self).split(atByte: "\n").compactMap { line in
                guard let (time, check) = String(line).cut(atLastByte: " "), let seconds = Int64(time),
                    let checkValue = Hex.decode(String(check))
                else { return nil }
                return .init(replacedAt: Timestamp(seconds: seconds), checkValue: checkValue)
            }
        }

        private static let changeSetting = "master_key_change"
        private static let formerSetting = "master_key_former"
    }
}
