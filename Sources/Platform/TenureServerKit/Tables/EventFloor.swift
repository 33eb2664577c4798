import TenureCore
import TenureStore

/// The number above which the events of new tenants start, in a store that lost its latest state.
///
/// The store was restored without the replaced store, or the database returned to an older state. A new tenant may have
/// existed in the lost state, and clients may have read its events up to an unknown number.
struct EventFloor: Sendable, Hashable {
    let number: Int64

    static let setting = "events.floor"

    init(number: Int64) { self.number = number }

    /// Reads the setting; `nil` if its value isn't a number.
    init?(_ record: SettingRecord) {
        guard let number = Int64(String(decoding: record.value, as: UTF8.self)) else { return nil }
        self.number = number
    }

    var record: SettingRecord { SettingRecord(name: Self.setting, value: Array(String(number).utf8)) }

    /// The first rows of a new tenant: its counter, and an event that explains why its numbers start above 1.
    func rows(for tenant: TenantID, by actor: Actor, at now: Timestamp) -> [RowWrite] {
        [
            .insert(EventCounter(tenant: tenant, last: number)),
            .event(Event(.storeRestored, at: now, actor: actor, about: .init(tenant: tenant), facts: [])),
        ]
    }
}
