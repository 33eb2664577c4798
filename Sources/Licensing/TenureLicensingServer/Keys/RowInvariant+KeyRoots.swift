import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension RowInvariant {
    static func keyRoots(_ inspection: Inspection, into roots: InspectedKeyRoots) -> RowInvariant {
        RowInvariant(
            KeyRoot.self, in: inspection, named: { "\($0.id) of \($0.tenant)" },
            [
                .notFuture("created_at") { $0.createdAt },
                .decrypts(),
            ],
            note: { roots.add($0) })
    }
}

/// Collects the key roots of all tenants, to compare the keys that were derived from them.
final class InspectedKeyRoots {
    private var rows: [KeyRootID: KeyRoot] = [:]
    private var opened: [KeyRootID: KeyRoots] = [:]

    func add(_ root: KeyRoot) { rows[root.id] = root }

    /// What is wrong with the root of a license's key; `nil` for a random key. It's also `nil` if the root can't be
    /// decrypted, because that is a fault of the root.
    func fault(of license: License, under master: MasterKey, in inspection: Inspection) -> String? {
        guard let id = license.keyRoot else { return nil }
        guard let row = rows[id], row.tenant == license.product.tenant else {
            return inspection.isWhole(KeyRoot.table.shape) ? "names no root of the tenant" : nil
        }
        let roots = opened[id] ?? KeyRoots([row], under: master)
        opened[id] = roots
        guard !roots.isEmpty, (try? roots.text(of: license)) == nil else { return nil }
        return "doesn't lead to the license's key"
    }
}
