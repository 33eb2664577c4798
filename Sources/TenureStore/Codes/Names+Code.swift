package import TenureCore

extension Policy {
    /// Entitlements in their order, separated by commas, which no name contains.
    package static func code(_ entitlements: [Entitlement]) -> String {
        entitlements.map(\.name).joined(separator: ",")
    }

    /// Reads what ``code(_:)`` writes; nil for anything else.
    package static func entitlements(code: String) -> [Entitlement]? {
        guard !code.isEmpty else { return [] }
        let names = code.split(separator: ",", omittingEmptySubsequences: false)
        let entitlements = names.compactMap { Entitlement($0) }
        return entitlements.count == names.count ? entitlements : nil
    }
}

extension TokenRecord {
    /// Scopes in their order, separated by spaces, which no scope contains.
    package static func code(_ scopes: [String]) -> String {
        scopes.joined(separator: " ")
    }

    /// Reads what ``code(_:)`` writes.
    package static func scopes(code: String) -> [String] {
        code.split(separator: " ").map(String.init)
    }
}
