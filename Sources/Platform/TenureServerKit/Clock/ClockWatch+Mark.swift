import TenureCommandLine
public import TenureCore
public import TenureStore

extension ClockWatch {
    /// A store's clock mark: the latest time seen by its servers, and what the operator has accepted.
    public struct Mark: Sendable, Hashable {
        /// The latest time seen, updated every few seconds while a server runs.
        ///
        /// `nil` in a new store, in a store from before version 0.2, and in a restored store.
        public let seen: Timestamp?
        /// The wall clock's time when the operator last accepted it; `nil` for never.
        public let accepted: Timestamp?
        /// How far that time was ahead of the database's clock, in seconds, which may be negative.
        ///
        /// `nil` if no difference has been accepted, or if the clocks have agreed since.
        public let apart: Int64?
        /// Both clocks when a server on this host last trusted them.
        ///
        /// `nil` if no server runs, if the last one stopped normally, if the host has restarted since, or if the store
        /// has a clock of its own. With it, a command notices a step that the running server has noticed, and so does a server after a crash.
        public let reading: ClockWatch.Sample?

        /// The mark of a store without any record of time.
        public static let none = ClockWatch.Mark(seen: nil)

        /// Creates a value from its parts.
        package init(
            seen: Timestamp?, accepted: Timestamp? = nil, apart: Int64? = nil, reading: ClockWatch.Sample? = nil
        ) {
            self.seen = seen
            self.accepted = accepted
            self.apart = apart
            self.reading = reading
        }

        /// Reads the mark.
        ///
        /// - Parameter boot: The id of the host's current start.
        package static func read<Records: RecordStore>(
            from store: Records, boot: String? = Stopwatch.bootIdentifier
        ) async throws(Records.Failure) -> ClockWatch.Mark {
            ClockWatch.Mark(
                seen: time(try await store.setting(seenName)),
                accepted: time(try await store.setting(acceptedName)),
                apart: number(try await store.setting(apartName)),
                reading: HostReading(try await store.setting(readingName)).flatMap {
                    $0.boot == boot ? $0.sample : nil
                })
        }

        /// Records a time as seen, unless a later one is recorded, and both clocks of the server's host.
        ///
        /// Returns the time that the operator last accepted. Throws `StoreError`.
        ///
        /// - Parameters:
        ///   - reading: Both clocks; `nil` removes the record, because the server is about to stop.
        ///   - isNear: Whether the clock agrees with the database's; if so, the accepted difference is removed.
        static func raise(
            to now: Timestamp, reading: HostReading?, in store: any Store, agreeing isNear: Bool = false
        ) async throws(StoreError) -> Timestamp? {
            let plan = settings
            return try await store.perform(
                Transaction(plan.bind(names)) { seen -> TransactionResult<Timestamp?> in
                    let rows = Dictionary(uniqueKeysWithValues: seen[plan.queries].map { ($0.name, $0) })
                    var saves: [RowWrite] = []
                    if isNear, let apart = rows[apartName] { saves.append(.remove(apart)) }
                    if time(rows[seenName]?.value).map({ $0 < now }) ?? true {
                        saves.append(.put(setting(seenName, now.seconds), over: rows[seenName]))
                    }
                    if let reading {
                        saves.append(.put(reading.setting, over: rows[readingName]))
                    } else if let former = rows[readingName] {
                        saves.append(.remove(former))
                    }
                    return TransactionResult(time(rows[acceptedName]?.value), saves)
                })
        }

        /// Removes the mark, which is out of date in a restored store.
        ///
        /// Throws `StoreError`.
        public static func forget(in store: any Store) async throws(StoreError) {
            let plan = settings
            try await store.perform(
                Transaction(plan.bind(names)) { seen in
                    TransactionResult((), seen[plan.queries].map { RowWrite.remove($0) })
                })
        }

        static let seenName = "clock.seen"
        static let acceptedName = "clock.accepted"
        static let apartName = "clock.apart"
        static let readingName = "clock.reading"
        /// The settings that are numbers of seconds.
        static let numbers = [seenName, acceptedName, apartName]
        static let names = numbers + [readingName]
        static let settings = QueryPlan(for: [String].self) { query in
            query.each(SettingRecord.table.key) { $0.map(StoredValue.of) }
        }

        static func setting(_ name: String, _ number: Int64) -> SettingRecord {
            SettingRecord(name: name, value: Array(String(number).utf8))
        }

        static func time(_ value: [UInt8]?) -> Timestamp? { number(value).map { Timestamp(seconds: $0) } }

        private static func number(_ value: [UInt8]?) -> Int64? {
            value.flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
        }
    }
}
