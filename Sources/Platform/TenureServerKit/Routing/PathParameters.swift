/// The decoded values of a route pattern's parameters.
package struct PathParameters: Sendable, Hashable {
    /// The names in the order of the pattern, without braces.
    package let names: [String]

    private let storage: PathValues

    /// The percent-decoded values, in the order of the names. A value is never empty, `.` or `..`, and has no slashes
    /// or control bytes.
    package var values: [String] { storage.all }

    /// Creates parameters from names and the same number of values.
    package init(names: [String] = [], values: [String] = []) {
        var collected = PathValues()
        for value in values { collected.append(value) }
        self.init(names: names, collected)
    }

    init(names: [String], _ stored: PathValues) {
        precondition(names.count == stored.count, "each path parameter has one value")
        self.names = names
        self.storage = stored
    }

    /// The value of the parameter with this name; `nil` if the pattern has no such parameter.
    package subscript(name: String) -> String? {
        for index in names.indices where names[index] == name { return storage[index] }
        return nil
    }
}

/// The values of a path's parameters. Up to three values need no array.
struct PathValues: Sendable, Hashable {
    private var first = "", second = "", third = ""
    private var others: [String] = []
    private(set) var count = 0

    var all: [String] { (0..<count).map { self[$0] } }

    mutating func append(_ value: String) {
        switch count {
        case 0: first = value
        case 1: second = value
        case 2: third = value
        default: others.append(value)
        }
        count += 1
    }

    subscript(index: Int) -> String {
        switch index {
        case 0: first
        case 1: second
        case 2: third
        default: others[index - 3]
        }
    }
}

/// One segment of a route's pattern, between two slashes.
enum RouteSegment: Sendable, Hashable {
    case fixed([UInt8])
    case parameter(String)

    init(_ text: Substring, in pattern: String) {
        precondition(!text.isEmpty, "a route's pattern has no empty segment: \(pattern)")
        guard text.first == "{" else {
            self = .fixed(Array(text.utf8))
            return
        }
        precondition(text.last == "}" && text.count > 2, "a parameter is {name}: \(pattern)")
        self = .parameter(String(text.dropFirst().dropLast()))
    }
}
