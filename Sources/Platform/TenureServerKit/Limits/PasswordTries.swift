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
    /// The queue for password checks: two run at once, and the sources take turns.
    package let queue: FairQueue<Source>
    /// A hash that no known password fits.
    ///
    /// Passwords for unknown accounts are checked against it, so that the response time doesn't reveal which accounts
    /// exist.
    package let decoy: String

    /// Creates the queue and a decoy hash.
    ///
    /// - Parameter waiting: How many checks may wait in total; each of them keeps a request open.
    /// - Throws: ``ServerError`` if the decoy hash can't be made.
    package init(waiting: Int = 128) throws(ServerError) {
        queue = FairQueue(atOnce: 2, waiting: 16, ofAll: waiting)
        do throws(CryptoError) {
            decoy = try PasswordHash.decoy()
        } catch {
            throw ServerError(.crypto, error.message, cause: error.code.text)
        }
    }
}
