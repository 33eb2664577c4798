import TenureCore
import TenureFormats

extension CatalogReader {
    /// The licenses listed under a product; two keys with one normal form are reported.
    mutating func licenses(_ nodes: [CatalogNode], of product: Product) -> [CatalogFile.ListedLicense] {
        var seen: [Digest: String] = [:]
        return nodes.compactMap { node in
            guard let license = license(node, of: product) else { return nil }
            if let other = seen.updateValue(node.pointer, forKey: license.key.hash) {
                report(node, "this key and the one at \(other) are the same without white space and case")
            }
            return license
        }
    }

    private mutating func license(_ node: CatalogNode, of product: Product) -> CatalogFile.ListedLicense? {
        let members = object(node, knowing: ["key", "policy", "holder", "state", "expiresAt"])
        guard let keyNode = members["key"] else {
            report(node, "needs a \"key\"; to mint keys, use `tenure license issue`")
            return nil
        }
        guard case .string = keyNode.value else {
            report(keyNode, "must be a text, not \(keyNode.value.kind)")
            return nil
        }
        guard let keyText = text(keyNode) else { return nil }
        guard let key = LicenseKeyText(keyText) else {
            report(keyNode, "must have more than white space in it")
            return nil
        }
        guard let policyNode = members["policy"], let policyText = text(policyNode) else {
            report(node, "needs a \"policy\" of the product")
            return nil
        }
        guard let policy = PolicyID(policyText), product.policies[policy] != nil else {
            let known = product.policies.keys.sorted().map(\.text).joined(separator: ", ")
            report(policyNode, "the product has no such policy; it has: \(known.isEmpty ? "none" : known)")
            return nil
        }
        return CatalogFile.ListedLicense(
            product: product.ref, key: key.kept(under: product.keyPrefix), policy: policy,
            holder: text(members["holder"]),
            state: state(members["state"]), end: end(members["expiresAt"]))
    }

    private mutating func state(_ node: CatalogNode?) -> License.State? {
        guard let node else { return nil }
        let allowed: [License.State] = [.issued, .active, .suspended, .revoked, .returned]
        guard case .string(let text) = node.value, let state = License.State(rawValue: text), allowed.contains(state)
        else {
            let names = allowed.map(\.rawValue).joined(separator: ", ")
            report(node, "must be one of \(names); an end in the past (\"expiresAt\") makes a license expired")
            return nil
        }
        return state
    }

    /// Absent leaves the end to the policy, or as it is; null is never.
    mutating func end(_ node: CatalogNode?) -> LicenseEdit.End? {
        guard let node else { return nil }
        switch node.value {
        case .null: return .never
        case .string(let text):
            if let moment = Timestamp(text: text) { return .at(moment) }
        default: break
        }
        report(node, "must be a date such as \"2027-01-31T00:00:00Z\", or null for never")
        return nil
    }
}
