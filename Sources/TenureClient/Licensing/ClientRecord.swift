package import Foundation
package import TenureVault

/// What a client remembers across launches; kept as JSON in a ``Vault``.
package struct ClientRecord: Sendable, Hashable, Codable {
    /// The form of the record; a later program may write a later one.
    package private(set) var version = Self.newestVersion
    /// The license, if one is activated here.
    package var license: License?
    /// The trial of this device.
    package var trial = KeptTrial.notStarted
    /// What the vendor allows without a license, as it was last told.
    package var terms: ProductTerms?
    /// What is known about time.
    package var marks: ClockMarks?
    /// When a server last said yes or no.
    package var confirmed: Moment?
    /// The last request.
    package var lastTry: LastTry?
    /// Why the last request brought nothing; nil when it brought something.
    package var unreached: Unreached?
    /// The keys that leases are verified with, as the service gave them.
    package var keyset: Data?
    /// The record that was here before could not be used; nil when it could, or when a license was activated or a trial
    /// started since.
    package var loss: RecordLoss?
    /// Places to give back: of licenses that were replaced while nobody could be told.
    package var owed: [HeldActivation] = []

    /// A license as it is kept.
    package struct License: Sendable, Hashable, Codable {
        /// The key and its activation.
        package var activation: HeldActivation
        /// The bytes of the newest lease; verified anew before anything is believed of them.
        package var lease: Data?
        /// When the newest lease was signed.
        package var issuedAt: Moment?
        /// When it was activated here; nil in records of programs that did not write it down.
        package var activatedAt: Moment?
        /// The no that came after it.
        package var no: VerifiedNo?
    }

    /// The form that this program writes.
    package static let newestVersion = 1
    /// The most places that are owed; the oldest are forgotten, and their server frees them in its own ways.
    package static let mostOwed = 8

    /// A first launch.
    package init() {}

    /// Reads a record.
    ///
    /// Throws ``VaultError``: `.unreadable` for one of a later program, `.corrupted` for anything else.
    package init(_ bytes: [UInt8]) throws(VaultError) {
        let data = Data(bytes)
        do {
            let version = try JSONDecoder().decode(Version.self, from: data).version
            guard version <= Self.newestVersion else {
                throw VaultError(.unreadable, "A newer version of this app wrote the license record; update the app.")
            }
            self = try JSONDecoder().decode(ClientRecord.self, from: data)
        } catch let error as VaultError {
            throw error
        } catch {
            throw VaultError(.corrupted, "The license record is not what this app writes.")
        }
    }

    /// The record's bytes, the same for the same record.
    ///
    /// Throws ``VaultError``: `.unwritable`, which no record is known to cause.
    package func bytes() throws(VaultError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        do {
            return [UInt8](try encoder.encode(self))
        } catch {
            throw VaultError(.unwritable, "The license record cannot be written as JSON.")
        }
    }

    private struct Version: Codable {
        let version: Int
    }
}

/// That an earlier record could not be used, which this one says in its place.
package struct RecordLoss: Sendable, Hashable, Codable {
    /// What was wrong with it.
    package enum Code: String, Sendable, Hashable, Codable {
        /// It was changed or cut.
        case corrupted
        /// It was written on another device, or for another product.
        case foreign
    }

    /// What was wrong with the earlier record.
    package let code: Code
    /// When this record took its place.
    package internal(set) var at: Moment

    /// Notes it down.
    package init(_ code: Code, at moment: Moment) {
        self.code = code
        at = moment
    }

    /// Notes an error down that nothing but a new record ends; nil for any other.
    init?(_ error: VaultError?, at moment: Moment) {
        switch error?.code {
        case .corrupted: self.init(.corrupted, at: moment)
        case .foreign: self.init(.foreign, at: moment)
        case .unreadable, .unwritable, .busy, nil: return nil
        }
    }
}
