package import TenureStore

extension StoreEngines {
    /// What the engine of database files does with whole files.
    package struct Files: Sendable {
        /// Creates a file and fills it; it gets its name once it's complete.
        package let make:
            @Sendable (_ path: String, _ fill: @Sendable (any Store) async throws -> Void) async throws -> Void
        /// Copies a file with the current schema.
        package let copy: @Sendable (_ path: String, _ copy: String) throws(StoreError) -> Void
        /// Whether a file has an older schema.
        package let isBehind: @Sendable (_ path: String) throws(StoreError) -> Bool
        /// Replaces a file and keeps the old one under another name.
        package let replace: @Sendable (_ path: String, _ new: String, _ aside: String) throws(StoreError) -> Void
        /// Removes a file.
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
