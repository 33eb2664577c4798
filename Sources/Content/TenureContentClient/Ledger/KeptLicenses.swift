package import TenureCore

/// The licenses of a ``LedgerContents``, by id.
///
/// Each license is a separate heap object. This keeps the hash table small, and changing one license doesn't move the
/// others.
package struct KeptLicenses: Sendable, Hashable {
    /// The heap object for one license.
    ///
    /// Copies of the table share it until one of them changes it.
    // Sendable without a lock: the content changes only while a single table references the object.
    private final class Place: @unchecked Sendable {
        var stored: KeptLicense

        init(_ stored: KeptLicense) { self.stored = stored }
    }

    private var places: [ContentLicenseID: Place] = [:]

    package var count: Int { places.count }

    /// The ids of the stored licenses, unordered.
    package var keys: some Collection<ContentLicenseID> { places.keys }

    /// The stored licenses, unordered.
    package var values: some Collection<KeptLicense> { places.values.lazy.map(\.stored) }

    /// The license with this id; `nil` if it isn't stored.
    package subscript(license: ContentLicenseID) -> KeptLicense? { places[license]?.stored }

    /// Reserves capacity for a number of licenses.
    mutating func reserve(_ count: Int) { places.reserveCapacity(count) }

    /// Changes a license, or adds a new one first.
    mutating func change(
        _ license: ContentLicenseID, orNew new: @autoclosure () -> KeptLicense, _ body: (inout KeptLicense) -> Void
    ) {
        Self.change(&places[license, default: Place(new())], body)
    }

    /// Changes a license; does nothing if the license isn't stored.
    mutating func change(_ license: ContentLicenseID, _ body: (inout KeptLicense) -> Void) {
        guard let index = places.index(forKey: license) else { return }
        Self.change(&places.values[index], body)
    }

    private static func change(_ location: inout Place, _ body: (inout KeptLicense) -> Void) {
        if !isKnownUniquelyReferenced(&location) { location = Place(location.stored) }
        body(&location.stored)
    }

    /// Removes a license and returns it; `nil` if it isn't stored.
    mutating func remove(_ license: ContentLicenseID) -> KeptLicense? { places.removeValue(forKey: license)?.stored }

    package static func == (one: KeptLicenses, other: KeptLicenses) -> Bool {
        one.count == other.count && one.places.allSatisfy { other.places[$0.key]?.stored == $0.value.stored }
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(count) }
}
