import TenureCore
import TenureMarketplace

extension PackageManifest {
    /// Returns the delta from the installed version to a chosen variant; `nil` if the whole variant must be downloaded.
    ///
    /// The variant is chosen first, and only deltas to that variant are considered (Apple's documentation).
    func delta(
        from installed: AppleVersionID, to choice: VariantChoice, model: String, systemVersion: String
    ) -> Delta? {
        let system = SystemVersion(systemVersion)
        return
            deltas
            .filter { delta in
                delta.sourceVersion == installed && delta.result == choice.variant.id
                    && delta.targets.contains { $0.device == model && SystemVersion($0.os) <= system }
            }
            .min { $0.compressedSize < $1.compressedSize }
    }
}
