import TenureServerKit

extension [RestoredAsCopied] {
    /// All tables of app packages.
    static let packages: [RestoredAsCopied] = [
        RestoredAsCopied(
            Notice.self, because: "It permits nothing: an app's availability, which it changes, has an exclusion."),
        RestoredAsCopied(PackageImport.self, because: "A package that was fetched since is fetched again."),
        RestoredAsCopied(ImportAsset.self, because: "It belongs to an import, which is fetched again."),
    ]
}
