package import TenureCore
package import TenureFormats

/// A value of the catalog file with its position as a JSON pointer (RFC 6901).
package struct CatalogNode {
    package let value: JSONValue
    package let pointer: String

    /// The members of an object by name, with their own pointers; `nil` for any other value.
    package var members: [String: CatalogNode]? {
        guard case .object(let members) = value else { return nil }
        return Dictionary(
            uniqueKeysWithValues: members.map { name, value in
                (name, CatalogNode(value: value, pointer: "\(pointer)/\(JSONPointer.escaped(name))"))
            })
    }

    /// The elements of an array, with their own pointers; `nil` for any other value.
    package var elements: [CatalogNode]? {
        guard case .array(let values) = value else { return nil }
        return values.enumerated().map { CatalogNode(value: $1, pointer: "\(pointer)/\($0)") }
    }
}

/// Reads a catalog file and collects its problems, so that they're reported together.
package struct CatalogReader {
    /// The problems so far, in the order in which they were found.
    package private(set) var problems: [CatalogFileError.Problem] = []

    /// Reads the files that the catalog names.
    package let files: any NearbyFiles

    /// The ids that no product can have, because the server's own paths have these words in the same segment.
    package let reservedProducts: Set<String>

    /// Whether the server itself serves a path.
    package let isOwnPath: @Sendable (String) -> Bool

    /// The tenant that is being read.
    package internal(set) var tenant: TenantID
    package internal(set) var placeOfTenant = CatalogNode(value: .null, pointer: "")

    /// The values that features collected, by type, in file order.
    private(set) var gathered: [ObjectIdentifier: [any Sendable]] = [:]
    private var owners: [String: String] = [:]

    init(
        files: any NearbyFiles, tenant: TenantID, reservedProducts: Set<String>,
        isOwnPath: @escaping @Sendable (String) -> Bool
    ) {
        self.files = files
        self.tenant = tenant
        self.reservedProducts = reservedProducts
        self.isOwnPath = isOwnPath
    }

    /// Adds a value that isn't part of a catalog record, such as a license; ``CatalogFile/listed(_:)`` returns it.
    package mutating func gather<Listed: Sendable>(_ listed: Listed) {
        gathered[ObjectIdentifier(Listed.self), default: []].append(listed)
    }

    /// Claims a name that must be unique in the file. Returns the other owner if the name is already claimed; otherwise
    /// `nil`.
    package mutating func take(_ name: String, for owner: String) -> String? {
        guard let other = owners[name], other != owner else {
            owners[name] = owner
            return nil
        }
        return other
    }

    /// Adds a problem with a value. The message follows the position, as in `/tenants/0: must be an object`.
    package mutating func report(_ node: CatalogNode, _ message: String) {
        problems.append(.init(pointer: node.pointer, message: message))
    }

    /// Returns the members of an object. Reports unknown members, and a value that isn't an object.
    package mutating func object(_ node: CatalogNode, knowing names: [String]) -> [String: CatalogNode] {
        guard let members = node.members else {
            report(node, "must be an object, not \(node.value.kind)")
            return [:]
        }
        for (name, member) in members.sorted(by: { $0.key < $1.key }) where !names.contains(name) {
            report(member, "unknown field; known fields here: \(names.joined(separator: ", "))")
        }
        return members
    }

    /// Returns the elements of an array. Reports a value that isn't an array.
    package mutating func list(_ node: CatalogNode) -> [CatalogNode] {
        guard let elements = node.elements else {
            report(node, "must be an array, not \(node.value.kind)")
            return []
        }
        return elements
    }

    /// Returns a text of 1 to `limit` bytes without control characters; `nil` for `null` or after reporting a problem.
    package mutating func text(_ node: CatalogNode, limit: Int = 256) -> String? {
        guard node.value != .null else { return nil }
        guard case .string(let text) = node.value else {
            report(node, "must be a string, not \(node.value.kind)")
            return nil
        }
        let printable = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        guard (1...limit).contains(text.utf8.count), printable else {
            report(node, "must be 1 to \(limit) bytes long, without control characters")
            return nil
        }
        return text
    }

    /// Returns a whole number in the range; `nil` for `null` or after reporting a problem.
    package mutating func integer(
        _ node: CatalogNode, in range: ClosedRange<Int>, else message: @autoclosure () -> String? = nil
    ) -> Int? {
        guard node.value != .null else { return nil }
        guard case .integer(let number) = node.value, let value = Int(exactly: number), range.contains(value) else {
            report(node, message() ?? "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return value
    }

    /// Returns the first line of a file that a member names, such as a secret; `nil` after reporting a problem.
    ///
    /// A missing file counts as an empty one.
    package mutating func firstLine(of path: String, _ node: CatalogNode) -> String? {
        do throws(CatalogReader.FileError) {
            let bytes = try files.bytes(of: path, in: nil, limit: 4096) ?? []
            if let line = String(firstLineOf: bytes) { return line }
            report(node, "must name a text file in UTF-8")
        } catch {
            report(node, error.message)
        }
        return nil
    }

    /// Returns an id that may be used in URL paths; `nil` after reporting a missing or malformed one.
    package mutating func slug<Named>(
        _ node: CatalogNode?, of parent: CatalogNode, as: Slug<Named>.Type
    ) -> Slug<Named>? {
        guard let node else {
            report(parent, "needs an \"id\"")
            return nil
        }
        guard case .string(let text) = node.value, let slug = Slug<Named>(text) else {
            report(node, "must be 1 to 64 characters: a-z, 0-9, _ and -")
            return nil
        }
        return slug
    }

    /// Returns a date, or `.never` for `null`; `nil` after reporting a problem.
    package mutating func end(_ node: CatalogNode) -> TermEnd? {
        switch node.value {
        case .null: return .never
        case .string(let text):
            if let end = Timestamp(endText: text) { return .at(end) }
        default: break
        }
        report(
            node, "must be a date such as \"2027-01-31\" (to 24:00 UTC) or \"2027-01-31T12:00:00Z\", or null for no end"
        )
        return nil
    }
}

/// Reads the files that a catalog file names.
///
/// The implementation defines how relative paths are resolved.
package protocol NearbyFiles: Sendable {
    /// Whether a path is a folder.
    ///
    /// - Parameter path: The path as written in the file, absolute or relative to the catalog file.
    /// - Throws: ``CatalogReader.FileError`` if it doesn't exist or can't be read.
    func isFolder(_ path: String) throws(CatalogReader.FileError) -> Bool

    /// The bytes of a file, or of a file in a folder; `nil` if the folder has no such file.
    ///
    /// Throws ``CatalogReader.FileError`` if the file can't be read or is longer than `limit` bytes.
    func bytes(of path: String, in folder: String?, limit: Int) throws(CatalogReader.FileError) -> [UInt8]?
}

extension CatalogReader {
    /// An error for a file that the catalog names.
    package struct FileError: Error, Sendable, Hashable {
        /// The problem and how to correct it. The text follows the position of the member that names the file.
        package let message: String

        package init(_ message: String) { self.message = message }
    }
}

/// Provides no files, for catalogs that don't name any.
package struct NoFiles: NearbyFiles {
    package init() {}

    /// Always throws.
    package func isFolder(_ path: String) throws(CatalogReader.FileError) -> Bool {
        throw CatalogReader.FileError("refers to a file, but files can't be read here; apply the catalog from a file")
    }

    /// Always throws.
    package func bytes(of path: String, in folder: String?, limit: Int) throws(CatalogReader.FileError) -> [UInt8]? {
        throw CatalogReader.FileError("refers to a file, but files can't be read here; apply the catalog from a file")
    }
}
