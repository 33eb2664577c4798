import TenureStore

/// Facts about the store that a new connection leads to.
struct ConnectedStore: Sendable {
    let identity: StoreIdentity
    /// The history's id (``HistoryID``); `nil` for a store without one.
    let id: String?
    let rewound: RewoundStore?
    /// The database's timeline; `nil` if the database doesn't report it.
    let timeline: NewConnection.Timeline?
    /// The host and port that the connection leads to.
    let host: String

    /// Reads the facts; `nil` for a database whose store isn't initialized or can't be read.
    init?(_ connection: NewConnection) throws(StoreError) {
        let settings: [String: [UInt8]]
        do throws(StoreError) {
            settings = try connection.values(
                "value", SettingRecord.table.shape,
                [StoreID.setting, HistoryID.setting, RewoundStore.setting])
        } catch {
            // Other code reports these errors: opening the store reports missing tables, and the server's checks
            // report damage.
            guard error.code == .missing || error.code == .corrupt else { throw error }
            return nil
        }
        guard let storeID = settings[StoreID.setting] else { return nil }
        identity = StoreIdentity(id: storeID, database: connection.database)
        id = settings[HistoryID.setting].map { String(decoding: $0, as: UTF8.self) }
        rewound = settings[RewoundStore.setting].flatMap { RewoundStore($0) }
        timeline = try connection.timeline()
        host = connection.host
    }
}
