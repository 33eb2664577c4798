import TenureCore
import TenureFormats

/// Reads members of the catalog file and gathers what is wrong with them, so that one run tells all of it.
struct CatalogReader {
    private(set) var problems: [CatalogFileError.Problem] = []

    /// Where the packages are that the file names.
    let packages: any PackageReader

    /// The paths on this server that apps have taken for endpoints of their own, and for which.
    var places: [String: String] = [:]

    init(packages: any PackageReader) { self.packages = packages }

    mutating func report(_ node: CatalogNode, _ message: String) {
        problems.append(.init(pointer: node.pointer, message: message))
    }

    /// The members of an object; names that are not known are reported.
    mutating func object(_ node: CatalogNode, knowing known: [String]) -> [String: CatalogNode] {
        guard let members = node.members else {
            report(node, "must be an object, not \(node.value.kind)")
            return [:]
        }
        for (name, member) in members.sorted(by: { $0.key < $1.key }) where !known.contains(name) {
            report(member, "unknown member; known here: \(known.joined(separator: ", "))")
        }
        return members
    }

    /// The elements of a list; empty when the member is absent.
    mutating func list(_ node: CatalogNode?) -> [CatalogNode] {
        guard let node else { return [] }
        guard let elements = node.elements else {
            report(node, "must be a list, not \(node.value.kind)")
            return []
        }
        return elements
    }

    /// A text of 1 to `limit` bytes; nil when absent or null, or when it was reported.
    mutating func text(_ node: CatalogNode?, limit: Int = 256) -> String? {
        guard let node, node.value != .null else { return nil }
        guard case .string(let text) = node.value else {
            report(node, "must be a text, not \(node.value.kind)")
            return nil
        }
        let printable = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        guard (1...limit).contains(text.utf8.count), printable else {
            report(node, "must have 1 to \(limit) bytes and no control characters")
            return nil
        }
        return text
    }

    /// A whole number in the range; nil when absent or null, or when it was reported.
    mutating func integer(_ node: CatalogNode?, in range: ClosedRange<Int>) -> Int? {
        guard let node, node.value != .null else { return nil }
        guard case .integer(let number) = node.value, let value = Int(exactly: number), range.contains(value) else {
            report(node, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return value
    }

    /// `true` or `false`; the default when absent.
    mutating func bool(_ node: CatalogNode?, default standard: Bool) -> Bool {
        guard let node else { return standard }
        guard case .bool(let value) = node.value else {
            report(node, "must be true or false, not \(node.value.kind)")
            return standard
        }
        return value
    }

    /// A name for paths; nil and reported when it is missing or has another shape.
    mutating func slug<Named>(_ node: CatalogNode?, of parent: CatalogNode, as: Slug<Named>.Type) -> Slug<Named>? {
        guard let node else {
            report(parent, "needs an \"id\"")
            return nil
        }
        guard case .string(let text) = node.value, let slug = Slug<Named>(text) else {
            report(node, "must be 1 to 64 of a-z, 0-9, _ and -")
            return nil
        }
        return slug
    }
}
