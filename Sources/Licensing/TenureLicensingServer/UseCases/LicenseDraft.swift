package import TenureCore
package import TenureLicensing
import TenureServerKit
import TenureStore

/// A request to issue one or more licenses of a product under one policy.
package struct LicenseOrder: Sendable {
    package var product: ProductRef
    package var policy: PolicyID
    /// The license fields; fields that aren't named follow from the policy.
    package var terms: [LicenseTerms.FieldChange]
    package var count: Int
    /// Whether a letter sends the keys to the holder.
    package var isMailed: Bool

    package init(
        product: ProductRef, policy: PolicyID, terms: [LicenseTerms.FieldChange] = [], count: Int = 1,
        isMailed: Bool = false
    ) {
        self.product = product
        self.policy = policy
        self.terms = terms
        self.count = count
        self.isMailed = isMailed
    }

    /// The values of one license of an order.
    package struct Row: Sendable, Hashable {
        package var policy: PolicyID
        /// The license fields; fields that aren't named follow from the policy.
        package var terms: [LicenseTerms.FieldChange]
    }

    var rows: [Row] { Array(repeating: Row(policy: policy, terms: terms), count: count) }
}

/// One license and the only copy of its key's full text.
package struct IssuedLicense: Sendable {
    package let license: License
    /// The key's full text, to be shown once.
    package let keyText: String
}

/// An order with the keys minted for it; it shows what will be issued unless the policy changes first.
struct LicenseDraft: Sendable {
    let product: ProductRef
    let prefix: LicenseKeyPrefix
    let minted: [MintedLicense]
    let now: Timestamp
    /// An id for each letter with the keys, by its address; `nil` if no letters are sent.
    let letters: [FoldedText: MailID]?
    /// The licenses to be issued, each with the only copy of its key's full text.
    let issued: [IssuedLicense]

    /// The licenses to issue under the product's policies, with their writes and events.
    ///
    /// Returns `nil` if a policy no longer exists.
    func consequences(
        under policies: [PolicyID: Policy], by actor: Actor
    ) -> [(issued: IssuedLicense, consequences: Consequences)]? {
        var all: [(issued: IssuedLicense, consequences: Consequences)] = []
        all.reserveCapacity(minted.count)
        for minted in minted {
            guard let policy = policies[minted.row.policy] else { return nil }
            let consequences = License.issue(
                id: minted.id, product: product, key: minted.text.stored(under: prefix),
                derivation: minted.derivation, terms: LicenseTerms(under: policy, from: now, minted.row.terms),
                by: actor, at: now)
            if let license = consequences.license {
                all.append((IssuedLicense(license: license, keyText: minted.text.text), consequences))
            }
        }
        return all
    }

    /// The writes of the letters with the keys; `nil` if letters were requested and can't be sent.
    func letters(for licenses: [License], from tenant: Tenant?) -> [RowWrite]? {
        guard let letters else { return [] }
        return Mail.keys(of: licenses, letters, from: tenant, at: now)?.flatMap(\.sending)
    }
}

/// A license with its key and its id.
struct MintedLicense: Sendable {
    let row: LicenseOrder.Row
    let text: LicenseKeyText
    let id: LicenseID
    /// What the key was derived from; `nil` for a random key.
    var derivation: LicenseKey.Derivation?
}
