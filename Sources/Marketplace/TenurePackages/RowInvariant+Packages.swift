import TenureCore
import TenureServerKit
import TenureStore

extension RowInvariant {
    /// The invariants of notifications and imports.
    static func packages(_ inspection: Inspection) -> [RowInvariant] {
        [
            RowInvariant(
                Notice.self, in: inspection, named: { "\($0.id) of \($0.tenant)" },
                [.notFuture("received_at") { $0.receivedAt }]),
            RowInvariant(
                PackageImport.self, in: inspection, named: { "\($0.id) of \($0.tenant)" },
                [
                    .notFuture("changed_at") { $0.changedAt },
                    .not("failures", "is negative", ["failures": -1]) { $0.failures < 0 },
                ]),
            RowInvariant(
                ImportAsset.self, in: inspection, named: { "\($0.asset) of \($0.importID) of \($0.tenant)" },
                [.not("failures", "is negative", ["failures": -1]) { $0.failures < 0 }]),
        ]
    }
}
