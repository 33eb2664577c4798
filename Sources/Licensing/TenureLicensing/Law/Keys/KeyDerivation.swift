public import TenureCore

extension LicenseKey {
    /// What a license's key was derived from, so that the server can compute the key again and send it.
    ///
    /// A random key has no derivation: the store keeps only its digest.
    public struct Derivation: Sendable, Hashable {
        /// The tenant's root from which the key was derived.
        public let root: KeyRootID
        /// The number of the key among all keys that were derived for the license.
        public let generation: Int

        /// Creates a derivation with these values, from which the key can be computed again.
        public init(root: KeyRootID, generation: Int) {
            self.root = root
            self.generation = generation
        }

        /// The generation of the key with which a license is issued.
        package static let first = 1

        /// The generation of a key that replaces the license's key at this time.
        ///
        /// It's no smaller than the time in seconds. Otherwise, a store that was restored from an old backup would
        /// derive a key that the lost store has sent to another person already.
        package static func nextGeneration(for license: License, at now: Timestamp) -> Int {
            max(license.keyGeneration + 1, Int(now.seconds))
        }
    }
}

/// Marks the ids of key roots.
public enum KeyRootTag: Numbered {
    /// The prefix of key roots' ids.
    public static let namePrefix = "root_"
}

/// The id of a tenant's key root, written as `root_` and 13 digits.
public typealias KeyRootID = NumberedID<KeyRootTag>
