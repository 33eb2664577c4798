package import TenureCore

/// The licenses of a shelf. Each has a place of its own, so that a table of many is small, and changing one moves no other.
package struct KeptLicenses: Sendable, Hashable {
    /// A license's place. Two copies of a table share it until one of them changes it.
    // Sendable without a lock: what is in it changes only while a single table holds it.
    private final class Place: @unchecked Sendable {
        var kept: KeptLicense

        init(_ kept: KeptLicense) { self.kept = kept }
    }

    private var places: [ContentLicenseID: Place] = [:]

    /// How many there are.
    package var count: Int { places.count }

    /// Their names, in no order.
    package var keys: some Collection<ContentLicenseID> { places.keys }

    /// All of them, in no order.
    package var values: some Collection<KeptLicense> { places.values.lazy.map(\.kept) }

    /// The license of that name; nil when it is not kept.
    package subscript(license: ContentLicenseID) -> KeptLicense? { places[license]?.kept }

    /// Makes room for so many.
    mutating func reserve(_ count: Int) { places.reserveCapacity(count) }

    /// Changes a license, or keeps a new one.
    mutating func change(
        _ license: ContentLicenseID, orNew new: @autoclosure () -> KeptLicense, _ body: (inout KeptLicense) -> Void
    ) {
        Self.change(&places[license, default: Place(new())], body)
    }

    /// Changes a license; what is not kept is not changed.
    mutating func change(_ license: ContentLicenseID, _ body: (inout KeptLicense) -> Void) {
        guard let index = places.index(forKey: license) else { return }
        Self.change(&places.values[index], body)
    }

    private static func change(_ place: inout Place, _ body: (inout KeptLicense) -> Void) {
        if !isKnownUniquelyReferenced(&place) { place = Place(place.kept) }
        body(&place.kept)
    }

    /// Takes a license out and answers it.
    mutating func remove(_ license: ContentLicenseID) -> KeptLicense? { places.removeValue(forKey: license)?.kept }

    /// Compares what is kept.
    package static func == (one: KeptLicenses, other: KeptLicenses) -> Bool {
        one.count == other.count && one.places.allSatisfy { other.places[$0.key]?.kept == $0.value.kept }
    }

    /// Hashes how much is kept.
    package func hash(into hasher: inout Hasher) { hasher.combine(count) }
}
