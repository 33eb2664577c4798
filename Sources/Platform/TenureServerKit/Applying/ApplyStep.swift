package import TenureCommandLine

/// What `tenure apply` does for a feature besides changing the catalog.
package struct ApplyStep: Sendable {
    /// Does what can fail before the catalog is applied, so that a failure changes nothing.
    ///
    /// Gets the installation, the command's arguments, whether nothing may be changed, and the console.
    package typealias Stage = @Sendable (Installation, Parsed, Bool, Console) async throws -> Publication

    /// Completes the staged work once the catalog has been applied, and returns the changes.
    package typealias Publication = @Sendable () async throws -> [PlannedChange]

    /// A sentence for the command's help page.
    package let discussion: String
    /// The options of `tenure apply` that it reads.
    package let arguments: [any DeclaredArgument]
    /// Reads what the file lists for the feature, and throws every mistake with its position.
    package let read: @Sendable (CatalogFile, FilesOnDisk) throws(CatalogFileError) -> Stage

    package init(
        discussion: String, arguments: [any DeclaredArgument],
        read: @escaping @Sendable (CatalogFile, FilesOnDisk) throws(CatalogFileError) -> Stage
    ) {
        self.discussion = discussion
        self.arguments = arguments
        self.read = read
    }
}
