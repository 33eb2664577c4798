import TenureCore
import TenureCrypto
import TenureFormats
import TenureLicensing
import TenureServerKit

extension LeaseKey {
    /// Signs a lease in Keylight's format; without an activation, the lease isn't bound to a device.
    func signLease(
        _ terms: LeaseTerms, of license: License, requested key: PresentedKey, activation: ActivationID?
    ) throws(ServerError) -> KeylightLease {
        do throws(FormatError) {
            let claims = KeylightLease.Claims(terms, key: key.bound(of: license), activation: activation)
            return try KeylightLease.signed(claims, kid: kid, with: privateKey)
        } catch {
            throw ServerError(.crypto, "A lease for license \(license.id) can't be signed.", cause: error.message)
        }
    }

    /// Signs the product's trial and free-tier settings.
    func signConfiguration(
        of product: Product, from start: Timestamp, until end: Timestamp
    ) throws(ServerError) -> KeylightProductConfiguration {
        do throws(FormatError) {
            let claims = KeylightProductConfiguration.Claims(
                product: product.ref, trialDurationDays: Int64(product.trialDays), freeTierEnabled: product.freeTier,
                issuedAt: start, expiresAt: end)
            return try KeylightProductConfiguration.signed(claims, kid: kid, with: privateKey)
        } catch {
            throw ServerError(.crypto, "The configuration of \(product.ref) can't be signed.", cause: error.message)
        }
    }
}

extension PublishedKeys {
    /// The keys in the format of Keylight's clients.
    func keyset() throws(ServerError) -> KeylightKeyset {
        do throws(FormatError) {
            return try KeylightKeyset(
                primaryKid: primaryKid, keys: keys.map { .init(kid: $0.kid, publicKey: $0.publicKey) })
        } catch {
            throw ServerError(.crypto, "The keyset can't be encoded.", cause: error.message)
        }
    }
}
