public import TenureCore
import TenureServerKit
public import TenureStore

/// What a store knows of time: the latest that was seen by those who worked with it, and what the operator said of it.
public struct ClockMark: Sendable, Hashable {
    /// The latest time that was seen, a minute old at most while a server runs; nil in a new store, one of before 0.2, and
    /// one that was restored.
    public let seen: Timestamp?
    /// What the wall clock said when the operator last accepted it; nil for never.
    public let accepted: Timestamp?

    /// Reads it. Throws `StoreError`.
    public static func read(from store: any Store) async throws(StoreError) -> ClockMark {
        ClockMark(
            seen: moment(try await store.setting(seenName)), accepted: moment(try await store.setting(acceptedName)))
    }

    /// Notes that a time was seen; an earlier one than was seen before is not noted. Throws `StoreError`.
    static func raise(to now: Timestamp, in store: any Store) async throws(StoreError) {
        let form = settings
        try await store.perform(
            Change(form.asked(lists: [[.of(seenName)]])) { seen -> Saving<Void> in
                let former = seen[form.looks].first
                if let known = moment(former?.value), known >= now { return Saving(()) }
                return Saving((), [.put(setting(seenName, now), over: former)])
            })
    }

    /// Forgets what was seen: the store is a copy of another time. Throws `StoreError`.
    public static func forget(in store: any Store) async throws(StoreError) {
        let form = settings
        try await store.perform(
            Change(form.asked(lists: [[.of(seenName), .of(acceptedName)]])) { seen in
                Saving((), seen[form.looks].map { Save.remove($0) })
            })
    }

    static let seenName = "clock.seen"
    static let acceptedName = "clock.accepted"
    static let settings = LoadForm { ask in ask.each(SettingRecord.table.key) }

    static func setting(_ name: String, _ moment: Timestamp) -> SettingRecord {
        SettingRecord(name: name, value: Array(String(moment.seconds).utf8))
    }

    static func moment(_ value: [UInt8]?) -> Timestamp? {
        value.flatMap { Int64(String(decoding: $0, as: UTF8.self)) }.map { Timestamp(seconds: $0) }
    }
}
