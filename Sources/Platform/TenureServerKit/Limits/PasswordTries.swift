package import TenureCore
import TenureCrypto
package import TenureHTTP

/// Limits password attempts on this server, for all pages that accept passwords.
package final class PasswordTries: Sendable {
    /// A source of password checks; each source has its own waiting queue.
    package struct Source: Hashable, Sendable {
        let tenant: TenantID
        let network: IPAddress?

        package init(tenant: TenantID, network: IPAddress?) {
            self.tenant = tenant
            self.network = network
        }
    }

    /// The limit per name and source: 5 attempts in 15 minutes.
    package let attempts = AttemptLimit(AttemptCounter(perName: 5, total: nil, window: 900))
    /// The queue for password checks. Two checks run at once, and the sources take turns.
    package let queue: FairQueue<Source>
    /// A password hash that no known password matches.
    ///
    /// Passwords for unknown accounts are checked against this hash, so that the response time doesn't reveal which
    /// accounts exist.
    package let decoy: String

    /// Creates the queue and a decoy hash.
    ///
    /// - Parameter waiting: The number of checks that may wait in total. Each waiting check keeps a request open.
    /// - Throws: ``ServerError`` if the decoy hash can't be created.
    package init(waiting: Int = 128) throws(ServerError) {
        queue = FairQueue(atOnce: 2, waiting: 16, ofAll: waiting)
        do throws(CryptoError) {
            decoy = try PasswordHash.decoy()
        } catch {
            throw ServerError(.crypto, error.message, cause: error.code.text)
        }
    }
}
