public import TenureCore
public import TenureStore

extension PostgresStore {
    /// Reads the whole catalog with its version.
    public func catalog() async throws(StoreError) -> Catalog {
        try await readers.read { connection throws(StoreError) in
            try Catalog.read(try connection.readConsistently(Catalog.statements))
        }
    }

    /// Reads the version of the catalog alone.
    public func catalogVersion() async throws(StoreError) -> Int64 {
        try await lookups.read { connection throws(StoreError) in
            try Catalog.version(try connection.run(.catalogVersion))
        }
    }

    /// Reads the signing keys of all tenants, oldest first.
    public func signingKeys() async throws(StoreError) -> [SigningKeyRecord] {
        try await readers.read { connection throws(StoreError) in
            try connection.all(.signingKeys, [], SigningKeyRecord.read)
        }
    }

    /// Reads the operator tokens of a tenant, or of all, oldest first.
    public func tokens(of tenant: TenantID?) async throws(StoreError) -> [TokenRecord] {
        try await readers.read { connection throws(StoreError) in
            guard let tenant else { return try connection.all(.tokens, [], TokenRecord.read) }
            return try connection.all(.tokensOfTenant, [.slug(tenant)], TokenRecord.read)
        }
    }

    /// Reads a value of the server's own; nil when it was never set.
    public func setting(_ name: String) async throws(StoreError) -> [UInt8]? {
        try await readers.read { connection throws(StoreError) in
            try connection.first(.setting, [.text(name)], { row in row.bytes(0) })
        }
    }
}
