public import TenureCore

/// The catalog and what the rooms keep open beside it, of one version, never changed after it was made.
///
/// One reference, so that a request takes it without copying and sees one version to its end.
public final class CatalogSnapshot: Sendable {
    /// What this server offers.
    public let catalog: Catalog

    /// Whether it was read from the store. Otherwise it has only what was kept on this machine (``KeptShare``).
    package let isComplete: Bool

    let marks: CatalogMarks

    private let parts: [ObjectIdentifier: any CatalogPart]

    init(catalog: Catalog, marks: CatalogMarks, parts: [any CatalogPart], isComplete: Bool = true) {
        self.catalog = catalog
        self.isComplete = isComplete
        self.marks = marks
        self.parts = Dictionary(uniqueKeysWithValues: parts.map { (ObjectIdentifier(type(of: $0)), $0) })
    }

    /// The version that the store gave it.
    public var version: Int64 { catalog.version }

    /// What a room keeps with it; nil when the room is not there.
    package func part<Part: CatalogPart>(_ kind: Part.Type) -> Part? {
        parts[ObjectIdentifier(kind)].map { part in unsafeDowncast(part, to: kind) }
    }
}
