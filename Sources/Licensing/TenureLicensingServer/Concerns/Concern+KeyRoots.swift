import TenureCore
import TenureServerKit
import TenureStore

extension Concern {
    /// Key roots that the master key doesn't decrypt: keys derived from them work, but can't be sent or shown.
    static let keyRoots = Concern(after: .keys) { context in
        let roots: [KeyRoot]
        do throws(StoreError) {
            roots = try await context.store.all(KeyRoot.table.all)
        } catch {
            // The store's own checks report this failure.
            return []
        }
        guard let master = context.catalog?.master else {
            return roots.isEmpty
                ? []
                : [
                    .warning(
                        "license keys", "without the master key, none can be sent or shown again",
                        cure: "Provide the right master key.")
                ]
        }
        let lost = Set(roots.filter { KeyRoots([$0], under: master).isEmpty }.map(\.tenant)).sorted()
        guard !lost.isEmpty else { return [] }
        return [
            .warning(
                "license keys",
                "some keys work, but can't be sent or shown again, because they were derived under a master key that was "
                    + "lost: \(lost.map(\.text).joined(separator: ", "))",
                cure: "If a customer needs such a key, replace it with `tenure license rekey LICENSE --keep-devices "
                    + "--mail`.")
        ]
    }
}
