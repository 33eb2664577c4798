package import TenureStore

extension StoreEngines {
    /// The SQLite engine's operations on whole database files.
    package struct Files: Sendable {
        /// Creates a database file and fills it. The file gets its final name once it's complete.
        package let make:
            @Sendable (_ path: String, _ fill: @Sendable (any Store) async throws -> Void) async throws -> Void
        /// Copies a database file without migrating its schema. An existing file at the target is overwritten.
        package let copy: @Sendable (_ path: String, _ copy: String) throws(StoreError) -> Void
        /// Whether a database file has an older schema than the program.
        package let isBehind: @Sendable (_ path: String) throws(StoreError) -> Bool
        /// Replaces a database file and renames the old one to `aside`.
        package let replace: @Sendable (_ path: String, _ new: String, _ aside: String) throws(StoreError) -> Void
        package let remove: @Sendable (_ path: String) -> Void

        package init(
            make:
                @escaping @Sendable (_ path: String, _ fill: @Sendable (any Store) async throws -> Void) async throws ->
                Void,
            copy: @escaping @Sendable (_ path: String, _ copy: String) throws(StoreError) -> Void,
            isBehind: @escaping @Sendable (_ path: String) throws(StoreError) -> Bool,
            replace: @escaping @Sendable (_ path: String, _ new: String, _ aside: String) throws(StoreError) -> Void,
            remove: @escaping @Sendable (_ path: String) -> Void
        ) {
            self.make = make
            self.copy = copy
            self.isBehind = isBehind
            self.replace = replace
            self.remove = remove
        }
    }
}
