package import TenureCommandLine

/// The additional work of `tenure apply` for one feature, such as publishing files.
package struct ApplyStep: Sendable {
    /// Does the work that can fail, before the catalog is applied, so that a failure changes nothing.
    ///
    /// Gets the installation, the command's arguments, whether it's a dry run, and the console.
    package typealias Stage = @Sendable (Installation, Parsed, Bool, Console) async throws -> Publication

    /// Completes the staged work once the catalog has been applied, and returns the changes.
    package typealias Publication = @Sendable () async throws -> [PlannedChange]

    /// A sentence for the command's help page.
    package let discussion: String
    /// The options that the feature adds to `tenure apply`.
    package let arguments: [any DeclaredArgument]
    /// Reads the feature's part of the file. Throws one error that lists every mistake with its position.
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
