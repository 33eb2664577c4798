package import TenureCore
import TenureCrypto
package import TenureHTTP

/// How many passwords may be tried on this server, whichever page they are typed into.
package final class PasswordTries: Sendable {
    /// Who waits for a password to be verified.
    package struct Source: Hashable, Sendable {
        let tenant: TenantID
        let network: IPAddress?

        /// Names one.
        package init(tenant: TenantID, network: IPAddress?) {
            self.tenant = tenant
            self.network = network
        }
    }

    /// Attempts under a name from a source.
    package let attempts = AttemptLimit(AttemptLedger(perName: 5, total: nil, window: 900))
    /// So many passwords are verified at once; the others wait, tenant by tenant and source by source.
    package let turns: FairTurns<Source>
    /// A hash of no password that anybody has, at the real cost.
    package let decoy: String

    /// Makes the hash of the decoy, which takes as long as a sign-in. Throws ``ServerError``.
    /// - Parameter waiting: How many may wait in all: each of them holds a request.
    package init(waiting: Int = 128) throws(ServerError) {
        turns = FairTurns(atOnce: 2, waiting: 16, ofAll: waiting)
        do throws(CryptoError) {
            decoy = try PasswordHash.make(of: SecureRandom.bytes(32))
        } catch {
            throw ServerError(.crypto, error.message, cause: error.code.text)
        }
    }
}
