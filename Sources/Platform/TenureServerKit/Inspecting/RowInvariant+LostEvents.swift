import TenureCore
import TenureStore

extension RowInvariant {
    /// If the store has a record of lost events (``RewoundStore``), each tenant's events continue where the record
    /// says.
    ///
    /// A tenant without events isn't a fault, because the tenant itself may have been lost.
    static func lostEvents(_ inspection: Inspection) -> [RowInvariant] {
        var rewound: RewoundStore?
        var counters: [TenantID: Int64] = [:]
        var unread = 2
        func end() {
            unread -= 1
            guard unread == 0, let rewound else { return }
            for (tenant, loss) in rewound.losses.sorted(by: { $0.key < $1.key }) {
                guard let last = counters[tenant], last < loss.restored else { continue }
                inspection.tell(
                    SettingRecord.table.shape, RewoundStore.setting, "value",
                    "says that the events of \(tenant) go on with number \(loss.restored), but their last one is \(last)"
                )
            }
        }
        return [
            RowInvariant(
                SettingRecord.self, in: inspection, named: \.name, [],
                note: { if $0.name == RewoundStore.setting { rewound = RewoundStore($0.value) } }, end: end),
            RowInvariant(
                EventCounter.self, in: inspection, named: { $0.tenant.text }, [],
                note: { counters[$0.tenant] = $0.last }, end: end),
        ]
    }
}
