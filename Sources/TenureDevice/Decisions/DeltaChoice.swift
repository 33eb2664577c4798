package import TenureCore
package import TenureFormats

extension PackageManifest {
    /// Chooses the delta that leads from an installed version to a chosen variant; nil where the whole variant is to be
    /// downloaded (`spec/apple-more.md` §3).
    ///
    /// First the variant, then a delta that leads to that variant: one to another variant of the same version is none.
    package func delta(
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
