import TenureCommandLine
package import TenureCore
package import TenureLicensing
package import TenureServerKit
import TenureStore

/// A letter with license keys: of new licenses, keys that are sent again, or a key that replaces another one.
package struct KeyLetter: Sendable {
    /// The kind of a letter that sends keys, the first time or again.
    package static let keys = MailKind.Name("keys")
    /// The kind of a letter with a key that replaces another one.
    static let replacedKey = MailKind.Name("key_replaced")

    let licensing: LicensingContext

    /// The kinds of letters with license keys.
    var kinds: [MailKind] {
        [Self.keys, Self.replacedKey].map { name in
            MailKind(name) { mail, context throws(ServerError) in try await compose(mail, context) }
        }
    }

    /// Writes a letter with those of its keys that may still be sent.
    private func compose(
        _ mail: Mail, _ context: MailKind.Context
    ) async throws(ServerError) -> MailKind.Composition {
        let plan = Self.plan
        // The master key may have been changed since the catalog was read.
        let master = try await licensing.catalog.refreshIfChanged().master
        let results = try await licensing.store.fetch(plan.bind(mail))
        let licenses = results[plan.queries.licenses]
        let roots = KeyRoots(results[plan.queries.roots], under: master)
        var items: [KeyLetterText.Item] = []
        for key in mail.licenses {
            guard let license = licenses.first(where: { $0.id == key.license }), license.mayBeSent(in: mail, as: key)
            else { continue }
            guard let text = try roots.text(of: license) else {
                return .failed(
                    "The key of \(license.id) can't be computed with this master key. Replace it with `tenure license "
                        + "rekey --keep-devices --mail`.")
            }
            items.append(KeyLetterText.Item(license: license, key: text.text))
        }
        guard let first = items.first else { return .superseded }
        let replaced = mail.kind == Self.replacedKey.text ? results[plan.queries.former].first : nil
        let letter = KeyLetterText.Letter(
            items: items, replaced: replaced, tenant: context.tenant,
            product: context.tenant.products[first.license.product.product], language: mail.language, now: context.now)
        return .letter(
            MailKind.Text(subject: letter.subject, body: letter.body, recipient: first.license.terms.holderName))
    }

    private static let plan = QueryPlan(for: Mail.self) { query in
        (
            licenses: query.each(License.table.key) { $0.licenses.map { .of($0.license) } },
            roots: query.rows(KeyRoot.ofTenant, upTo: .everything) { [.of($0.tenant)] },
            former: query.rows(FormerKey.ofLicense, upTo: 1) { [.of($0.licenses.first?.license)] }
        )
    }
}

extension KeyLetter {
    /// Returns an error that says why a letter about a license can't be sent, and what to do.
    static func notMailable(_ license: License, from tenant: Tenant? = nil) -> CommandError {
        if let tenant, tenant.mail == nil { return CommandError(Catalog.mailNotSetUp(for: tenant.id)) }
        return CommandError(
            "The license \(license.id) has no e-mail address. Run `tenure license change \(license.id) --holder-email "
                + "EMAIL`, then repeat the command.")
    }
}

extension License {
    /// Whether a letter may still contain the license's key: the key wasn't replaced, the license wasn't stopped, and
    /// the address is the same.
    fileprivate func mayBeSent(in mail: Mail, as key: Mail.LicenseKey) -> Bool {
        guard product.tenant == mail.tenant, recordedState.isOpen, let address = terms.letterAddress,
            let generation = keyDerivation?.generation
        else { return false }
        return Int64(generation) == key.generation && FoldedText(address) == FoldedText(mail.address)
    }
}

extension Mail {
    /// The letter that sends the keys of licenses to their address.
    ///
    /// Returns `nil` if the first license has no address, or if the tenant sends no letters.
    ///
    /// - Parameter isHeldWithoutSender: Whether to create the letter, to be held, even if the tenant sends no letters.
    package static func keys(
        of licenses: [License], kind: MailKind.Name = KeyLetter.keys, _ id: MailID, from tenant: Tenant?,
        isHeldWithoutSender: Bool = false, at now: Timestamp
    ) -> Mail? {
        guard let tenant, tenant.mail != nil || isHeldWithoutSender, let terms = licenses.first?.terms,
            let address = terms.letterAddress
        else { return nil }
        return Mail(
            id, kind: kind, to: address, in: tenant.language ?? .english,
            licenses: licenses.map { LicenseKey($0.id, generation: Int64($0.keyGeneration)) }, order: terms.order,
            of: tenant.id, by: tenant.mail, at: now)
    }

    /// The letters that send the keys of licenses, one to each address.
    ///
    /// Returns `nil` if a license has no address, if the tenant sends no letters, or if an address has no id.
    ///
    /// - Parameter ids: An id for each address (``ids(for:using:)``).
    static func keys(
        of licenses: [License], _ ids: [FoldedText: MailID], from tenant: Tenant?, at now: Timestamp
    ) -> [Mail]? {
        var addresses: [FoldedText] = []
        var groups: [FoldedText: [License]] = [:]
        for license in licenses {
            guard let address = license.terms.letterAddress.map({ FoldedText($0) }) else { return nil }
            if groups[address] == nil { addresses.append(address) }
            groups[address, default: []].append(license)
        }
        var letters: [Mail] = []
        for address in addresses {
            guard let id = ids[address], let group = groups[address],
                let letter = keys(of: group, id, from: tenant, at: now)
            else { return nil }
            letters.append(letter)
        }
        return letters
    }

    /// Draws an id for each address.
    static func ids(
        for addresses: [String], using generator: inout any RandomNumberGenerator
    ) -> [FoldedText: MailID] {
        var ids: [FoldedText: MailID] = [:]
        for address in addresses.map({ FoldedText($0) }) where ids[address] == nil {
            ids[address] = MailID.random(using: &generator)
        }
        return ids
    }
}
