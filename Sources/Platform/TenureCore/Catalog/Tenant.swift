/// A vendor on this server.
public struct Tenant: Sendable {
    /// The tenant's id, as it appears in URL paths.
    public let id: TenantID

    /// The vendor's name as shown to customers.
    public var name: String

    /// The language of pages and messages for customers who request no other; `nil` for English.
    public var language: Language?

    /// The address that customers write to for support; `nil` if the tenant has set none.
    public var supportEmail: String?

    /// The `https` address of the tenant's support page; `nil` if the tenant has set none.
    public var supportURL: String?

    /// How the tenant's pages look; `nil` for the standard look.
    package var brand: Brand?

    /// How the tenant sends letters; `nil` if it sends none.
    package var mail: Tenant.MailSettings?

    /// The features' settings, in no particular order. There are only a few, so a search is fast.
    private var parts: [PartBox] = []

    /// Creates a tenant without settings of any feature.
    public init(
        id: TenantID, name: String, language: Language? = nil, supportEmail: String? = nil, supportURL: String? = nil
    ) {
        self.id = id
        self.name = name
        self.language = language
        self.supportEmail = supportEmail
        self.supportURL = supportURL
    }

    /// A feature's settings for the tenant; empty settings if it has stored none.
    public subscript<Part: TenantPart>(part: Part.Type) -> Part {
        get {
            // An optional result would need a look-up of its type on every request.
            guard let box = box(of: part) else { return Part() }
            return box.value
        }
        _modify {
            let index =
                parts.firstIndex { $0.type == ObjectIdentifier(part) }
                ?? {
                    parts.append(TypedPartBox(Part()))
                    return parts.count - 1
                }()
            // A copy of the tenant may share the box.
            if !isKnownUniquelyReferenced(&parts[index]) {
                parts[index] = TypedPartBox(unsafeDowncast(parts[index], to: TypedPartBox<Part>.self).value)
            }
            yield &unsafeDowncast(parts[index], to: TypedPartBox<Part>.self).value
        }
    }

    /// The support address to show on pages: the tenant's own, or else one that a feature's settings contain; `nil` if
    /// there is none.
    public var helpEmail: String? { supportEmail ?? parts.lazy.compactMap(\.supportEmail).first }

    /// The longest validity of anything that the features sign with the tenant's settings; at least
    /// ``SignedSpan/shortest``.
    package var signedSpan: SignedSpan { parts.compactMap(\.signedSpan).reduce(.shortest, max) }

    private func box<Part: TenantPart>(of part: Part.Type) -> TypedPartBox<Part>? {
        for box in parts where box.type == ObjectIdentifier(part) {
            return unsafeDowncast(box, to: TypedPartBox<Part>.self)
        }
        return nil
    }
}

extension Tenant: Hashable {
    /// Compares all values; a part without settings is equal to a missing one.
    public static func == (one: Tenant, other: Tenant) -> Bool {
        one.id == other.id && one.name == other.name && one.language == other.language
            && one.supportEmail == other.supportEmail && one.supportURL == other.supportURL && one.brand == other.brand
            && one.mail == other.mail
            && one.parts.allSatisfy { $0.isEqual(in: other) }
            && other.parts.allSatisfy { $0.isEqual(in: one) }
    }

    /// Hashes the id and the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(name)
    }
}

/// A feature's settings for one tenant, as part of the catalog.
public protocol TenantPart: Sendable, Hashable {
    /// Creates the settings of a tenant for which the feature stores nothing.
    init()

    /// An address for support that the feature's settings contain; `nil` if they contain none.
    var supportEmail: String? { get }

    /// The longest validity of anything that the feature signs for the tenant; `nil` if it signs nothing.
    var signedSpan: SignedSpan? { get }
}

extension TenantPart {
    /// The default, for a feature without a support address.
    public var supportEmail: String? { nil }

    /// The default, for a feature that signs nothing.
    public var signedSpan: SignedSpan? { nil }
}

/// A type-erased ``TenantPart``.
///
/// A class, because an existential would be boxed and cast at every access.
private class PartBox: @unchecked Sendable {
    // Sendable: only a unique box is changed, and subclasses hold Sendable values.
    let type: ObjectIdentifier

    init(_ type: ObjectIdentifier) { self.type = type }

    func isEqual(in tenant: Tenant) -> Bool { false }

    var supportEmail: String? { nil }

    var signedSpan: SignedSpan? { nil }
}

/// A box that contains a part of the type `Part`.
private final class TypedPartBox<Part: TenantPart>: PartBox, @unchecked Sendable {
    // Sendable: see PartBox.
    var value: Part

    init(_ value: Part) {
        self.value = value
        super.init(ObjectIdentifier(Part.self))
    }

    override func isEqual(in tenant: Tenant) -> Bool { tenant[Part.self] == value }

    override var supportEmail: String? { value.supportEmail }

    override var signedSpan: SignedSpan? { value.signedSpan }
}
