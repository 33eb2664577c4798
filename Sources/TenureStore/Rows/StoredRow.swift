package import TenureCore

/// The row that a query stands on, whichever engine's; good until the query moves on.
///
/// What a column that is NULL answers to anything but ``isNull(_:)`` is the engine's affair: ask that first.
package protocol StoredRow {
    func isNull(_ column: Int32) -> Bool
    func integer(_ column: Int32) -> Int64
    func text(_ column: Int32) -> String
    func bytes(_ column: Int32) -> [UInt8]
    func flag(_ column: Int32) -> Bool
    func activationID(_ column: Int32) throws(StoreError) -> ActivationID
}

extension StoredRow {
    func number(_ column: Int32) -> Int { Int(integer(column)) }
    func moment(_ column: Int32) -> Timestamp { Timestamp(seconds: integer(column)) }
    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
    func optionalNumber(_ column: Int32) -> Int? { isNull(column) ? nil : number(column) }
    func optionalMoment(_ column: Int32) -> Timestamp? { isNull(column) ? nil : moment(column) }

    /// A number of all 64 bits, which is stored by its bit pattern.
    func pattern(_ column: Int32) -> UInt64 { UInt64(bitPattern: integer(column)) }

    func tenant(_ column: Int32) throws(StoreError) -> TenantID {
        guard let tenant = TenantID(text(column)) else { throw .unreadable("a tenant's name") }
        return tenant
    }

    func account(_ column: Int32) throws(StoreError) -> AccountID {
        guard let account = AccountID(text(column)) else { throw .unreadable("an account's name") }
        return account
    }

    func account(_ tenant: Int32, _ account: Int32) throws(StoreError) -> AccountRef {
        AccountRef(tenant: try self.tenant(tenant), account: try self.account(account))
    }

    package func digest(_ column: Int32) throws(StoreError) -> Digest {
        guard let digest = Digest(bytes(column)) else { throw .unreadable("a digest") }
        return digest
    }

    func license(_ column: Int32) throws(StoreError) -> LicenseID {
        guard let id = LicenseID(number: integer(column)) else { throw .unreadable("a license's id") }
        return id
    }

    package func item(_ column: Int32) throws(StoreError) -> AppleItemID {
        guard let item = AppleItemID(number: pattern(column)) else { throw .unreadable("an app's number") }
        return item
    }

    func version(_ column: Int32) throws(StoreError) -> AppleVersionID {
        guard let version = AppleVersionID(number: pattern(column)) else { throw .unreadable("a version's number") }
        return version
    }

    func asset(_ item: Int32, _ version: Int32, _ asset: Int32) throws(StoreError) -> AssetRef {
        guard let name = AssetID(text(asset)) else { throw .unreadable("an asset's name") }
        return AssetRef(item: try self.item(item), version: try self.version(version), asset: name)
    }

    func term(_ start: Int32, _ end: Int32) throws(StoreError) -> Term {
        guard let term = Term(start: moment(start), end: optionalMoment(end)) else { throw .unreadable("a term") }
        return term
    }

    package func code<Code: RawRepresentable<String>>(
        _ column: Int32, _ what: String, as type: Code.Type = Code.self
    ) throws(StoreError) -> Code {
        guard let code = Code(rawValue: text(column)) else { throw .unreadable(what) }
        return code
    }
}
