public import TenureCore

/// One immutable version of the catalog, with the features' decrypted keys.
///
/// A request uses one snapshot throughout. It's a class, so that passing a snapshot on copies nothing.
public final class CatalogSnapshot: Sendable {
    /// The tenants with their products and policies.
    public let catalog: Catalog

    /// Whether the snapshot was read from the store.
    ///
    /// Otherwise it contains only what was saved on this host (``CatalogMember.KeptShare``).
    package let isComplete: Bool

    /// The master key that encrypts values saved under this version of the catalog.
    package let master: MasterKey

    let marks: CatalogMarks

    private let parts: [ObjectIdentifier: any CatalogPart]

    init(
        catalog: Catalog, under master: MasterKey, marks: CatalogMarks, parts: [any CatalogPart],
        isComplete: Bool = true
    ) {
        self.catalog = catalog
        self.isComplete = isComplete
        self.master = master
        self.marks = marks
        self.parts = Dictionary(uniqueKeysWithValues: parts.map { (ObjectIdentifier(type(of: $0)), $0) })
    }

    /// The catalog's version in the store; -1 for a snapshot that was saved on this host.
    public var version: Int64 { catalog.version }

    /// A feature's part of the snapshot; `nil` if the feature isn't installed.
    package func part<Part: CatalogPart>(_ kind: Part.Type) -> Part? {
        parts[ObjectIdentifier(kind)].map { part in unsafeDowncast(part, to: kind) }
    }
}
