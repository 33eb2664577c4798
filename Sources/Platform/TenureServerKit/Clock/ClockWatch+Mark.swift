import TenureCommandLine
public import TenureCore
public import TenureStore

extension ClockWatch {
    /// A store's clock mark: the latest time that its servers have seen, the clock that the operator last accepted, and
    /// the last trusted readings of the host's clocks.
    public struct Mark: Sendable, Hashable {
        /// The latest time seen, updated every few seconds while a server runs.
        ///
        /// `nil` in a new store, in a store from before version 0.2, and in a restored store.
        public let seen: Timestamp?
        /// The wall clock's time when the operator last accepted it; `nil` for never.
        public let accepted: Timestamp?
        /// The number of seconds that the accepted clock was ahead of the database's clock; negative if it was behind.
        ///
        /// `nil` if no difference has been accepted, or if the clocks have agreed since.
        public let apart: Int64?
        /// The readings of both clocks when a server on this host last trusted its wall clock.
        ///
        /// `nil` if no server runs, if the last one stopped normally, if the host has restarted since, or if the store
        /// has a clock of its own. Commands, and servers after a crash, compare their clocks with this reading to
        /// detect a step of the wall clock.
        public let reading: ClockWatch.Sample?

        /// The mark of a store without any record of time.
        public static let none = ClockWatch.Mark(seen: nil)

        /// Creates a mark from its parts.
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

        /// Records a time as the latest seen, unless a later one is recorded. Also records the readings of the host's
        /// clocks.
        ///
        /// Returns the time that the operator last accepted; `nil` if none was accepted. Throws `StoreError`.
        ///
        /// - Parameters:
        ///   - reading: The readings of both clocks; `nil` removes the stored ones, for example when the server stops.
        ///   - isNear: Whether the clock agrees with the database's clock; if so, the accepted difference is removed.
        ///   - isLossy: Whether a crash of the host may lose the record.
        static func raise(
            to now: Timestamp, reading: HostReading?, in store: any Store, agreeing isNear: Bool = false,
            lossy isLossy: Bool = false
        ) async throws(StoreError) -> Timestamp? {
            let plan = settings
            return try await store.perform(
                Transaction(plan.bind(names), lossy: isLossy) { seen -> TransactionResult<Timestamp?> in
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
        /// The names of the settings whose values are numbers of seconds.
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
