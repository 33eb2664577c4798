import TenureFormats

/// A value of the catalog file and where it stands, as a JSON pointer (RFC 6901).
struct CatalogNode {
    let value: JSONValue
    let pointer: String

    /// The members of an object by name, with their own pointers; nil when it is something else.
    var members: [String: CatalogNode]? {
        guard case .object(let members) = value else { return nil }
        return Dictionary(
            uniqueKeysWithValues: members.map { name, value in
                (name, CatalogNode(value: value, pointer: "\(pointer)/\(Self.escaped(name))"))
            })
    }

    /// The values of a list, with their own pointers; nil when it is something else.
    var elements: [CatalogNode]? {
        guard case .array(let values) = value else { return nil }
        return values.enumerated().map { CatalogNode(value: $1, pointer: "\(pointer)/\($0)") }
    }

    private static func escaped(_ name: String) -> String {
        name.reduce(into: "") { result, character in
            switch character {
            case "~": result += "~0"
            case "/": result += "~1"
            default: result.append(character)
            }
        }
    }
}
