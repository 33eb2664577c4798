package import TenureCore
import TenureCrypto
package import TenureHTTP

/// Limits password attempts on this server, for all pages that accept passwords.
package final class PasswordTries: Sendable {
    /// A source of password checks, for fair queueing.
    package struct Source: Hashable, Sendable {
        let tenant: TenantID
        let network: IPAddress?

        package init(tenant: TenantID, network: IPAddress?) {
            self.tenant = tenant
            self.network = network
        }
    }

    /// Attempts for a name from a source: 5 in 15 minutes.
    package let attempts = AttemptLimit(AttemptCounter(perName: 5, total: nil, window: 900))
    /// The queue for password checks: two run at once, and sources take turns.
    package let turns: FairQueue<Source>
    /// The hash of a random password, at full cost, for unknown accounts.
    package let decoy: String

    /// Computes the decoy hash, which takes as long as a sign-in.
    ///
    /// Throws ``ServerError``.
    ///
    /// - Parameter waiting: How many checks may wait in total; each holds a request.
    package init(waiting: Int = 128) throws(ServerError) {
        turns = FairQueue(atOnce: 2, waiting: 16, ofAll: waiting)
        do throws(CryptoError) {
            decoy = try PasswordHash.make(of: SecureRandom.bytes(32))
        } catch {
            throw ServerError(.crypto, error.message, cause: error.code.text)
        }
    }
}
