package import TenureFoundation
package import TenureVault

/// The client's state across launches, stored as JSON in a ``Vault``.
package struct ClientRecord: Sendable, Hashable, Codable {
    /// The version of the record's format.
    package private(set) var version = Self.newestVersion
    /// The license that is activated on this device, if any.
    package var license: License?
    package var trial = KeptTrial.notStarted
    /// The terms for users without a license, as last received; `nil` if none were.
    package var terms: ProductTerms?
    package var marks: ClockMarks?
    /// When a server last sent a verified response, whether a success or a refusal; `nil` if never.
    package var confirmed: Moment?
    /// The last request and the waits that follow it; `nil` before the first.
    package var lastTry: LastTry?
    /// Why the last request failed; `nil` if it succeeded.
    package var unreached: RequestFailure?
    /// The keys that leases are verified with, encoded by the service; `nil` if none are stored.
    package var keyset: Data?
    /// Why the previous record couldn't be used.
    ///
    /// `nil` if it could be used, or if a license has been activated or a trial started since.
    package var loss: RecordLoss?
    /// Activations that still have to be released, because their licenses were replaced or couldn't be stored.
    package var owed: [HeldActivation] = []

    /// The stored license: its key, its activation, and the server's latest answers.
    package struct License: Sendable, Hashable, Codable {
        /// The license key and the id of its activation.
        package var activation: HeldActivation
        /// The last lease that was accepted, which is verified again before it is used; `nil` after a refusal without a
        /// lease.
        package var lease: Data?
        /// When the last lease that was accepted was signed, even if a later refusal has removed ``lease``.
        package var issuedAt: Moment?
        /// When the license was activated here; `nil` in records of versions that didn't store it.
        package var activatedAt: Moment?
        /// The refusal of the last renewal; `nil` if the server has granted a lease since, or refused none.
        package var refused: SignedRefusal?
        /// The operating system that was last reported to the server, such as `macOS 15.1`; `nil` if none was.
        package var system: String?

        /// The stored names; never change them.
        private enum CodingKeys: String, CodingKey {
            case activation = "activation"
            case lease = "lease"
            case issuedAt = "issuedAt"
            case activatedAt = "activatedAt"
            case refused = "no"
            case system = "system"
        }
    }

    /// The format version that this code writes.
    package static let newestVersion = 1
    /// The maximum number of entries in ``owed``; older ones are dropped, and the server keeps those activations.
    package static let mostOwed = 8

    /// Creates the record of a first launch.
    package init() {}

    /// Decodes a record.
    ///
    /// - Throws: ``VaultError``: `.unreadable` if a later version wrote it; `.corrupted` for anything else.
    package init(_ bytes: [UInt8]) throws(VaultError) {
        let data = Data(bytes)
        do {
            let version = try JSONDecoder().decode(Version.self, from: data).version
            guard version <= Self.newestVersion else {
                throw VaultError(.unreadable, "A newer version of this app wrote the license record. Update the app.")
            }
            self = try JSONDecoder().decode(ClientRecord.self, from: data)
        } catch let error as VaultError {
            throw error
        } catch {
            throw VaultError(.corrupted, "The license record isn't in this app's format.")
        }
    }

    /// The encoded record; equal records have equal bytes.
    ///
    /// Throws ``VaultError``: `.unwritable`, though no record should cause it.
    package func bytes() throws(VaultError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        do {
            return [UInt8](try encoder.encode(self))
        } catch {
            throw VaultError(.unwritable, "The license record can't be encoded as JSON.")
        }
    }

    /// The stored names; never change them.
    private enum CodingKeys: String, CodingKey {
        case version = "version"
        case license = "license"
        case trial = "trial"
        case terms = "terms"
        case marks = "marks"
        case confirmed = "confirmed"
        case lastTry = "lastTry"
        case unreached = "unreached"
        case keyset = "keyset"
        case loss = "loss"
        case owed = "owed"
    }

    private struct Version: Decodable {
        let version: Int

        private enum CodingKeys: String, CodingKey {
            case version = "version"
        }
    }
}

/// States that the previous record couldn't be used, and why.
package struct RecordLoss: Sendable, Hashable, Codable {
    /// What was wrong with the previous record.
    package enum Code: String, Sendable, Hashable, Codable {
        /// The record was modified or truncated.
        case corrupted = "corrupted"
        /// The record was written on another device or for another product.
        case foreign = "foreign"
    }

    package let code: Code
    /// When a new record replaced the unusable one.
    package internal(set) var at: Moment

    /// The stored names; never change them.
    private enum CodingKeys: String, CodingKey {
        case code = "code"
        case at = "at"
    }

    package init(_ code: Code, at time: Moment) {
        self.code = code
        at = time
    }

    /// Creates the loss for an error that only a new record resolves; `nil` for any other error.
    init?(_ error: VaultError?, at time: Moment) {
        switch error?.code {
        case .corrupted: self.init(.corrupted, at: time)
        case .foreign: self.init(.foreign, at: time)
        case .unreadable, .unwritable, .busy, nil: return nil
        }
    }
}
